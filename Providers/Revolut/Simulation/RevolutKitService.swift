import AcquirerSimulation
import PaymentCore
import PaymentTransport
import RevolutPayments
import Synchronization

/// The simulated kit's way to Revolut: every request under a device token, in token rounds.
final class RevolutKitService: Sendable {
    /// Why a request brought nothing.
    enum Failure: Error {
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
    private let tokens: RevolutTokenSource
    private let onLogout: @Sendable () -> Void
    private let state = Mutex(State())

    private struct State {
        var rounds = RevolutTokenRounds()
        var token: AccessToken?
    }

    init(
        transport: any HTTPTransport,
        tokens: RevolutTokenSource,
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
        var isFresh = false
        while true {
            guard !state.withLock({ $0.rounds.isSignedOut }) else { throw .signedOut }
            let (token, isNew) = try await token()
            isFresh = isFresh || isNew
            var request = HTTPRequest(method, RevolutEmulator.origin, "/_emu/kit" + path)
            request.headers["Authorization"] = "Bearer " + token.reveal()
            if method == .post {
                request.headers["Content-Type"] = "application/json"
                request.body = try? JSONBody.encode(JSONTree.object(body))
            }
            guard let response = try? await transport.send(request) else {
                if isNew { _ = end(.inconclusive) }
                throw .noAnswer
            }
            if response.status == 401 {
                state.withLock { $0.token = nil }
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

    /// The token in use, or a new one; a refusal by the app's provider is a strike.
    private func token() async throws(Failure) -> (token: AccessToken, isNew: Bool) {
        if let token = state.withLock({ $0.token }) { return (token, false) }
        while true {
            do {
                let token = try await tokens.token()
                state.withLock { $0.token = token }
                return (token, true)
            } catch {
                guard TokenProviderError.isUnauthorized(error) else {
                    _ = end(.inconclusive)
                    throw .noToken
                }
                if end(.refusedByProvider) { throw .signedOut }
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

    /// Tells the app of the sign-out, where the flow wants it told.
    func tellLogout() { onLogout() }
}
