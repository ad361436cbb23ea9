public import PaymentCore
import Synchronization

/// The app's token provider, as far as the contract scripts it.
public final class ContractTokens: TokenProvider {
    /// What happens to one request for a token.
    public enum Script: Hashable, Sendable {
        /// It fails so.
        case fails(TokenProviderError)
        /// It takes so long.
        case slow(Duration)
        /// It is a blank text.
        case blank
    }

    private struct State {
        var issue: @Sendable () -> AccessToken = { AccessToken("contract-token") }
        var scripts: [Script] = []
        var always: Script?
        var count = 0
        var told: [String] = []
    }

    private let state = Mutex(State())
    private let clock: any Clock<Duration>

    init(clock: any Clock<Duration>) { self.clock = clock }

    /// Says where good tokens come from.
    public func issue(_ issue: @escaping @Sendable () -> AccessToken) {
        state.withLock { $0.issue = issue }
    }

    /// Has the next requests end so.
    func script(_ scripts: Script...) { state.withLock { $0.scripts += scripts } }

    /// Has every request end so, or none any more.
    func always(_ script: Script?) { state.withLock { $0.always = script } }

    /// How often a token was asked for.
    var count: Int { state.withLock { $0.count } }

    /// The texts of all tokens that were handed out.
    var told: [String] { state.withLock { $0.told } }

    /// A token, or what was scripted instead.
    public func token() async throws -> AccessToken {
        let script = state.withLock { state in
            state.count += 1
            return state.scripts.isEmpty ? state.always : state.scripts.removeFirst()
        }
        switch script {
        case .fails(let error): throw error
        case .slow(let duration): try await clock.sleep(for: duration)
        case .blank: return AccessToken("  ")
        case nil: break
        }
        return state.withLock { state in
            let token = state.issue()
            state.told.append(token.reveal())
            return token
        }
    }
}
