public import PaymentCore

/// The seam to Finix's SDK: a shim over it on an iPhone, the simulated kit elsewhere.
///
/// A shim forwards calls and hands back what the SDK said; it decides nothing.
public protocol FinixDriver: Sendable {
    /// Whether this device can read cards.
    var isSupported: Bool { get }
    /// Whether the merchant's account is linked; false may also mean that nobody could find out.
    func isAccountLinked() async -> Bool
    /// The same, asked anew.
    func forceRefreshLinkStatus() async -> Bool
    /// Has the merchant accept the reader's terms; `accountAlreadyLinked` means success.
    func linkAccount() async throws(FinixDriverError)
    /// Prepares the reader.
    func prepareReader() async throws(FinixDriverError)
    /// Gives the reader's session up, so that what changed at Finix counts when it is prepared.
    func refreshConfiguration() async
    /// Runs one transaction to the SDK's own end.
    ///
    /// - Parameters:
    ///   - transaction: What to take.
    ///   - report: Called synchronously with each phase, in the order in which they happen.
    /// - Returns: All phases again, and how the SDK's call ended.
    func startTransaction(
        _ transaction: FinixTransaction,
        report: @escaping @Sendable (FinixPhase) -> Void
    ) async -> FinixTransactionEnd
    /// Cancels the read that is running, if one is.
    func cancelTransaction() async
    /// Sets the language of the customer's screens; nil for the phone's.
    func setLanguage(_ tag: String?) async
}

/// What the SDK is asked to take.
public struct FinixTransaction: Hashable, Sendable {
    /// The base amount in minor units.
    public var amount: Int64
    /// The ISO 4217 code.
    public var currency: String
    /// Whether money is taken, held or given back.
    public var kind: PaymentRequest.Kind
    /// The payer's Finix identity.
    public var identityID: String?
    /// The tip in minor units.
    public var tip: Int64?
    /// The surcharge in minor units.
    public var surcharge: Int64?

    /// Creates a transaction.
    public init(amount: Int64, currency: String, kind: PaymentRequest.Kind) {
        self.amount = amount
        self.currency = currency
        self.kind = kind
    }
}

/// How far a transaction has come; an SDK may have more phases than these.
public enum FinixPhase: Hashable, Sendable {
    /// The SDK has begun.
    case preparingTransaction
    /// The reader is about to wait for a card.
    case readingCard
    /// The card has been read.
    case cardRead
    /// The payment is on its way to Finix.
    case processing
    /// A phase that this version does not know.
    case other(String)
}

/// Everything that is known once the SDK's call has ended.
public struct FinixTransactionEnd: Sendable {
    /// The phases, in order.
    public var phases: [FinixPhase]
    /// What the SDK returned or threw; nil when its call did not end by itself.
    public var answer: Result<FinixTransactionResult, FinixDriverError>?

    /// Creates an end.
    public init(
        phases: [FinixPhase],
        answer: Result<FinixTransactionResult, FinixDriverError>?
    ) {
        self.phases = phases
        self.answer = answer
    }
}

/// What the SDK returns for an approved transaction; all but amount and currency may be absent.
public struct FinixTransactionResult: Hashable, Sendable {
    /// The amount that was asked for, in minor units.
    public var amount: Int64
    /// The currency that was asked for.
    public var currency: String
    /// The card's brand.
    public var cardBrand: String?
    /// The last four digits.
    public var last4: String?
    /// Finix's identifier of the payment.
    public var transferID: String?
    /// Finix's state of the payment.
    public var transferState: String?
    /// The reader's identifier of the transaction.
    public var transactionIdentifier: String?
    /// The reader's identifier.
    public var readerIdentifier: String?
    /// The issuer's approval code.
    public var approvalCode: String?
    /// The processor's identifier.
    public var traceID: String?

    /// Creates a result.
    public init(amount: Int64, currency: String) {
        self.amount = amount
        self.currency = currency
    }
}

/// An error of the SDK's, whichever of its shapes it had.
public struct FinixDriverError: Error, Hashable, Sendable {
    /// The name of the SDK's case, such as `transactionFailed`; an open set.
    public var code: String
    /// The text that came with it, for logs.
    public var payload: String?
    /// Finix's identifier of the request, where the failure came from an answer of Finix's.
    public var logref: String?

    /// Creates an error.
    public init(code: String, payload: String? = nil, logref: String? = nil) {
        self.code = code
        self.payload = payload
        self.logref = logref
    }
}
