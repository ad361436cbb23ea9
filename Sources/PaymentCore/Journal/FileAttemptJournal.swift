import Synchronization

/// A journal in a file: a record a line, durable when a call returns, for one process at a time.
///
/// Calls that wait at the same time share one write and one sync. They wait on a thread of the
/// journal's own; in an environment with an executor the calling job waits, so that a simulation is
/// the same in every run.
public final class FileAttemptJournal: AttemptJournal {
    /// Where the journal is kept.
    public let path: String
    private let file: JournalFile
    private let thread: JournalThread
    private let format: JournalFormat
    private let arrivals = Mutex(Arrivals())
    private let state: Mutex<State>

    /// The calls that nobody has looked at; apart from the rest, so that a caller waits for no book.
    private struct Arrivals {
        var calls: [JournalCall] = []
        var isWriting = false
    }

    private struct State {
        var queue: JournalQueue
        var tail: JournalTail
        var isClosed = false
        var statistics = Statistics()
    }

    /// What a journal did since it was opened for what became durable.
    package struct Statistics: Hashable, Sendable {
        /// How many times lines were written.
        package var writes = 0
        /// How many times the medium was waited for.
        package var syncs = 0
        /// How many entries became durable.
        package var records = 0
    }

    private init(
        path: String,
        thread: JournalThread,
        disk: JournalDisk,
        keeping kept: Int
    ) throws(JournalError) {
        self.path = path
        self.thread = thread
        format = JournalFormat()
        file = try JournalFile(path: path, disk: disk)
        do {
            let recovery = try JournalRecovery(file, format, keeping: kept)
            state = Mutex(
                State(
                    queue: JournalQueue(book: recovery.book),
                    tail: JournalTail(end: recovery.end)
                )
            )
        } catch {
            file.close()
            throw error
        }
    }

    deinit {
        let state = state.withLock { $0 }
        if !state.isClosed { close(state) }
    }

    /// Opens a journal, or creates it; its folder must exist unless it is a default place.
    ///
    /// A last record that a crash cut is removed. Damage anywhere else is an error that names the
    /// line and the byte, and nothing is changed.
    ///
    /// - Parameters:
    ///   - path: The journal's file.
    ///   - environment: Decides which thread waits for the medium.
    /// - Returns: The journal, locked against everybody else until it is closed.
    /// - Throws: ``JournalError`` when the file is damaged, in use, no journal or not writable.
    public static func open(
        path: String,
        environment: PaymentEnvironment
    ) async throws(JournalError) -> FileAttemptJournal {
        try await open(path: path, environment: environment, disk: .system)
    }

    static func open(
        path: String,
        environment: PaymentEnvironment,
        disk: JournalDisk,
        keeping kept: Int = AttemptBook.keptInMemory
    ) async throws(JournalError) -> FileAttemptJournal {
        let thread = JournalThread(environment)
        return try await thread.value {
            Result { () throws(JournalError) in
                try FileAttemptJournal(path: path, thread: thread, disk: disk, keeping: kept)
            }
        }.get()
    }

    /// The place of a program's journal by the platform's convention.
    ///
    /// That is the state folder of XDG on Linux and Application Support on Apple's systems; opening
    /// a journal there creates the folders that are missing.
    public static func defaultPath(program: String) -> String {
        JournalPlace.path(program: program)
    }

    /// Checks that an attempt may begin and writes that it does, in one step.
    public func begin(_ entry: JournalEntry) async throws(PaymentRefusal) -> BeginAnswer {
        let answer: JournalAnswer
        do {
            answer = await call(.begin(entry), [entry], try format.lines([entry]))
        } catch {
            throw .cannotRecord(error.description)
        }
        switch answer {
        case .done: return .begun
        case .begin(let answer): return answer
        case .refused(let refusal): throw refusal
        case .failed(let error): throw .cannotRecord(error.description)
        }
    }

    /// Writes entries; they are durable when the call returns.
    public func append(_ entries: [JournalEntry]) async throws(JournalError) {
        guard !entries.isEmpty else { return }
        let answer = await call(.append, entries, try format.lines(entries))
        if case .failed(let error) = answer { throw error }
    }

    /// Reads from the book of what is durable.
    public func read<Answer: Sendable>(_ body: @Sendable (AttemptBook) -> Answer) -> Answer {
        state.withLock { body($0.queue.book) }
    }

    /// Writes what waits, then lets go of the file; later calls are refused.
    public func close() async {
        _ = await call(.close, [], [])
    }

    /// What was done to the medium since the journal was opened.
    package var statistics: Statistics { state.withLock { $0.statistics } }

    /// How many calls wait for a write that has not begun.
    var waitingCalls: Int {
        arrivals.withLock { $0.calls.count } + state.withLock { $0.queue.count }
    }

    private func call(
        _ purpose: JournalCall.Purpose,
        _ entries: [JournalEntry],
        _ bytes: [UInt8]
    ) async -> JournalAnswer {
        await withCheckedContinuation { continuation in
            let call = JournalCall(
                purpose: purpose,
                entries: entries,
                bytes: bytes,
                continuation: continuation
            )
            let leads = arrivals.withLock { arrivals in
                arrivals.calls.append(call)
                defer { arrivals.isWriting = true }
                return !arrivals.isWriting
            }
            if leads { thread.run { self.writeAll() } }
        }
    }

    /// Writes until nobody waits.
    private func writeAll() {
        while let batch = next() {
            for (call, answer) in batch.answered { call.answer(answer) }
            if !batch.calls.isEmpty { write(batch) }
            if !batch.closing.isEmpty { close(for: batch.closing) }
        }
    }

    private func next() -> JournalQueue.Batch? {
        repeat {
            let calls = arrivals.withLock { arrivals in
                defer { arrivals.calls = [] }
                return arrivals.calls
            }
            let batch = state.withLock { state in
                state.queue.add(calls)
                return state.queue.next()
            }
            if let batch { return batch }
        } while !isDone()
        return nil
    }

    /// Whether nobody has come since; then whoever comes next leads.
    private func isDone() -> Bool {
        arrivals.withLock { arrivals in
            if arrivals.calls.isEmpty { arrivals.isWriting = false }
            return !arrivals.isWriting
        }
    }

    private func write(_ batch: JournalQueue.Batch) {
        let bytes = batch.bytes
        let tail = state.withLock { $0.tail }
        var newTail = JournalTail(end: tail.end)
        let failure: JournalFile.WriteFailure?
        do {
            newTail = try file.append(bytes, at: tail)
            failure = nil
        } catch {
            failure = error
        }
        state.withLock { state in
            state.tail = newTail
            switch failure {
            case .undone: break
            case .broken(let error): state.queue.fail(error)
            case nil:
                state.queue.written(batch, at: tail.end)
                state.statistics.writes += 1
                state.statistics.syncs += 1
                state.statistics.records += batch.records
            }
        }
        for call in batch.calls {
            switch failure {
            case .undone(let error), .broken(let error): call.answer(.failed(error))
            case nil: call.answer(.done)
            }
        }
    }

    private func close(for calls: [JournalCall]) {
        let before = state.withLock { state in
            defer {
                state.queue.fail(JournalError("\(path): the journal is closed"))
                state.isClosed = true
            }
            return state
        }
        if !before.isClosed { close(before) }
        for call in calls { call.answer(.done) }
    }

    private func close(_ state: State) {
        // Whatever failed, the file is left as it is for whoever looks into it.
        if state.queue.failure == nil { file.cutPadding(state.tail) }
        file.close()
    }
}
