import PaymentCore
import Synchronization

/// Whether the process of a proof lives, and when it dies.
final class Life: Sendable {
    private struct State {
        var isDead = false
        var writes = 0
        var requests = 0
    }

    private let state = Mutex(State())
    private let end: Happening

    init(_ end: Happening) { self.end = end }

    var isDead: Bool { state.withLock { $0.isDead } }

    /// Dies now, as everything does in the end.
    func die() { state.withLock { $0.isDead = true } }

    /// Counts a write; tells whether it still happens.
    func writes() -> Bool {
        state.withLock { state in
            guard !state.isDead else { return false }
            state.writes += 1
            if end == .diesAtWrite(state.writes, after: false) { state.isDead = true }
            if end == .diesAtWrite(state.writes, after: true) {
                state.isDead = true
                return true
            }
            return !state.isDead
        }
    }

    /// What becomes of a request.
    enum Request { case sent, notSent, answerLost }

    /// Counts a request; tells what becomes of it.
    func requests() -> Request {
        state.withLock { state in
            guard !state.isDead else { return .notSent }
            state.requests += 1
            if end == .diesAtRequest(state.requests, after: false) { state.isDead = true }
            if end == .diesAtRequest(state.requests, after: true) {
                state.isDead = true
                return .answerLost
            }
            return state.isDead ? .notSent : .sent
        }
    }
}

/// A journal as one process sees it: what that writes after its end is lost.
final class MortalJournal: AttemptJournal {
    private let journal: any AttemptJournal
    private let life: Life

    init(_ journal: any AttemptJournal, life: Life) {
        self.journal = journal
        self.life = life
    }

    func begin(_ entry: JournalEntry) async throws(PaymentRefusal) -> BeginAnswer {
        guard life.writes() else { throw .cannotRecord("the process has ended") }
        return try await journal.begin(entry)
    }

    func append(_ entries: [JournalEntry]) async throws(JournalError) {
        guard life.writes() else { return }
        try await journal.append(entries)
    }

    func read<Answer: Sendable>(_ body: @Sendable (AttemptBook) -> Answer) async -> Answer {
        await journal.read(body)
    }
}
