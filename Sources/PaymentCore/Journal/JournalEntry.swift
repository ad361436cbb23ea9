/// One fact about one attempt, as the journal keeps it; in the order in which facts became known.
///
/// Nothing that a customer could be recognised by is in it: no description, no customer reference,
/// and of the card its brand and last four digits only.
public struct JournalEntry: Hashable, Sendable {
    /// When it was written, by this device's clock.
    public let at: Date
    /// The attempt that it is about.
    public let attempt: AttemptID
    /// What became known.
    public let fact: Fact

    /// Creates an entry.
    public init(at: Date, attempt: AttemptID, fact: Fact) {
        self.at = at
        self.attempt = attempt
        self.fact = fact
    }

    /// What can become known about an attempt.
    public indirect enum Fact: Hashable, Sendable {
        /// It begins; written before the reader or the vendor is touched.
        case began(Began)
        /// The acquirer gave it a reference.
        case noted(AcquirerReference)
        /// The acquirer's books were asked.
        case lookedUp(LookUp)
        /// Nobody knows yet how it ended.
        case leftOpen(LeftOpen)
        /// It ended, on evidence.
        case ended(Ending, by: Evidence)
        /// A person decided how it ended.
        case settled(PersonalVerdict)
        /// Evidence contradicts what was told before.
        case contradicted(Ending)
    }

    /// What is known when an attempt begins.
    public struct Began: Hashable, Sendable, Codable {
        /// Whose money it is.
        public let account: Account
        /// What it is for.
        public let order: Order
        /// What is tried.
        public let kind: AttemptKind
        /// The amount that would move, tip and surcharge included; see ``isAmountKnown``.
        public let amount: Money
        /// The tip within the amount.
        public let tip: Money?
        /// The surcharge within the amount.
        public let surcharge: Money?
        /// The merchant's name as the customer sees it.
        public let merchantName: String?
        /// The device that the acquirer's record will name.
        public let device: String?
        /// The caller's own name for a follow-up.
        public let followUp: FollowUpID?
        /// The attempt whose money a follow-up moves.
        public let parent: AttemptID?
        /// The most that may be moved of the parent's money.
        public let ceiling: Money?
        /// Acquirer's references of the parent.
        public let parentReferences: [AcquirerReference]?
        /// Names and versions of app, adapter and vendor's SDK.
        public let software: [String: String]?
        /// Why this acquirer takes the payment, where another one was in question.
        public var choice: String?
        /// Which payment of a series it is.
        public var series: SeriesPlace?

        /// Whether the amount is known: nothing of zero is ever tried, so a zero says that the
        /// vendor's own screen asks for it.
        public var isAmountKnown: Bool { !amount.isZero }

        /// Creates the first fact about an attempt.
        public init(
            account: Account,
            order: Order,
            kind: AttemptKind,
            amount: Money,
            tip: Money? = nil,
            surcharge: Money? = nil,
            merchantName: String? = nil,
            device: String? = nil,
            followUp: FollowUpID? = nil,
            parent: AttemptID? = nil,
            ceiling: Money? = nil,
            parentReferences: [AcquirerReference]? = nil,
            software: [String: String]? = nil
        ) {
            self.account = account
            self.order = order
            self.kind = kind
            self.amount = amount
            self.tip = tip
            self.surcharge = surcharge
            self.merchantName = merchantName
            self.device = device
            self.followUp = followUp
            self.parent = parent
            self.ceiling = ceiling
            self.parentReferences = parentReferences
            self.software = software
        }
    }

    /// One look into the acquirer's books.
    public struct LookUp: Hashable, Sendable, Codable {
        /// How many records came back.
        public let found: Int
        /// How many of them could be this attempt.
        public let candidates: Int
        /// Whether the listing was complete and under the attempt's own account.
        public let complete: Bool
        /// The acquirer's own time, if it said so.
        public let acquirerTime: Date?
        /// What was concluded, for people.
        public let conclusion: String
        /// Whether the record was absent from a complete listing after its time had passed.
        public let provesAbsence: Bool
        /// This device's time when the acquirer said its own; the two tell how far they are apart.
        public let deviceTime: Date?

