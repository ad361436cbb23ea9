import AcquirerSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import RevolutPayments
import RevolutSimulation
import Simulation
import Testing

/// The callbacks of every exit path, beside the outcome and the ledger of the same path.
@Suite struct RevolutExitCallbackTests {
    private static let callbacks: [String: [String]] = [
        "X1": ["success+receipt", "end"], "X2": ["success", "end"], "X3": ["internalError", "end"],
        "X4": ["success+receipt", "end"], "X5": ["internalError", "end"], "X6": ["end"],
        "X7": ["success+receipt", "end"], "X8": ["internalError", "end"],
        "X9": ["internalError", "end"], "X10": ["internalError", "end"],
        "X11": ["out", "internalError", "end"], "X13": ["internalError", "end"],
        "X14": ["internalError", "end"], "X17": ["internalError", "end"],
        "X28": ["internalError", "end"],
    ]

    @Test(arguments: RevolutExitPathTests.paths)
    func `R-160 every exit path calls back as the table has it`(path: ExitPath) throws {
        var shop = RevolutShop(card: path.card)
        path.arrange(&shop)
        let bench = KitBench(shop: shop)
        try bench.run { bench.pay($0, then: $1) }
        let number = try #require(path.number.split(separator: " ").first.map(String.init))
        #expect(bench.calls.value == Self.callbacks[number])
        #expect(bench.flows.flatMap(\.faults) == [])
        #expect(shop.charged == path.charged)
    }

    @Test func `R-160 the table has every path that a kit can take with a fixed amount`() {
        let numbers = Set(
            RevolutExitPathTests.paths.compactMap { path in
                path.number.split(separator: " ").first.map(String.init)
            }
        )
        #expect(numbers == Set(Self.callbacks.keys))
        // X12, X20 and X21 are of an app that is killed, X15, X16, X18 and X19 never reach the kit,
        // X22 and X23 are series, X24 to X27 set-ups: each has tests of its own.
        let others = [12, 15, 16, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27].map { "X\($0)" }
        #expect(numbers.union(others) == Set((1...28).map { "X\($0)" }))
    }

    @Test(arguments: [("gbp", false), ("GB", false), ("XAU", false), ("ZZZ", false), ("GBP", true)])
    func `R-161 X16 a currency is three capital letters of the table, and none is corrected`(
        code: String,
        isAccepted: Bool
    ) {
        #expect(((try? Currency.parse(code)) != nil) == isAccepted)
    }

    @Test func `R-127 X18 a second call is refused and leaves the first alone`() throws {
        let shop = RevolutShop(card: nil)
        let told = try shop.run { () async throws -> [String] in
            let pointOfSale = try await shop.open()
            let first = Task(executorPreference: shop.world.time.executor) {
                try await shop.take(with: pointOfSale).0
            }
            try await shop.world.environment.clock.sleep(for: .seconds(2))
            var told: [String] = []
            do {
                told.append(try await shop.take("o2", with: pointOfSale).0)
            } catch {
                told.append((error as? PaymentRefusal)?.code ?? "\(error)")
            }
            shop.world.device.control.customerCancels()
            return told + [try await first.value]
        }
        #expect(told == ["busy", "cancelled"])
        #expect(shop.stage.installation.flows.count == 1)
    }

    @Test func `R-107 X19 a call after the sign-out is refused at once, and touches no kit`() throws
    {
        var shop = RevolutShop()
        shop.stage.tokenFault = { .unauthorized }
        #expect(try shop.twoSales() == ["failed signedOut", "signedOut"])
        #expect(shop.stage.installation.flows.count == 1)
    }
}
