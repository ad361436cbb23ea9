public import AcquirerSimulation
public import PaymentCore
public import PaymentTransport

/// What the author of an adapter writes: how to make it in a world, and how its acquirer spells
/// what happens there.
public protocol ContractHarness: Sendable {
    /// The adapter's name in configurations.
    var provider: String { get }
    /// Its section of a configuration, as JSON.
    var section: String { get }
    /// A currency with two decimals that it takes.
    var currency: Currency { get }
    /// What the harness can make happen.
    var facets: Set<ContractCapability> { get }
    /// The rules that the adapter is known to break, and why.
    var deviations: [ContractDeviation] { get }
    /// Texts that must never be told: keys, passwords, secrets of the configuration.
    var secrets: [String] { get }
    /// Puts the acquirer into a world, and says how it is spoken to.
    ///
    /// - Parameters:
    ///   - world: Where it books money, and whose reader and issuers it uses.
    ///   - tokens: What the app hands over, for an adapter that asks the app for tokens.
    /// - Returns: The acquirer, in place.
    func stage(in world: SimulatedWorld, tokens: ContractTokens) -> ContractStage
}

extension ContractHarness {
    /// Nothing beyond what the adapter declares.
    public var facets: Set<ContractCapability> { [] }
    /// None.
    public var deviations: [ContractDeviation] { [] }
    /// None beyond what the kit knows.
    public var secrets: [String] { [] }
}

/// A rule that an adapter is known to break; it runs all the same, and fails once it passes.
public struct ContractDeviation: Hashable, Sendable, Codable {
    /// The rule's id.
    public let rule: String
    /// Why it is broken.
    public let reason: String

    /// Declares a deviation.
    public init(_ rule: String, _ reason: String) {
        self.rule = rule
        self.reason = reason
    }
}

/// An acquirer in its place: how to make its adapter, and how it spells what happens.
public struct ContractStage: Sendable {
    /// Makes the adapter over the host.
    public var factory: ProviderFactory
    /// Takes all requests of the adapter and of its simulated kit.
    public var host: EmulatedHost
    /// What a request means; nil for those that no rule is about.
    public var step: @Sendable (HTTPRequest) -> ContractStep?
    /// Makes something happen that only this acquirer can spell; false when it has no such thing.
    public var make: @Sendable (ContractHappening) -> Bool

    /// Creates a stage.
    ///
    /// - Parameters:
    ///   - factory: Makes the adapter over the host.
    ///   - host: Takes all requests.
    ///   - step: What a request means.
    ///   - make: Spells what happens at the acquirer; by default it has nothing of its own.
    public init(
        factory: ProviderFactory,
        host: EmulatedHost,
        step: @escaping @Sendable (HTTPRequest) -> ContractStep?,
        make: @escaping @Sendable (ContractHappening) -> Bool = { _ in false }
    ) {
        self.factory = factory
        self.host = host
        self.step = step
        self.make = make
    }
}

/// What a request on the wire means.
public enum ContractStep: String, Hashable, Sendable, CaseIterable {
    /// A token for the reader or the kit is fetched.
    case token
    /// A record that will be paid is made.
    case create
    /// The card's payload is submitted.
    case payment
    /// The books are read.
    case lookUp
    /// A hold is captured.
    case capture
    /// A hold is let go.
    case void
    /// Money is given back.
    case refund
    /// A record is closed.
    case close
    /// A page to pay on is made.
    case link
}

/// What can happen at an acquirer, in words that the harness translates.
public enum ContractHappening: Sendable {
    /// The next payment stays pending for a while, then goes through or fails.
    case pending(Duration, thenSucceeds: Bool)
    /// The customer pays the next code that is shown, so long after it came up.
    case customerPaysCode(after: Duration)
    /// None of the tokens that are out is accepted any more.
    case tokensExpire
    /// The end of every payment is told twice from the app's next start on.
    case duplicateNotices
}
