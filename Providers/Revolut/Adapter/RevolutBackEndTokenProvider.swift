public import PaymentCore
public import PaymentTransport

/// Obtains device tokens from the app's own back end.
public struct RevolutBackEndTokenProvider: TokenProvider {
    private let transport: any HTTPTransport
    private let origin: String
    private let path: String
    private let login: @Sendable () async throws -> AccessToken

    /// Creates a provider.
    ///
    /// - Parameters:
    ///   - transport: What carries the request.
    ///   - origin: Scheme and host of the back end: `https`, or `http` on a loopback address.
    ///   - path: Where it hands out device tokens.
    ///   - login: The app's own session; an error that says "unauthorized" is its end.
    public init(
        transport: any HTTPTransport,
        origin: String,
        path: String = "/tap-to-pay/device-token",
        login: @escaping @Sendable () async throws -> AccessToken
    ) {
        self.transport = transport
        self.origin = origin
        self.path = path
        self.login = login
    }

    private struct Answer: Decodable {
        let access_token: String
    }

    private struct Refusal: Decodable {
        let error: String?
    }

    /// The app's own session; that it ended is never Revolut's refusal of the merchant.
    private func session() async throws -> AccessToken {
        do {
            return try await login()
        } catch {
            guard TokenProviderError.isUnauthorized(error) else { throw error }
            throw TokenProviderError.appLoginExpired
        }
    }

    /// Asks the back end for a fresh token.
    public func token() async throws -> AccessToken {
        var request = HTTPRequest(.post, origin, path)
        guard (try? request.checkConfidential()) != nil else {
            throw TokenProviderError.configuration
        }
        request.headers["Authorization"] = "Bearer " + (try await session()).reveal()
        request.headers["Accept"] = "application/json"
        guard let response = try? await transport.send(request) else {
            throw TokenProviderError.temporary
        }
        if response.status == 200 {
            let answer = try? JSONBody.decode(Answer.self, from: response.body)
            guard let token = answer.map({ AccessToken($0.access_token) }), token.canBeSent else {
                throw TokenProviderError.temporary
            }
            return token
        }
        let refusal = try? JSONBody.decode(Refusal.self, from: response.body)
        switch (response.status, refusal?.error) {
        case (401, "app_login_expired"?), (403, "app_login_expired"?):
            throw TokenProviderError.appLoginExpired
        case (401, _), (403, _): throw TokenProviderError.unauthorized
        case (409, _): throw TokenProviderError.configuration
        default: throw TokenProviderError.temporary
        }
    }
}
