package import PaymentCore

/// What the configuration says about how a phone comes by its Device.
public struct FinixProvisioning: Hashable, Sendable {
    /// Who provisions.
    public enum Way: Hashable, Sendable {
        /// Finix is asked from here, with the configured API key.
        case direct
        /// The app's own back end; it answers with ``FinixDeviceService``.
        case endpoint(origin: String, path: String?)
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
        let isEndpoint = through == "endpoint"
        let origin = isEndpoint ? section.string("origin") : section.optionalString("origin")
        let path = section.optionalString("path")
        let bundle = section.string("bundle")
        let name = section.string("name")
        note = section.optionalString("note")
        section.finish()
        if through == "direct" {
            for (key, value) in [("origin", origin), ("path", path)] where value != nil {
                section.reject(key, "belongs to \"through\": \"endpoint\" alone")
            }
        }
        guard let through, let bundle, let name, through == "direct" || origin != nil else {
            return nil
        }
        way = through == "direct" ? .direct : .endpoint(origin: origin ?? "", path: path)
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

    /// Reports what the app has to hand over for this configuration and did not.
    package func check(_ phone: FinixPhoneParts?, _ section: ConfigurationSection) -> Bool {
        guard let provisioning else { return true }
        guard let phone else {
            section.reject(
                "provisioning",
                "this program cannot tell its phone's reader; accepted is \"device\", with the "
                    + "identifier of a Device"
            )
            return false
        }
        guard case .endpoint = provisioning.way, phone.session == nil else { return true }
        section.reject(
            "provisioning",
            "this program has no session with a back end; accepted is \"through\": \"direct\""
        )
        return false
    }
}
