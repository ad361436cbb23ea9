public import PaymentCore
public import PaymentTransport

/// What the configuration says about Finix.
public struct FinixConfiguration: Sendable {
    /// Whose money it is.
    public let account: Account
    /// The merchant's name on the reader's screen and the receipt.
    public let merchantName: String
    /// Finix's identifier of this phone for this merchant.
    public let deviceID: String
    /// The API key's identifier; nil in simulation.
    public let username: Secret?
    /// The API key's secret; nil in simulation.
    public let password: Secret?
    /// Whether this device asks Finix's books itself.
    public let asksBooks: Bool

    /// Scheme and host of Finix's API in an environment; nil in simulation.
    public static func origin(_ environment: Account.Environment) -> String? {
        switch environment {
        case .sandbox: "https://finix.sandbox-payments-api.com"
        case .production: "https://finix.live-payments-api.com"
        case .simulated: nil
        }
    }

    /// Reads the section `providers.finix`; nil once a problem was reported.
    public init?(_ section: ConfigurationSection) {
        let environment = section.oneOf("environment", Account.Environment.allCases.map(\.rawValue))
            .flatMap(Account.Environment.init)
        let isReal = environment.map { $0 != .simulated } ?? false
        let merchant = section.string("merchant")
        let merchantName = section.string("merchantName")
        let device = isReal ? section.string("device") : section.optionalString("device")
        let location = section.optionalString("location")
        let credentials =
            isReal ? section.section("credentials") : section.optionalSection("credentials")
        username = credentials?.secret("username", isNeeded: isReal)
        password = credentials?.secret("password", isNeeded: isReal)
        let backOffice = section.oneOf("backOffice", ["direct", "none"], default: "direct")
        section.finish()
        guard let environment, let merchant, let merchantName, let backOffice else { return nil }
        guard !isReal || (username != nil && password != nil && device != nil) else { return nil }
        account = Account(
            provider: "finix",
            merchant: merchant,
            environment: environment,
            location: location
        )
        self.merchantName = merchantName
        deviceID = device ?? "DVsimulated"
        asksBooks = backOffice == "direct"
    }
}

extension ProviderFactory {
    /// Finix behind its SDK.
    ///
    /// - Parameters:
    ///   - transport: What carries requests to Finix's API.
    ///   - driver: Makes the shim over the SDK from the configuration.
    /// - Returns: A factory for an app's list.
    public static func finix(
        transport: any HTTPTransport,
        driver: @escaping @Sendable (FinixConfiguration) -> any FinixDriver
    ) -> ProviderFactory {
        ProviderFactory(name: "finix") { section, environment in
            guard let configuration = FinixConfiguration(section) else { return nil }
            guard let origin = FinixConfiguration.origin(configuration.account.environment),
                let username = configuration.username, let password = configuration.password
            else {
                section.reject(
                    "environment",
                    #"found "simulated", but this program links no simulation; "#
                        + #"accepted are "sandbox" and "production""#
                )
                return nil
            }
            return .finix(
                configuration,
                origin: origin,
                username: username,
                password: password,
                transport: transport,
                driver: driver(configuration),
                environment: environment
            )
        }
    }
}

extension Acquirer {
    /// Finix from its parts.
    ///
    /// - Parameters:
    ///   - configuration: Whose money, which Device, and whether the books are asked from here.
    ///   - origin: Scheme and host of Finix's API.
    ///   - username: The API key's identifier.
    ///   - password: The API key's secret.
    ///   - transport: What carries requests to Finix's API.
    ///   - driver: The shim over the SDK.
    ///   - environment: Where time and threads come from.
    /// - Returns: Both sides of the adapter.
    public static func finix(
        _ configuration: FinixConfiguration,
        origin: String,
        username: Secret,
        password: Secret,
        transport: any HTTPTransport,
        driver: any FinixDriver,
        environment: PaymentEnvironment
    ) -> Acquirer {
        let backOffice = FinixBackOffice(
            account: configuration.account,
            origin: origin,
            username: username,
            password: password,
            transport: transport,
            environment: environment
        )
        return Acquirer(
            account: configuration.account,
            provider: FinixProvider(
                driver: driver,
                deviceID: configuration.deviceID,
                environment: environment
            ),
            backOffice: configuration.asksBooks ? backOffice : nil,
            merchantName: configuration.merchantName,
            software: ["adapter": "FinixPayments 1"]
        )
    }
}
