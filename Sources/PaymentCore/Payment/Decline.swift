/// The issuer's or acquirer's *no*: an answer, not an error; nothing moved.
public struct Decline: Hashable, Sendable, Codable {
    /// Why, as far as it may matter to the cashier.
    public let category: Category
    /// The acquirer's own code, for logs and support; never for a screen.
    public let code: String?
    /// The acquirer's own words, scrubbed, for logs; never for a screen.
    public let detail: String?
    /// What the acquirer calls the refused payment.
    public let references: [AcquirerReference]
    /// The card, as far as the acquirer named it.
    public let card: CardSummary?

    /// Creates a decline.
    public init(
        _ category: Category,
        code: String? = nil,
        detail: String? = nil,
        references: [AcquirerReference] = [],
        card: CardSummary? = nil
    ) {
        self.category = category
        self.code = code.map(Scrubbing.scrub)
        self.detail = detail.map(Scrubbing.scrub)
        self.references = references
        self.card = card
    }

    /// Names wording that is safe on any screen.
    public var messageKey: MessageKey { category.messageKey }

    /// What to try next.
    public var advice: Advice { category.advice }

    /// Why a payment was declined; an open set.
    public struct Category: Hashable, Sendable, Codable, CustomStringConvertible {
        /// A stable name, fit for a metrics label.
        public let description: String

        /// Creates a category.
        public init(description: String) { self.description = description }

        /// Reads the category from its name.
        public init(from decoder: any Decoder) throws {
            description = try decoder.singleValueContainer().decode(String.self)
        }

        /// Writes the category as its name.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(description)
        }
    }

    /// What to try after a decline.
    public enum Advice: String, Hashable, Sendable, CaseIterable {
        /// Ask for another card.
        case otherCard
        /// The same card may work.
        case sameCard
        /// Offer another way to pay.
        case otherMethod
        /// Look at the earlier payment first: this one may already be paid.
        case checkEarlierPayment
        /// Ask the acquirer; no card will work.
        case contactAcquirer
    }
}

extension Decline.Category {
    /// Not enough money, or a limit on it.
    public static let insufficientFunds = Self(description: "insufficientFunds")
    /// The issuer refused without a reason for a screen.
    public static let issuerRefused = Self(description: "issuerRefused")
    /// The card has expired.
    public static let expiredCard = Self(description: "expiredCard")
    /// The card cannot be used for this.
    public static let cardProblem = Self(description: "cardProblem")
    /// A reason that must not be shown: worded as any other refusal.
    public static let security = Self(description: "security")
    /// The PIN was wrong, missing or blocked.
    public static let pin = Self(description: "pin")
    /// The card needs another way to be read.
    public static let otherInterface = Self(description: "otherInterface")
    /// A fault on the way; the same card may work.
    public static let temporary = Self(description: "temporary")
    /// A like payment was approved a moment ago.
    public static let possibleDuplicate = Self(description: "possibleDuplicate")
    /// The hold is gone.
    public static let holdGone = Self(description: "holdGone")
    /// The customer did not prove who they are, or gave wrong data.
    public static let customerData = Self(description: "customerData")
    /// The merchant's set-up does not allow it.
    public static let merchantSetUp = Self(description: "merchantSetUp")
    /// A reason that this version does not know.
    public static let generic = Self(description: "generic")

    /// Every category this version uses.
    public static let allKnown: [Self] = [
        .insufficientFunds, .issuerRefused, .expiredCard, .cardProblem, .security, .pin,
        .otherInterface, .temporary, .possibleDuplicate, .holdGone, .customerData,
        .merchantSetUp, .generic,
    ]

    /// Names the wording; reasons that must not be shown share the plain one.
    public var messageKey: MessageKey {
        switch self {
        case .security, .issuerRefused: Self.generic.messageKey
        case _ where Self.allKnown.contains(self): MessageKey("decline.\(description)")
        default: Self.generic.messageKey
        }
    }

    /// What to try next.
    public var advice: Decline.Advice {
        switch self {
        case .temporary, .pin, .customerData: .sameCard
        case .otherInterface: .otherMethod
        case .possibleDuplicate: .checkEarlierPayment
        case .merchantSetUp, .holdGone: .contactAcquirer
        default: .otherCard
        }
    }
}
