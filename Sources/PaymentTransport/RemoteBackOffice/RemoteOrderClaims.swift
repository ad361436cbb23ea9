public import PaymentCore

/// Claims on orders that the app's own back end keeps, asked for by a till.
///
/// Every question carries the app's token, and the back end answers with
/// ``RemoteOrderClaimsService``. A question is asked again when its answer is lost: the same claim
/// is granted again, and letting go twice lets go once.
public struct RemoteOrderClaims: OrderClaims {
    private let exchange: RemoteExchange

    /// Creates the claims of a till.
    ///
    /// - Parameters:
    ///   - origin: Scheme, host and port of the app's back end: `https`, or `http` on a loopback
    ///     address.
    ///   - path: Where the back end serves the contract.
    ///   - transport: What carries the questions.
    ///   - tokenProvider: Obtains the app's token, once for each question.
    ///   - environment: Where time and randomness come from.
    public init(
        origin: String,
        path: String = "/in-person-payments/orders",
        transport: any HTTPTransport,
        tokenProvider: any TokenProvider,
        environment: PaymentEnvironment
    ) {
        exchange = RemoteExchange(
            account: nil,
            origin: origin,
            path: path,
            transport: transport,
            tokens: SharedToken(tokenProvider, environment: environment),
            environment: environment
        )
    }

    /// Claims an order at the back end.
    public func claim(_ claim: OrderClaim) async throws(PaymentError) -> OrderClaimAnswer {
        let answer = try await ask(.claim, claim, RemoteWire.Claimed.self, as: claim.account)
        switch (answer.isGranted, answer.takenBy) {
        case (true, nil): return .granted
        case (false, let other?): return .taken(by: other)
        default: throw PaymentError(.malformedAnswer, detail: "neither granted nor taken")
        }
    }

    /// Lets go of an order at the back end.
    public func release(_ claim: OrderClaim) async throws(PaymentError) {
        _ = try await ask(.release, claim, RemoteWire.Nothing.self, as: claim.account)
    }

    /// The till's claims that the back end still has.
    public func claims(
        ofTill till: String,
        since: Date
    ) async throws(PaymentError) -> [OrderClaim] {
        let question = RemoteWire.TillQuery(till: till, since: since)
        return try await ask(.claims, question, RemoteWire.Claims.self).claims
    }

    private func ask<Answer: Codable & Sendable>(
        _ operation: RemoteWire.ClaimOperation,
        _ content: some Codable & Sendable,
        _ type: Answer.Type,
        as account: Account? = nil
    ) async throws(PaymentError) -> Answer {
        var exchange = exchange
        exchange.account = account
        do throws(WireError) {
            return try await exchange.read(operation, content, as: type)
        } catch {
            throw error.error
        }
    }
}

/// The server half of ``RemoteOrderClaims``: a plain function from request to response, for any
/// server.
public struct RemoteOrderClaimsService: Sendable {
    private let claims: any OrderClaims
    private let door: RemoteDoor

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - claims: The claims of one shop, whose tills may take each other's orders.
    ///   - path: Where the contract is served; the same as the tills'.
    ///   - accounts: The accounts that a token may ask about; nil when the token is not good.
    public init(
        _ claims: any OrderClaims,
        path: String = "/in-person-payments/orders",
        accounts: @escaping @Sendable (AccessToken) async -> Set<Account>?
    ) {
        self.claims = claims
        door = RemoteDoor(path: path, accounts: accounts)
    }

    /// Answers a question.
    ///
    /// - Parameter request: The request as the integrator's server read it: method, path, header
    ///   fields and body.
    /// - Returns: The answer, always; no order was claimed or let go unless its status is 200.
    public func answer(_ request: HTTPRequest) async -> HTTPResponse {
        do throws(RemoteRefused) {
            let operation = try door.operation(request, RemoteWire.ClaimOperation.self)
            let allowed = try await door.allowed(request)
            let question = try RemoteQuestion(request)
            return try await answer(operation, question, allowed)
        } catch {
            return error.response
        }
    }

    private func answer(
        _ operation: RemoteWire.ClaimOperation,
        _ question: RemoteQuestion,
        _ allowed: Set<Account>
    ) async throws(RemoteRefused) -> HTTPResponse {
        switch operation {
        case .claim:
            let claim = try claim(question, allowed)
            return await reply(question) { () async throws(PaymentError) -> RemoteWire.Claimed in
                let answer = try await claims.claim(claim)
                // Whose it is, is told to those alone who may know.
                if case .taken(let other) = answer, !allowed.contains(other.account) {
                    throw PaymentError(.conflict, detail: "another account has the order")
                }
                return RemoteWire.Claimed(answer)
            }
        case .release:
            let claim = try claim(question, allowed)
            return await reply(question) { () async throws(PaymentError) -> RemoteWire.Nothing in
                try await claims.release(claim)
                return RemoteWire.Nothing()
            }
        case .claims:
            let query = try question.content(RemoteWire.TillQuery.self)
            return await reply(question) { () async throws(PaymentError) -> RemoteWire.Claims in
                let all = try await claims.claims(ofTill: query.till, since: query.since)
                return RemoteWire.Claims(claims: all.filter { allowed.contains($0.account) })
            }
        }
    }

    private func claim(
        _ question: RemoteQuestion,
        _ allowed: Set<Account>
    ) throws(RemoteRefused) -> OrderClaim {
        let claim = try question.content(OrderClaim.self)
        guard try claim.account == question.account(), allowed.contains(claim.account) else {
            throw RemoteRefused(.accountRefused, "the token is not for the claim's account")
        }
        return claim
    }

    private func reply<Content: Codable & Sendable>(
        _ question: RemoteQuestion,
        _ answer: () async throws(PaymentError) -> Content
    ) async -> HTTPResponse {
        do throws(PaymentError) {
            return question.reply(try await answer())
        } catch {
            return question.reply(error: error)
        }
    }
}

extension RemoteWire {
    /// What a till can ask about orders; the last part of the path.
    enum ClaimOperation: String, CaseIterable {
        case claim, release, claims
    }

    /// The answer to a claim: granted, or who has the order.
    struct Claimed: Codable, Sendable {
        let isGranted: Bool
        let takenBy: OrderClaim?

        enum CodingKeys: String, CodingKey {
            case isGranted = "granted"
            case takenBy
        }

        init(_ answer: OrderClaimAnswer) {
            takenBy = if case .taken(let other) = answer { other } else { nil }
            isGranted = takenBy == nil
        }
    }

    /// Which of a till's claims are asked for.
    struct TillQuery: Codable, Sendable {
        let till: String
        let since: Date
    }

    /// Claims that were not released.
    struct Claims: Codable, Sendable {
        let claims: [OrderClaim]
    }
}
