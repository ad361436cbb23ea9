import PaymentCore
import Synchronization

/// Obtains the app's token: concurrent needs are one fetch, and none is kept.
final class SharedToken: Sendable {
    private typealias Fetch = OneShot<Result<AccessToken, PaymentError>>

    private let provider: any TokenProvider
    private let environment: PaymentEnvironment
    private let running = Mutex<Fetch?>(nil)

    init(_ provider: any TokenProvider, environment: PaymentEnvironment) {
        self.provider = provider
        self.environment = environment
    }

    /// A fresh token; cancelling one caller cancels the fetch for no other.
    ///
    /// - Throws: ``PaymentError`` that says whose refusal it is; nothing was sent.
    func token() async throws(PaymentError) -> AccessToken {
        let (fetch, starts) = running.withLock { running in
            if let running { return (running, false) }
            let fetch = Fetch()
            running = fetch
            return (fetch, true)
        }
        if starts { start(fetch) }
        return try await fetch.value().get()
    }

    /// The fetch ends with the provider's answer, or once nobody should wait any longer.
    private func start(_ fetch: Fetch) {
        let environment = environment
        let timer = environment.start { [self] in
            guard (try? await environment.clock.sleep(for: Self.patience)) != nil else { return }
            end(fetch, .failure(PaymentError(.tokenUnavailable, detail: "no token in time")))
        }
        environment.start { [self] in
            let result = await answer()
            timer.cancel()
            end(fetch, result)
        }
    }

    private func end(_ fetch: Fetch, _ result: Result<AccessToken, PaymentError>) {
        running.withLock { if $0 === fetch { $0 = nil } }
        fetch.resolve(result)
    }

    private func answer() async -> Result<AccessToken, PaymentError> {
        do {
            let token = try await provider.token()
            guard !token.isBlank else {
                return .failure(PaymentError(.tokenUnavailable, detail: "the token is blank"))
            }
            return .success(token)
        } catch {
            return .failure(PaymentError(noToken: error))
        }
    }

    /// How long the app may take.
    private static let patience = Duration.seconds(30)
}
