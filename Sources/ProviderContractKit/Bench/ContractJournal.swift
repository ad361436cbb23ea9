public import PaymentCore
import Synchronization

/// The kit's journal: in memory, readable at any moment, and able to fail.
public final class ContractJournal: AttemptJournal {
    private struct State {
        var book = AttemptBook()
        var entries: [JournalEntry] = []
        var isFull = false
    }

    private let state = Mutex(State())

    /// Creates a journal that holds what an earlier one held.
    init(entries: [JournalEntry] = []) {
        state.withLock { state in
            state.entries = entries
            for entry in entries { state.book.apply(entry) }
        }
    }

    /// Every entry, in order.
    var entries: [JournalEntry] { state.withLock { $0.entries } }

    /// Has no room for another attempt any more.
    func fill() { state.withLock { $0.isFull = true } }

    /// Checks that an attempt may begin and notes that it does.
    public func begin(_ entry: JournalEntry) async throws(PaymentRefusal) -> BeginAnswer {
        let answer = state.withLock { state -> Result<BeginAnswer, PaymentRefusal> in
            if state.isFull { return .failure(.cannotRecord("the disk is full")) }
            do throws(PaymentRefusal) {
                if let earlier = try state.book.check(entry) { return .success(.repeated(earlier)) }
            } catch {
                return .failure(error)
            }
            state.book.apply(entry)
            state.entries.append(entry)
            return .success(.begun)
        }
        return try answer.get()
    }

    /// Notes entries.
    public func append(_ entries: [JournalEntry]) async throws(JournalError) {
        state.withLock { state in
            for entry in entries { state.book.apply(entry) }
            state.entries += entries
        }
    }

    /// Reads from the book.
    public func read<Answer: Sendable>(
        _ body: @Sendable (AttemptBook) -> Answer
    ) async -> Answer {
        body(state.withLock { $0.book })
    }
}
