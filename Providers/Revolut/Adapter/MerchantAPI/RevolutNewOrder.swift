public import PaymentCore

/// An order to be made.
public struct RevolutNewOrder: Sendable {
    /// What is to be paid.
    public var amount: Money
    /// The text that the merchant sees.
    public var description: String?
    /// Whether a payment is captured at once.
    public var capture = Capture.automatic
    /// How long it may stay unpaid, from a minute to thirty days; can only be said now.
    public var expiresAfter: Duration?
    /// How long money may be held before it is let go.
    public var releasesAfter: Duration?
    /// The merchant's own identifier, by which the order is found again.
    public var reference: String?
    /// The merchant's own names and values.
    public var metadata: [String: String] = [:]
    /// The location that it belongs to.
    public var location: String?
    /// Where the hosted page leads after a payment.
    public var redirectURL: URL?
    /// What follows the merchant's name on the customer's statement.
    public var statementSuffix: String?

    /// How a payment is captured.
    public enum Capture: Hashable, Sendable {
        /// At once.
        case automatic
        /// By a call, within seven days.
        case manual
        /// By a call, within thirty days.
        case preAuthorization
    }

    /// Creates an order of an amount, captured at once.
    public init(_ amount: Money) { self.amount = amount }
}

/// What is to be changed of an order; what is nil stays as it is.
public struct RevolutOrderChange: Sendable {
    /// What is to be paid; can be changed while nobody has paid.
    public var amount: Money?
    /// The text that the merchant sees.
    public var description: String?
    /// The merchant's own identifier.
    public var reference: String?
    /// The merchant's own names and values.
    public var metadata: [String: String]?
    /// How long money may be held before it is let go.
    public var releasesAfter: Duration?

    /// Creates a change that changes nothing.
    public init() {}
}

extension RevolutWire {
    struct WrittenOrder: Encodable {
        var amount: Int64?
        var currency: String?
        var description: String?
        var capture_mode: String?
        var authorisation_type: String?
        var expire_pending_after: String?
        var cancel_authorised_after: String?
        var merchant_order_data: NewOrder.Reference?
        var metadata: [String: String]?
        var location_id: String?
        var redirect_url: String?
        var statement_descriptor_suffix: String?

        init(_ order: RevolutNewOrder) {
            amount = order.amount.minorUnits
            currency = order.amount.currency.code
            description = order.description
            capture_mode = order.capture == .automatic ? "automatic" : "manual"
            authorisation_type =
                order.capture == .preAuthorization ? "pre_authorisation" : nil
            expire_pending_after = order.expiresAfter.map(RevolutWire.duration)
            cancel_authorised_after = order.releasesAfter.map(RevolutWire.duration)
            merchant_order_data = order.reference.map { .init(reference: $0) }
            metadata = order.metadata.isEmpty ? nil : order.metadata
            location_id = order.location
            redirect_url = order.redirectURL?.absoluteString
            statement_descriptor_suffix = order.statementSuffix
        }

        init(_ change: RevolutOrderChange) {
            amount = change.amount?.minorUnits
            currency = change.amount?.currency.code
            description = change.description
            merchant_order_data = change.reference.map { .init(reference: $0) }
            metadata = change.metadata
            cancel_authorised_after = change.releasesAfter.map(RevolutWire.duration)
        }
    }

    struct Amount: Encodable {
        var amount: Int64?
    }

    /// A duration as ISO 8601 writes it, in hours, minutes and seconds.
    static func duration(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        let parts = [(seconds / 3_600, "H"), (seconds / 60 % 60, "M"), (seconds % 60, "S")]
        let text = parts.filter { $0.0 != 0 }.map { "\($0.0)\($0.1)" }.joined()
        return "PT" + (text.isEmpty ? "0S" : text)
    }
}
