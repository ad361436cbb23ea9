import Simulation
import Synchronization

@testable import PaymentCore

/// An acquirer's books that hold what a test put there, and answer as it wrote down.
final class ScriptedBooks: BackOffice {
    let capabilities: BackOfficeCapabilities
    private let time: SimulatedTime
    private let state = Mutex(State())

    struct State {
        var records: [AcquirerRecord] = []
        var isComplete = true
        var account = TestTill.account
        /// How far the acquirer's clock is ahead; nil when it tells no time.
        var skew: Duration? = .zero
        /// What goes wrong with the next looks, one each; the last stays.
        var troubles: [Trouble] = []
        var closing = Closing.refused
        var queries: [RecordQuery] = []
        var closed: [AcquirerReference] = []
        /// What the next follow-ups are answered, one each; the last stays.
        var answers: [BackOfficeAnswer] = []
        var performed: [PaymentAttempt] = []
        var hangsFollowUps = false
        /// How long the next follow-ups take, one each.
        var slowFollowUps: [Duration] = []
        /// Happens with each follow-up that is asked for.
        var whenAsked: @Sendable () -> Void = {}
    }

    enum Trouble: Sendable {
        case none
        case error(PaymentError)
        case hangs
        case slow(Duration)
    }

    enum Closing: Sendable {
        case refused
        case cancels
        /// Answers with the end of a record that nobody asked about.
        case cancelsAnother
        case findsPaid
        case hangs
    }

    init(time: SimulatedTime, capabilities: BackOfficeCapabilities) {
        self.time = time
        self.capabilities = capabilities
    }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    func add(_ record: AcquirerRecord) { change { $0.records.append(record) } }

    /// The looks that reached the books.
    var queries: [RecordQuery] { state.withLock { $0.queries } }
    /// The follow-ups that reached the acquirer, each time they did.
    var performed: [PaymentAttempt] { state.withLock { $0.performed } }
    /// What was closed, or tried to be.
    var closed: [AcquirerReference] { state.withLock { $0.closed } }

    func records(_ query: RecordQuery) async throws(PaymentError) -> RecordListing {
        let trouble = state.withLock { state -> Trouble in
            state.queries.append(query)
            return state.troubles.count > 1
                ? state.troubles.removeFirst() : state.troubles.first ?? .none
        }
        switch trouble {
        case .none: break
        case .error(let error): throw error
        case .hangs: _ = await OneShot<Bool>().value()
        case .slow(let delay): try? await time.clock.sleep(for: delay)
        }
        let now = time.wallTime
        return state.withLock { state in
            let named = state.records.filter { query.references.contains($0.reference) }
            return RecordListing(
                records: query.references.isEmpty
                    ? state.records.filter { query.created.contains($0.createdAt) } : named,
                isComplete: state.isComplete && query.references.isEmpty,
                account: state.account,
                acquirerTime: state.skew.map { now.advanced(by: $0) }
            )
        }
    }

    func close(_ reference: AcquirerReference) async -> CloseAnswer {
        let closing = state.withLock { state in
            state.closed.append(reference)
            return state.closing
        }
        if case .hangs = closing { _ = await OneShot<Bool>().value() }
        return state.withLock { state in
            guard let index = state.records.firstIndex(where: { $0.reference == reference })
            else { return .notClosed(PaymentError(.notFound)) }
            switch closing {
            case .refused, .hangs: return .notClosed(PaymentError(.conflict))
            case .cancels: state.records[index].state = .cancelled
            case .cancelsAnother:
                var other = state.records[index]
                other.reference = AcquirerReference(kind: "payment", value: "R99")
                other.state = .cancelled
                return .closed(other)
            case .findsPaid: state.records[index].state = .succeeded
            }
            return .closed(state.records[index])
        }
    }

    func perform(_ attempt: PaymentAttempt) async -> BackOfficeAnswer {
        let (hangs, delay) = state.withLock { state in
            state.performed.append(attempt)
            state.whenAsked()
            return (
                state.hangsFollowUps,
                state.slowFollowUps.isEmpty ? .zero : state.slowFollowUps.removeFirst()
            )
        }
        if hangs { _ = await OneShot<Bool>().value() }
        if delay > .zero { try? await time.clock.sleep(for: delay) }
        return state.withLock { state in
            state.answers.count > 1
                ? state.answers.removeFirst()
                : state.answers.first ?? .notDone(PaymentError(.requestRejected))
        }
    }

    func link(for attempt: PaymentAttempt) -> LinkAnswer { .unsupported }
}
