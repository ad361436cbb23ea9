import AcquirerSimulation
import PaymentCore
import ReaderSimulation
import RevolutPayments
import RevolutSimulation
import Simulation
import Testing

@Suite struct RevolutSetUpTests {
    @Test func `R-151 the test payment is an attempt like any other`() throws {
        let shop = RevolutShop()
        _ = try shop.setUp()
        let again = try shop.run { () async throws -> String? in
            let pointOfSale = try await shop.open()
            do {
                _ = try await pointOfSale.take(try RevolutShop.request(1, "set-up"))
                return nil
            } catch {
                return (error as? PaymentRefusal)?.code
            }
        }
        #expect(again == "alreadyPaid")
    }

    @Test func `R-157 a set-up whose charge was lost on its way back is not told as unpaid`() throws
    {
        let shop = RevolutShop()
        shop.emulator.loseNextCharge(booked: true)
        #expect(try shop.setUp() == ["unknown unclassified", "unresolved"])
        #expect(shop.charged == 1)
        #expect(shop.stage.installation.flows.flatMap(\.faults) == [])
    }

    @Test func `R-112 without any token the set-up provably charged nothing`() throws {
        var shop = RevolutShop()
        shop.stage.tokenFault = { .unauthorized }
        #expect(try shop.setUp() == ["notDone signedOut", "failed signedOut"])
        #expect(shop.charged == 0)
    }

    @Test func `R-151 another amount than the kit's own never reaches it`() throws {
        let shop = RevolutShop()
        #expect(
            try shop.setUp(amount: 2) == ["notDone requestRejected", "failed requestRejected"]
        )
        #expect(shop.stage.installation.flows.isEmpty)
    }

    @Test func `R-150 where nobody may accept terms the kit is not asked`() throws {
        let shop = RevolutShop()
        let told = try shop.setUp(mayAcceptTerms: false)
        #expect(told == ["notDone accountNotLinked", "failed accountNotLinked"])
        #expect(shop.stage.installation.flows.isEmpty)
    }

    @Test func `where no kit can run there is nothing to set up`() throws {
        var shop = RevolutShop()
        shop.stage.hasKit = false
        #expect(try shop.setUp() == ["done", "none"])
    }
}

extension RevolutShop {
    /// Sets up, and tells the state and the test payment.
    func setUp(amount: Int64 = 1, mayAcceptTerms: Bool = true) throws -> [String] {
        try run { () async throws -> [String] in
            let result = try await open().setUp(
                SetUpOptions(
                    mayAcceptTerms: mayAcceptTerms,
                    testPayment: try RevolutShop.request(amount, "set-up")
                )
            )
            return [result.state.name, result.testPayment?.name ?? "none"]
        }
    }
}

extension SetUpState {
    fileprivate var name: String {
        switch self {
        case .done: "done"
        case .notDone(let error): "notDone \(error.code)"
        case .unknown(let error): "unknown \(error.code)"
        }
    }
}
