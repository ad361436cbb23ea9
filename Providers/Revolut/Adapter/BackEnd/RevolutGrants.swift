public import PaymentCore
public import PaymentTransport
import Synchronization

/// Keeps every merchant's consent alive, and obtains device tokens for their phones.
///
/// For each merchant one thing happens at a time: concurrent needs for an access token are one
/// refresh, whoever stops waiting, so that a refresh token that was replaced is never presented.
public final class RevolutGrants: Sendable {
    private let client: RevolutAuthorizationClient
    private let store: any RevolutGrantStore
    private let environment: PaymentEnvironment
    private let state = Mutex(State())

    private typealias Answer = Result<RevolutGrant, RevolutGrantError>

    private struct Round {
        let isShared: Bool
        let answer = OneShot<Answer>()
    }

    private struct State {
        var rounds: [String: Round] = [:]
        /// What a refresh brought and the store did not take.
        var unsaved: [String: RevolutGrant] = [:]
    }

    /// Creates the keeper.
    ///
    /// - Parameters:
    ///   - profile: How to reach Revolut's authorization server.
    ///   - store: Where grants are kept.
    ///   - transport: What carries the requests.
    ///   - environment: Where time, randomness and threads come from.
    public init(
        _ profile: RevolutAuthorizationProfile,
        store: any RevolutGrantStore,
        transport: any HTTPTransport,
        environment: PaymentEnvironment
    ) {
        client = RevolutAuthorizationClient(
            profile: profile,
            transport: transport,
            environment: environment
        )
        self.store = store
        self.environment = environment
    }

    /// Redeems the code of a consent, and keeps what it brings.
    ///
    /// - Parameters:
    ///   - code: What the browser came back with.
    ///   - request: The consent that it belongs to.
    ///   - merchant: Who consented; the back end's own name for the merchant.
    /// - Throws: ``RevolutGrantError``; `codeRefused` when the code was used before or is too old.
    public func redeem(
        _ code: Secret,
        of request: RevolutConsentRequest,
        for merchant: String
    ) async throws(RevolutGrantError) {
        _ = try await round(merchant, isShared: false) { [self] () throws(RevolutGrantError) in
            let grant = try await client.redeem(code, request.verifier)
            try await keep(grant, merchant)
            return grant
        }
    }

    /// A merchant's access token, refreshed first if it is about to end.
    ///
    /// - Parameter merchant: The back end's own name for the merchant.
    /// - Returns: A token for requests of the back end's own; never for a phone.
    /// - Throws: ``RevolutGrantError``.
    public func accessToken(for merchant: String) async throws(RevolutGrantError) -> Secret {
        try await grant(merchant).accessToken
    }

    /// A fresh device token for a merchant's phone; none is kept.
    ///
    /// - Parameters:
    ///   - merchant: The back end's own name for the merchant.
    ///   - device: The phone's identifier, if Revolut is to know it.
    /// - Returns: The token and how long it lives.
    /// - Throws: ``RevolutGrantError``.
    public func deviceToken(
        for merchant: String,
        device: String? = nil
    ) async throws(RevolutGrantError) -> RevolutDeviceToken {
        let grant = try await grant(merchant)
        do throws(RevolutGrantError) {
            return try await client.exchange(grant.accessToken, device: device)
        } catch {
            guard error == .needsConsent else { throw error }
        }
        // The token may have ended by Revolut's clock alone; a consent that is gone says so again.
        let next = try await renewed(grant, merchant)
        do throws(RevolutGrantError) {
            return try await client.exchange(next.accessToken, device: device)
        } catch {
            guard error == .needsConsent else { throw error }
            try await withdraw(next, merchant)
            throw error
        }
    }

    // MARK: Rounds

    private func grant(_ merchant: String) async throws(RevolutGrantError) -> RevolutGrant {
        try await round(merchant, isShared: true) { [self] () throws(RevolutGrantError) in
            let grant = try await current(merchant)
            guard isOver(grant) else { return grant }
            return try await refresh(grant, merchant)
        }
    }

