import PaymentCore
import PaymentTransport

/// Acme's requests and answers.
struct AcmeAPI: Sendable {
    let client: WireClient
    let origin: String
    private let apiKey: Secret
    let environment: PaymentEnvironment

    init(
        _ configuration: AcmeConfiguration,
        transport: any HTTPTransport,
        environment: PaymentEnvironment
    ) {
        origin = configuration.origin
        apiKey = configuration.apiKey
        self.environment = environment
        client = WireClient(transport, environment: environment) { response in
            let code: PaymentError.Code =
                switch response.status {
                case 401: .invalidCredentials
                case 404: .notFound
                case 409: .conflict
                case 429: .rateLimited
                case 500...599: .acquirerUnavailable
                default: .requestRejected
                }
            return WireError(
                PaymentError(code, vendorCode: "HTTP \(response.status)"),
                status: response.status,
                mayHaveActed: response.status >= 500
            )
        }
    }

    struct Payment: Decodable, Sendable {
        let id: String
        let key: String
        let kind: String
        let state: String
        let amount: Int64
        let requested: Int64
        let currency: String
        let reason: String?
        let brand: String?
        let last4: String?
        let method: String?
        let code: String?
        let created: String
        let expires: String?
        let parent: String?
        let url: String?
    }

    struct Page: Decodable, Sendable {
        let payments: [Payment]
        let next: Int?
    }

    struct Token: Decodable, Sendable { let token: String }

    struct NewPayment: Encodable {
        let key: String
        let kind: String
        let amount: Int64
        let currency: String
        let payload: String?
        let note: String?
    }

    struct Change: Encodable {
        let key: String
        let amount: Int64
    }

    func request(
        _ method: HTTPRequest.Method,
        _ path: String,
        query: [(name: String, value: String)] = [],
        token: AccessToken? = nil
    ) -> HTTPRequest {
        var request = HTTPRequest(method, origin, path, query: query)
        let credential = token?.reveal() ?? apiKey.reveal()
        request.headers["Authorization"] = "Bearer \(credential)"
        return request
    }

    func change(
        _ path: String,
        _ attempt: PaymentAttempt
    ) async throws(WireError) -> WireAnswer<Payment> {
        let body = Change(key: attempt.id.description, amount: attempt.amount.minorUnits)
        return try await client.write(request(.post, path), body, as: Payment.self)
    }
}

extension AcmeAPI.Payment {
    private static let reasons: [String: Decline.Category] = [
        "funds": .insufficientFunds, "expired": .expiredCard, "fraud": .security,
        "lost": .security, "hold_gone": .holdGone,
    ]

    var decline: Decline {
        Decline(
            reason.flatMap { Self.reasons[$0] } ?? .generic,
            code: reason,
            references: [reference]
        )
    }

    var reference: AcquirerReference { AcquirerReference(kind: "payment", value: id) }

    /// The record that the payment is; nil when it cannot be read.
    var record: AcquirerRecord? {
        guard let kind = AttemptKind(rawValue: kind), let currency = Currency(code: currency),
            let amount = try? Money(minorUnits: amount, currency: currency),
            let createdAt = WireDate.parse(created)
        else { return nil }
        let state: AcquirerRecord.State =
            switch self.state {
            case "succeeded": .succeeded
            case "declined": .declined(decline)
            case "closed": .cancelled
            case "open": .payable(lastDecline: nil)
            case "pending": .pending
            default: .unknown(self.state)
            }
        var record = AcquirerRecord(
            reference: reference,
            kind: kind,
            amount: amount,
            state: state,
            createdAt: createdAt
        )
        record.amountRequested = try? Money(minorUnits: requested, currency: currency)
        record.marker = key
        record.parent = parent.map { AcquirerReference(kind: "payment", value: $0) }
        record.card = CardSummary(brand: brand, lastFour: last4)
        record.method = method.flatMap(PaymentMethod.init) ?? .unknown
        record.approvalCode = code
        record.expiresAt = expires.flatMap(WireDate.parse)
        return record
    }
}