        /// Creates the description of a look-up.
        public init(
            found: Int,
            candidates: Int,
            complete: Bool,
            acquirerTime: Date?,
            conclusion: String,
            provesAbsence: Bool,
            deviceTime: Date? = nil
        ) {
            self.found = found
            self.candidates = candidates
            self.complete = complete
            self.acquirerTime = acquirerTime
            self.conclusion = conclusion
            self.provesAbsence = provesAbsence
            self.deviceTime = deviceTime
        }
    }

    /// Why an attempt was left open, and how far it had come.
    public struct LeftOpen: Hashable, Sendable {
        /// What the vendor or the adapter said, if anything.
        public let error: PaymentError?
        /// The progress that was reported, in order.
        public let phases: [String]
        /// Whether the vendor's call was still running, so that it may yet submit something.
        public let vendorRunning: Bool
        /// Whether the same request is sent again under its key.
        public let isSentAgain: Bool
        /// Whether the vendor said that money moved, in words that cannot be taken as they are.
        public let saidMoved: Bool

        /// Creates the fact.
        public init(
            error: PaymentError?,
            phases: [String] = [],
            vendorRunning: Bool = false,
            isSentAgain: Bool = false,
            saidMoved: Bool = false
        ) {
            self.error = error
            self.phases = phases
            self.vendorRunning = vendorRunning
            self.isSentAgain = isSentAgain
            self.saidMoved = saidMoved
        }
    }

    /// What an ending rests on.
    public enum Evidence: String, Hashable, Sendable, Codable {
        /// The vendor's own answer at the counter.
        case vendor
        /// The acquirer's books.
        case books
        /// The engine: nothing had been sent.
        case engine
    }
}

/// How an attempt ended.
public indirect enum Ending: Hashable, Sendable {
    /// The money moved, in full.
    case approved(Receipt)
    /// The money moved in part.
    case partlyApproved(Receipt, remaining: Money)
    /// The money is held.
    case authorized(Authorization)
    /// Refused.
    case declined(Decline)
    /// Given up before anything was submitted.
    case cancelled
    /// Provably nothing moved.
    case failed(PaymentError)
    /// A follow-up is done.
    case done(Receipt)
    /// A follow-up is accepted and may still fail.
    case pending(Receipt)

    /// The receipt, where something moved or is held.
    public var receipt: Receipt? {
        switch self {
        case .approved(let receipt), .partlyApproved(let receipt, _), .done(let receipt),
            .pending(let receipt):
            receipt
        case .authorized(let authorization): authorization.receipt
        case .declined, .cancelled, .failed: nil
        }
    }

    /// A short name for people and metrics.
    public var name: String {
        switch self {
        case .approved: "approved"
        case .partlyApproved: "partlyApproved"
        case .authorized: "authorized"
        case .declined: "declined"
        case .cancelled: "cancelled"
        case .failed: "failed"
        case .done: "done"
        case .pending: "pending"
        }
    }
}

/// A person's decision about an unresolved payment, kept apart from evidence.
public struct PersonalVerdict: Hashable, Sendable, Codable {
    /// What the person decided.
    public let decision: Decision
    /// Who decided.
    public let name: String
    /// Why.
    public let reason: String

    /// Creates a verdict.
    ///
    /// - Parameters:
    ///   - decision: Where the money is, as the person found out.
    ///   - name: Who decided; not empty.
    ///   - reason: Why; not empty.
    public init(_ decision: Decision, name: String, reason: String) {
        self.decision = decision
        self.name = Scrubbing.scrub(name)
        self.reason = Scrubbing.scrub(reason)
    }

    /// What a person can decide.
    public enum Decision: Hashable, Sendable {
        /// The money moved, under this reference of the acquirer's if the person found one.
        case moved(AcquirerReference?)
        /// The money did not move.
        case notMoved
    }
}
