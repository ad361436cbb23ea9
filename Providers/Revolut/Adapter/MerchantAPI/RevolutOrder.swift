public import PaymentCore
import PaymentTransport

/// An order as Revolut's books have it: what is to be paid, or given back.
public struct RevolutOrder: Hashable, Sendable {
    /// What Revolut calls it.
    public let id: String
    /// What it is for; a refund is an order of its own.
    public let type: Kind
    /// How far it is.
    public let state: State
    /// When it was made.
    public let createdAt: Date
    /// When it changed last.
    public let updatedAt: Date?
    /// What is asked for.
    public let amount: Money
    /// What is still to be paid.
    public let outstanding: Money?
    /// What was given back.
    public let refunded: Money?
    /// The text that the merchant sees.
    public let description: String?
    /// Whether a payment is captured at once; `automatic` or `manual`.
    public let captureMode: String?
    /// The merchant's own identifier.
    public let reference: String?
    /// The merchant's own names and values.
    public let metadata: [String: String]
    /// Where the customer can pay.
    public let checkoutURL: URL?
    /// The order that this one refunds, or otherwise belongs to.
    public let related: String?
    /// The location that it belongs to.
    public let location: String?
    /// Every attempt to pay it, in Revolut's order; lists of orders show none.
    public let payments: [RevolutOrderPayment]

    /// What an order is for; an open set.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// Revolut's word.
        public let description: String
        /// Somebody pays.
        public static let payment = Self(description: "payment")
        /// Somebody was asked to pay.
        public static let paymentRequest = Self(description: "payment_request")
        /// Money goes back to a customer.
        public static let refund = Self(description: "refund")
        /// A bank took money back.
        public static let chargeback = Self(description: "chargeback")
    }

    /// How far an order is; an open set.
    public struct State: Hashable, Sendable, CustomStringConvertible {
        /// Revolut's word.
        public let description: String
        /// Nobody pays at the moment; it can be paid.
        public static let pending = Self(description: "pending")
        /// An attempt is running.
        public static let processing = Self(description: "processing")
        /// Money is held.
        public static let authorized = Self(description: "authorised")
        /// Money moved.
        public static let completed = Self(description: "completed")
        /// It was closed.
        public static let cancelled = Self(description: "cancelled")
        /// It ended unpaid.
        public static let failed = Self(description: "failed")

        /// Whether no other state can follow.
        public var isFinal: Bool { [.completed, .cancelled, .failed].contains(self) }
    }

    /// Whether it is a sale whose money moved; a completed refund is none.
    public var isPaidSale: Bool {
        state == .completed && (type == .payment || type == .paymentRequest)
    }

    /// Whether it is a refund that was given; one that is processing may still fail.
    public var isGivenRefund: Bool { state == .completed && type == .refund }

    /// The refusal of the last payment, if it was refused.
    public var decline: Decline? { payments.last?.decline }
}

extension RevolutOrder {
    /// The order that a body tells; nil when its amount, currency or time cannot be read.
    init?(_ wire: RevolutWire.WholeOrder) {
        guard let currency = Currency(answeredCode: wire.order.currency),
            let amount = try? Money(minorUnits: wire.order.amount, currency: currency),
            let createdAt = WireDate.parse(wire.order.created_at)
        else { return nil }
        func money(_ minorUnits: Int64?) -> Money? {
            minorUnits.flatMap { try? Money(minorUnits: $0, currency: currency) }
        }
        id = wire.order.id
        type = Kind(description: wire.order.type ?? "payment")
        state = State(description: wire.order.state)
        self.createdAt = createdAt
        updatedAt = wire.order.updated_at.flatMap(WireDate.parse)
        self.amount = amount
        outstanding = money(wire.outstanding)
        refunded = money(wire.refunded)
        description = wire.order.description
        captureMode = wire.captureMode
        reference = wire.order.merchant_order_data?.reference
        metadata = wire.order.metadata ?? [:]
        checkoutURL = wire.order.checkout_url.flatMap { URL(string: $0) }
        related = wire.order.related_order_id
        location = wire.location
        payments = wire.payments.map { RevolutOrderPayment($0, order: wire.order.id) }
    }
}
