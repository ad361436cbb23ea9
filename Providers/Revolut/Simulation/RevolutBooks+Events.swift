import AcquirerSimulation
import PaymentCore
import Simulation
import Synchronization

/// What the emulated Revolut tells of its orders, and when.
extension RevolutBooks {
    /// Tells what became of an order.
    func announce(_ old: RevolutOrderRow, _ new: RevolutOrderRow) {
        for event in Self.events(old, new) {
            webhooks.announce(event, order: new.id, reference: new.reference)
        }
    }

    /// The events of a change; those of a tap are this emulator's own guess.
    static func events(_ old: RevolutOrderRow, _ new: RevolutOrderRow) -> [String] {
        let isOver = new.payments.count > old.payments.count || old.isUnderWay
        let payment = isOver && !new.isUnderWay ? new.payments.last : nil
        let isHosted = payment.map { $0.method != "apple_tap_to_pay" } ?? false
        var events = isHosted ? ["ORDER_PAYMENT_AUTHENTICATED"] : []
        switch payment?.state {
        case "declined": events.append("ORDER_PAYMENT_DECLINED")
        case "failed": events.append("ORDER_PAYMENT_FAILED")
        default: break
        }
        guard old.state != new.state else { return events }
        switch (new.state, new.type) {
        case ("completed", "refund"): events.append("ORDER_COMPLETED")
        case ("completed", _):
            if old.state != "authorised" { events.append("ORDER_AUTHORISED") }
            events.append("ORDER_COMPLETED")
        case ("authorised", _): events.append("ORDER_AUTHORISED")
        case ("cancelled", _): events.append("ORDER_CANCELLED")
        case ("failed", "refund"): break
        case ("failed", _): events.append("ORDER_FAILED")
        default: break
        }
        return events
    }

    /// Sees to it that what happens by itself is told when it happens, if anybody listens.
    func watchTime() {
        guard webhooks.isUsed else { return }
        let now = now
        let ends = state.withLock { state in
            state.orders.flatMap { order in
                [
                    order.state == "pending" ? order.expiresAt : nil, order.settlesAt,
                    order.state == "authorised" ? order.terms?.releasesAt : nil,
                ]
            }
        }
        for end in ends.compactMap(\.self) where end > now && webhooks.watches(end) {
            let wait = Duration.seconds(end.timeIntervalSince(now)) + .milliseconds(1)
            world.time.clock.schedule(after: wait) { [self] in expire() }
        }
    }
}
