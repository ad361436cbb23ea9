/// One payment, hold or refund as the acquirer's books have it.
public struct AcquirerRecord: Hashable, Sendable {
    /// What the acquirer calls it.
    public var reference: AcquirerReference
    /// Other names of the same record.
    public var otherReferences: [AcquirerReference] = []
    /// What it is.
    public var kind: AttemptKind
    /// The amount that moved, or would.
    public var amount: Money
    /// The amount that was asked for, where the acquirer keeps it.
    public var amountRequested: Money?
    /// Where it stands.
    public var state: State
    /// When it was created, in the acquirer's time.
    public var createdAt: Date
    /// The device that it was made on, where the acquirer knows.
    public var device: String?
    /// The attempt's key, where the record carries one.
    public var marker: String?
    /// The record that this one belongs to: the payment of a refund, the hold of a capture.
    public var parent: AcquirerReference?
    /// The card, as far as the acquirer named it.
    public var card: CardSummary?
    /// How the customer paid.
    public var method: PaymentMethod = .unknown
    /// The issuer's approval code.
    public var approvalCode: String? {
        didSet { approvalCode = approvalCode.map(Scrubbing.scrub) }
    }
    /// When a hold lapses.
    public var expiresAt: Date?
    /// Identifiers that support will ask for, by name.
    public var supportIdentifiers: [String: String] = [:]

    /// Creates a record.
    public init(
        reference: AcquirerReference,
        kind: AttemptKind,
        amount: Money,
        state: State,
        createdAt: Date
    ) {
        self.reference = reference
        self.kind = kind
        self.amount = amount
        self.state = state
        self.createdAt = createdAt
    }

    /// Where a record stands.
    public enum State: Hashable, Sendable {
        /// The money moved, or is held if the record is a hold.
        case succeeded
        /// The issuer or acquirer refused.
        case declined(Decline)
        /// It ended without money.
        case cancelled
        /// It can still be paid; nobody has tried, or every try was final without money.
        case payable(lastDecline: Decline?)
        /// The acquirer still works on it.
        case pending
        /// A state that this version does not know.
        case unknown(String)
    }

    /// The record without anything that may be card data in its texts.
    var scrubbed: AcquirerRecord {
        var record = self
        // What may be anybody's is nobody's.
        record.device = Scrubbing.distinct(device.map(Scrubbing.scrubIdentifier))
        record.marker = Scrubbing.distinct(marker.map(Scrubbing.scrubIdentifier))
        record.approvalCode = approvalCode.map(Scrubbing.scrub)
        record.supportIdentifiers = supportIdentifiers.mapValues(Scrubbing.scrubIdentifier)
        if case .unknown(let text) = state { record.state = .unknown(Scrubbing.scrub(text)) }
        return record
    }

    /// What the acquirer calls it, as far as that tells it from every other record.
    var names: [AcquirerReference] { ([reference] + otherReferences).filter(\.isDistinct) }

    /// What the record says when it is taken as an approval.
    public var approval: Approval {
        Approval(
            references: [reference] + otherReferences,
            amount: .confirmed(amount),
            card: card,
            method: method,
            approvalCode: approvalCode,
            time: createdAt,
            supportIdentifiers: supportIdentifiers
        )
    }
}
