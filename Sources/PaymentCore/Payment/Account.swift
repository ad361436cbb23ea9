/// Whose money it is and at which acquirer; on every attempt, receipt and record.
public struct Account: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The acquirer's name in the configuration, such as `finix`.
    public let provider: String
    /// The acquirer's identifier of the merchant.
    public let merchant: String
    /// Which of the acquirer's worlds it is in.
    public let environment: Environment
    /// The acquirer's identifier of the shop, where it has one.
    public let location: String?

    /// Creates an account.
    public init(
        provider: String,
        merchant: String,
        environment: Environment,
        location: String? = nil
    ) {
        self.provider = provider
        self.merchant = merchant
        self.environment = environment
        self.location = location
    }

    /// Provider, merchant and environment.
    public var description: String { "\(provider) \(merchant) (\(environment.rawValue))" }

    /// The world that an account lives in.
    public enum Environment: String, Hashable, Sendable, Codable, CaseIterable {
        /// Real money.
        case production
        /// The acquirer's own test world.
        case sandbox
        /// This package's simulation; no money and no network.
        case simulated
    }
}
