import Dispatch
import Synchronization

/// A journal in a file: everything is on the disk when a call returns.
///
/// Calls that wait at the same time share one write and one sync. Two processes cannot use one
/// file at once; the lock ends with the process that holds it.
public final class FileAttemptJournal: AttemptJournal {
    private struct Waiting {
        let bytes: [UInt8]
        let records: Int
        let done: CheckedContinuation<JournalError?, Never>
    }

    private struct State {
        var book: AttemptBook
        var waiting: [Waiting] = []
        var isWriting = false
    }

    private let state: Mutex<State>
    private let file: Mutex<JournalFile?>
    private let counts = Mutex(Statistics())
    private let writesInline: Bool
    private let queue = DispatchQueue(label: "payment-journal")

    /// What writing has cost so far.
    public struct Statistics: Hashable, Sendable {
        /// How many records were written.
        public var records = 0
        /// How often they were synced to the disk.
        public var syncs = 0
    }

    /// Opens a journal, or creates one.
    ///
    /// A record that a crash cut off at the end is taken away. Damage anywhere else is an error, and
    /// the file is left as it is.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must exist.
    ///   - environment: Where threads come from; in a simulation every call writes at once.
    /// - Throws: ``JournalError`` that says why, and where.
    public init(path: String, environment: PaymentEnvironment) throws(JournalError) {
        var file = try JournalFile(path: path)
        let bytes = try file.readAll()
        let reading = try JournalFormat.read(bytes, path: path)
        if reading.end < bytes.count {
            try file.cut(at: reading.end)
        } else {
            file.keep(reading.end)
        }
        if reading.isNew { try file.create(JournalFormat.line(JournalFormat.header)) }
        var book = AttemptBook()
        for entry in reading.entries { book.apply(entry) }
        state = Mutex(State(book: book))
        self.file = Mutex(file)
        writesInline = environment.executor != nil
    }

    /// Where a program's journal stands when nobody says: the system's folder for state.
    ///
    /// - Parameter program: Names the folder, which is made when it is missing.
    /// - Returns: The file.
    /// - Throws: ``JournalError`` when the folder cannot be made.
    public static func defaultPath(
        program: String = "swift-in-person-payments"
    ) throws(JournalError) -> String {
        try JournalFile.defaultPath(program: program)
    }

    /// What writing has cost so far.
    public var statistics: Statistics { counts.withLock { $0 } }

    /// Gives the file and its lock back; whatever is written afterwards fails.
    public func close() { file.withLock { $0 = nil } }

    /// Checks that an attempt may begin and writes that it does, in one step.
    public func begin(_ entry: JournalEntry) async throws(PaymentRefusal) -> BeginAnswer {
        let bytes: [UInt8]
        do throws(JournalError) {
            bytes = try JournalFormat.line(entry)
        } catch {
            throw .cannotRecord(error.description)
        }
        // From here on the attempt counts against others, though it is not on the disk yet.
        if let earlier = try claim(entry) { return .repeated(earlier) }
        if let error = await write(bytes, records: 1) {
            state.withLock { $0.book.forget(entry.attempt) }
            throw .cannotRecord(error.description)
        }
        return .begun
    }

    /// Writes entries.
    public func append(_ entries: [JournalEntry]) async throws(JournalError) {
        var bytes: [UInt8] = []
        for entry in entries { bytes += try JournalFormat.line(entry) }
        if let error = await write(bytes, records: entries.count) { throw error }
        state.withLock { state in
            for entry in entries { state.book.apply(entry) }
        }
    }

    /// Reads from the book.
    public func read<Answer: Sendable>(_ body: @Sendable (AttemptBook) -> Answer) -> Answer {
        state.withLock { body($0.book) }
    }

    private func claim(_ entry: JournalEntry) throws(PaymentRefusal) -> AttemptBook.Attempt? {
        let answer = state.withLock { state -> Result<AttemptBook.Attempt?, PaymentRefusal> in
            do throws(PaymentRefusal) {
                let earlier = try state.book.check(entry)
                if earlier == nil { state.book.apply(entry) }
                return .success(earlier)
            } catch {
                return .failure(error)
            }
        }
        return try answer.get()
    }

    // MARK: Writing

    private func write(_ bytes: [UInt8], records: Int) async -> JournalError? {
        guard !writesInline else { return writeNow(bytes, records: records) }
        return await withCheckedContinuation { continuation in
            let leads = state.withLock { state in
                state.waiting.append(Waiting(bytes: bytes, records: records, done: continuation))
                defer { state.isWriting = true }
                return !state.isWriting
            }
            if leads { queue.async { self.lead() } }
        }
    }

    /// Writes for all that wait, until nobody does.
    private func lead() {
        while true {
            let group = state.withLock { state in
                defer { state.waiting = [] }
                state.isWriting = !state.waiting.isEmpty
                return state.waiting
            }
            guard !group.isEmpty else { return }
            let error = writeNow(
                group.flatMap(\.bytes),
                records: group.reduce(0) { $0 + $1.records }
            )
            for waiting in group { waiting.done.resume(returning: error) }
        }
    }

    private func writeNow(_ bytes: [UInt8], records: Int) -> JournalError? {
        let error = file.withLock { file -> JournalError? in
            do throws(JournalError) {
                guard file != nil else { return JournalError("the journal was closed") }
                try file?.append(bytes)
                return nil
            } catch {
                return error
            }
        }
        if error == nil {
            counts.withLock { counts in
                counts.records += records
                counts.syncs += 1
            }
        }
        return error
    }
}
