import PaymentCore

/// An API key pair of Finix's; prints as nothing.
public struct APICredentials: Hashable, Sendable {
    private let pair: [Secret]

    /// Creates a pair.
    ///
    /// - Parameters:
    ///   - username: The key's identifier.
    ///   - password: The key's secret.
    public init(username: String, password: String) {
        pair = [Secret(username), Secret(password)]
    }

    /// The key's identifier.
    public var username: String { pair[0].reveal() }
    /// The key's secret.
    public var password: String { pair[1].reveal() }

    /// The value of the header that carries both.
    var basic: String {
        "Basic " + Data("\(username):\(password)".utf8).base64EncodedString()
    }
}

extension APICredentials: CustomStringConvertible, CustomReflectable {
    /// Always `<redacted>`.
    public var description: String { "<redacted>" }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
