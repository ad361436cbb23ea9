import PaymentCore

/// What the configuration says about how a phone comes by its Device.
public struct FinixProvisioning: Hashable, Sendable {
    /// Who provisions.
    public enum Way: Hashable, Sendable {
        /// Finix is asked from here, with the configured API key.
        case direct
        /// The app's own back end; it answers with ``FinixDeviceService``.
        case endpoint(FinixBackEnd)
    }

    /// Who provisions.
    public let way: Way
    /// The bundle id of the app that takes the payments.
    public let bundle: String
    /// What Finix's dashboard calls the Device.
    public let name: String
    /// More about it for the dashboard.
    public let note: String?

    /// Reads the section `provisioning`; nil once a problem was reported.
    init?(_ section: ConfigurationSection) {
        let through = section.oneOf("through", ["endpoint", "direct"])
        let backEnd = through == "endpoint" ? FinixBackEnd(section) : nil
        let others = ["origin", "path"].filter { section.optionalString($0) != nil }
        let bundle = section.string("bundle")
        let name = section.string("name")
        note = section.optionalString("note")
        section.finish()
        if through == "direct" {
            for key in others { section.reject(key, "belongs to \"through\": \"endpoint\" alone") }
        }
        guard let through, let bundle, let name, through == "direct" || backEnd != nil else {
            return nil
        }
        way = backEnd.map(Way.endpoint) ?? .direct
        self.bundle = bundle
        self.name = name
    }
}

extension FinixConfiguration {
    /// What a Device is asked for with, once the reader has told its identifier.
    func request(reader: String) throws(PaymentError) -> FinixDeviceRequest {
        guard let provisioning else {
            throw PaymentError(.notConfigured, detail: "provisioning: is missing")
        }
        return try FinixDeviceRequest(
            environment: account.environment,
            merchant: account.merchant,
            reader: reader,
            bundle: provisioning.bundle,
            name: provisioning.name,
            note: provisioning.note
        )
    }

    /// The same for a phone whose Device is known; what a driver is made from.
    func with(device: String) -> FinixConfiguration {
        var configuration = self
        configuration.deviceID = device
        return configuration
    }
}
