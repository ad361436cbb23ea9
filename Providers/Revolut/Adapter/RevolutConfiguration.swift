public import PaymentCore
public import PaymentTransport

/// What the configuration says about Revolut.
public struct RevolutConfiguration: Sendable {
    /// Whose money it is; the merchant is the client ID, the location Revolut's identifier of it.
    public let account: Account
    /// The identifier of the app at Revolut.
    public let clientID: String
    /// The merchant's name on the receipt.
    public let merchantName: String?
    /// The secret key of the Merchant API; nil in simulation.
    public let apiKey: Secret?
    /// The version of the Merchant API.
    public let apiVersion: String
    /// Whether this device asks Revolut's books itself.
    public let asksBooks: Bool
    /// What may be charged here: anything that the kit can express, or less.
    public let amounts: AmountSupport

    /// Scheme and host of the Merchant API in an environment; nil in simulation.
    public static func origin(_ environment: Account.Environment) -> String? {
        switch environment {
        case .production: "https://merchant.revolut.com"
        case .sandbox: "https://sandbox-merchant.revolut.com"
        case .simulated: nil
        }
    }

    /// Reads the section `providers.revolut`; nil once a problem was reported.
    public init?(_ section: ConfigurationSection) {
        // The kit has no sandbox, so a configuration cannot name one.
        let environment = section.oneOf("environment", ["production", "simulated"])
            .flatMap(Account.Environment.init)
        let isReal = environment == .production
        let clientID = section.string("clientID")
        merchantName = section.optionalString("merchantName")
        let location = section.optionalString("location")
        let backOffice = section.oneOf("backOffice", ["direct", "none"], default: "direct")
        let needsKey = isReal && backOffice == "direct"
        apiKey = section.secret("apiKey", isNeeded: needsKey)
        let amounts = Self.amounts(section)
        let version = Self.version(section)
        section.finish()
        guard let environment, let clientID, let backOffice, let version else { return nil }
        guard !needsKey || apiKey != nil else { return nil }
        account = Account(
            provider: "revolut",
            merchant: clientID,
            environment: environment,
            location: location
        )
        self.clientID = clientID
        apiVersion = version
        asksBooks = backOffice == "direct"
        self.amounts = amounts
    }

    /// Reads the version of the Merchant API; with another text every call would be refused.
    private static func version(_ section: ConfigurationSection) -> String? {
        guard let version = section.string("apiVersion", default: "2026-04-20") else { return nil }
        let lengths = version.split(separator: "-", omittingEmptySubsequences: false)
            .map { part in part.utf8.allSatisfy { 48...57 ~= $0 } ? part.utf8.count : 0 }
        guard lengths == [4, 2, 2] else {
            section.reject(
                "apiVersion",
                #"found "\#(version.prefix(40))"; accepted is a date such as "2026-04-20""#
            )
            return nil
        }
        return version
    }

    /// Reads what narrows the amounts; Revolut publishes no limits, so none is built in.
    private static func amounts(_ section: ConfigurationSection) -> AmountSupport {
        var amounts = AmountSupport()
        let codes = section.strings("currencies", default: []) ?? []
        var currencies: Set<Currency> = []
        for (index, code) in codes.enumerated() {
            do throws(CurrencyCodeError) {
                currencies.insert(try Currency.parse(code))
            } catch {
                section.reject("currencies", index: index, error.description)
            }
        }
        if !codes.isEmpty { amounts.currencies = currencies }
        let largest = section.wholeNumber("largest", in: 1...Int.max, default: .max)
        amounts.largest = Int64(largest ?? .max)
        return amounts
    }
}

extension ProviderFactory {
    /// Revolut behind its kit.
    ///
    /// - Parameters:
    ///   - transport: What carries requests to the Merchant API.
    ///   - tokenProvider: The app's source of device tokens.
    ///   - driver: Makes the shim over the kit.
    /// - Returns: A factory for an app's list.
    public static func revolut(
        transport: any HTTPTransport,
        tokenProvider: any TokenProvider,
        driver: @escaping @Sendable (RevolutDriverContext) -> any RevolutDriver
    ) -> ProviderFactory {
        ProviderFactory(name: "revolut") { section, environment in
            guard let configuration = RevolutConfiguration(section) else { return nil }
            guard let origin = RevolutConfiguration.origin(configuration.account.environment) else {
                section.reject(
                    "environment",
                    #"found "simulated", but this program links no simulation; "#
                        + #"accepted is "production""#
                )
                return nil
            }
            return .revolut(
                configuration,
                origin: origin,
                apiKey: configuration.apiKey,
                transport: transport,
                tokenProvider: tokenProvider,
                environment: environment,
                driver: driver
            )
        }
    }
}

extension Acquirer {
    /// Revolut from its parts.
    ///
    /// - Parameters:
    ///   - configuration: Whose money, and whether the books are asked from here.
    ///   - origin: Scheme and host of the Merchant API.
    ///   - apiKey: The secret key of the Merchant API; without one the books are not asked.
    ///   - transport: What carries requests to the Merchant API.
    ///   - tokenProvider: The app's source of device tokens.
    ///   - environment: Where time and threads come from.
    ///   - driver: Makes the shim over the kit.
    /// - Returns: Both sides of the adapter.
    public static func revolut(
        _ configuration: RevolutConfiguration,
        origin: String,
        apiKey: Secret?,
        transport: any HTTPTransport,
        tokenProvider: any TokenProvider,
        environment: PaymentEnvironment,
        driver: (RevolutDriverContext) -> any RevolutDriver
    ) -> Acquirer {
        var backOffice: RevolutBackOffice?
        if configuration.asksBooks, let apiKey {
            backOffice = RevolutBackOffice(
                account: configuration.account,
                origin: origin,
                apiKey: apiKey,
                apiVersion: configuration.apiVersion,
                transport: transport,
                environment: environment
            )
        }
        return Acquirer(
            account: configuration.account,
            provider: RevolutProvider(
                configuration: configuration,
                tokenProvider: tokenProvider,
                backOffice: backOffice,
                environment: environment,
                driver: driver
            ),
            backOffice: backOffice,
            merchantName: configuration.merchantName,
            software: ["adapter": "RevolutPayments 1"]
        )
    }
}
