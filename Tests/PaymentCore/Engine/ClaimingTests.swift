import Simulation
import Synchronization
import Testing

@testable import PaymentCore

/// Claims whose back end does as a test says, before the table is asked or after.
private final class TroubledClaims: OrderClaims {
    enum Trouble: Sendable {
        case unreachable, answerLost, hangs
        case refuses(PaymentError.Code)
    }

    let table: OrderClaimTable
    private let troubles: Mutex<(claim: [Trouble], release: [Trouble])>

    init(
        _ table: OrderClaimTable = OrderClaimTable(),
        claim: [Trouble] = [],
        release: [Trouble] = []
    ) {
        self.table = table
        troubles = Mutex((claim, release))
    }

    func claim(_ claim: OrderClaim) async throws(PaymentError) -> OrderClaimAnswer {
        let trouble = troubles.withLock { $0.claim.isEmpty ? nil : $0.claim.removeFirst() }
        try await before(trouble)
        let answer = try await table.claim(claim)
        if case .answerLost = trouble { throw PaymentError(.networkUnavailable) }
        return answer
    }

    func release(_ claim: OrderClaim) async throws(PaymentError) {
        let trouble = troubles.withLock { $0.release.isEmpty ? nil : $0.release.removeFirst() }
        try await before(trouble)
        try await table.release(claim)
    }

    func claims(
        ofTill till: String,
        since: Date
    ) async throws(PaymentError) -> [OrderClaim] {
        try await table.claims(ofTill: till, since: since)
    }

    private func before(_ trouble: Trouble?) async throws(PaymentError) {
        switch trouble {
        case .unreachable: throw PaymentError(.networkUnavailable)
        case .refuses(let code): throw PaymentError(code)
        case .hangs: _ = await OneShot<Bool>().value()
        case .answerLost, nil: break
        }
    }
}

@Suite struct ClaimingTests {
    private static let approving = VendorScript(
        answer: .approved(Approval(amount: .confirmed(.usd(1_000))))
    )
    private static let silent = VendorScript(answer: .unknown(PaymentError(.networkUnavailable)))
    private static let declining = VendorScript(
        answer: .declined(Decline(.insufficientFunds))
    )

    private func till(
        _ name: String,
        _ script: VendorScript,
        _ claims: any OrderClaims,
        goesOn: Bool = false,
        seed: UInt64
    ) -> TestTill {
        var claiming = OrderClaiming(claims, till: name)
        claiming.goesOnUnclaimed = goesOn
        return TestTill(script, script, claiming: claiming, seed: seed)
    }

    /// Takes a payment, and lets the back end be told of what came of it.
    private func take(_ order: Order = "o1", at till: TestTill) throws -> String {
        try till.run {
            let told = await till.take(1_000, order).name
            try? await till.time.clock.sleep(for: .seconds(60))
            return told
        }
    }

