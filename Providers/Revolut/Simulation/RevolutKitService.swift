import AcquirerSimulation
import PaymentCore
import PaymentTransport
import RevolutPayments
import Synchronization

/// The simulated kit's way to Revolut: every request under a device token, in token rounds.
final class RevolutKitService: Sendable {
    /// Why a request brought nothing.
    enum Failure: Error, Sendable {
        /// The merchant was signed out by this request or before it.
        case signedOut
        /// No token could be had.
        case noToken
        /// The answer was not a success.
        case refused(Int)
        /// No answer came.
        case noAnswer
    }

    private let transport: any HTTPTransport
    private let tokens: any TokenProviderProtocol
    private let onLogout: @Sendable () -> Void
    private let state = Mutex(State())

    private struct State {
        var rounds = RevolutTokenRounds()
        var token: String?
        var running: OneShot<Result<String, Failure>>?
        var hasToldLogout = false
    }

    init(
        transport: any HTTPTransport,
        tokens: any TokenProviderProtocol,
        onLogout: @escaping @Sendable () -> Void
    ) {
        self.transport = transport
        self.tokens = tokens
        self.onLogout = onLogout
    }

    /// Sends a request; "unauthorized" starts a round, and two strikes in a row sign out.
    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: [String: JSONTree] = [:]
    ) async throws(Failure) -> [String: JSONTree] {
        while true {
            guard !state.withLock({ $0.rounds.isSignedOut }) else { throw .signedOut }
            let (token, isNew) = try await token()
            var request = HTTPRequest(method, RevolutEmulator.origin, "/_emu/kit" + path)
            request.headers["Authorization"] = "Bearer " + token
            if method == .post {
                request.headers["Content-Type"] = "application/json"
                request.body = JSONTree.object(body).data
            }
            guard let response = try? await transport.send(request) else {
                if isNew { _ = end(.inconclusive) }
                throw .noAnswer
            }
            if response.status == 401 {
                // Another flow may have replaced it already.
                state.withLock { if $0.token == token { $0.token = nil } }
                // The first refusal of an older token is ordinary expiry and no strike.
                if isNew, end(.refusedByService) { throw .signedOut }
                continue
            }
            if isNew { _ = end(.accepted) }
            guard response.isSuccess, let members = JSONTree.members(of: response.body) else {
                throw .refused(response.status)
            }
            return members
        }
    }

    /// The token in use, or a new one; whoever needs one while a round runs shares its end.
    private func token() async throws(Failure) -> (token: String, isNew: Bool) {
        let mine = OneShot<Result<String, Failure>>()
        let (kept, running) = state.withLock { state in
            if state.token == nil, state.running == nil { state.running = mine }
            return (state.token, state.running)
        }
        if let kept { return (kept, false) }
        guard let running, running === mine else {
            return (try await (running ?? mine).value().get(), false)
        }
        let answer = await fetch()
        state.withLock { state in
            state.running = nil
            if case .success(let token) = answer { state.token = token }
        }
        mine.resolve(answer)
        return (try answer.get(), true)
    }

    /// Asks the app's provider; a refusal by it is a strike, and starts another round at once.
    private func fetch() async -> Result<String, Failure> {
        while true {
            do {
                return .success(try await tokens.fetchAccessToken().accessToken)
            } catch {
                guard TokenProviderError.isUnauthorized(error) else {
                    _ = end(.inconclusive)
                    return .failure(.noToken)
                }
                if end(.refusedByProvider) { return .failure(.signedOut) }
            }
        }
    }

    /// Takes the end of a round; true when it signed the merchant out.
    private func end(_ end: RevolutTokenRounds.End) -> Bool {
        let isSignedOut = state.withLock { state in
            let isSignedOut = state.rounds.ended(end)
            if isSignedOut { state.token = nil }
            return isSignedOut
        }
        return isSignedOut
    }

    /// Whether the merchant is signed out.
    var isSignedOut: Bool { state.withLock { $0.rounds.isSignedOut } }

    /// Tells the app of the sign-out, where a flow wants it told; once.
    func tellLogout() {
        let isFirst = state.withLock { state in
            defer { state.hasToldLogout = true }
            return !state.hasToldLogout
        }
        if isFirst { onLogout() }
    }
}
