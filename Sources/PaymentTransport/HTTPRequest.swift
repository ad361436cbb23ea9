public import PaymentCore

/// One request to an acquirer or to the app's own back end.
///
/// Prints as method and path alone: headers hold credentials and bodies hold payloads.
public struct HTTPRequest: Sendable, CustomStringConvertible, CustomReflectable {
    /// What to do.
    public var method: Method
    /// Scheme, host and port, such as `https://api.example.com`.
    public var origin: String
    /// The path, decoded.
    public var path: String
    /// The query, decoded, in order.
    public var query: [(name: String, value: String)]
    /// The header fields.
    public var headers = HTTPHeaders()
    /// The body, if there is one.
    public var body: Data?

    /// Creates a request.
    public init(
        _ method: Method,
        _ origin: String,
        _ path: String,
        query: [(name: String, value: String)] = [],
        body: Data? = nil
    ) {
        self.method = method
        self.origin = origin
        self.path = path
        self.query = query
        self.body = body
    }

    /// The address; nil when origin or path cannot be part of one.
    public var url: URL? {
        guard var components = URLComponents(string: origin) else { return nil }
        components.path = path
        if !query.isEmpty {
            components.queryItems = query.map { URLQueryItem(name: $0.name, value: $0.value) }
            components.percentEncodedQuery = components.percentEncodedQuery?
                .replacing("+", with: "%2B")
        }
        return components.url
    }

    /// Why the request cannot be sent, naming fields and never their values; nil when it can.
    public var problem: String? {
        if let field = headers.unsendable {
            return "the value of header \(field) holds a line break or control character"
        }
        return url == nil ? "the address of \(method.rawValue) \(path) is malformed" : nil
    }

    /// Whether what it carries travels encrypted, or not beyond this machine.
    package var isConfidential: Bool {
        guard let address = URLComponents(string: origin) else { return false }
        switch address.scheme?.lowercased() {
        case "https": return true
        case "http": return LoopbackAddress(host: address.host ?? "") != nil
        default: return false
        }
    }

    /// Refuses to carry a token where others could read it.
    package func checkConfidential() throws(PaymentError) {
        guard isConfidential else {
            throw PaymentError(
                .notConfigured,
                detail: "the back end's origin is not https; http is accepted on loopback only"
            )
        }
    }

    /// Method and path.
    public var description: String { "\(method.rawValue) \(path)" }
    /// Nothing beyond method and path.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }

    /// What a request does.
    public enum Method: String, Hashable, Sendable {
        /// Reads.
        case get = "GET"
        /// Creates or acts.
        case post = "POST"
        /// Replaces.
        case put = "PUT"
        /// Changes.
        case patch = "PATCH"
        /// Removes.
        case delete = "DELETE"
    }
}

/// The answer to a request; prints as its status alone.
public struct HTTPResponse: Sendable, CustomStringConvertible, CustomReflectable {
    /// The status code.
    public var status: Int
    /// The header fields.
    public var headers: HTTPHeaders
    /// The body; empty when there is none.
    public var body: Data

    /// Creates an answer.
    public init(status: Int, headers: HTTPHeaders = HTTPHeaders(), body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Whether the status says that the request succeeded.
    public var isSuccess: Bool { 200...299 ~= status }
    /// The status.
    public var description: String { "HTTP \(status)" }
    /// Nothing beyond the status.
    public var customMirror: Mirror { Mirror(self, children: ["status": status]) }
}
