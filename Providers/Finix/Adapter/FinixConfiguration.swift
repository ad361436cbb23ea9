public import PaymentCore
public import PaymentTransport

/// What the configuration says about Finix.
public struct FinixConfiguration: Sendable {
    /// Whose money it is.
    public let account: Account
    /// The merchant's name on the reader's screen and the receipt.
    public let merchantName: String
    /// Finix's identifier of this phone for this merchant; empty as long as it has none.
    public internal(set) var deviceID: String
    /// How the phone comes by its Device; nil where one is named.
    public let provisioning: FinixProvisioning?
    /// The API key's identifier; nil in simulation.
    public let username: Secret?
    /// The API key's secret; nil in simulation.
    public let password: Secret?
    /// Whether this device asks Finix's books itself.
    public let asksBooks: Bool
    /// The back end that asks the books for this device; nil where none does.
    public let booksBackEnd: FinixBackEnd?

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
        let merchant = section.identifier("merchant", section.string("merchant"))
        let merchantName = section.string("merchantName")
        let named = section.optionalString("device")
        let device = section.identifier("device", named)
        let provisioned = section.optionalSection("provisioning")
        provisioning = provisioned.flatMap(FinixProvisioning.init)
        let location = section.optionalString("location")
        let credentials =
            isReal ? section.section("credentials") : section.optionalSection("credentials")
        username = credentials?.secret("username", isNeeded: isReal)
        password = credentials?.secret("password", isNeeded: isReal)
        let backOffice = section.choice("backOffice", ["direct", "none"], default: "direct")
        let remote = backOffice?.section
        booksBackEnd = remote.flatMap(FinixBackEnd.init)
        remote?.finish()
        section.finish()
        if let merchantName, merchantName.allSatisfy(\.isWhitespace) {
            section.reject("merchantName", "found blanks; accepted is what the customer may read")
            return nil
        }
        guard (named == nil) == (device == nil) else { return nil }
        if device != nil, provisioned != nil {
            section.reject("provisioning", "found beside \"device\"; accepted is one of the two")
            return nil
        }
        if isReal, device == nil, provisioned == nil {
            section.reject("device", Self.noDevice)
            return nil
        }
        guard let environment, let merchant, let merchantName, let backOffice,
            provisioned == nil || provisioning != nil, remote == nil || booksBackEnd != nil
        else { return nil }
        guard !isReal || (username != nil && password != nil) else { return nil }
        account = Account(
            provider: "finix",
            merchant: merchant,
            environment: environment,
            location: location
        )
        self.merchantName = merchantName
        deviceID = device ?? (provisioned == nil ? "DVsimulated" : "")
        asksBooks = backOffice.name == "direct"
    }

    private static let noDevice =
        "the phone has no Device; accepted are the identifier of one here, or \"provisioning\" "
        + "with how it gets one"
}

extension ProviderFactory {
    /// Finix behind its SDK.
    ///
    /// - Parameters:
    ///   - transport: What carries requests to Finix's API.
    ///   - phone: What the app knows of its phone, so that it gets a Device by itself; without it
    ///     the configuration has to name one.
    ///   - driver: Makes the shim over the SDK from the configuration, once for each Device.
    /// - Returns: A factory for an app's list.
    public static func finix(
        transport: any HTTPTransport,
        phone: FinixPhoneParts? = nil,
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
            guard configuration.check(phone, section) else { return nil }
            return .finix(
                configuration,
                origin: origin,
                username: username,
                password: password,
                transport: transport,
                phone: phone,
                environment: environment,
                driver: driver
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
    ///   - phone: What a Device is provisioned with, where the configuration names none.
    ///   - environment: Where time and threads come from.
    ///   - driver: Makes the shim over the SDK from the configuration, once for each Device.
    /// - Returns: Both sides of the adapter.
    public static func finix(
        _ configuration: FinixConfiguration,
        origin: String,
        username: Secret,
        password: Secret,
        transport: any HTTPTransport,
        phone: FinixPhoneParts? = nil,
        environment: PaymentEnvironment,
        driver: @escaping @Sendable (FinixConfiguration) -> any FinixDriver
    ) -> Acquirer {
        let books = FinixBackOffice(
            account: configuration.account,
            origin: origin,
            username: username,
            password: password,
            transport: transport,
            environment: environment
        )
        let remote = configuration.booksBackEnd.flatMap {
            phone?.books(of: configuration.account, $0, like: books, transport, environment)
        }
        let devices = FinixDevices(
            world: configuration.account.environment,
            origin: origin,
            username: username,
            password: password,
            transport: transport,
            environment: environment
        )
        let till = FinixTill(configuration, phone, devices, transport, driver)
        return Acquirer(
            account: configuration.account,
            provider: FinixProvider(till: till, environment: environment),
            backOffice: configuration.asksBooks ? books : remote,
            merchantName: configuration.merchantName,
            software: ["adapter": "FinixPayments 1"]
        )
    }
}

extension ConfigurationSection {
    /// A text that can be an identifier of Finix's; nil once a problem was reported.
    fileprivate func identifier(_ key: String, _ text: String?) -> String? {
        guard let text, !FinixWire.isIdentifier(text) else { return text }
        reject(key, "found blanks or slashes, or too many letters; accepted is Finix's identifier")
        return nil
    }
}

extension ConfigurationSection.Choice {
    fileprivate var section: ConfigurationSection? {
        if case .section(let section) = self { section } else { nil }
    }

    fileprivate var name: String? { if case .name(let name) = self { name } else { nil } }
}

extension FinixTill {
    /// The till that a configuration describes.
    fileprivate convenience init(
        _ configuration: FinixConfiguration,
        _ phone: FinixPhoneParts?,
        _ devices: FinixDevices,
        _ transport: any HTTPTransport,
        _ driver: @escaping @Sendable (FinixConfiguration) -> any FinixDriver
    ) {
        let merchant = configuration.account.merchant
        guard let provisioning = configuration.provisioning, let phone else {
            self.init(
                driver: driver(configuration),
                device: configuration.deviceID,
                merchant: merchant
            )
            return
        }
        let source = Source(
            provisioner: FinixDeviceProvisioner(
                source: phone.source(provisioning.way, devices, transport),
                store: phone.store
            )
        ) { () async throws(PaymentError) in
            try await configuration.request(reader: phone.reader())
        }
        self.init(merchant: merchant, source: source) { driver(configuration.with(device: $0)) }
    }
}
