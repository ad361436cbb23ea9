import PaymentCore
import Synchronization

/// The device token that Acme accepts at present, and whether it accepts the merchant at all.
final class AcmeSession: Sendable {
    private struct State {
        var token: AccessToken?
        var isSignedOut = false
    }

    private let provider: any TokenProvider
    private let state = Mutex(State())

    init(_ provider: any TokenProvider) { self.provider = provider }

    var isSignedOut: Bool { state.withLock { $0.isSignedOut } }

    /// Acme has refused two tokens in a row.
    func signOut() { state.withLock { $0.isSignedOut = true } }

    /// The token; a new one where there is none, or the present one was refused.
    func token(afterRefusal: Bool = false) async throws(PaymentError) -> AccessToken {
        if isSignedOut { throw PaymentError(.signedOut) }
        if !afterRefusal, let token = state.withLock({ $0.token }) { return token }
        let fresh: AccessToken
        do {
            fresh = try await provider.token()
        } catch {
            guard !TokenProviderError.isUnauthorized(error) else {
                signOut()
                throw PaymentError(.signedOut)
            }
            let isLogin = error as? TokenProviderError == .appLoginExpired
            throw PaymentError(isLogin ? .appLoginExpired : .tokenUnavailable)
        }
        guard fresh.reveal().contains(where: { !$0.isWhitespace }) else {
            throw PaymentError(.tokenUnavailable)
        }
        state.withLock { $0.token = fresh }
        return fresh
    }
}
