import AcquirerSimulation
import FinixSimulation
import PaymentCore
import PaymentTransport
import Simulation
import Testing

@Suite struct FinixSettlingTests {
    private static let verdict = PersonalVerdict(
        .notMoved,
        name: "Ada",
        reason: "not on the bank statement"
    )

    /// Takes a sale whose answer is lost with the books, then does something about it.
    private func unresolved(
        booked: Bool,
        _ body:
            @escaping @Sendable (FinixShop, PointOfSale, UnresolvedPayment) async throws -> [String]
    ) throws -> (names: [String], shop: FinixShop) {
        let shop = FinixShop()
        shop.emulator.loseNextPayment(booked: booked)
        shop.emulator.cutBackOffice()
        let names = try shop.run { () async throws -> [String] in
            let pointOfSale = try await shop.open()
            try await pointOfSale.prepare()
            _ = try await shop.take(1_250, "o1", with: pointOfSale)
            shop.emulator.host.faults.clear()
            guard let payment = await pointOfSale.unresolved.first else { return ["nothing open"] }
            return try await body(shop, pointOfSale, payment)
        }
        return (names, shop)
    }

    @Test func `N-019 a person's verdict frees the order`() throws {
        let (names, shop) = try unresolved(booked: false) { shop, pointOfSale, payment in
            try await pointOfSale.settle(payment, as: Self.verdict)
            let open = await pointOfSale.unresolved.count
            return ["\(open)", try await shop.take(1_250, "o1", with: pointOfSale).name]
        }
        #expect(names == ["0", "approved"])
        #expect(shop.charged == 1_250)
    }

    @Test func `N-019 evidence against a person's verdict is an alarm`() throws {
        let (names, _) = try unresolved(booked: true) { _, pointOfSale, payment in
            try await pointOfSale.settle(payment, as: Self.verdict)
            let told = await pointOfSale.resolve(payment).name
            var states = pointOfSale.states.makeAsyncIterator()
            return [told] + (await states.next()?.alarms.map(\.told) ?? [])
        }
        #expect(names == ["failed settledByPerson", "approved"])
    }

    @Test func `N-019 an order that a person found paid is not charged again`() throws {
        let (names, shop) = try unresolved(booked: true) { shop, pointOfSale, payment in
            let paid = PersonalVerdict(.moved(nil), name: "Ada", reason: "seen in the dashboard")
            try await pointOfSale.settle(payment, as: paid)
            do {
                return [try await shop.take(1_250, "o1", with: pointOfSale).name]
            } catch let refusal as PaymentRefusal {
                return [refusal.code]
            }
        }
        #expect(names == ["alreadyPaid"])
        #expect(shop.charged == 1_250)
    }

    @Test func `N-019 a verdict needs a name, a reason and an open payment`() throws {
        let (names, _) = try unresolved(booked: true) { _, pointOfSale, payment in
            var codes: [String] = []
            for verdict in [
                PersonalVerdict(.notMoved, name: " ", reason: "x"),
                PersonalVerdict(.notMoved, name: "Ada", reason: ""), Self.verdict, Self.verdict,
            ] {
                do throws(PaymentRefusal) {
                    try await pointOfSale.settle(payment, as: verdict)
                    codes.append("settled")
                } catch {
                    codes.append(error.code)
                }
            }
            return codes
        }
        #expect(names == ["invalidRequest", "invalidRequest", "settled", "invalidRequest"])
    }

    // FC-047, FC-131
    @Test func `F-070 a tip is on top, belongs to its own sale, and is no partial approval`() throws
    {
        let shop = FinixShop()
        let told = try shop.run { () async throws -> [String] in
            let pointOfSale = try await shop.open()
            var told: [String] = []
            for (order, tip) in [(Order("o1"), Int64(250)), ("o2", 0)] {
                try await pointOfSale.prepare()
                let request = PaymentRequest.sale(
                    try Money(minorUnits: 1_000, currency: .usd),
                    for: order,
                    tip: tip > 0 ? try Money(minorUnits: tip, currency: .usd) : nil
                )
                let outcome = try await pointOfSale.take(request)
                guard case .approved(let receipt) = outcome else { return [outcome.name] }
                told.append("\(receipt.approved.money?.description ?? "") \(receipt.tip != nil)")
            }
            return told
        }
        #expect(told == ["12.50 USD true", "10.00 USD false"])
        #expect(shop.world.ledger.entries(.charge).map(\.minorUnits) == [1_250, 1_000])
    }

    // FC-060
    @Test func `S-064 a preparation that hangs ends, and the next one works`() throws {
        let shop = FinixShop()
        shop.emulator.host.faults.add(.hang, times: 1) { $0.path == "/tap_to_pay_token" }
        let names = try shop.run { () async throws -> [String] in
            let pointOfSale = try await shop.open()
            var names: [String] = []
            for _ in 0..<2 {
                do throws(PaymentError) {
                    try await pointOfSale.prepare()
                    names.append("ready")
                } catch {
                    names.append("\(error.code)")
                }
            }
            return names
        }
        #expect(names == ["timedOut", "ready"])
    }
}
