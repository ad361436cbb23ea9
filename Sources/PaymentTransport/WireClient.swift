public import PaymentCore

/// Exchanges JSON with an acquirer: reads patiently, writes once, and says how far a failure got.
public struct WireClient: Sendable {
    private let transport: any HTTPTransport
    private let environment: PaymentEnvironment

    /// Creates a client.
    public init(_ transport: any HTTPTransport, environment: PaymentEnvironment) {
        self.transport = transport
        self.environment = environment
    }

    /// Sends a request that changes nothing, again if need be.
    public func read<Body: Decodable & Sendable>(
        _ request: HTTPRequest,
        as type: Body.Type
    ) async throws(WireFailure) -> WireAnswer<Body> {
        let response: HTTPResponse
        do throws(TransportError) {
            response = try await ReadRetry(transport, environment: environment).send(request)
        } catch {
            throw .transport(error)
        }
        return try WireAnswer(response)
    }

    /// Sends a request that changes something, once.
    public func write<Body: Decodable & Sendable>(
        _ request: HTTPRequest,
        as type: Body.Type
    ) async throws(WireFailure) -> WireAnswer<Body> {
        let response: HTTPResponse
        do throws(TransportError) {
            response = try await transport.send(request)
        } catch {
            throw .transport(error)
        }
        return try WireAnswer(response)
    }
}

/// An answer that was read, and what the server said about itself.
public struct WireAnswer<Body: Decodable & Sendable>: Sendable {
    /// What the body says.
    public let body: Body
    /// The server's own time, if it said so.
    public let time: Date?

    init(_ response: HTTPResponse) throws(WireFailure) {
        guard response.isSuccess else { throw .status(response) }
        do throws(PaymentError) {
            body = try JSONBody.decode(Body.self, from: response.body)
        } catch {
            throw .body(error, response)
        }
        time = response.headers["Date"].flatMap(WireDate.parseHTTP)
    }
}

/// Why an exchange brought no usable answer.
public enum WireFailure: Error, Sendable {
    /// No answer came.
    case transport(TransportError)
    /// The answer was not a success.
    case status(HTTPResponse)
    /// The answer was a success that cannot be read.
    case body(PaymentError, HTTPResponse)
}

/// A failure of an exchange in an adapter's terms.
public struct WireError: Error, Sendable {
    /// What went wrong.
    public var error: PaymentError
    /// The status, if an answer came.
    public var status: Int?
    /// The decline that the failure is, if it is one.
    public var decline: Decline?
    /// Whether the request may have had its effect.
    public var mayHaveActed: Bool

    /// Creates a failure.
    public init(
        _ error: PaymentError,
        status: Int? = nil,
        decline: Decline? = nil,
        mayHaveActed: Bool
    ) {
        self.error = error
        self.status = status
        self.decline = decline
        self.mayHaveActed = mayHaveActed
    }

    /// Translates a failure; an adapter says what a status means.
    public init(_ failure: WireFailure, status translate: (HTTPResponse) -> WireError) {
        switch failure {
        case .transport(let error):
            self.init(
                PaymentError(.networkUnavailable, detail: error.description),
                mayHaveActed: error.reach == .maybeReceived
            )
        case .status(let response): self = translate(response)
        case .body(let error, let response):
            self.init(error, status: response.status, mayHaveActed: true)
        }
    }
}
