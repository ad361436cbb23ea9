/// The counter side of an adapter; applications call ``PointOfSale``.
///
/// An adapter translates and classifies. Validation, the journal, busy and order checks, settling
/// and everything else that adapters would repeat is the point of sale's.
public protocol PaymentProvider: Sendable {
    /// What this provider supports; constant for the life of the value.
    var capabilities: ProviderCapabilities { get }
    /// What is missing before a payment can start.
    func readiness() async -> ProviderReadiness
    /// The device that the acquirer's records of this provider's payments name; nil when they name none.
    func device() async -> String?
    /// Sets the device up, once for a merchant: terms, consent, a test payment.
    ///
    /// - Parameters:
    ///   - options: What may be done.
    ///   - attempt: The test payment, where the capabilities say that one is made.
    ///   - context: Where its progress and references are reported.
    /// - Returns: Whether the device is set up, and how the test payment ended.
    func setUp(
        _ options: SetUpOptions,
        attempt: PaymentAttempt?,
        context: AttemptContext
    ) async -> SetUpAnswer
    /// Makes the reader ready for the next payment.
    func prepare() async throws(PaymentError)
    /// Performs one attempt; "not charged" is an answer said in so many words, never a thrown error.
    ///
    /// - Parameters:
    ///   - attempt: A payment at the counter that the capabilities allow.
    ///   - context: Where progress and references are reported.
    /// - Returns: How the vendor ended it, once nothing of the vendor's is on screen.
    func perform(_ attempt: PaymentAttempt, context: AttemptContext) async -> ProviderAnswer
    /// Takes payments one after another, whose amounts are typed on the vendor's own screen.
    ///
    /// Each report is told through the context, one at a time and in order, as it comes.
    ///
    /// - Parameters:
    ///   - series: What is the same for all of them.
    ///   - context: Where it is told how each payment ended.
    /// - Returns: What is known of the time after the last report, once nothing of the vendor's is
    ///   on screen.
    func performSeries(_ series: SeriesRequest, context: SeriesContext) async -> SeriesEnd
    /// Asks the vendor to cancel an attempt that is being performed.
    ///
    /// A request that comes before the vendor listens is remembered for this attempt, and never
    /// touches another.
    func cancel(_ attempt: AttemptID) async -> Cancellation
}

extension PaymentProvider {
    /// A provider without a set-up of its own is set up when its reader can be prepared.
    public func setUp(
        _ options: SetUpOptions,
        attempt: PaymentAttempt?,
        context: AttemptContext
    ) async -> SetUpAnswer {
        do throws(PaymentError) {
            try await prepare()
            return SetUpAnswer(.done)
        } catch {
            return SetUpAnswer(.notDone(error))
        }
    }

    /// A provider without a series of its own has nothing to tell of one.
    public func performSeries(
        _ series: SeriesRequest,
        context: SeriesContext
    ) async -> SeriesEnd { .unused }
}

/// Where an adapter reports what happens during one attempt.
public struct AttemptContext: Sendable {
    /// Reports progress, in the order in which it happens; never blocks.
    public let report: @Sendable (AttemptProgress) -> Void
    /// Keeps a reference that the acquirer gave; it is durable when the call returns.
    public let note: @Sendable (AcquirerReference) async -> Void

    /// Creates a context.
    public init(
        report: @escaping @Sendable (AttemptProgress) -> Void,
        note: @escaping @Sendable (AcquirerReference) async -> Void
    ) {
        self.report = report
        self.note = note
    }
}

/// What an adapter can report while an attempt runs.
public enum AttemptProgress: Sendable {
    /// The reader is being prepared.
    case preparing
    /// The customer may present a card.
    case presentCard
    /// The card has been read.
    case cardRead
    /// The payment is on its way to the acquirer.
    case submitting
    /// The customer may scan this address.
    case showQRCode(URL, expiresAt: Date?)

    var event: PaymentEvent.Kind {
        switch self {
        case .preparing: .preparing
        case .presentCard: .presentCard
        case .cardRead: .cardRead
        case .submitting: .submitting
        case .showQRCode(let url, let expiresAt): .showQRCode(url, expiresAt: expiresAt)
        }
    }
}

/// How a vendor ended an attempt, as the adapter classifies it.
public enum ProviderAnswer: Sendable {
    /// Approved; the point of sale compares the amount with what was asked.
    case approved(Approval)
    /// Approved for less than was asked.
    case partlyApproved(Approval)
    /// Held until the time given, if the vendor gave one.
    case authorized(Approval, expiresAt: Date?)
    /// The issuer's or acquirer's *no*.
    case declined(Decline)
    /// Ended before anything was submitted, provably, since somebody wished so.
    case cancelled
    /// Ended otherwise, and provably nothing moved.
    case notCharged(PaymentError)
    /// Anything else: the acquirer's books decide.
    case unknown(PaymentError)
}

/// What an acquirer said when it approved something.
public struct Approval: Hashable, Sendable {
    /// What the acquirer calls it; the first is the one to store.
    public var references: [AcquirerReference]
    /// The amount, and how sure it is.
    public var amount: ApprovedAmount
    /// The card, as far as the acquirer named it.
    public var card: CardSummary?
    /// How the customer paid.
    public var method: PaymentMethod
    /// The issuer's approval code.
    public var approvalCode: String?
    /// When it happened, by the acquirer's clock.
    public var time: Date?
    /// A page about the payment that may be shared with the customer.
    public var url: URL?
    /// Identifiers that support will ask for, by name; scrubbed.
    public var supportIdentifiers: [String: String]

    /// Creates an approval.
    public init(
        references: [AcquirerReference] = [],
        amount: ApprovedAmount = .unknown,
        card: CardSummary? = nil,
        method: PaymentMethod = .unknown,
        approvalCode: String? = nil,
        time: Date? = nil,
        url: URL? = nil,
        supportIdentifiers: [String: String] = [:]
    ) {
        self.references = references
        self.amount = amount
        self.card = card
        self.method = method
        self.approvalCode = approvalCode.map(Scrubbing.scrub)
        self.time = time
        self.url = url
        self.supportIdentifiers = supportIdentifiers.mapValues(Scrubbing.scrubIdentifier)
    }
}
