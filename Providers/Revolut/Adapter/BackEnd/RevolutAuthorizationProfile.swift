public import PaymentCore

/// How a back end reaches Revolut's authorization server; none of it is compiled in.
///
/// Revolut publishes addresses, lifetimes and the way a client proves itself to registered partners,
/// so all of them come from the back end's own configuration.
public struct RevolutAuthorizationProfile: Sendable {
    /// Where the merchant's browser is sent to consent.
    public var authorize: Address
    /// Where codes and refresh tokens are redeemed.
    public var token: Address
    /// Where device tokens are obtained; the same as ``token`` unless said otherwise.
    public var deviceToken: Address
    /// The identifier of the app at Revolut.
    public var clientID: String
    /// How the back end proves that it is the app's.
    public var client: ClientAuthentication
    /// Where the browser comes back to; registered at Revolut.
    public var redirectURI: String
    /// What is asked for.
    public var scope = "tap_to_pay_sdk"
    /// What is assumed where an answer does not say.
    public var lifetimes = Lifetimes()

    /// Creates a profile.
    ///
    /// - Parameters:
    ///   - authorize: Where the merchant's browser is sent to consent.
    ///   - token: Where codes, refresh tokens and merchant tokens are exchanged.
    ///   - clientID: The identifier of the app at Revolut.
    ///   - client: How the back end proves that it is the app's.
    ///   - redirectURI: Where the browser comes back to.
    public init(
        authorize: Address,
        token: Address,
        clientID: String,
        client: ClientAuthentication,
        redirectURI: String
    ) {
        self.authorize = authorize
        self.token = token
        deviceToken = token
        self.clientID = clientID
        self.client = client
        self.redirectURI = redirectURI
    }

    /// An absolute address, in the parts that a request has.
    public struct Address: Hashable, Sendable {
        /// Scheme, host and port.
        public let origin: String
        /// The path, decoded.
        public let path: String

        /// Creates an address from its parts.
        public init(origin: String, path: String) {
            self.origin = origin
            self.path = path
        }

        /// Reads an address; nil unless it is http or https with a host, and no query or fragment.
        public init?(_ text: String) {
            guard let parts = URLComponents(string: text), let scheme = parts.scheme,
                ["http", "https"].contains(scheme.lowercased()),
                let host = parts.host, !host.isEmpty,
                parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil
            else { return nil }
            origin = "\(scheme)://\(host)" + (parts.port.map { ":\($0)" } ?? "")
            path = parts.path.isEmpty ? "/" : parts.path
        }
    }

    /// How a client proves itself to the token endpoints.
    public enum ClientAuthentication: Sendable {
        /// Not at all: the code verifier is the proof.
        case none
        /// By HTTP Basic, with this secret.
        case basic(Secret)
        /// By `client_secret` in the body.
        case body(Secret)
    }

    /// What is assumed about how long things live.
    public struct Lifetimes: Hashable, Sendable {
        /// A merchant's access token whose answer does not say.
        public var accessToken = Duration.seconds(40 * 60)
        /// A device token whose answer does not say.
        public var deviceToken = Duration.seconds(10 * 60)
        /// How long before its end a token is no longer used, since clocks differ.
        public var skew = Duration.seconds(30)

        /// Creates the usual assumptions.
        public init() {}
    }
}
