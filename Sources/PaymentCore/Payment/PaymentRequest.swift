/// What the app asks for: how much, for which order, and what to tell the customer.
public struct PaymentRequest: Hashable, Sendable {
    /// Whether money is taken, held or given back.
    public var kind: Kind
    /// The base amount, without tip and surcharge.
    public var amount: Money
    /// What is paid.
    public var order: Order
    /// The tip on top, in the same currency.
    public var tip: Money?
    /// The surcharge on top, in the same currency.
    public var surcharge: Money?
    /// A text that the merchant sees with the transaction, where the acquirer has room for one.
    public var description: String?
    /// The name on the reader's screen and the receipt; the configured one when nil.
    public var merchantName: String?
    /// The acquirer's identifier of the payer, where known.
    public var customerReference: String?
    /// The language of the customer's screens, as a BCP 47 tag.
    public var language: String?

    /// Creates a request.
    public init(
        _ kind: Kind,
        _ amount: Money,
        for order: Order,
        tip: Money? = nil,
        surcharge: Money? = nil,
        description: String? = nil,
        merchantName: String? = nil,
        customerReference: String? = nil,
        language: String? = nil
    ) {
        self.kind = kind
        self.amount = amount
        self.order = order
        self.tip = tip
        self.surcharge = surcharge
        self.description = description
        self.merchantName = merchantName
        self.customerReference = customerReference
        self.language = language
    }

    /// Takes money at once.
    public static func sale(_ amount: Money, for order: Order, tip: Money? = nil) -> Self {
        Self(.sale, amount, for: order, tip: tip)
    }

    /// Holds money, to be captured or voided later.
    public static func authorization(_ amount: Money, for order: Order) -> Self {
        Self(.authorization, amount, for: order)
    }

    /// Gives money to the card that is tapped, with no earlier payment named.
    public static func refundToCard(_ amount: Money, for order: Order) -> Self {
        Self(.refundToCard, amount, for: order)
    }

    /// The amount, tip and surcharge together.
    ///
    /// - Throws: ``PaymentError`` when the currencies differ or the sum is too large.
    public func total() throws(PaymentError) -> Money {
        var total = amount
        if let tip { total = try total.adding(tip) }
        if let surcharge { total = try total.adding(surcharge) }
        return total
    }

    /// What is asked of the reader.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// Take money at once.
        case sale
        /// Hold money.
        case authorization
        /// Give money to the tapped card.
        case refundToCard
    }
}
