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
}
