public import PaymentCore
public import PaymentTransport

/// What the configuration says about Acme.
public struct AcmeConfiguration: Sendable {
    /// Whose money it is.
    public let account: Account
    /// The merchant's name on receipts.
    public let merchantName: String?
    /// Where Acme's API is.
    public let origin: String
    /// The key of the books side.
    public let apiKey: Secret

    /// Reads the section `providers.acme`; nil once a problem was reported.
    public init?(_ section: ConfigurationSection, origin: String, apiKey: Secret) {
        let environment = section.oneOf("environment", ["sandbox", "simulated"])
            .flatMap(Account.Environment.init)
        let merchant = section.string("merchant")
        merchantName = section.optionalString("merchantName")
        section.finish()
        guard let environment, let merchant else { return nil }
        account = Account(provider: "acme", merchant: merchant, environment: environment)
        self.origin = origin
        self.apiKey = apiKey
    }
}

extension Acquirer {
    /// Both sides of Acme.
    ///
    /// - Parameters:
    ///   - configuration: Whose money, and where the API is.
    ///   - transport: What carries requests.
    ///   - reader: The reader that Acme's payments are read with.
    ///   - tokens: The app's source of device tokens.
    ///   - environment: Where time and randomness come from.
    /// - Returns: The acquirer.
    public static func acme(
        _ configuration: AcmeConfiguration,
        transport: any HTTPTransport,
        reader: any AcmeReader,
        tokens: any TokenProvider,
        environment: PaymentEnvironment
    ) -> Acquirer {
        let api = AcmeAPI(configuration, transport: transport, environment: environment)
        let backOffice = AcmeBackOffice(account: configuration.account, api: api)
        return Acquirer(
            account: configuration.account,
            provider: AcmeProvider(
                api: api,
                reader: reader,
                session: AcmeSession(tokens),
                backOffice: backOffice,
                environment: environment
            ),
            backOffice: backOffice,
            merchantName: configuration.merchantName,
            software: ["adapter": "Acme 1"]
        )
    }
}
