/// What moved, for whom, and how to find it again.
public struct Receipt: Hashable, Sendable, Codable {
    /// Whose money it is.
    public let account: Account
    /// The try that this is the receipt of.
    public let attempt: AttemptID
    /// What was paid.
    public let order: Order
    /// What was done.
    public let kind: AttemptKind
    /// What the acquirer calls it; the first is the one to store.
    public let references: [AcquirerReference]
    /// The total that was asked for; of a series' payment what was approved, or zero as long as
    /// nobody knows that either.
    public let asked: Money
    /// What the acquirer approved.
    public let approved: ApprovedAmount
    /// The tip within the total.
    public let tip: Money?
    /// The surcharge within the total; nil also where the acquirer left it out.
    public let surcharge: Money?
    /// The card, as far as the acquirer named it.
    public let card: CardSummary?
    /// How the customer paid.
    public let method: PaymentMethod
    /// The issuer's approval code.
    public let approvalCode: String?
    /// When it happened; by the acquirer's clock where it said so.
    public let time: Date
    /// A page about the payment that may be shared with the customer.
    public let url: URL?
    /// The merchant's name as the customer saw it.
    public let merchantName: String?
    /// Identifiers that support will ask for, by name.
    public let supportIdentifiers: [String: String]

    /// Whether no real money is involved.
    public var isSimulated: Bool { account.environment == .simulated }

    /// Creates the receipt of an attempt from what the acquirer said.
    public init(
        of attempt: AttemptID,
        began: JournalEntry.Began,
        approval: Approval,
        now: Date
    ) {
        account = began.account
        self.attempt = attempt
        order = began.order
        kind = began.kind
        references = approval.references
        asked = began.amount.ifKnown ?? approval.amount.money ?? began.amount
        approved = approval.amount
        tip = began.tip
        surcharge = began.leavesOutSurcharge(approval.amount.money) ? nil : began.surcharge
        card = approval.card
        method = approval.method
        approvalCode = approval.approvalCode
        time = approval.time ?? now
        url = approval.url
        merchantName = began.merchantName
        supportIdentifiers = approval.supportIdentifiers
    }
}

/// How sure the amount is that the acquirer approved.
public enum ApprovedAmount: Hashable, Sendable {
    /// Read from the acquirer's books.
    case confirmed(Money)
    /// Said by the vendor at the counter, which may echo what was asked.
    case reported(Money)
    /// Approved, but nobody said how much.
    case unknown

    /// The amount, if anybody said one.
    public var money: Money? {
        switch self {
        case .confirmed(let money), .reported(let money): money
        case .unknown: nil
        }
    }
}

extension ApprovedAmount: Codable {
    private enum CodingKeys: String, CodingKey {
        case certainty, amount
    }

    /// Reads `certainty` and, unless that is `unknown`, `amount`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(String.self, forKey: .certainty) {
        case "confirmed": self = .confirmed(try container.decode(Money.self, forKey: .amount))
        case "reported": self = .reported(try container.decode(Money.self, forKey: .amount))
        default: self = .unknown
        }
    }

    /// Writes `certainty` and, unless that is `unknown`, `amount`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        let certainty =
            switch self {
            case .confirmed: "confirmed"
            case .reported: "reported"
            case .unknown: "unknown"
            }
        try container.encode(certainty, forKey: .certainty)
        try container.encodeIfPresent(money, forKey: .amount)
    }
}

/// What may be kept and shown of a card.
public struct CardSummary: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The brand in the acquirer's words; an open set.
    public let brand: String?
    /// The last four digits; dropped unless they are exactly four digits.
    public let lastFour: String?
    /// Credit, debit or prepaid, in the acquirer's words.
    public let funding: String?

    /// Creates a summary; anything that looks like more than the last four digits is dropped.
    public init(brand: String?, lastFour: String?, funding: String? = nil) {
        self.brand = brand.map(Scrubbing.scrub)
        self.funding = funding.map(Scrubbing.scrub)
        self.lastFour = lastFour.flatMap { digits in
            digits.utf8.count == 4 && digits.utf8.allSatisfy { 48...57 ~= $0 } ? digits : nil
        }
    }

    /// Brand and last four digits, as far as they are known.
    public var description: String {
        [brand, lastFour.map { "•••• \($0)" }].compactMap(\.self).joined(separator: " ")
    }
}

/// How a customer paid.
public enum PaymentMethod: String, Hashable, Sendable, Codable, CaseIterable {
    /// A card or phone was held to the reader.
    case tap
    /// A code was scanned and paid on the customer's own device.
    case qr
    /// The vendor does not say.
    case unknown
}
