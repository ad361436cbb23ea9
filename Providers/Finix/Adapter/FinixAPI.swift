import PaymentCore
import PaymentTransport

/// Finix's REST API, as far as the adapter needs it.
struct FinixAPI: Sendable {
    let origin: String
    let credentials: Credentials
    let transport: any HTTPTransport
    let environment: PaymentEnvironment

    /// An API key pair; prints as nothing.
    struct Credentials: Sendable, CustomStringConvertible {
        let username: Secret
        let password: Secret

        var description: String { "<redacted>" }

        var basic: String {
            let pair = "\(username.reveal()):\(password.reveal())"
            return "Basic " + Data(pair.utf8).base64EncodedString()
        }
    }

    /// An answer that was read, and what the server said about itself.
    struct Answer<Body: Sendable>: Sendable {
        let body: Body
        let requestID: String?
        let time: Date?
    }

    /// A failure of a request, and how sure it is that nothing happened.
    struct Failure: Error {
        let error: PaymentError
        let status: Int?
        let decline: Decline?
        /// Whether the request may have had its effect.
        let mayHaveActed: Bool
    }

    /// Reads a resource.
    func get<Body: Decodable & Sendable>(
        _ path: String,
        query: [(name: String, value: String)] = [],
        as type: Body.Type
    ) async throws(Failure) -> Answer<Body> {
        let reads = ReadRetry(transport, environment: environment)
        return try await exchange(request(.get, path, query: query), as: type) {
            request throws(TransportError) in
            try await reads.send(request)
        }
    }

    /// Sends a request that changes something, once.
    func send<Body: Decodable & Sendable>(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ content: some Encodable,
        as type: Body.Type
    ) async throws(Failure) -> Answer<Body> {
        var request = request(method, path, query: [])
        do throws(PaymentError) {
            request.body = try JSONBody.encode(content)
        } catch {
            throw Failure(error: error, status: nil, decline: nil, mayHaveActed: false)
        }
        request.headers["Content-Type"] = "application/json"
        let transport = transport
        return try await exchange(request, as: type) { request throws(TransportError) in
            try await transport.send(request)
        }
    }

    private func request(
        _ method: HTTPRequest.Method,
        _ path: String,
        query: [(name: String, value: String)]
    ) -> HTTPRequest {
        var request = HTTPRequest(method, origin, path, query: query)
        request.headers["Authorization"] = credentials.basic
        request.headers["Accept"] = "application/hal+json"
        request.headers["Finix-Version"] = "2022-02-01"
        return request
    }

    private func exchange<Body: Decodable & Sendable>(
        _ request: HTTPRequest,
        as type: Body.Type,
        _ send: (HTTPRequest) async throws(TransportError) -> HTTPResponse
    ) async throws(Failure) -> Answer<Body> {
        let response: HTTPResponse
        do throws(TransportError) {
            response = try await send(request)
        } catch {
            throw Failure(
                error: PaymentError(.networkUnavailable, detail: error.description),
                status: nil,
                decline: nil,
                mayHaveActed: error.reach == .maybeReceived
            )
        }
        guard response.isSuccess else { throw FinixAPI.failure(of: response) }
        do throws(PaymentError) {
            return Answer(
                body: try JSONBody.decode(type, from: response.body),
                requestID: response.headers["x-request-id"],
                time: response.headers["Date"].flatMap(WireDate.parseHTTP)
            )
        } catch {
            throw Failure(error: error, status: response.status, decline: nil, mayHaveActed: true)
        }
    }

    /// What an answer other than success means.
    static func failure(of response: HTTPResponse) -> Failure {
        let entries =
            (try? JSONBody.decode(FinixWire.Errors.self, from: response.body))?
            ._embedded?.errors ?? []
        let first = entries.first
        let requestID = first?.logref ?? response.headers["x-request-id"]
        let code = neutralCode(status: response.status)
        let texts = entries.compactMap { entry in
            [entry.code?.value, entry.field, entry.message?.value].compactMap(\.self)
                .joined(separator: " ")
        }
        let error = PaymentError(
            code,
            vendorCode: first?.code?.value ?? "HTTP \(response.status)",
            detail: texts.isEmpty ? "HTTP \(response.status)" : texts.joined(separator: "; "),
            supportIdentifiers: requestID.map { ["logref": $0] } ?? [:]
        )
        return Failure(
            error: error,
            status: response.status,
            decline: response.status == 402 ? first.flatMap(decline(in:)) : nil,
            mayHaveActed: mayHaveActed(status: response.status, code: first?.code?.value)
        )
    }

    private static func decline(in entry: FinixWire.Errors.Entry) -> Decline? {
        guard let code = entry.code?.value, code != "UPSTREAM_PROCESSOR_ERROR" else { return nil }
        let isOwnCode = ["DECLINED", "PAYMENT_DECLINED"].contains(code)
        let references =
            (entry.transfer.map { [FinixReference.transfer($0)] } ?? [])
            + (entry.authorization.map { [FinixReference.authorization($0)] } ?? [])
        return FinixDeclines.decline(
            code: entry.failure_code?.value ?? (isOwnCode ? nil : code),
            message: entry.failure_message?.value,
            references: references,
            card: nil
        )
    }

    /// Whether a request with this answer may have had its effect.
    private static func mayHaveActed(status: Int, code: String?) -> Bool {
        switch status {
        case 402: code == nil || code == "UPSTREAM_PROCESSOR_ERROR"
        case 409: true
        case 422: code != "INVALID_FIELD"
        case 400..<500: false
        default: true
        }
    }

    private static func neutralCode(status: Int) -> PaymentError.Code {
        switch status {
        case 401: .invalidCredentials
        case 403: .accessDenied
        case 404: .notFound
        case 409: .conflict
        case 429: .rateLimited
        case 400..<500: .requestRejected
        case 500..<600: .acquirerUnavailable
        default: .malformedAnswer
        }
    }
}
