public import PaymentCore

/// Exchanges JSON with an acquirer: reads patiently, writes once, and says how far a failure got.
public struct WireClient: Sendable {
    private let transport: any HTTPTransport
    private let environment: PaymentEnvironment
    private let failure: @Sendable (HTTPResponse) -> WireError

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - transport: What carries the requests.
    ///   - environment: Where time and randomness come from.
    ///   - failure: What an answer other than success means at this acquirer.
    public init(
        _ transport: any HTTPTransport,
        environment: PaymentEnvironment,
        failure: @escaping @Sendable (HTTPResponse) -> WireError
    ) {
        self.transport = transport
        self.environment = environment
        self.failure = failure
    }

    /// Sends a request that changes nothing, again if need be.
    public func read<Body: Decodable & Sendable>(
        _ request: HTTPRequest,
        as type: Body.Type
    ) async throws(WireError) -> WireAnswer<Body> {
        let response: HTTPResponse
        do throws(TransportError) {
            response = try await ReadRetry(transport, environment: environment).send(request)
        } catch {
            throw WireError(error)
        }
        return try answer(response)
    }

    /// Sends a request that changes something, once.
    public func write<Body: Decodable & Sendable>(
        _ request: HTTPRequest,
        _ content: some Encodable,
        as type: Body.Type
    ) async throws(WireError) -> WireAnswer<Body> {
        var request = request
        request.headers["Content-Type"] = "application/json"
        do throws(PaymentError) {
            request.body = try JSONBody.encode(content)
        } catch {
            throw WireError(error, mayHaveActed: false)
        }
        let response: HTTPResponse
        do throws(TransportError) {
            response = try await transport.send(request)
        } catch {
            throw WireError(error)
        }
        return try answer(response)
    }

    private func answer<Body: Decodable & Sendable>(
        _ response: HTTPResponse
    ) throws(WireError) -> WireAnswer<Body> {
        guard response.isSuccess else { throw failure(response) }
        do throws(PaymentError) {
            return WireAnswer(
                body: try JSONBody.decode(Body.self, from: response.body),
                headers: response.headers
            )
        } catch {
            var error = error
            error.supportIdentifiers = failure(response).error.supportIdentifiers
            throw WireError(error, status: response.status, mayHaveActed: true)
        }
    }
}

/// An answer that was read, and what the server said about itself.
public struct WireAnswer<Body: Sendable>: Sendable {
    /// What the body says.
    public let body: Body
    /// What came with it.
    public let headers: HTTPHeaders

    /// The server's own time, if it said so.
    public var time: Date? { headers["Date"].flatMap(WireDate.parseHTTP) }
}

/// A failure of an exchange, and how sure it is that nothing happened.
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

    /// The failure to get an answer at all.
    init(_ error: TransportError) {
        self.init(
            PaymentError(.networkUnavailable, detail: error.description),
            mayHaveActed: error.reach == .maybeReceived
        )
    }
}
