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
    /// The starts of the identifiers of applications that are taken first, in hexadecimal digits.
    public let preferredApplications: [String]
    /// Whether a PIN is wanted whatever the amount, since an issuer asked for one.
    public let asksForPIN: Bool
    /// Whose loyalty passes are wanted beside the card, by the merchants' identifiers for them.
    public let passMerchants: [String]
    /// Whether passes alone are wanted.
    let isForPassesAlone: Bool

    /// Creates a request; the reader checks it when it is asked.
    ///
    /// - Parameters:
    ///   - kind: The kind of read.
    ///   - minorUnits: The amount in the currency's minor units; ignored for a verification.
    ///   - currency: The ISO 4217 code, in capital letters.
    ///   - preferredApplications: Which applications are taken first; four at most.
    ///   - asksForPIN: Whether a PIN is wanted whatever the amount.
    ///   - passMerchants: Whose loyalty passes are wanted beside the card.
    public init(
        kind: Kind,
        minorUnits: Int64,
        currency: String,
        preferredApplications: [String] = [],
        asksForPIN: Bool = false,
        passMerchants: [String] = []
    ) {
        self.kind = kind
        self.minorUnits = kind == .verification ? 0 : minorUnits
        self.currency = currency
        self.preferredApplications = preferredApplications
        self.asksForPIN = asksForPIN
        self.passMerchants = passMerchants
        isForPassesAlone = false
    }

    init(passesOf merchants: [String]) {
        kind = .verification
        minorUnits = 0
        currency = "XXX"
        preferredApplications = []
        asksForPIN = false
        passMerchants = merchants
        isForPassesAlone = true
    }

    /// What a reader refuses about it.
    var fault: ReaderError? {
        let arePassesGood =
            passMerchants.count <= 10 && Set(passMerchants).count == passMerchants.count
            && passMerchants.allSatisfy { $0.hasPrefix("pass.") && $0.utf8.count > 5 }
        if !arePassesGood || isForPassesAlone && passMerchants.isEmpty {
            return ReaderError(.invalidLoyaltyRequest)
        }
        if isForPassesAlone { return nil }
        if kind != .verification, minorUnits <= 0 || minorUnits > 999_999_999 {
            return ReaderError(.invalidAmount)
        }
        if Currency(code: currency) == nil { return ReaderError(.invalidCurrency) }
        let areGood =
            preferredApplications.count <= 4
            && preferredApplications.allSatisfy { identifier in
                10...32 ~= identifier.count && identifier.count % 2 == 0
                    && identifier.utf8.allSatisfy { 48...57 ~= $0 || 65...70 ~= $0 }
            }
        return areGood ? nil : ReaderError(.invalidPreferredApplications)
    }
}
