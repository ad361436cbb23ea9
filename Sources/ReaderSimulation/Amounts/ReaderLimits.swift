/// The limits of a currency; defaults of the simulation, which never decide about a real payment.
public struct ReaderLimits: Hashable, Sendable {
    /// Above so many minor units a card's holder must be verified; never when nil.
    public var cvm: Int64?
    /// Above so many minor units a card cannot be tapped; always possible when nil.
    public var contactless: Int64?

    /// Creates limits, in minor units.
    public init(cvm: Int64? = nil, contactless: Int64? = nil) {
        self.cvm = cvm
        self.contactless = contactless
    }

    /// The limits by the currency's code; a currency that is missing has none.
    public static let defaults: [String: ReaderLimits] = [
        "GBP": ReaderLimits(cvm: 100_00),
        "EUR": ReaderLimits(cvm: 50_00),
        "CAD": ReaderLimits(cvm: 250_00),
        "AUD": ReaderLimits(cvm: 100_00),
    ]

    /// The limit that Interac has of its own, in Canadian minor units.
    static let interac: Int64 = 250_00
}
