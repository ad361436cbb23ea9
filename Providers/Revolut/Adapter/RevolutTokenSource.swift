public import PaymentCore
import Synchronization

/// Hands device tokens of the app's provider to a kit: one round at a time, none kept.
public final class RevolutTokenSource: Sendable {
    private let provider: any TokenProvider
    private let environment: PaymentEnvironment
    private let isUnauthorized: @Sendable (any Error) -> Bool
    private let state = Mutex(State())

    private typealias Answer = Result<AccessToken, any Error>

    private struct State {
        var rounds = RevolutTokenRounds()
        var running: Round?
        var count = 0
        var handedOut = 0
        var refusal: PaymentError?
        /// The kit signed out, and is handed nothing any more.
        var isClosed = false
    }

    /// One call of the provider, and everybody who waits for it.
    private struct Round {
        let id: Int
        var waiters: [Int: OneShot<Answer>] = [:]
        var tasks: [Task<Void, Never>] = []
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

    /// A fresh token; concurrent callers share one round.
    ///
    /// Cancelling one caller ends its wait alone; the round ends with its last caller.
    ///
    /// - Throws: The provider's error, or `unauthorized` once the merchant is signed out.
    public func token() async throws -> AccessToken {
        let answer = OneShot<Answer>()
        let (round, waiter) = try join(answer)
        return try await withTaskCancellationHandler {
            await answer.value()
        } onCancel: {
            leave(round, waiter)
        }.get()
    }

    /// Why no token was ever handed out, if none was: then nothing can have been charged.
    var refusal: PaymentError? {
        state.withLock { $0.handedOut == 0 ? $0.refusal : nil }
    }

    /// Hands out nothing any more, not even what a round that runs will bring: a flow that is told
    /// as not charged, since no token was handed out, cannot be charged later.
    func close() { state.withLock { $0.isClosed = true } }

    // MARK: Rounds

    /// Joins the running round, or starts one.
    private func join(_ answer: OneShot<Answer>) throws -> (round: Int, waiter: Int) {
        try state.withLock { state in
            guard !state.rounds.isSignedOut, !state.isClosed else {
                throw TokenProviderError.unauthorized
            }
            state.count += 1
            let waiter = state.count
            var round = state.running ?? Round(id: waiter)
            if round.tasks.isEmpty { round.tasks = start(round.id) }
            round.waiters[waiter] = answer
            state.running = round
            return (round.id, waiter)
        }
    }

    /// Asks the provider, and gives up on it in time, whether it listens to that or not.
    private func start(_ round: Int) -> [Task<Void, Never>] {
        let environment = environment
        let work = environment.start { [self] in
            do {
                let token = try await provider.token()
                guard token.canBeSent else { throw TokenProviderError.temporary }
                end(round, .success(token))
            } catch {
                end(round, .failure(error))
            }
        }
        let timer = environment.start { [self] in
            guard (try? await environment.clock.sleep(for: Self.patience)) != nil else { return }
            end(round, .failure(TokenProviderError.temporary))
        }
        return [work, timer]
    }

    /// Takes a caller out of a round; without any it is over, and nothing came of it.
    private func leave(_ round: Int, _ waiter: Int) {
        let (left, over) = state.withLock { state -> (OneShot<Answer>?, [Task<Void, Never>]) in
            guard state.running?.id == round else { return (nil, []) }
            let left = state.running?.waiters.removeValue(forKey: waiter)
            guard let running = state.running, running.waiters.isEmpty else { return (left, []) }
            state.running = nil
            _ = state.rounds.ended(.cancelled)
            return (left, running.tasks)
        }
        for task in over { task.cancel() }
        left?.resolve(.failure(CancellationError()))
    }

    /// Ends a round for everybody who waits; what comes after its end changes nothing.
    private func end(_ round: Int, _ answer: Answer) {
        let ended = state.withLock { state -> (round: Round, answer: Answer)? in
            guard let running = state.running, running.id == round else { return nil }
            state.running = nil
            let answer = state.isClosed ? .failure(TokenProviderError.unauthorized) : answer
            switch answer {
            case .success:
                state.handedOut += 1
                _ = state.rounds.ended(.accepted)
            case .failure(let error):
                let isRefused = isUnauthorized(error)
                _ = state.rounds.ended(isRefused ? .refusedByProvider : .inconclusive)
                state.refusal = Self.neutral(error, isRefused)
            }
            return (running, answer)
        }
        guard let ended else { return }
        for task in ended.round.tasks { task.cancel() }
        for (_, waiter) in ended.round.waiters.sorted(by: { $0.key < $1.key }) {
            waiter.resolve(ended.answer)
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

extension AccessToken {
    /// Whether a header can carry it: visible ASCII, and no more of it than servers take.
    ///
    /// Anything else is a malformed answer, and never reaches the kit.
    var canBeSent: Bool {
        let bytes = reveal().utf8
        return 1...Self.longest ~= bytes.count && bytes.allSatisfy { 0x21...0x7E ~= $0 }
    }

    private static let longest = 16_384
}
