import PaymentCore
import PaymentTransport

/// Revolut's Merchant API, as far as the adapter needs it.
struct RevolutAPI: Sendable {
    let origin: String
    let apiKey: Secret
    let version: String
    let transport: any HTTPTransport
    let environment: PaymentEnvironment

    /// Reads a resource.
    func get<Body: Decodable & Sendable>(
        _ path: String,
        query: [(name: String, value: String)] = [],
        as type: Body.Type
    ) async throws(WireError) -> WireAnswer<Body> {
        try await client.read(request(.get, path, query: query), as: type)
    }

    /// Sends a request that changes something, once; a key makes a repeat of it safe.
    func post<Body: Decodable & Sendable>(
        _ path: String,
        _ content: some Encodable,
        key: String? = nil,
        as type: Body.Type
    ) async throws(WireError) -> WireAnswer<Body> {
        var request = request(.post, path)
        request.headers["Idempotency-Key"] = key
        return try await client.write(request, content, as: type)
    }

    var client: WireClient {
        WireClient(transport, environment: environment, failure: Self.failure(of:))
    }

    func request(
        _ method: HTTPRequest.Method,
        _ path: String,
        query: [(name: String, value: String)] = []
    ) -> HTTPRequest {
        var request = HTTPRequest(method, origin, path, query: query)
        request.headers["Authorization"] = "Bearer " + apiKey.reveal()
        request.headers["Accept"] = "application/json"
        request.headers["Revolut-Api-Version"] = version
        return request
    }

    /// Whether an identifier can be part of a path: letters, digits and dashes, and not too many.
    static func isPart(_ id: String) -> Bool {
        1...64 ~= id.utf8.count
            && id.utf8.allSatisfy { byte in
                byte < 0x80
                    && (UnicodeScalar(byte).properties.isAlphabetic || 48...57 ~= byte
                        || byte == 45)
            }
    }

    /// What an answer other than success means.
    @Sendable static func failure(of response: HTTPResponse) -> WireError {
        let problem = try? JSONBody.decode(RevolutWire.Problem.self, from: response.body)
        let code: PaymentError.Code =
            switch response.status {
            case 401: .invalidCredentials
            case 403: .accessDenied
            case 404: .notFound
            case 408: .timedOut
            case 409: .conflict
            case 422: .conflict
            case 429: .rateLimited
            case 400..<500: .requestRejected
            case 500..<600: .acquirerUnavailable
            default: .malformedAnswer
            }
        let error = PaymentError(
            code,
            vendorCode: problem?.code ?? "HTTP \(response.status)",
            detail: problem?.message,
            supportIdentifiers: problem?.errorId.map { ["errorId": $0] } ?? [:]
        )
        let isDefinite = refusals.contains(response.status)
        return WireError(error, status: response.status, mayHaveActed: !isDefinite)
    }

    /// The answers that prove that a request was not performed; any other may come from whatever
    /// stands in between, once the request went on.
    private static let refusals: Set = [400, 401, 403, 404, 405, 406, 422, 429]
}
