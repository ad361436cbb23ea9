/// An attempt whose end nobody knows yet.
public struct UnresolvedPayment: Hashable, Sendable {
    /// The attempt.
    public let attempt: AttemptID
    /// Whose money it is.
    public let account: Account
    /// What it is for.
    public let order: Order
    /// What was tried.
    public let kind: AttemptKind
    /// The amount in question; zero where nobody knows it, as in a series.
    public let amount: Money
    /// When it started, by this device's clock.
    public let startedAt: Date
    /// Why it is open.
    public let reason: Reason
    /// The acquirer's records that might be it, when a person has to decide.
    public let candidates: [AcquirerRecord]

    /// Why an attempt is open.
    public enum Reason: Hashable, Sendable {
        /// The program ended before the attempt did.
        case interrupted
        /// The vendor did not say how it ended.
        case noAnswer(PaymentError)
        /// The acquirer still works on it.
        case pendingAtAcquirer
        /// The acquirer could not be asked.
        case cannotAsk(PaymentError)
        /// The acquirer has no record, but one may still appear until the time given.
        case mayStillAppear(until: Date?)
        /// Several records could be it, or one that another attempt could claim as well.
        case ambiguous
        /// The customer can still pay, and closing was refused or failed.
        case stillPayable
        /// The vendor's call has not come back.
        case vendorBusy

        /// The reason as a word for programs.
        package var name: String {
            switch self {
            case .interrupted: "interrupted"
            case .noAnswer: "noAnswer"
            case .pendingAtAcquirer: "pendingAtAcquirer"
            case .cannotAsk: "cannotAsk"
            case .mayStillAppear: "mayStillAppear"
            case .ambiguous: "ambiguous"
            case .stillPayable: "stillPayable"
            case .vendorBusy: "vendorBusy"
            }
        }
    }

    /// Creates the description of an open attempt.
    public init(
        attempt: AttemptID,
        account: Account,
        order: Order,
        kind: AttemptKind,
        amount: Money,
        startedAt: Date,
        reason: Reason,
        candidates: [AcquirerRecord] = []
    ) {
        self.attempt = attempt
        self.account = account
        self.order = order
        self.kind = kind
        self.amount = amount
        self.startedAt = startedAt
        self.reason = reason
        self.candidates = candidates
    }
}

/// What resolving, closing or looking again found.
public indirect enum Resolution: Sendable {
    /// The payment's end, on evidence.
    case payment(PaymentOutcome)
    /// The follow-up's end, on evidence.
    case followUp(FollowUpOutcome)
}

/// The answer to asking for a cancellation.
public enum Cancellation: String, Hashable, Sendable, Codable, CaseIterable {
    /// It was asked for; the payment's outcome tells whether it came in time.
    case asked
    /// The payment may have been submitted; its real outcome is told.
    case tooLate
    /// No payment for this order is running.
    case nothingRunning
    /// This acquirer has no way to cancel from code.
    case unsupported
}
