import PaymentCore
import PaymentTransport

/// Speaks with the authorization server: each request once, since a repeat may end a grant.
struct RevolutAuthorizationClient: Sendable {
    let profile: RevolutAuthorizationProfile
    let transport: any HTTPTransport
    let environment: PaymentEnvironment

    func redeem(
        _ code: Secret,
        _ verifier: RevolutCodeVerifier
    ) async throws(RevolutGrantError) -> RevolutGrant {
        let fields = [
            ("grant_type", "authorization_code"), ("code", code.reveal()),
            ("redirect_uri", profile.redirectURI), ("code_verifier", verifier.text.reveal()),
        ]
        let answer = try await send(.code, profile.token, fields)
        return grant(answer, refreshToken: answer.refresh_token)
    }

    func refresh(_ token: Secret) async throws(RevolutGrantError) -> RevolutGrant {
        let fields = [("grant_type", "refresh_token"), ("refresh_token", token.reveal())]
        let answer = try await send(.refresh, profile.token, fields)
        return grant(answer, refreshToken: answer.refresh_token ?? token.reveal())
    }

    func exchange(
        _ token: Secret,
        device: String?
    ) async throws(RevolutGrantError) -> RevolutDeviceToken {
        var fields = [
            ("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"),
            ("subject_token", token.reveal()),
            ("subject_token_type", "urn:ietf:params:oauth:token-type:access_token"),
            ("scope", profile.scope),
        ]
        if let device { fields.append(("device_id", device)) }
        let answer = try await send(.exchange, profile.deviceToken, fields)
        return RevolutDeviceToken(
            token: AccessToken(answer.access_token),
            expiresIn: answer.lifetime ?? profile.lifetimes.deviceToken
        )
    }

    private func grant(_ answer: Answer, refreshToken: String?) -> RevolutGrant {
        let lifetime = answer.lifetime ?? profile.lifetimes.accessToken
        return RevolutGrant(
            accessToken: Secret(answer.access_token),
            refreshToken: refreshToken.map { Secret($0) },
            expiresAt: environment.wallTime() + TimeInterval(lifetime.components.seconds)
        )
    }

    private func send(
        _ kind: RevolutGrantKind,
        _ address: RevolutAuthorizationProfile.Address,
        _ fields: [(String, String)]
    ) async throws(RevolutGrantError) -> Answer {
        let response: HTTPResponse
        do throws(TransportError) {
            response = try await transport.send(request(address, fields))
        } catch {
            throw .temporary(pause: nil)
        }
        guard response.status == 200 else {
            throw kind.failure(of: response, now: environment.wallTime())
        }
        guard let answer = try? JSONBody.decode(Answer.self, from: response.body),
            answer.isUsable
        else { throw .temporary(pause: nil) }
        return answer
    }

    private func request(
        _ address: RevolutAuthorizationProfile.Address,
        _ fields: [(String, String)]
    ) -> HTTPRequest {
        var request = HTTPRequest(.post, address.origin, address.path)
        request.headers["Content-Type"] = "application/x-www-form-urlencoded"
        request.headers["Accept"] = "application/json"
        var fields = fields + [("client_id", profile.clientID)]
        switch profile.client {
        case .none: break
        case .basic(let secret):
            let pair = FormBody.escape(profile.clientID) + ":" + FormBody.escape(secret.reveal())
            request.headers["Authorization"] = "Basic " + Data(pair.utf8).base64EncodedString()
        case .body(let secret): fields.append(("client_secret", secret.reveal()))
        }
        request.body = FormBody.encode(fields)
        return request
    }

    private struct Answer: Decodable {
        let access_token: String
        let token_type: String?
        let refresh_token: String?
        let expires_in: Int64?

        /// An empty token, or one of another type than `Bearer`, is a malformed answer.
        var isUsable: Bool {
            !AccessToken(access_token).isBlank && refresh_token.map { !$0.isEmpty } ?? true
                && token_type.map { $0.lowercased() == "bearer" } ?? true
        }

        var lifetime: Duration? { expires_in.map { .seconds(min(max($0, 0), 366 * 86_400)) } }
    }
}

/// Bodies as browsers' forms send them.
enum FormBody {
    static func encode(_ fields: [(String, String)]) -> Data {
        Data(fields.map { escape($0.0) + "=" + escape($0.1) }.joined(separator: "&").utf8)
    }

    /// Everything but letters, digits and `-._~` as percent-encoded bytes.
    static func escape(_ text: String) -> String {
        text.utf8.map { byte in
            let scalar = UnicodeScalar(byte)
            let isPlain =
                byte < 0x80 && (scalar.properties.isAlphabetic || 48...57 ~= byte)
                || "-._~".unicodeScalars.contains(scalar)
            return isPlain ? String(Character(scalar)) : "%" + Digest.hex([byte]).uppercased()
        }.joined()
    }
}
