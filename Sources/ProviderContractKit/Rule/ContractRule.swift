/// One thing that every adapter with certain capabilities must keep, and how to find out.
public struct ContractRule: Sendable, CustomStringConvertible {
    /// The rule's name for ever, such as `SALE-01`.
    public let id: String
    /// The version of the catalogue that it came with.
    public let since: String
    /// How binding it is.
    public let level: Level
    /// The capabilities without which it says nothing.
    public let needs: Set<ContractCapability>
    /// The capabilities with which it says nothing.
    public let absent: Set<ContractCapability>
    /// What it says, in one sentence.
    public let sentence: String
    /// What is likely wrong with an adapter that breaks it.
    public let likelyCause: String
    /// Picks the order of what could happen at once; first come, first served without one.
    public let schedule: UInt64?
    /// Finds out, in a world of its own.
    let check: @Sendable (ContractBench) async throws -> Void

    init(
        _ id: String,
        _ level: Level = .must,
        since: String = "1.0.0",
        needs: Set<ContractCapability> = [],
        absent: Set<ContractCapability> = [],
        _ sentence: String,
        likelyCause: String,
        schedule: UInt64? = nil,
        check: @escaping @Sendable (ContractBench) async throws -> Void
    ) {
        self.id = id
        self.level = level
        self.since = since
        self.needs = needs
        self.absent = absent
        self.sentence = sentence
        self.likelyCause = likelyCause
        self.schedule = schedule
        self.check = check
    }

    /// How binding a rule is.
    public enum Level: String, Hashable, Sendable, Codable, CaseIterable {
        /// Money or the truth about it depends on it.
        case must
        /// Apps work better with it.
        case should
    }

    /// The family, by the letters of the id.
    public var family: Family? { Family(prefix: id.prefix { $0 != "-" }) }

    /// The id and the sentence.
    public var description: String { "\(id) \(sentence)" }

    /// Whether it says anything about an adapter with these capabilities.
    public func isCalledFor(by capabilities: Set<ContractCapability>) -> Bool {
        reasonToSkip(with: capabilities) == nil
    }

    /// Why it says nothing about an adapter with these capabilities; nil when it is called for.
    func reasonToSkip(with capabilities: Set<ContractCapability>) -> String? {
        if let missing = needs.subtracting(capabilities).min() { return "no \(missing)" }
        if let present = absent.intersection(capabilities).min() { return "has \(present)" }
        return nil
    }
}

extension ContractRule {
    /// What a rule is about.
    public enum Family: String, Hashable, Sendable, Codable, CaseIterable, CustomStringConvertible {
        /// Amounts and the minor units of currencies.
        case amounts = "AMT"
        /// A sale from tap to receipt.
        case sale = "SALE"
        /// Holds, captures, voids and expiry.
        case holds = "HOLD"
        /// Refunds.
        case refunds = "RFND"
        /// Declines, and codes that nobody mapped.
        case declines = "DECL"
        /// An outcome that nobody knows, at every step.
        case unknown = "UNKN"
        /// The same thing asked for twice.
        case idempotency = "IDEM"
        /// Cancelling, in time and too late.
        case cancelling = "CANC"
        /// What takes too long.
        case timeouts = "TIME"
        /// Short-lived credentials.
        case tokens = "TOKN"
        /// Readiness and preparation.
        case readiness = "REDY"
        /// What a screen is told meanwhile.
        case events = "EVNT"
        /// Asking the acquirer afterwards.
        case lookUp = "LOOK"
        /// Codes to pay by when a tap is impossible.
        case codes = "CODE"
        /// What a receipt says.
        case receipts = "RCPT"
        /// What must not be told.
        case redaction = "REDC"
        /// What happens at once.
        case concurrency = "CONC"
        /// Whether capabilities are true.
        case capabilities = "CAPA"
        /// What the configuration says.
        case configuration = "CONF"
        /// The journal, and starting from it.
        case journal = "JRNL"

        init?(prefix: some StringProtocol) { self.init(rawValue: String(prefix)) }

        /// The family's name in selections, such as `lookUp`.
        public var description: String { Self.names[self] ?? rawValue }

        private static let names: [Self: String] = [
            .amounts: "amounts", .sale: "sale", .holds: "holds", .refunds: "refunds",
            .declines: "declines", .unknown: "unknown", .idempotency: "idempotency",
            .cancelling: "cancelling", .timeouts: "timeouts", .tokens: "tokens",
            .readiness: "readiness", .events: "events", .lookUp: "lookUp", .codes: "codes",
            .receipts: "receipts", .redaction: "redaction", .concurrency: "concurrency",
            .capabilities: "capabilities", .configuration: "configuration", .journal: "journal",
        ]
    }
}
