import CommandLineSupport
public import PaymentCore

/// The members of the object that `--json` prints; absent ones are left out.
public struct ReportObject: Encodable, Sendable {
    /// How it ended.
    public var outcome: String?
    /// Why it did not start.
    public var refusal: String?
    /// What kept the command from doing anything, or why it did not start.
    public var problem: String?
    /// Where the money is.
    public var money: String?
    /// What it was for.
    public var order: Order?
    /// The attempt.
    public var attempt: AttemptID?
    /// Whose money it is.
    public var account: AccountObject?
    /// The amount asked for.
    public var amount: Money?
    /// The amount that is still to pay.
    public var remaining: Money?
    /// The receipt.
    public var receipt: Receipt?
    /// The hold.
    public var authorization: HoldObject?
    /// The decline.
    public var decline: DeclineObject?
    /// The error.
    public var error: ErrorObject?
    /// The open payment.
    public var unresolved: OpenObject?
    /// The seed that repeats the run.
    public var seed: UInt64?
    /// The follow-up's own name.
    public var id: FollowUpID?
    /// Several attempts, where the command is about more than one.
    public var attempts: [AttemptObject]?
    /// The life of an order, a line a step.
    public var story: [String]?
    /// What came of asking for a cancellation.
    public var cancellation: String?
    /// The devices on the acquirer's records.
    public var devices: [DeviceObject]?
    /// The payments and refunds in the acquirer's books.
    public var records: [RecordObject]?
    /// What each acquirer can do.
    public var providers: [ProviderObject]?
    /// Whether a list from the acquirer's books holds everything that was asked for.
    public var isComplete: Bool?
    /// How the merchant stands with the acquirer: `notSignedIn`, `signedIn` or `needsConsent`.
    public var standing: String?
    /// How many consents the merchant withdrew.
    public var withdrawn: Int?
    /// What an acquirer's delivery tells.
    public var event: EventObject?
    /// What came of making a journal smaller.
    public var compaction: CompactionObject?
    /// What else there is to tell a person, a line each; a program acts on the other members.
    public var notes: [String]?
    /// The payments of a series.
    public var payments: [SeriesObject]?
    /// Orders as the acquirer's books have them.
    public var orders: [BookedOrder]?

    /// Creates an empty object.
    public init() {}

    /// An account.
    public struct AccountObject: Encodable, Sendable {
        let provider: String
        let merchant: String
        let environment: String

        init(_ account: Account) {
            provider = account.provider
            merchant = account.merchant
            environment = account.environment.rawValue
        }
    }

    /// A hold.
    public struct HoldObject: Encodable, Sendable {
        let amount: Money
        let expiresAt: String?
        let receipt: Receipt

        init(_ authorization: Authorization) {
            amount = authorization.amount
            expiresAt = authorization.expiresAt.map(Timestamp.text)
            receipt = authorization.receipt
        }
    }

    /// A decline.
    public struct DeclineObject: Encodable, Sendable {
        let category: String
        let advice: String
        let code: String?
        let message: String

        init(_ decline: Decline) {
            category = decline.category.description
            advice = decline.advice.rawValue
            code = decline.code
            message = decline.messageKey.english
        }
    }

    /// An error.
    public struct ErrorObject: Encodable, Sendable {
        let code: String
        let recovery: String
        let message: String
        let detail: String?

        /// Reads an error.
        public init(_ error: PaymentError) {
            code = error.code.description
            recovery = error.recovery.rawValue
            message = error.messageKey.english
            detail = error.detail
        }
    }

    /// An open payment.
    public struct OpenObject: Encodable, Sendable {
        /// Why it is open, as a word for programs.
        let code: String
        /// The error behind it, where there is one.
        let error: String?
        /// Until when a record may still appear, where that is known.
        let until: String?
        /// Why it is open, in a sentence.
        let reason: String
        let startedAt: String
        let candidates: [String]

        init(_ payment: UnresolvedPayment) {
            code = payment.reason.name
            error = payment.reason.error?.code.description
            until = payment.reason.until.map(Timestamp.text)
            reason = payment.reason.text
            startedAt = Timestamp.text(payment.startedAt)
            candidates = payment.candidates.map(\.reference.description)
        }
    }
}

extension ReportObject {
    /// A journal before and after it was made smaller.
    public struct CompactionObject: Encodable, Sendable {
        let entriesBefore: Int
        let entriesAfter: Int
        let bytesBefore: Int
        let bytesAfter: Int

        /// Reads what was done.
        public init(_ done: FileAttemptJournal.Compaction) {
            entriesBefore = done.entriesBefore
            entriesAfter = done.entriesAfter
            bytesBefore = Int(done.bytesBefore)
            bytesAfter = Int(done.bytesAfter)
        }
    }
}

extension UnresolvedPayment.Reason {
    /// The error behind it, where there is one.
    var error: PaymentError? {
        switch self {
        case .noAnswer(let error), .cannotAsk(let error): error
        default: nil
        }
    }

    /// Until when a record may still appear, where that is known.
    var until: Date? { if case .mayStillAppear(let until) = self { until } else { nil } }

    /// The reason in a sentence.
    public var text: String {
        switch self {
        case .interrupted: "the program ended before the payment did"
        case .noAnswer(let error): "the vendor did not say how it ended (\(error.code))"
        case .pendingAtAcquirer: "the acquirer still works on it"
        case .cannotAsk(let error): "the acquirer could not be asked (\(error.code))"
        case .mayStillAppear(let until):
            "the acquirer has no record yet; one may still appear"
                + (until.map { " until \(Timestamp.text($0))" } ?? "")
        case .ambiguous: "a person has to decide which of the acquirer's records it is"
        case .stillPayable: "the customer can still pay it"
        case .vendorBusy: "the vendor's call has not come back"
        }
    }
}
