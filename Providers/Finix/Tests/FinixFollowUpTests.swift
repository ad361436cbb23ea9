import AcquirerSimulation
import FinixSimulation
import PaymentCore
import PaymentTransport
import Simulation
import Testing

@Suite struct FinixFollowUpTests {
    private static func usd(_ minorUnits: Int64) throws -> Money {
        try Money(minorUnits: minorUnits, currency: .usd)
    }

    /// Holds ten dollars in a prepared shop, then does something with the hold.
    private func withHold(
        _ body: @escaping @Sendable (FinixShop, PointOfSale, Authorization) async throws -> [String]
    ) throws -> (names: [String], ledger: [Ledger.Entry]) {
        let shop = FinixShop()
        let names = try shop.run { () async throws -> [String] in
            let pointOfSale = try await shop.open()
            try await pointOfSale.prepare()
            let outcome = try await pointOfSale.take(.authorization(Self.usd(1_000), for: "tab"))
            guard case .authorized(let authorization) = outcome else { return [outcome.name] }
            return try await body(shop, pointOfSale, authorization)
        }
        return (names, shop.world.ledger.entries)
    }

    @Test func `F-177 a partial capture is pending until its batch, then done`() throws {
        let (names, ledger) = try withHold { shop, pointOfSale, hold in
            let first = try await pointOfSale.capture(hold, amount: Self.usd(600), id: "c")
            let again = try await pointOfSale.capture(hold, amount: Self.usd(600), id: "c")
            try await shop.world.environment.clock.sleep(for: .seconds(13 * 3_600))
            return [first.name, again.name] + (await pointOfSale.resolve("tab")).map(\.name)
        }
        #expect(names == ["pending", "pending", "done"])
        #expect(ledger.map(\.kind) == [.hold, .charge])
        #expect(ledger.last?.minorUnits == 600)
    }

    // FC-105, FC-106
    @Test func `F-185 a hold is captured once and never above itself`() throws {
        let (names, ledger) = try withHold { _, pointOfSale, hold in
            var names: [String] = []
            for (amount, id) in [(Int64(0), "z"), (1_001, "a"), (600, "b"), (400, "c")] {
                do throws(PaymentRefusal) {
                    let money = try Result { try Self.usd(amount) }.mapError { _ in
                        PaymentRefusal.cannotRecord("")
                    }.get()
                    names.append(
                        try await pointOfSale.capture(hold, amount: money, id: .init(id)).name
                    )
                } catch {
                    names.append(error.code)
                }
            }
            return names
        }
        #expect(names == ["invalidRequest", "invalidRequest", "pending", "invalidRequest"])
        #expect(ledger.filter { $0.kind == .charge }.count == 1)
    }

    @Test func `F-187 a void lets the money go, and the order may be tried again`() throws {
        let (names, ledger) = try withHold { _, pointOfSale, hold in
            let void = try await pointOfSale.void(hold, id: "v")
            try await pointOfSale.prepare()
            let again = try await pointOfSale.take(.sale(Self.usd(700), for: "tab"))
            return [void.name, again.name]
        }
        #expect(names == ["done", "approved"])
        #expect(ledger.map(\.kind) == [.hold, .release, .charge])
    }

    @Test func `F-155 what follows a payment keeps the identifier of its request`() throws {
        let (names, _) = try withHold { shop, pointOfSale, hold in
            let capture = try await pointOfSale.capture(hold, amount: Self.usd(600), id: "c")
            guard case .pending(let captured) = capture else { return [capture.name] }
            let refund = try await pointOfSale.refund(captured, amount: Self.usd(100), id: "r")
            let next = try await pointOfSale.take(.authorization(Self.usd(500), for: "t2"))
            guard case .done(let refunded) = refund, case .authorized(let other) = next,
                case .done(let void) = try await pointOfSale.void(other, id: "v")
            else { return [refund.name, next.name] }
            return [captured, refunded, void].compactMap { $0.supportIdentifiers["logref"] }
        }
        #expect(names.count == 3 && Set(names).count == 3)
        #expect(names.allSatisfy { $0.hasPrefix("req-finix-") })
    }

    // FC-108
    @Test func `F-181 a capture after the hold has lapsed says expired`() throws {
        let (names, _) = try withHold { shop, pointOfSale, hold in
            try await shop.world.environment.clock.sleep(for: .seconds(8 * 24 * 3_600))
            return [try await pointOfSale.capture(hold, amount: Self.usd(600), id: "c").name]
        }
        #expect(names == ["failed expired"])
    }

    // FC-037
    @Test(arguments: [true, false])
    func `S-175 F-206 the lost answer to a capture is settled from the books`(booked: Bool) throws {
        let (names, ledger) = try withHold { shop, pointOfSale, hold in
            shop.emulator.host.faults.add(booked ? .loseAnswer : .loseRequest, times: 1) {
                $0.method == .put
            }
            let told = try await pointOfSale.capture(hold, amount: Self.usd(600), id: "c")
            let again = try await pointOfSale.capture(hold, amount: Self.usd(600), id: "c")
            return [told.name, again.name]
        }
        #expect(names == (booked ? ["pending", "pending"] : ["unresolved", "unresolved"]))
        #expect(ledger.filter { $0.kind == .charge }.count == (booked ? 1 : 0))
    }

    // FC-036, FC-038, FC-063, FC-104
    @Test func `F-193 refunds never exceed the sale, and one id is one refund`() throws {
        let shop = FinixShop()
        let names = try shop.run { () async throws -> [String] in
            let pointOfSale = try await shop.open()
            try await pointOfSale.prepare()
            _ = try await shop.take(1_000, "o1", with: pointOfSale)
            let receipt = try #require(await pointOfSale.receipt(for: "o1"))
            shop.emulator.host.faults.add(.loseAnswer, times: 1) { $0.path.hasSuffix("reversals") }
            var names: [String] = []
            for (amount, id) in [(Int64(600), "a"), (600, "a"), (700, "a"), (500, "b"), (400, "c")]
            {
                do {
                    let refund = try await pointOfSale.refund(
                        receipt,
                        amount: Self.usd(amount),
                        id: .init(id)
                    )
                    names.append(refund.name)
                } catch {
                    names.append((error as? PaymentRefusal)?.code ?? "\(error)")
                }
            }
            return names
        }
        #expect(names == ["done", "done", "invalidRequest", "invalidRequest", "done"])
        #expect(shop.world.ledger.entries(.refund).map(\.minorUnits) == [600, 400])
        #expect(shop.charged == 0)
    }
}

extension FollowUpOutcome {
    var name: String {
        switch self {
        case .done: "done"
        case .pending: "pending"
        case .declined: "declined"
        case .failed(let error): "failed \(error.code)"
        case .unresolved: "unresolved"
        }
    }
}
