import AcquirerSimulation
public import PaymentCore
import PaymentTransport
public import RevolutPayments
import Simulation
import Synchronization

/// The emulated authorization server: consents, their tokens, and how all of them end.
///
/// Its addresses, parameters and lifetimes are this emulator's own, shaped by the RFCs; Revolut's
/// are known to registered partners only.
public final class RevolutAuthorization: Sendable {
    /// Where the merchant's browser is sent.
    public static let authorizeAddress = RevolutAuthorizationProfile.Address(
        origin: RevolutEmulator.origin,
        path: "/_emu/oauth/authorize"
    )
    /// Where codes and tokens are exchanged.
    public static let tokenAddress = RevolutAuthorizationProfile.Address(
        origin: RevolutEmulator.origin,
        path: "/_emu/oauth/token"
    )

    let state = Mutex(State())
    private let world: SimulatedWorld.Surroundings
    private let names: Mutex<SeededGenerator>

    init(world: SimulatedWorld.Surroundings, seed: UInt64) {
        self.world = world
        names = Mutex(SeededGenerator(seed: seed, stream: "revolut-authorization"))
    }

    private func now() -> Date { world.time.wallTime }

    /// A text of letters that nobody can guess.
    private func newText() -> String {
        names.withLock { names in
            String((0..<32).map { _ in Character(UnicodeScalar(UInt8(97 + names.next() % 26))) })
        }
    }

    /// How long things live.
    public struct Lifetimes: Sendable, Codable, Hashable {
        /// A code, which works once.
        public var code: TimeInterval = 60
        /// A merchant's access token.
        public var accessToken: TimeInterval = 40 * 60
        /// A refresh token, which works once.
        public var refreshToken: TimeInterval = 90 * 86_400
        /// A device token.
        public var deviceToken: TimeInterval = 10 * 60
    }

    /// How long things live from now on.
    public var lifetimes: Lifetimes {
        get { state.withLock { $0.lifetimes } }
        set { state.withLock { $0.lifetimes = newValue } }
    }

    /// Whether merchants consent when they are asked.
    public var merchantsConsent: Bool {
        get { state.withLock { $0.merchantsConsent } }
        set { state.withLock { $0.merchantsConsent = newValue } }
    }

    /// Registers an app, as the portal does.
    ///
    /// - Parameters:
    ///   - clientID: Its identifier.
    ///   - secret: What it proves itself by; nothing when nil.
    ///   - redirectURI: Where browsers may come back to.
    public func register(clientID: String, secret: Secret? = nil, redirectURI: String) {
        let client = Client(secret: secret?.reveal(), redirectURI: redirectURI)
        state.withLock { $0.clients[clientID] = client }
    }

    /// The consents that were given, in order, and not withdrawn.
    public var consents: [String] {
        state.withLock { state in state.consents.filter { !$0.isRevoked }.map(\.id) }
    }

    /// How often a refresh token that was replaced came again.
    public var replays: Int { state.withLock { $0.replays } }

    /// How many token requests of each grant type were answered with a token.
    public var granted: [String: Int] { state.withLock { $0.granted } }

    /// Withdraws a consent, with every token that came from it; false when there is none.
    @discardableResult
    public func revoke(_ consent: String) -> Bool {
        state.withLock { $0.revoke(consent) }
    }

    /// Accepts none of the device tokens that are out any more; the consents stay.
    public func revokeDeviceTokens() {
        state.withLock { state in state.tokens.removeAll { $0.kind == .device } }
    }

    /// Whether a device token is accepted at this moment.
    func accepts(device token: String) -> Bool {
        state.withLock { $0.token(token, .device, now()) != nil }
    }

    // MARK: Answering

    /// Answers what belongs to the authorization server; nil for everything else.
    func answer(_ request: HTTPRequest) -> HTTPResponse? {
        let parts = request.path.split(separator: "/").map(String.init)
        switch (request.method, parts) {
        case (.get, ["_emu", "oauth", "authorize"]): return authorize(request)
        case (.post, ["_emu", "oauth", "token"]): return token(request)
        case (.post, _)
        where parts.count == 4 && parts.starts(with: ["_emu", "consents"]) && parts[3] == "revoke":
            return HTTPResponse(status: revoke(parts[2]) ? 204 : 404)
        default: return nil
        }
    }

    private func authorize(_ request: HTTPRequest) -> HTTPResponse {
        func value(_ name: String) -> String? { request.query.first { $0.name == name }?.value }
        let code = newText()
        let consent = newText()
        return state.withLock { state in
            // A redirect to an address that nobody registered would hand the code to a stranger.
            guard let id = value("client_id"), let client = state.clients[id],
                value("redirect_uri") == client.redirectURI
            else { return Self.refusal(400, "invalid_request") }
            var result: [(name: String, value: String)] = []
            if let problem = Self.problem(value) {
                result = [("error", problem)]
            } else if !state.merchantsConsent {
                result = [("error", "access_denied")]
            } else {
                state.consents.append(.init(id: consent))
                state.codes[code] = .init(
                    consent: consent,
                    client: id,
                    challenge: value("code_challenge") ?? "",
                    endsAt: now() + state.lifetimes.code
                )
                result = [("code", code)]
            }
            if let state = value("state") { result.append(("state", state)) }
            return Self.redirect(to: client.redirectURI, result)
        }
    }

    /// What is wrong with a request to the consent page, in the protocol's words.
    private static func problem(_ value: (String) -> String?) -> String? {
        guard value("response_type") == "code" else { return "unsupported_response_type" }
        guard value("scope") == scope else { return "invalid_scope" }
        // The method `plain`, which is meant where none is named, is refused.
        guard value("code_challenge_method") == "S256",
            value("code_challenge")?.utf8.count == 43
        else { return "invalid_request" }
        return nil
    }

    private static func redirect(
        to address: String,
        _ result: [(name: String, value: String)]
    ) -> HTTPResponse {
        var response = HTTPResponse(status: 302)
        var parts = URLComponents(string: address)
        parts?.queryItems = result.map { URLQueryItem(name: $0.name, value: $0.value) }
        response.headers["Location"] = parts?.string
        return response
    }

    private func token(_ request: HTTPRequest) -> HTTPResponse {
        let fields = Form.fields(of: request.body)
        let texts = (newText(), newText())
        return state.withLock { state in
            guard let client = state.client(of: request, fields) else {
                return Self.refusal(401, "invalid_client")
            }
            var exchange = Exchange(client: client, fields: fields, texts: texts, now: now())
            switch fields["grant_type"] {
            case "authorization_code": return exchange.redeem(&state)
            case "refresh_token": return exchange.refresh(&state)
            case Exchange.deviceGrant: return exchange.deviceToken(&state)
            default: return Self.refusal(400, "unsupported_grant_type")
            }
        }
    }

    static let scope = "tap_to_pay_sdk"

    static func refusal(_ status: Int, _ error: String) -> HTTPResponse {
        .json(status, .object(["error": .text(error)]))
    }
}
