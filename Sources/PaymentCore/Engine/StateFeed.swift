import Synchronization

/// How a point of sale stands at one moment.
public struct PointOfSaleState: Sendable {
    /// What was missing before a payment when the reader was last prepared.
    public var readiness: ProviderReadiness?
    /// Whether the app is on the screen, as far as it has said so.
    public var isForeground = true
    /// The payment that runs, if one does.
    public var running: Running?
    /// The payments whose end nobody knows.
    public var open: [UnresolvedPayment] = []
    /// Payments about which evidence came that contradicts what was told.
    public var alarms: [Alarm] = []
    /// Why the journal could not be written, if it could not.
    public var journalTrouble: JournalError?

    /// The payment that runs.
    public struct Running: Sendable {
        /// Its attempt.
        public let attempt: AttemptID
        /// What it is for.
        public let order: Order
        /// What happened last.
        public var event: PaymentEvent?

        init(attempt: AttemptID, order: Order) {
            self.attempt = attempt
            self.order = order
        }
    }

    /// Evidence that contradicts what was told; a person must look.
    public struct Alarm: Hashable, Sendable {
        /// The attempt.
        public let attempt: AttemptID
        /// How the attempt ended according to the new evidence.
        public let told: String

        init(attempt: AttemptID, told: String) {
            self.attempt = attempt
            self.told = told
        }
    }
}

/// The states of a point of sale, from the present one on; a slow reader sees the latest only.
public struct PointOfSaleStates: AsyncSequence, Sendable {
    let feed: StateFeed

    /// Begins with the present state.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(feed: feed) }

    /// Hands out each state that is newer than the one before.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let feed: StateFeed
        var seen = 0

        init(feed: StateFeed) { self.feed = feed }

        /// The present state the first time, then the next newer one; nil once the task is cancelled.
        public mutating func next() async -> PointOfSaleState? {
            guard let (version, state) = await feed.state(after: seen) else { return nil }
            seen = version
            return state
        }
    }
}

/// Keeps the latest state for everyone who watches; costs a lock when nobody does.
final class StateFeed: Sendable {
    private typealias Answer = (version: Int, state: PointOfSaleState)?
    private typealias Told = (waiters: [CheckedContinuation<Answer, Never>], answer: Answer)

    private struct Inner {
        var version = 1
        var state = PointOfSaleState()
        var waiters: [Int: CheckedContinuation<Answer, Never>] = [:]
        var nextWaiter = 0
    }

    private let inner = Mutex(Inner())

    /// The present state.
    var now: PointOfSaleState { inner.withLock { $0.state } }

    func update(_ change: (inout PointOfSaleState) -> Void) {
        let told = inner.withLock { inner -> Told? in
            change(&inner.state)
            inner.version += 1
            guard !inner.waiters.isEmpty else { return nil }
            defer { inner.waiters = [:] }
            return (Array(inner.waiters.values), (inner.version, inner.state))
        }
        guard let told else { return }
        for waiter in told.waiters { waiter.resume(returning: told.answer) }
    }

    func show(_ event: PaymentEvent) {
        update { state in
            if state.running?.attempt == event.attempt { state.running?.event = event }
        }
    }

    func state(after version: Int) async -> (version: Int, state: PointOfSaleState)? {
        let id = inner.withLock { inner in
            inner.nextWaiter += 1
            return inner.nextWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Answer, Never>) in
                let answer = inner.withLock { inner -> Answer? in
                    if Task.isCancelled { return .some(nil) }
                    if inner.version > version { return (inner.version, inner.state) }
                    inner.waiters[id] = continuation
                    return .none
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            inner.withLock { $0.waiters.removeValue(forKey: id) }?.resume(returning: nil)
        }
    }
}
