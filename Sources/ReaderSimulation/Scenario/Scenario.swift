/// One story at a simulated counter: what is there, what people do, what goes wrong, what comes of it.
public struct Scenario: Hashable, Sendable {
    /// The version of the format, as files name it.
    public static let schema = "reader-scenario/1"

    /// Its name.
    public var name: String
    /// What it shows.
    public var note: String
    /// What all chance follows from.
    public var seed: UInt64
    /// The device at the beginning, with its times, limits and special amounts.
    public var device: SimulatedDeviceConfiguration
    /// How tokens are handed out.
    public var tokens: Tokens
    /// What is sold.
    public var sale: Sale
    /// What people and the world do, in order.
    public var script: [ScenarioStep]
    /// What goes wrong.
    public var faults: [ReaderFault]
    /// Which of several possible shapes a vendor's stand-in shows, by the vendor's name.
    public var standIns: [String: String]
    /// The shapes that there are, by the vendor's name; the first is shown without a choice.
    public static let standInShapes: [String: [String]] = [
        "finix": ["failsOnce", "failsTwice", "cancelsSilently"],
        "revolut": ["reports", "completesAlone", "retriesDeclines"],
    ]
    /// What must come of it.
    public var expect: Expectation

    /// Creates a scenario.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - note: What it shows.
    ///   - seed: What all chance follows from.
    ///   - device: The device at the beginning.
    ///   - tokens: How tokens are handed out.
    ///   - sale: What is sold.
    ///   - script: What people and the world do, in order.
    ///   - faults: What goes wrong.
    ///   - standIns: Which shapes vendors' stand-ins show.
    ///   - expect: What must come of it.
    public init(
        _ name: String,
        note: String = "",
        seed: UInt64 = 1,
        device: SimulatedDeviceConfiguration = .init(),
        tokens: Tokens = Tokens(),
        sale: Sale = Sale(),
        script: [ScenarioStep] = [],
        faults: [ReaderFault] = [],
        standIns: [String: String] = [:],
        expect: Expectation = Expectation()
    ) {
        self.name = name
        self.note = note
        self.seed = seed
        self.device = device
        self.tokens = tokens
        self.sale = sale
        self.script = script
        self.faults = faults
        self.standIns = standIns
        self.expect = expect
    }

    /// The merchant that sells: the first who accepted the terms before.
    public var merchant: String { device.linkedMerchants.min() ?? "shop-1" }

    /// How a provider hands out reader tokens.
    public struct Tokens: Hashable, Sendable {
        /// What the provider does at one request.
        public enum Behavior: Hashable, Sendable {
            /// A good token.
            case ok
            /// No text.
            case empty
            /// A token that has aged out.
            case expired
            /// A one-time token, the same as the last time.
            case reused
            /// A token that is misspelt or signed wrongly.
            case invalid
            /// A token of a merchant that nobody knows.
            case otherMerchant
            /// A good token, after so long.
            case slow(Duration)
            /// Nothing.
            case hang
            /// An error.
            case fail
        }

        /// How long a token is good.
        public var lifetime: Duration
        /// How long it may wait before it is used.
        public var patience: Duration?
        /// What happens at each request; good tokens after these.
        public var behaviors: [Behavior]

        /// Creates a provider that hands out good tokens.
        public init(
            lifetime: Duration = .seconds(48 * 3_600),
            patience: Duration? = nil,
            behaviors: [Behavior] = []
        ) {
            self.lifetime = lifetime
            self.patience = patience
            self.behaviors = behaviors
        }
    }

    /// What is sold, or given back.
    public struct Sale: Hashable, Sendable {
        /// What each read is for.
        public var kind = ReadRequest.Kind.purchase
        /// The amount in minor units, tip included.
        public var minorUnits: Int64 = 20_00
        /// The currency's code.
        public var currency = "EUR"
        /// How often, one after the other.
        public var count = 1
        /// How long the app waits between preparing and reading.
        public var pause = Duration.zero
        /// Which applications are taken first.
        public var preferredApplications: [String] = []

        /// Creates a sale of twenty euros.
        public init() {}
    }

    /// What must come of a scenario; what is left out is not looked at.
    public struct Expectation: Hashable, Sendable {
        /// The events the app heard, of the groups that are named here at all.
        public var events: [String]?
        /// How the last sale ended.
        public var outcome: String?
        /// Everything the app was told, in order.
        public var told: [String]?
        /// How often money moved.
        public var charges: Int?
        /// How much moved in all, in minor units.
        public var moved: Int64?
        /// Where the reader is at the end.
        public var state: String?
        /// Invariants that need not hold, such as `I-7`.
        public var exceptions: Set<String> = []

        /// Expects nothing but the invariants.
        public init() {}
    }
}