    /// The grant after one whose access token was refused: refreshed, unless that happened already.
    private func renewed(
        _ refused: RevolutGrant,
        _ merchant: String
    ) async throws(RevolutGrantError) -> RevolutGrant {
        try await round(merchant, isShared: false) { [self] () throws(RevolutGrantError) in
            let grant = try await current(merchant)
            guard grant.accessToken == refused.accessToken else { return grant }
            return try await refresh(grant, merchant)
        }
    }

    /// Has something done for a merchant when nothing else is; needs of the same kind share it.
    private func round(
        _ merchant: String,
        isShared: Bool,
        _ work: @escaping @Sendable () async throws(RevolutGrantError) -> RevolutGrant
    ) async throws(RevolutGrantError) -> RevolutGrant {
        while true {
            let (round, isMine) = state.withLock { state in
                if let running = state.rounds[merchant] { return (running, false) }
                let round = Round(isShared: isShared)
                state.rounds[merchant] = round
                return (round, true)
            }
            if isMine {
                environment.start { [self] in
                    let answer = await Self.answer(work)
                    state.withLock { $0.rounds[merchant] = nil }
                    round.answer.resolve(answer)
                }
            }
            let answer = await round.answer.value()
            if isMine || isShared && round.isShared { return try answer.get() }
        }
    }

    private static func answer(
        _ work: () async throws(RevolutGrantError) -> RevolutGrant
    ) async -> Answer {
        do throws(RevolutGrantError) {
            return .success(try await work())
        } catch {
            return .failure(error)
        }
    }

    // MARK: Inside a round

    private func current(_ merchant: String) async throws(RevolutGrantError) -> RevolutGrant {
        if let grant = state.withLock({ $0.unsaved[merchant] }) {
            try await keep(grant, merchant)
            return grant
        }
        switch await standing(merchant) {
        case .granted(let grant): return grant
        case .needsConsent: throw .needsConsent
        case .unknown: throw .merchantUnknown
        case nil: throw .temporary(pause: nil)
        }
    }

    private func isOver(_ grant: RevolutGrant) -> Bool {
        let skew = TimeInterval(client.profile.lifetimes.skew.components.seconds)
        return grant.expiresAt - skew <= environment.wallTime()
    }

    private func refresh(
        _ grant: RevolutGrant,
        _ merchant: String
    ) async throws(RevolutGrantError) -> RevolutGrant {
        do throws(RevolutGrantError) {
            guard let token = grant.refreshToken else { throw .needsConsent }
            let next = try await client.refresh(token)
            try await keep(next, merchant)
            return next
        } catch {
            if error == .needsConsent { try? await store.keep(.needsConsent, of: merchant) }
            throw error
        }
    }

    /// Keeps a grant before it is used; one that the store does not take is not lost.
    private func keep(_ grant: RevolutGrant, _ merchant: String) async throws(RevolutGrantError) {
        state.withLock { $0.unsaved[merchant] = grant }
        guard (try? await store.keep(.granted(grant), of: merchant)) != nil else {
            throw .temporary(pause: nil)
        }
        state.withLock { $0.unsaved[merchant] = nil }
    }

    /// Marks a merchant whose grant was refused, unless there is another grant by now.
    private func withdraw(
        _ refused: RevolutGrant,
        _ merchant: String
    ) async throws(RevolutGrantError) {
        _ = try await round(merchant, isShared: false) { [self] () throws(RevolutGrantError) in
            switch await standing(merchant) {
            case .granted(let grant) where grant.accessToken == refused.accessToken:
                try? await store.keep(.needsConsent, of: merchant)
                return refused
            case .needsConsent: return refused
            case .granted, .unknown, nil: throw .temporary(pause: nil)
            }
        }
    }

    private func standing(_ merchant: String) async -> RevolutMerchantStanding? {
        try? await store.standing(of: merchant)
    }
}
