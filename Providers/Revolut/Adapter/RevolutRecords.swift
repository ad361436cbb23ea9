import PaymentCore
import PaymentTransport

/// Revolut's orders as records of the acquirer's books.
enum RevolutRecords {
    static func record(_ order: RevolutWire.Order) -> AcquirerRecord? {
        guard let kind = kind(of: order), RevolutAPI.isPart(order.id),
            let currency = Currency(answeredCode: order.currency),
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
        // A refund is asked for without a text: what it carries is the paid order's.
        record.marker = kind == .refund ? nil : marker(of: order)
        record.parent = order.related_order_id.map(RevolutReference.order)
        record.card = shown?.card
        record.method = method(of: paid)
        record.approvalCode = paid?.payment_method?.authorisation_code
        return record
    }

    /// Where a customer can pay an order; nil unless it is an address that a phone opens.
    static func page(of order: RevolutWire.Order) -> URL? {
        guard let text = order.checkout_url, text.utf8.count <= 2_000, let url = URL(string: text),
            url.scheme?.lowercased() == "https", url.host?.isEmpty == false
        else { return nil }
        return url
    }

    /// The key of the attempt that an order carries whole; a merchant's own reference is none.
    static func marker(of order: RevolutWire.Order) -> String? {
        texts(of: order).lazy.compactMap { RevolutMarker.marker(in: $0) }.first
    }

    /// Whether an order carries a key, whatever became of the text around it.
    static func carries(_ marker: String, _ order: RevolutWire.Order) -> Bool {
        let isOwn = RevolutMarker.isOwn(marker)
        return texts(of: order).contains { $0 == marker || isOwn && $0.contains(marker) }
    }

    /// Where the kit's text may land.
    private static func texts(of order: RevolutWire.Order) -> [String] {
        let metadata = (order.metadata ?? [:]).sorted { $0.key < $1.key }.map(\.value)
        return [order.description, order.merchant_order_data?.reference].compactMap(\.self)
            + metadata
    }

    /// Whether an order may be a payment or a refund, as is asked for; one of a type that is not
    /// known may be anything.
    static func mayBe(_ wanted: AttemptKind, _ order: RevolutWire.Order) -> Bool {
        guard let kind = kind(of: order) else { return !otherTypes.contains(order.type ?? "") }
        return kind == wanted
    }

    private static func kind(of order: RevolutWire.Order) -> AttemptKind? {
        switch order.type {
        case "payment", "payment_request": .sale
        case "refund": .refund
        case nil: order.related_order_id == nil ? .sale : .refund
        default: nil
        }
    }

    /// The types of orders by which a bank or Revolut itself moves money.
    private static let otherTypes: Set = [
        "chargeback", "chargeback_reversal", "credit_reimbursement",
    ]

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
