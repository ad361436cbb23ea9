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
        /// What the `Authorization` field holds.
        let basic: Secret

        init(username: Secret, password: Secret) {
            let pair = "\(username.reveal()):\(password.reveal())"
            basic = Secret("Basic " + Data(pair.utf8).base64EncodedString())
        }

        var description: String { "<redacted>" }
    }

    /// Reads a resource.
    func get<Body: Decodable & Sendable>(
        _ path: String,
        query: [(name: String, value: String)] = [],
        as type: Body.Type
    ) async throws(WireError) -> WireAnswer<Body> {
        try await client(transport).read(request(.get, path, query: query), as: type)
    }

    /// Sends a request that changes something, once; again only where Finix asked for a pause.
    func send<Body: Decodable & Sendable>(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ content: some Encodable,
        as type: Body.Type
    ) async throws(WireError) -> WireAnswer<Body> {
        let patient = FinixPatience(transport: transport, environment: environment)
        return try await client(patient).write(request(method, path), content, as: type)
    }

    private func client(_ transport: any HTTPTransport) -> WireClient {
        WireClient(transport, environment: environment, failure: Self.failure(of:))
    }

    private func request(
        _ method: HTTPRequest.Method,
        _ path: String,
        query: [(name: String, value: String)] = []
    ) -> HTTPRequest {
        var request = HTTPRequest(method, origin, path, query: query)
        request.headers["Authorization"] = credentials.basic.reveal()
        request.headers["Accept"] = "application/hal+json"
        request.headers["Finix-Version"] = "2022-02-01"
        return request
    }

    /// What an answer other than success means.
    @Sendable static func failure(of response: HTTPResponse) -> WireError {
        let entries =
            (try? JSONBody.decode(FinixWire.Errors.self, from: response.body))?
            ._embedded?.errors ?? []
        let first = entries.first
        let logref = first?.logref.map { ["logref": $0] }
        let code = neutralCode(status: response.status)
        let texts = entries.compactMap { entry in
            [entry.code?.value, entry.field, entry.message?.value].compactMap(\.self)
                .joined(separator: " ")
        }
        let error = PaymentError(
            code,
            vendorCode: first?.code?.value ?? "HTTP \(response.status)",
            detail: texts.isEmpty ? "HTTP \(response.status)" : texts.joined(separator: "; "),
            supportIdentifiers: logref ?? supportIdentifiers(response.headers)
        )
        return WireError(
            error,
            status: response.status,
            decline: response.status == 402 ? first.flatMap(decline(in:)) : nil,
            mayHaveActed: mayHaveActed(status: response.status, entries)
        )
    }

    /// What Finix calls the request that it answered.
    static func supportIdentifiers(_ headers: HTTPHeaders) -> [String: String] {
        headers["x-request-id"].map { ["logref": $0] } ?? [:]
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
    private static func mayHaveActed(status: Int, _ entries: [FinixWire.Errors.Entry]) -> Bool {
        // Under which code a repeat of an idempotency id is refused is not known.
        if entries.contains(where: { $0.field == "idempotency_id" }) { return true }
        let code = entries.first?.code?.value
        return switch status {
        case 402: code == nil || code == "UPSTREAM_PROCESSOR_ERROR"
        // None of Finix's own: somebody on the way waited too long for somebody.
        case 408: true
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
        case 408: .timedOut
        case 409: .conflict
        case 429: .rateLimited
        case 400..<500: .requestRejected
        case 500..<600: .acquirerUnavailable
        default: .malformedAnswer
        }
    }
}
