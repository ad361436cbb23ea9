import PaymentCore
public import PaymentTransport

/// What a back end exposes to its apps: a plain function from request to answer, for any server.
///
/// Mount it under any path, by default `POST /tap-to-pay/device-token`. It separates the end of the
/// app's own login, which it tells as `app_login_expired`, from Revolut's refusal of the merchant.
public struct RevolutDeviceTokenEndpoint: Sendable {
    private let grants: RevolutGrants
    private let login: @Sendable (HTTPRequest) async -> RevolutAppLogin

    /// Creates the endpoint.
    ///
    /// - Parameters:
    ///   - grants: The merchants' consents.
    ///   - login: Says who sent a request, by the app's own login.
    public init(
        _ grants: RevolutGrants,
        login: @escaping @Sendable (HTTPRequest) async -> RevolutAppLogin
    ) {
        self.grants = grants
        self.login = login
    }

    /// Answers an app that needs a device token.
    ///
    /// - Parameter request: The request; its body may name `merchant` and `device`.
    /// - Returns: The answer, which no cache may keep.
    public func answer(_ request: HTTPRequest) async -> HTTPResponse {
        guard request.method == .post else { return Self.refusal(405, "method_not_allowed") }
        guard case .valid(let merchants) = await login(request) else {
            return Self.refusal(401, "app_login_expired")
        }
        guard let body = Self.read(request.body) else {
            return Self.refusal(400, "invalid_request")
        }
        guard let merchant = body.merchant ?? (merchants.count == 1 ? merchants.first : nil),
            merchants.contains(merchant)
        else { return Self.refusal(409, "merchant_unknown") }
        do throws(RevolutGrantError) {
            return Self.success(try await grants.deviceToken(for: merchant, device: body.device))
        } catch {
            return Self.answer(to: error)
        }
    }

    /// Only a consent that is gone is told as unauthorized; everything else may be tried again.
    private static func answer(to error: RevolutGrantError) -> HTTPResponse {
        switch error {
        case .needsConsent: return refusal(403, "merchant_not_authorised")
        case .merchantUnknown: return refusal(409, "merchant_unknown")
        case .configuration, .codeRefused: return refusal(500, "back_end_misconfigured")
        case .temporary(let pause):
            var response = refusal(503, "temporarily_unavailable")
            response.headers["Retry-After"] = pause.map { "\(max($0.components.seconds, 1))" }
            return response
        }
    }

    private static func read(_ body: Data?) -> Named? {
        guard let body, !body.isEmpty else { return Named() }
        return try? JSONBody.decode(Named.self, from: body)
    }

    private static func success(_ token: RevolutDeviceToken) -> HTTPResponse {
        response(
            200,
            Token(
                access_token: token.token.reveal(),
                expires_in: token.expiresIn.components.seconds
            )
        )
    }

    private static func refusal(_ status: Int, _ error: String) -> HTTPResponse {
        response(status, ["error": error])
    }

    private static func response(_ status: Int, _ body: some Encodable) -> HTTPResponse {
        var response = HTTPResponse(status: status, body: (try? JSONBody.encode(body)) ?? Data())
        response.headers["Content-Type"] = "application/json"
        response.headers["Cache-Control"] = "no-store"
        return response
    }

    private struct Named: Decodable {
        var merchant: String?
        var device: String?
    }

    private struct Token: Encodable {
        let access_token: String
        let expires_in: Int64
    }
}

/// Whom the app's own login lets in.
public enum RevolutAppLogin: Hashable, Sendable {
    /// A person who may act for these merchants.
    case valid(merchants: Set<String>)
    /// Nobody any more: the person has to sign in to the app again.
    case expired
}
