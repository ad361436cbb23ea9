import Simulation
import Testing

@testable import PaymentCore

@Suite struct PatienceTests {
    static let unknown = ProviderAnswer.unknown(PaymentError(.outcomeUnknown))

    // FC-120
    @Test(arguments: [
        [ScriptedBooks.Trouble.none], [.hangs], [.error(PaymentError(.networkUnavailable))],
        [.slow(.seconds(3))], [.slow(.seconds(19))], [.none, .none, .none, .hangs],
        [.slow(.milliseconds(19_900)), .hangs],
    ])
    func `N-017 patience bounds the time until an outcome, also when the books hang`(
        troubles: [ScriptedBooks.Trouble]
    ) throws {
        let till = TestTill(VendorScript(answer: Self.unknown))
        till.books.change {
            $0.troubles = troubles
            $0.skew = .seconds(7_200)
        }
        let told = try till.run { await till.take() }
        #expect(told.name.hasPrefix("unresolved"))
        #expect(told.at <= .seconds(20))
    }

    @Test func `N-017 a record that appears within patience is told at once`() throws {
        let till = TestTill(VendorScript(answer: Self.unknown))
        till.time.clock.schedule(after: .seconds(6)) {
            till.books.add(record(at: till.time.wallTime))
        }
        let told = try till.run { await till.take() }
        #expect(told.name == "approved")
        #expect(told.at < .seconds(10))
    }

    @Test func `N-017 a last look that fails does not hide what the books said before`() throws {
        let till = TestTill(VendorScript(answer: Self.unknown))
        till.books.add(record("R1", .pending, at: till.time.wallTime))
        till.books.change { $0.troubles = [.none, .hangs] }
        #expect(try till.run { await till.take() }.name == "unresolved pendingAtAcquirer")
    }

    @Test(arguments: [ScriptedBooks.Trouble.hangs, .none, .error(PaymentError(.rateLimited))])
    func `N-025 resolving always returns and guesses nothing`(trouble: ScriptedBooks.Trouble)
        throws
    {
        let till = TestTill(VendorScript(answer: Self.unknown))
        till.books.change { $0.troubles = [trouble] }
        let resolved = try till.run { () async -> String in
            guard case .unresolved(let payment)? = await till.take().outcome else { return "?" }
            let start = till.elapsed
            let name = await till.pointOfSale.resolve(payment).name
            return till.elapsed - start <= .seconds(15) ? name : "late"
        }
        #expect(resolved.hasPrefix("unresolved"))
    }

    @Test func `N-029 absence is told once its window has closed, and frees the order`() throws {
        let till = TestTill(VendorScript(answer: Self.unknown))
        let names = try till.run { () async -> [String] in
            guard case .unresolved(let payment)? = await till.take().outcome else { return [] }
            let early = await till.pointOfSale.resolve(payment)
            try? await till.time.clock.sleep(for: .seconds(300))
            let late = await till.pointOfSale.resolve(payment)
            return [early.name, late.name, await till.take().name]
        }
        #expect(
            names == ["unresolved mayStillAppear", "failed notBooked", "unresolved mayStillAppear"]
        )
    }

    @Test(arguments: [ScriptedProvider.Call.device, .readiness])
    func `N-035 a vendor that does not answer a small question does not hang the till`(
        call: ScriptedProvider.Call
    ) throws {
        var capabilities = ScriptedProvider.able
        capabilities.signsOut = true
        let till = TestTill(
            VendorScript(answer: .declined(Decline(.generic))),
            provider: capabilities
        )
        till.provider.change { $0.hangs = [call] }
        let told = try till.run { await till.take() }
        #expect(told.name == "declined")
        #expect(told.at <= .seconds(30))
    }
}
