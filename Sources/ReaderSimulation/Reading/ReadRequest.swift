import PaymentCore

/// What a card is wanted for.
public struct ReadRequest: Hashable, Sendable {
    /// The kinds of read.
    public enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
        /// The customer pays.
        case purchase
        /// The customer gets money back.
        case refund
        /// A card is looked at; there is no amount.
        case verification
    }

    /// The kind of read.
    public let kind: Kind
    /// The amount in the currency's minor units; ignored for a verification.
    public let minorUnits: Int64
    /// The ISO 4217 code, in capital letters.
    public let currency: String

    /// Creates a request; the reader checks it when it is asked.
    public init(kind: Kind, minorUnits: Int64, currency: String) {
        self.kind = kind
        self.minorUnits = kind == .verification ? 0 : minorUnits
        self.currency = currency
    }

    /// What a reader refuses about it.
    var fault: ReaderError? {
        if kind != .verification, minorUnits <= 0 || minorUnits > 999_999_999 {
            return ReaderError(.invalidAmount)
        }
        return Currency(code: currency) == nil ? ReaderError(.invalidCurrency) : nil
    }
}
