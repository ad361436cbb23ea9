public import PaymentCore

/// What a receipt says, in no language and no format; for every way in which a payment can end.
///
/// A receipt is offered after every outcome, declines included (F-269). Render one with
/// ``TextReceipt``, ``HTMLReceipt`` or ``JSONReceipt``.
public struct ReceiptDocument: Hashable, Sendable {
    /// How it ended.
    public let status: Status
    /// What it is about.
    public let subject: Subject
    /// The amount that the acquirer approved, held, captured or gave back; nil when nobody said.
    public let approved: Money?
    /// What is still to pay after an approval in part.
    public let remaining: Money?
    /// The card, as far as the acquirer named it.
    public let card: CardSummary?
    /// How the customer paid.
    public let method: PaymentMethod
    /// The issuer's approval code.
    public let approvalCode: String?
    /// What the acquirer calls it.
    public let references: [AcquirerReference]
    /// A page about the payment that may be shared with the customer.
    public let url: URL?
    /// When a hold lapses.
    public let expiresAt: Date?
    /// The wording of a decline or an error that is safe on any screen.
    public let message: MessageKey?
    /// What the card's application said, where the acquirer hands it on.
    public var emv: EMVData?

    /// Whether no real money is involved; the receipt's first line then says so.
    public var isSimulated: Bool { subject.account.environment == .simulated }

    /// The first line of every simulated receipt, in every language and format.
    public static let simulatedNotice = "SIMULATED - NO MONEY MOVED"

    init(
        _ status: Status,
        _ subject: Subject,
        approved: Money? = nil,
        remaining: Money? = nil,
        card: CardSummary? = nil,
        method: PaymentMethod = .unknown,
        approvalCode: String? = nil,
        references: [AcquirerReference] = [],
        url: URL? = nil,
        expiresAt: Date? = nil,
        message: MessageKey? = nil,
        emv: EMVData? = nil
    ) {
        self.status = status
        self.subject = subject
        self.approved = approved
        self.remaining = remaining
        self.card = card
        self.method = method
        self.approvalCode = approvalCode
        self.references = references
        self.url = url
        self.expiresAt = expiresAt
        self.message = message
        self.emv = emv
    }

    /// How a payment, or what follows one, ended.
    public enum Status: String, Hashable, Sendable, CaseIterable {
        /// The money moved, in full.
        case approved
        /// The money moved in part.
        case partlyApproved
        /// The money is held.
        case held
        /// Held money was taken.
        case captured
        /// Held money was let go.
        case released
        /// Money was given back.
        case refunded
        /// The acquirer accepted it, and it may still fail.
        case pending
        /// The issuer or acquirer said no.
        case declined
        /// Somebody stopped it.
        case cancelled
        /// It went wrong, provably without money.
        case failed
        /// Nobody knows.
        case unresolved

        /// Whether it is sure that nothing moved.
        public var isWithoutMoney: Bool {
            switch self {
            case .declined, .cancelled, .failed: true
            default: false
            }
        }
    }

    /// What a receipt is about, whatever came of it.
    public struct Subject: Hashable, Sendable {
        /// Whose money it is.
        public var account: Account
        /// What it is for.
        public var order: Order
        /// What was tried.
        public var kind: AttemptKind
        /// The total that was asked for, tip and surcharge included.
        public var asked: Money
        /// The tip within the total.
        public var tip: Money?
        /// The surcharge within the total.
        public var surcharge: Money?
        /// The try.
        public var attempt: AttemptID?
        /// When it happened.
        public var time: Date
        /// The merchant's name as the customer saw it.
        public var merchantName: String?

        /// Creates a subject.
        public init(
            account: Account,
            order: Order,
            kind: AttemptKind,
            asked: Money,
            tip: Money? = nil,
            surcharge: Money? = nil,
            attempt: AttemptID?,
            time: Date,
            merchantName: String? = nil
        ) {
            self.account = account
            self.order = order
            self.kind = kind
            self.asked = asked
            self.tip = tip
            self.surcharge = surcharge
            self.attempt = attempt
            self.time = time
            self.merchantName = merchantName
        }
    }
}
