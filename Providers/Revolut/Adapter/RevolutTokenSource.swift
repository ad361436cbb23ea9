public import PaymentCore
import Synchronization

/// Hands device tokens of the app's provider to a kit: one round at a time, none kept.
public final class RevolutTokenSource: Sendable {
    private let provider: any TokenProvider
    private let environment: PaymentEnvironment
    private let isUnauthorized: @Sendable (any Error) -> Bool
    private let state = Mutex(State())

    private typealias Round = OneShot<Result<AccessToken, any Error>>

    private struct State {
        var rounds = RevolutTokenRounds()
        var running: Round?
        var handedOut = 0
        var refusal: PaymentError?
    }

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - provider: The app's own.
    ///   - environment: Where time and threads come from.
    ///   - isUnauthorized: Which errors of the provider's mean that the merchant is not accepted.
    public init(
        _ provider: any TokenProvider,
        environment: PaymentEnvironment,
        isUnauthorized: @escaping @Sendable (any Error) -> Bool = TokenProviderError.isUnauthorized
    ) {
        self.provider = provider
        self.environment = environment
        self.isUnauthorized = isUnauthorized
    }

    /// A fresh token; concurrent callers share one round, and cancelling one cancels no other.
    ///
    /// - Throws: The provider's error, or `unauthorized` once the merchant is signed out.
    public func token() async throws -> AccessToken {
        let (round, starts) = try state.withLock { state in
            guard !state.rounds.isSignedOut else { throw TokenProviderError.unauthorized }
            if let running = state.running { return (running, false) }
            let round = Round()
            state.running = round
            return (round, true)
        }
        if starts {
            Task(executorPreference: environment.executor) { await self.run(round) }
        }
        return try await round.value().get()
    }

    /// Why no token was ever handed out, if none was: then nothing can have been charged.
    var refusal: PaymentError? {
        state.withLock { $0.handedOut == 0 ? $0.refusal : nil }
    }

    private func run(_ round: Round) async {
        let result: Result<AccessToken, any Error>
        do {
            result = .success(try await fetchInTime())
        } catch {
            result = .failure(error)
        }
        state.withLock { state in
            state.running = nil
            switch result {
            case .success:
                state.handedOut += 1
                _ = state.rounds.ended(.accepted)
            case .failure(let error):
                let isRefused = isUnauthorized(error)
                _ = state.rounds.ended(isRefused ? .refusedByProvider : .inconclusive)
                state.refusal = Self.neutral(error, isRefused)
            }
        }
        round.resolve(result)
    }

    /// The provider's token, unless it takes longer than anybody should wait.
    private func fetchInTime() async throws -> AccessToken {
        try await withThrowingTaskGroup(of: AccessToken.self) { group in
            let (provider, environment) = (provider, environment)
            group.addTask {
                let token = try await provider.token()
                guard !token.isBlank else { throw TokenProviderError.temporary }
                return token
            }
            group.addTask {
                try await environment.clock.sleep(for: Self.patience)
                throw TokenProviderError.temporary
            }
            defer { group.cancelAll() }
            guard let token = try await group.next() else { throw TokenProviderError.temporary }
            return token
        }
    }

    private static func neutral(_ error: any Error, _ isRefused: Bool) -> PaymentError {
        if isRefused { return PaymentError(.signedOut) }
        guard (error as? TokenProviderError) == .appLoginExpired else {
            return PaymentError(.tokenUnavailable)
        }
        return PaymentError(.appLoginExpired)
    }

    /// How long the app's provider may take.
    private static let patience = Duration.seconds(30)
}