    @Test(arguments: ["approved", "unresolved", "declined"])
    func `two tills without a common journal charge an order once`(first: String) throws {
        let table = OrderClaimTable()
        let scripts = [
            "approved": Self.approving, "unresolved": Self.silent, "declined": Self.declining,
        ]
        let one = till("one", try #require(scripts[first]), table, seed: 1)
        let two = till("two", Self.approving, table, seed: 2)
        #expect(try take(at: one).hasPrefix(first))
        let told = try take(at: two)
        #expect(told == (first == "declined" ? "approved" : "refused claimed"))
        #expect(two.provider.performed.count == (first == "declined" ? 1 : 0))
        #expect(table.all.map(\.till) == [first == "declined" ? "two" : "one"])
        #expect(try take("o2", at: two) == "approved")
    }

    @Test(arguments: [false, true])
    func `a back end that does not answer lets nothing be charged, unless the app wants it`(
        goesOn: Bool
    ) throws {
        for trouble in [TroubledClaims.Trouble.unreachable, .answerLost, .hangs] {
            let claims = TroubledClaims(claim: [trouble])
            let one = till("one", Self.approving, claims, goesOn: goesOn, seed: 1)
            let told = try take(at: one)
            #expect(told == (goesOn ? "approved" : "refused cannotClaim"))
            #expect(one.provider.performed.count == (goesOn ? 1 : 0))
            // Nothing that was not begun stays claimed.
            if !goesOn {
                #expect(claims.table.all.isEmpty)
                #expect(try take(at: one) == "approved")
            }
        }
    }

    @Test(arguments: [
        PaymentError.Code.conflict, .accessDenied, .invalidCredentials, .requestRejected,
        .malformedAnswer,
    ])
    func `N-021 a back end that refuses a claim lets nothing be charged, whatever the app wants`(
        code: PaymentError.Code
    ) throws {
        let claims = TroubledClaims(claim: [.refuses(code)])
        let one = till("one", Self.approving, claims, goesOn: true, seed: 1)
        #expect(try take(at: one) == "refused cannotClaim")
        #expect(one.provider.performed.isEmpty)
    }

    @Test func `a release that fails is told another time`() throws {
        let claims = TroubledClaims(release: [.unreachable])
        let one = till("one", Self.declining, claims, seed: 1)
        #expect(try take(at: one) == "declined")
        #expect(claims.table.all.count == 1)
        #expect(try take("o2", at: one) == "declined")
        #expect(claims.table.all.isEmpty)
    }

    @Test func `a till takes its own declined order again, though nobody was told of the end`()
        throws
    {
        let claims = TroubledClaims(release: [.unreachable])
        let one = till("one", Self.declining, claims, seed: 1)
        #expect(try take(at: one) == "declined")
        #expect(claims.table.all.count == 1)
        #expect(try take(at: one) == "declined")
        #expect(one.provider.performed.count == 2)
        #expect(claims.table.all.isEmpty)
    }

    @Test(arguments: [1, 10 * 86_400])
    func `a process that starts again tells what the one before may not have told`(
        later: Int
    ) throws {
        let claims = TroubledClaims(release: [.unreachable])
        let one = till("one", Self.declining, claims, seed: 1)
        _ = try take(at: one)
        #expect(claims.table.all.count == 1)
        let engine = PaymentEngine(
            acquirers: [one.acquirer],
            journal: one.journal,
            settling: SettlingPolicy(),
            claiming: OrderClaiming(claims, till: "one"),
            environment: one.time.environment
        )
        try one.run {
            try? await one.time.clock.sleep(for: .seconds(later))
            await engine.recover()
            await engine.releaseClaims()
        }
        #expect(claims.table.all.isEmpty)
    }

    @Test func `parts of one order are claimed apart, and the whole conflicts with each`() throws {
        let table = OrderClaimTable()
        let one = till("one", Self.approving, table, seed: 1)
        let two = till("two", Self.approving, table, seed: 2)
        let parts = try (1...2).map { try Order(id: "o1", part: .init($0, of: 2)) }
        #expect(try take(parts[0], at: one) == "approved")
        #expect(try take(parts[1], at: two) == "approved")
        let three = till("three", Self.approving, table, seed: 4)
        #expect(try take(at: three) == "refused claimed")
    }

    @Test func `an empty journal adopts what the till had claimed, and resolves it`() throws {
        let table = OrderClaimTable()
        let booked = VendorScript(
            books: { record(at: $1, marker: $0.id.description) },
            answer: .unknown(PaymentError(.networkUnavailable))
        )
        let one = till("one", booked, table, seed: 1)
        one.books.change { $0.isComplete = false }
        one.books.change { $0.records = [] }
        _ = try take(at: one)
        one.books.add(record("R9", at: one.time.wallTime, device: nil, marker: "somebody else's"))
        let engine = PaymentEngine(
            acquirers: [one.acquirer],
            journal: MemoryAttemptJournal(),
            settling: SettlingPolicy(),
            claiming: OrderClaiming(table, till: "one"),
            environment: one.time.environment
        )
        let pointOfSale = PointOfSale(engine: engine, environment: one.time.environment)
        let seen = try one.run { () async -> [String] in
            var seen: [String] = []
            do throws(PaymentError) {
                let adoption = try await pointOfSale.adopt(since: Date.distantPast)
                seen.append("adopted \(adoption.adopted.map(\.order.id))")
                seen.append("strangers \(adoption.strangers.map(\.reference.value))")
                let again = try await pointOfSale.adopt(since: Date.distantPast)
                seen.append("again \(again.adopted.count)")
            } catch {
                seen.append("\(error)")
            }
            do throws(PaymentRefusal) {
                _ = try await pointOfSale.take(.sale(.usd(1_000), for: "o1"))
            } catch {
                seen.append("refused \(error.code)")
            }
            for payment in await pointOfSale.unresolved {
                if case .payment(let outcome) = await pointOfSale.resolve(payment) {
                    seen.append(outcome.name)
                }
            }
            return seen
        }
        #expect(
            seen == [
                #"adopted ["o1"]"#, #"strangers ["R9"]"#, "again 0", "refused open", "approved",
            ]
        )
    }
}
