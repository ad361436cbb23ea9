import Synchronization

/// The durable record of attempts: what protects an order from being charged twice.
public protocol AttemptJournal: Sendable {
    /// Checks that an attempt may begin and writes that it does, in one step.
    ///
    /// - Parameter entry: An entry whose fact is that an attempt began.
    /// - Returns: Whether it began, or was answered before under the same follow-up id.
    /// - Throws: ``PaymentRefusal`` when the book forbids it or it cannot be written.
    func begin(_ entry: JournalEntry) async throws(PaymentRefusal) -> BeginAnswer
    /// Writes entries; they are durable when the call returns.
    ///
    /// - Parameter entries: What became known, in order.
    /// - Throws: ``JournalError`` when they cannot be written.
    func append(_ entries: [JournalEntry]) async throws(JournalError)
    /// Reads from the book that the entries add up to.
    func read<Answer: Sendable>(_ body: @Sendable (AttemptBook) -> Answer) async -> Answer
}

/// The answer to beginning an attempt.
public indirect enum BeginAnswer: Sendable {
    /// The attempt is written down; act.
    case begun
    /// A follow-up of the same id exists; this is what became of it.
    case repeated(AttemptBook.Attempt)
}

/// Why a journal could not be written or opened.
public struct JournalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong, where, and what to do.
    public let description: String

    /// Creates an error.
    public init(_ description: String) { self.description = description }
}

/// A journal that lives as long as the process; for tests and demonstrations.
public final class MemoryAttemptJournal: AttemptJournal {
    private let state = Mutex(State())

    private struct State {
        var book = AttemptBook()
        var entries: [JournalEntry] = []

        mutating func add(_ entries: [JournalEntry]) {
            for entry in entries { book.apply(entry) }
            self.entries += entries
        }
    }

    /// Creates an empty journal.
    public init() {}

    /// Creates a journal that holds what an earlier one held.
    public init(entries: [JournalEntry]) { append(entries) }

    /// Every entry, in order.
    public var entries: [JournalEntry] { state.withLock { $0.entries } }

    /// Checks that an attempt may begin and notes that it does.
    public func begin(_ entry: JournalEntry) throws(PaymentRefusal) -> BeginAnswer {
        try state.withLock { state throws(PaymentRefusal) in
            if let earlier = try state.book.check(entry) { return .repeated(earlier) }
            state.add([entry])
            return .begun
        }
    }

    /// Notes entries.
    public func append(_ entries: [JournalEntry]) { state.withLock { $0.add(entries) } }

    /// Reads from the book.
    public func read<Answer: Sendable>(_ body: @Sendable (AttemptBook) -> Answer) -> Answer {
        state.withLock { body($0.book) }
    }
}
