import PaymentCore
import PaymentTransport

/// Revolut's orders as records of the acquirer's books.
enum RevolutRecords {
    static func record(_ order: RevolutWire.Order) -> AcquirerRecord? {
        guard let kind = kind(of: order),
            let currency = Currency(code: order.currency.uppercased()),
            let amount = try? Money(minorUnits: order.amount, currency: currency),
            let createdAt = WireDate.parse(order.created_at)
        else { return nil }
        let paid = order.payments?.last { meaning($0) == .succeeded }
        let shown = paid ?? order.payments?.last
        var record = AcquirerRecord(
            reference: RevolutReference.order(order.id),
            kind: kind,
            amount: amount,
            state: state(of: order),
            createdAt: createdAt
        )
        record.marker =
            RevolutMarker.marker(in: order.description)
            ?? [order.merchant_order_data?.reference, order.metadata?["marker"]]
            .compactMap(\.self).first(where: RevolutMarker.isOwn)
        record.parent = order.related_order_id.map(RevolutReference.order)
        record.card = shown?.card
        record.method = method(of: paid)
        record.approvalCode = paid?.payment_method?.authorisation_code
        return record
    }

    /// Whether an order carries the marker of some attempt; a merchant's own reference is none.
    static func isMarked(_ order: RevolutWire.Order) -> Bool {
        RevolutMarker.marker(in: order.description) != nil
            || [order.merchant_order_data?.reference, order.metadata?["marker"]]
                .compactMap(\.self).contains(where: RevolutMarker.isOwn)
    }

    /// Whether an order could be the one that carries a marker.
    static func carries(_ marker: String, _ order: RevolutWire.Order) -> Bool {
        order.description?.contains(marker) == true
            || order.merchant_order_data?.reference == marker
            || order.metadata?.values.contains(marker) == true
    }

    private static func kind(of order: RevolutWire.Order) -> AttemptKind? {
        switch order.type {
        case "payment", "payment_request", nil: .sale
        case "refund": .refund
        default: nil
        }
    }

    /// The table of orders and payments; an intermediate state of a payment decides nothing.
    private static func state(of order: RevolutWire.Order) -> AcquirerRecord.State {
        let payments = order.payments ?? []
        let refused = payments.last { meaning($0) == .refused }
        let decline = refused.map { RevolutDeclines.decline($0, order: order.id) }
        switch order.state {
        case "completed": return .succeeded
        case "cancelled", "failed", "CANCELED":
            return decline.map { .declined($0) } ?? .cancelled
        case "pending":
            if order.type == "refund" { return .pending }
            let isOver = payments.allSatisfy {
                [.refused, .failed, .cancelled].contains(meaning($0))
            }
            return isOver ? .payable(lastDecline: decline) : .pending
        case "processing", "authorised": return .pending
        default: return .unknown(Scrubbing.scrub(order.state))
        }
    }

    private static func method(of payment: RevolutWire.Payment?) -> PaymentMethod {
        switch payment?.payment_method?.type {
        case "apple_tap_to_pay": .tap
        case nil: .unknown
        default: .qr
        }
    }

    private static func meaning(_ payment: RevolutWire.Payment) -> RevolutOrderPayment.Meaning {
        RevolutOrderPayment.State(description: payment.state).meaning
    }
}
