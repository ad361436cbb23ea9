import PaymentCore

/// What a back end knows of Revolut's records, from deliveries and from its own reads.
///
/// A value without clock, task or network. Deliveries may come in any order and any number of
/// times, and the value is the same in the end. No delivery alone says that money moved: it says
/// which order to read, and the order that was read says so.
public struct RevolutWebhookTracker: Hashable, Sendable {
    /// What is known of each record.
    public private(set) var tracks: [RevolutWebhookEvent.Subject: RevolutWebhookTrack] = [:]

    /// Starts with nothing known.
    public init() {}

    /// Takes a delivery.
    ///
    /// - Parameter event: What was delivered.
    /// - Returns: Whether it told anything new.
    @discardableResult
    public mutating func take(_ event: RevolutWebhookEvent) -> Bool {
        tracks[event.subject, default: RevolutWebhookTrack()].take(event)
    }

    /// Takes an order that was read; one that is older than what is known changes nothing.
    public mutating func take(_ order: RevolutOrder) {
        tracks[.order(order.id), default: RevolutWebhookTrack()].take(order)
    }

    /// What is known of an order.
    public func track(ofOrder id: String) -> RevolutWebhookTrack? { tracks[.order(id)] }

    /// The orders to be read, since deliveries told what no read has shown yet.
    public var ordersToRead: [String] {
        tracks.compactMap { subject, track in
            if case .order(let id) = subject, track.needsReading { id } else { nil }
        }.sorted()
    }
}

/// What is known of one record.
public struct RevolutWebhookTrack: Hashable, Sendable {
    /// The names that were delivered, once each; two deliveries of a name cannot be told apart.
    public private(set) var events: Set<RevolutWebhookEvent.Name> = []
    /// The merchant's own identifiers that came with them.
    public private(set) var references: Set<String> = []
    /// The newest state of the order that was read.
    public private(set) var order: RevolutOrder?

    mutating func take(_ event: RevolutWebhookEvent) -> Bool {
        if let reference = event.orderReference { references.insert(reference) }
        return events.insert(event.name).inserted
    }

    mutating func take(_ order: RevolutOrder) {
        guard let known = self.order, !Self.isNewer(order, than: known) else {
            self.order = order
            return
        }
    }

    /// Whether deliveries told of something that the order that was read does not show.
    public var needsReading: Bool {
        guard let order else { return !events.isEmpty }
        return !order.state.isFinal && events.contains { !Self.shows(order, $0) }
    }

    /// A final state is never left, whatever comes late, and "completed" for no other; else the
    /// later change counts.
    private static func isNewer(_ order: RevolutOrder, than known: RevolutOrder) -> Bool {
        guard order.state.isFinal == known.state.isFinal else { return order.state.isFinal }
        let isPaid = order.state == .completed
        guard isPaid == (known.state == .completed) else { return isPaid }
        let (time, knownTime) = (
            order.updatedAt ?? order.createdAt, known.updatedAt ?? known.createdAt
        )
        guard time == knownTime else { return time > knownTime }
        return (order.payments.count, order.state.description)
            > (known.payments.count, known.state.description)
    }

    /// Whether an order that is not final shows what an event told.
    private static func shows(_ order: RevolutOrder, _ event: RevolutWebhookEvent.Name) -> Bool {
        switch event {
        case .orderCompleted, .orderCancelled, .orderFailed: false
        case .orderAuthorized: order.state == .authorized
        case .paymentDeclined: order.payments.contains { $0.state.meaning == .refused }
        case .paymentFailed: order.payments.contains { $0.state.meaning == .failed }
        default: true
        }
    }
}
