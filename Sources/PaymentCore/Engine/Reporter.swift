import Synchronization

/// Passes one attempt's progress on, to its caller and to whoever watches the states.
final class Reporter: Sendable {
    private let attempt: AttemptID
    private let channel: EventChannel?
    private let feed: StateFeed
    private let reported = Mutex<[String]>([])

    init(attempt: AttemptID, channel: EventChannel? = nil, feed: StateFeed) {
        self.attempt = attempt
        self.channel = channel
        self.feed = feed
    }

    /// The progress that the adapter reported, in order.
    var phases: [String] { reported.withLock { $0 } }

    func send(_ progress: AttemptProgress) {
        reported.withLock { $0.append(progress.name) }
        send(progress.event)
    }

    func send(_ kind: PaymentEvent.Kind) {
        let event = PaymentEvent(attempt: attempt, kind: kind)
        feed.show(event)
        channel?.send(event)
    }
}

extension AttemptProgress {
    fileprivate var name: String {
        switch self {
        case .preparing: "preparing"
        case .presentCard: "presentCard"
        case .cardRead: "cardRead"
        case .submitting: "submitting"
        case .showQRCode: "showQRCode"
        }
    }
}
