import Simulation
import Testing

@testable import PaymentCore

private let sale = VendorScript(delay: .seconds(3), answer: .approved(approval()))

@Suite struct RunningTests {
    /// Runs a till's background work beside something, then ends it.
    private func beside(
        _ till: TestTill,
        _ work: @escaping @Sendable () async -> Void
    ) throws {
        try till.run {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await till.pointOfSale.run() }
                await work()
                group.cancelAll()
            }
        }
    }

    private func wait(_ till: TestTill, _ seconds: Int) async {
        try? await till.time.clock.sleep(for: .seconds(seconds))
    }

    @Test func `N-041 the reader is prepared at once, after each payment and on return`() throws {
        let till = TestTill(sale)
        try beside(till) {
            await wait(till, 1)
            #expect(till.provider.prepared == 1)
            _ = await till.take(1_000, "o1")
            await wait(till, 1)
            #expect(till.provider.prepared == 2)
            await till.pointOfSale.background()
            _ = await till.take(1_000, "o2")
            await wait(till, 1)
            #expect(till.provider.prepared == 2)
            await till.pointOfSale.foreground()
            await wait(till, 1)
            #expect(till.provider.prepared == 3)
            #expect(till.now.isForeground)
            await wait(till, 3_600)
            #expect(till.provider.prepared == 3)
        }
    }

    @Test func `N-041 what failed for a moment is tried again, what a person must do is not`()
        throws
    {
        for (code, count) in [(PaymentError.Code.networkUnavailable, 3), (.passcodeRequired, 1)] {
            let till = TestTill(sale)
            till.provider.change {
                $0.preparation = [.failure(PaymentError(code)), .failure(PaymentError(code))]
            }
            try beside(till) {
                await wait(till, 60)
                #expect(till.provider.prepared == count, "\(code)")
            }
        }
    }

    @Test func `N-041 nothing is prepared in the background, though the last try failed`() throws {
        let till = TestTill(sale)
        till.provider.change {
            $0.preparation = [.failure(PaymentError(.networkUnavailable))]
        }
        try beside(till) {
            await wait(till, 1)
            await till.pointOfSale.background()
            await wait(till, 600)
            #expect(till.provider.prepared == 1)
            await till.pointOfSale.foreground()
            await wait(till, 1)
            #expect(till.provider.prepared == 2)
        }
    }

    @Test func `N-017 what is open is asked about until the books know`() throws {
        let till = TestTill(VendorScript(answer: .unknown(PaymentError(.outcomeUnknown))))
        try beside(till) {
            let told = await till.take()
            #expect(told.name.hasPrefix("unresolved"))
            let now = till.time.wallTime
            till.books.add(record(at: now))
            await wait(till, 600)
            #expect(await till.attempt()?.ending?.name == "approved")
            #expect(till.now.open.isEmpty)
        }
    }
}
