package import PaymentCore
import PaymentTransport

/// Where the app's own back end is, as the configuration says it.
public struct FinixBackEnd: Hashable, Sendable {
    /// Scheme, host and port.
    public let origin: String
    /// Where it answers; nil for the usual place.
    public let path: String?

    /// Reads `origin` and `path` of a section; nil once a problem was reported.
    init?(_ section: ConfigurationSection) {
        let origin = section.string("origin")
        path = section.optionalString("path")
        guard let origin else { return nil }
        guard Self.isConfidential(origin) else {
            section.reject("origin", "found no https; accepted is such as \"https://shop.example\"")
            return nil
        }
        guard Self.isBare(origin) else {
            section.reject("origin", "found more than scheme, host and port; a path is \"path\"")
            return nil
        }
        if let path, !path.hasPrefix("/") {
            section.reject(
                "path",
                "found no slash at its beginning; accepted is such as \"/books\""
            )
            return nil
        }
        self.origin = origin
    }

    /// Whether nothing follows scheme, host and port: requests bring a path of their own.
    private static func isBare(_ origin: String) -> Bool {
        guard let parts = URLComponents(string: origin), parts.host?.isEmpty == false else {
            return false
        }
        return ["", "/"].contains(parts.path) && parts.query == nil && parts.fragment == nil
            && parts.user == nil && parts.password == nil
    }

    /// Whether nobody on the way can read what is sent.
    private static func isConfidential(_ origin: String) -> Bool {
        let loopback = ["http://127.0.0.1", "http://localhost", "http://[::1]"]
        return origin.hasPrefix("https://") && origin.count > "https://".count
            || loopback.contains { origin == $0 || origin.hasPrefix($0 + ":") }
    }
}

extension FinixConfiguration {
    /// Reports what the app has to hand over for this configuration and did not.
    package func check(_ phone: FinixPhoneParts?, _ section: ConfigurationSection) -> Bool {
        var isComplete = true
        if provisioning != nil, phone?.readerIdentifier == nil {
            section.reject(
                "provisioning",
                "this program cannot tell its phone's reader; accepted is \"device\", with the "
                    + "identifier of a Device"
            )
            isComplete = false
        } else if case .endpoint = provisioning?.way, phone?.session == nil {
            section.reject(
                "provisioning",
                "this program has no session with a back end; accepted is \"through\": \"direct\""
            )
            isComplete = false
        }
        if booksBackEnd != nil, phone?.session == nil {
            section.reject(
                "backOffice",
                "this program has no session with a back end; accepted are \"direct\" and \"none\""
            )
            isComplete = false
        }
        return isComplete
    }
}
