import AcquirerSimulation
import PaymentCore
import PaymentTransport

extension RevolutAuthorization {
    /// One request for a token.
    struct Exchange {
        let client: String
        let fields: [String: String]
        /// Two texts that nobody had before.
        let texts: (String, String)
        let now: Date

        static let deviceGrant = "urn:ietf:params:oauth:grant-type:token-exchange"

        /// A code works once, in time, for its client, with its verifier.
        mutating func redeem(_ state: inout State) -> HTTPResponse {
            guard let text = fields["code"], let code = state.codes[text],
                code.client == client
            else { return refusal(400, "invalid_grant") }
            guard !code.wasUsed else {
                // Whoever comes second may be the rightful one, so the first loses its tokens.
                _ = state.revoke(code.consent)
                return refusal(400, "invalid_grant")
            }
            guard now < code.endsAt, !state.isRevoked(code.consent),
                fields["redirect_uri"] == state.clients[client]?.redirectURI,
                let verifier = fields["code_verifier"], 43...128 ~= verifier.utf8.count,
                Digest.base64URL(Digest.sha256(verifier.utf8)) == code.challenge
            else { return refusal(400, "invalid_grant") }
            state.codes[text]?.wasUsed = true
            return grant(code.consent, "authorization_code", &state)
        }

        /// A refresh token is replaced by its first use.
        mutating func refresh(_ state: inout State) -> HTTPResponse {
            let text = fields["refresh_token"] ?? ""
            guard let token = state.token(text, .refresh, now), token.client == client else {
                let wasReplaced = state.tokens.contains { $0.text == text && $0.isReplaced }
                if wasReplaced { state.replays += 1 }
                return refusal(400, "invalid_grant")
            }
            for index in state.tokens.indices where state.tokens[index].text == text {
                state.tokens[index].isReplaced = true
            }
            return grant(token.consent, "refresh_token", &state)
        }

        mutating func deviceToken(_ state: inout State) -> HTTPResponse {
            guard fields["subject_token_type"] == Self.accessTokenType else {
                return refusal(400, "invalid_request")
            }
            guard fields["scope"] == RevolutAuthorization.scope else {
                return refusal(400, "invalid_scope")
            }
            let text = fields["subject_token"] ?? ""
            guard let token = state.token(text, .access, now), token.client == client else {
                return refusal(400, "invalid_grant")
            }
            issue(.device, texts.0, token.consent, state.lifetimes.deviceToken, &state)
            state.granted["token_exchange", default: 0] += 1
            return .json(
                200,
                .object([
                    "access_token": .text(texts.0), "token_type": .text("Bearer"),
                    "issued_token_type": .text(Self.accessTokenType),
                    "expires_in": .number(Int64(state.lifetimes.deviceToken)),
                ])
            )
        }

        private static let accessTokenType = "urn:ietf:params:oauth:token-type:access_token"

        private mutating func grant(
            _ consent: String,
            _ kind: String,
            _ state: inout State
        ) -> HTTPResponse {
            issue(.access, texts.0, consent, state.lifetimes.accessToken, &state)
            issue(.refresh, texts.1, consent, state.lifetimes.refreshToken, &state)
            state.granted[kind, default: 0] += 1
            return .json(
                200,
                .object([
                    "access_token": .text(texts.0), "refresh_token": .text(texts.1),
                    "token_type": .text("Bearer"), "scope": .text(RevolutAuthorization.scope),
                    "expires_in": .number(Int64(state.lifetimes.accessToken)),
                ])
            )
        }

        private func issue(
            _ kind: Token.Kind,
            _ text: String,
            _ consent: String,
            _ lifetime: TimeInterval,
            _ state: inout State
        ) {
            state.tokens.append(
                Token(
                    text: text,
                    kind: kind,
                    consent: consent,
                    client: client,
                    endsAt: now + lifetime
                )
            )
        }

        private func refusal(_ status: Int, _ error: String) -> HTTPResponse {
            RevolutAuthorization.refusal(status, error)
        }
    }
}
