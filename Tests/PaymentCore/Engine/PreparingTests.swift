import Simulation
import Testing

@testable import PaymentCore

@Suite struct PreparingTests {
    private func prepare(_ till: TestTill) async -> String {
        do throws(PaymentError) {
            try await till.pointOfSale.prepare()
            return "prepared"
        } catch {
            return error.code.description
        }
    }

    @Test(arguments: Array(0..<20) as [UInt64])
    func `N-041 concurrent preparations are one`(schedule: UInt64) throws {
        let till = TestTill(schedule: schedule)
        till.provider.change { $0.preparation = [.success(.seconds(3))] }
        let names = try till.run { () async -> [String] in
            async let one = prepare(till)
            async let two = prepare(till)
            return await [one, two]
        }
        #expect(names == ["prepared", "prepared"])
        #expect(till.provider.prepared == 1)
        #expect(till.now.readiness?.isReady == true)
    }

    @Test(arguments: Array(0..<40) as [UInt64])
    func `N-041 a preparation that failed can be repeated at once`(schedule: UInt64) throws {
        let till = TestTill(schedule: schedule)
        till.provider.change { $0.preparation = [.failure(PaymentError(.tokenUnavailable))] }
        let names = try till.run { [await prepare(till), await prepare(till)] }
        #expect(names == ["tokenUnavailable", "prepared"])
        #expect(till.provider.prepared == 2)
    }

    @Test func `N-035 a preparation that hangs ends at its own deadline`() throws {
        let till = TestTill()
        till.provider.change { $0.preparation = [.success(.seconds(86_400))] }
        let names = try till.run { [await prepare(till), await prepare(till)] }
        #expect(names == ["timedOut", "prepared"])
        #expect(till.elapsed == .seconds(300))
    }

    private static let approved = ProviderAnswer.approved(
        approval("R1", .confirmed(.usd(1_000)))
    )

    @Test(arguments: Array(0..<20) as [UInt64])
    func `S-067 a sale waits for the reader that is being made ready`(schedule: UInt64) throws {
        let till = TestTill(VendorScript(answer: Self.approved), schedule: schedule)
        till.provider.change { $0.preparation = [.success(.seconds(3))] }
        let (told, prepared) = try till.run { () async -> (Told, String) in
            async let preparing = prepare(till)
            try? await till.time.clock.sleep(for: .seconds(1))
            return (await till.take(), await preparing)
        }
        #expect(prepared == "prepared")
        #expect(told.name == "approved")
        #expect(told.phases.prefix(3) == ["started", "preparing", "presentCard"])
        #expect(told.at == .seconds(3))
        #expect(till.provider.prepared == 1)
    }

    @Test(arguments: Array(0..<20) as [UInt64])
    func `S-067 a sale that waits for the reader can be cancelled, and reaches no vendor`(
        schedule: UInt64
    ) throws {
        let till = TestTill(VendorScript(answer: Self.approved), schedule: schedule)
        till.provider.change { $0.preparation = [.success(.seconds(60))] }
        let (told, answer) = try till.run { () async -> (Told, Cancellation) in
            async let preparing = prepare(till)
            try? await till.time.clock.sleep(for: .seconds(1))
            async let sale = till.take()
            try? await till.time.clock.sleep(for: .seconds(1))
            let answer = await till.pointOfSale.cancel("o1")
            let told = await sale
            _ = await preparing
            return (told, answer)
        }
        #expect(answer == .asked)
        #expect(told.name == "cancelled")
        #expect(told.at == .seconds(2))
        #expect(till.provider.performed.isEmpty)
    }

    @Test func `S-067 a preparation that fails leaves the word to the vendor`() throws {
        let till = TestTill(VendorScript(answer: .notCharged(PaymentError(.notPrepared))))
        till.provider.change { $0.preparation = [.success(.seconds(86_400))] }
        let told = try till.run { () async -> Told in
            async let preparing = prepare(till)
            try? await till.time.clock.sleep(for: .seconds(1))
            let told = await till.take()
            _ = await preparing
            return told
        }
        #expect(told.name == "failed notPrepared")
        #expect(told.at == .seconds(300))
    }
}
