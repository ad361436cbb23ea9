/// The books side of an adapter: what the acquirer knows, and what may follow a payment.
///
/// A direct one holds the acquirer's API key and belongs on a back end, in tools and in simulation;
/// a phone asks its own back end instead.
public protocol BackOffice: Sendable {
    /// What can be asked, and what the answers may prove.
    var capabilities: BackOfficeCapabilities { get }
    /// Reads the acquirer's records.
    ///
    /// - Parameter query: What to look for.
    /// - Returns: Everything that was found, and whether that is all there is.
    /// - Throws: ``PaymentError`` when the acquirer could not be asked.
    func records(_ query: RecordQuery) async throws(PaymentError) -> RecordListing
    /// Sees to it that a record can no longer be paid.
    func close(_ reference: AcquirerReference) async -> CloseAnswer
    /// Performs a capture, void or refund, with one request.
    ///
    /// It is called again with the same attempt where the answer was lost and
    /// ``BackOfficeCapabilities/repeats`` protects the operation: the attempt's identifier is the
    /// key that goes on the wire.
    func perform(_ attempt: PaymentAttempt) async -> BackOfficeAnswer
    /// Makes a page on which the customer can pay an attempt.
    func link(for attempt: PaymentAttempt) async -> LinkAnswer
}

/// What a back office can do, and when the absence of a record proves something.
public struct BackOfficeCapabilities: Hashable, Sendable {
    /// The follow-ups it can perform.
    public var followUps: Set<AttemptKind> = []
    /// Whether an unpaid record can be closed.
    public var canClose = false
    /// Whether it can make pages to pay on.
    public var canLink = false
    /// How long after its last possible submission a payment may still appear in the books.
    public var appearsWithin: Duration = .seconds(300)
    /// How many complete listings without the record it takes, and over which time.
    public var absentListings = AbsentListings(count: 1, spread: .zero)
    /// What protects a repeat of each operation; look-up only where none is named.
    public var repeats: [AttemptKind: RepeatProtection] = [:]

    /// Creates the capabilities of a back office that can only be asked for records.
    public init() {}

    /// How many complete listings without a record prove its absence.
    public struct AbsentListings: Hashable, Sendable {
        /// How many listings.
        public let count: Int
        /// From the first to the last.
        public let spread: Duration

        /// Creates a rule.
        public init(count: Int, spread: Duration) {
            self.count = count
            self.spread = spread
        }
    }
}

/// What to look for in the acquirer's books.
public struct RecordQuery: Hashable, Sendable {
    /// Whose money it is.
    public var account: Account
    /// Records to fetch by name; the other members are ignored for these.
    public var references: [AcquirerReference]
    /// The payment or hold that the record belongs to, for a capture, void or refund.
    public var parents: [AcquirerReference]
    /// The attempt's key, where the acquirer's records carry one.
    public var marker: String?
    /// Only records created in this span, in the acquirer's time.
    public var created: ClosedRange<Date>
    /// What was tried.
    public var kind: AttemptKind

    /// Creates a query.
    public init(
        account: Account,
        references: [AcquirerReference] = [],
        parents: [AcquirerReference] = [],
        marker: String? = nil,
        created: ClosedRange<Date>,
        kind: AttemptKind
    ) {
        self.account = account
        self.references = references
        self.parents = parents
        self.marker = marker
        self.created = created
        self.kind = kind
    }
}

/// What the acquirer's books hold.
public struct RecordListing: Hashable, Sendable {
    /// The records found, newest first.
    public var records: [AcquirerRecord]
    /// Whether these are all that match the query.
    public var isComplete: Bool
    /// The account whose books were read.
    public var account: Account
    /// The acquirer's own time when it answered, if it said so.
    public var acquirerTime: Date?

    /// Creates a listing.
    public init(
        records: [AcquirerRecord],
        isComplete: Bool,
        account: Account,
        acquirerTime: Date?
    ) {
        self.records = records
        self.isComplete = isComplete
        self.account = account
        self.acquirerTime = acquirerTime
    }
}

/// The answer to closing a record.
public enum CloseAnswer: Sendable {
    /// It can no longer be paid; the record as it is now.
    case closed(AcquirerRecord)
    /// It was no longer open; the record as it is now.
    case alreadyFinal(AcquirerRecord)
    /// The acquirer refused, or did not answer; read the record.
    case notClosed(PaymentError)
    /// This acquirer has nothing to close.
    case unsupported
}

/// How a capture, void or refund ended.
public enum BackOfficeAnswer: Sendable {
    /// Done.
    case done(Approval)
    /// Accepted; it may still fail.
    case pending(Approval)
    /// Refused by issuer or acquirer.
    case declined(Decline)
    /// Provably nothing changed.
    case notDone(PaymentError)
    /// Anything else: the acquirer's books decide.
    case unknown(PaymentError)
}

/// The answer to asking for a page to pay on.
public enum LinkAnswer: Sendable {
    /// The page, what the acquirer calls the record behind it, and when it ends.
    case link(URL, AcquirerReference, expiresAt: Date?)
    /// None was made, provably.
    case notMade(PaymentError)
    /// One may have been made.
    case unknown(PaymentError)
    /// This acquirer has none.
    case unsupported
}
