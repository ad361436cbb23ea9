import AcquirerSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import RevolutSimulation
import Simulation
import Testing

@Suite struct RevolutExitPathTests {
    @Test(arguments: paths)
    func `R-160 R-155 every exit path calls back and is told as the ledger has it`(
        path: ExitPath
    ) throws {
        let heard = RevolutHeardKit.Calls()
        var shop = RevolutShop(card: path.card)
        shop.heard = heard
        path.arrange(&shop)
        let told = try path.asks.run(&shop)
        #expect(heard.names == path.calls)
        #expect(told == path.told)
        #expect(shop.world.ledger.entries(.charge).map(\.minorUnits) == path.charged)
        #expect(shop.world.ledger.entries.count == path.charged.count)
        #expect(shop.stage.installation.flows.flatMap(\.faults) == [])
        let left = shop
        let open = try left.run { left.journal.read { $0.open.count } }
        #expect(open == told.count { $0.hasSuffix("unresolved") })
    }

    @Test func `R-160 the table has every exit path, and no other`() {
        #expect(Set(Self.paths.map(\.number)) == Set(1...28))
        #expect(Set(Self.paths.map(\.testDescription)).count == Self.paths.count)
    }

    @Test(arguments: [("gbp", false), ("GB", false), ("XAU", false), ("ZZZ", false), ("GBP", true)])
    func `R-161 a currency is three capital letters of the table, and none is corrected`(
        code: String,
        isAccepted: Bool
    ) {
        #expect(((try? Currency.parse(code)) != nil) == isAccepted)
    }

    @Test(arguments: RevolutKitScript.LogoutOrder.allCases)
    func `R-114 a sign-out while charging ends the same in all three orders`(
        order: RevolutKitScript.LogoutOrder
    ) throws {
        var shop = RevolutShop()
        shop.stage.script.logoutOrder = order
        shop.signOutAmidCharge(isBooked: false)
        let names = try shop.twoSales()
        #expect(names == ["cancelled", "signedOut"])
        #expect(shop.charged == 0)
    }

    // FC-123
    @Test(arguments: [
        (RevolutKitScript.Anomaly.secondReport, "approved"), (.secondCompletion, "approved"),
        (.reportAfterCompletion, "approved"),
    ])
    func `R-134 odd callbacks change nothing about the money`(
        anomaly: RevolutKitScript.Anomaly,
        told: String
    ) throws {
        var shop = RevolutShop()
        shop.stage.script.anomaly = anomaly
        let sale = try shop.sale()
        #expect(sale.name == told)
        #expect(sale.events.filter { $0.hasPrefix("outcome.") }.count == 1)
        #expect(shop.charged == 1_000)
    }

    @Test func `N-035 a kit that never ends is settled at the deadline and stays busy`() throws {
        var shop = RevolutShop()
        shop.stage.script.anomaly = .noCompletion
        let names = try shop.twoSales()
        #expect(names == ["approved", "busy"])
    }

    @Test func `N-018 a decline is told on evidence, and later if the books are cut off`() throws {
        let shop = RevolutShop(card: "declined-funds")
        shop.emulator.cutBackOffice()
        let names = try shop.run { () async throws -> [String] in
            let pointOfSale = try await shop.open()
            let told = try await shop.take(with: pointOfSale).0
            shop.emulator.host.faults.clear()
            return [told] + (await pointOfSale.resolve("o1")).map(\.name)
        }
        #expect(names == ["unresolved", "declined insufficientFunds"])
    }

    @Test func `R-254 the books tell tap from code, and give the order for a refund`() throws {
        let shop = RevolutShop()
        let (receipt, names) = try shop.run { () async throws -> (Receipt?, [String]) in
            let pointOfSale = try await shop.open()
            let receipt = try await shop.take(with: pointOfSale).2
            guard let receipt else { return (nil, []) }
            var names: [String] = []
            for (amount, id) in [(Int64(400), "a"), (400, "a"), (700, "b")] {
                do {
                    let money = try Money(minorUnits: amount, currency: .gbp)
                    let refund = try await pointOfSale.refund(receipt, amount: money, id: .init(id))
                    names.append(Resolution.followUp(refund).name)
                } catch {
                    names.append((error as? PaymentRefusal)?.code ?? "\(error)")
                }
            }
            try await shop.world.environment.clock.sleep(for: .seconds(10))
            names += (await pointOfSale.resolve("o1")).map(\.name)
            return (receipt, names)
        }
        #expect(receipt?.method == .tap)
        #expect(receipt?.card?.lastFour == "4242")
        #expect(receipt?.references.first?.kind == "order")
        #expect(names == ["pending", "pending", "invalidRequest", "done"])
        #expect(shop.world.ledger.entries(.refund).map(\.minorUnits) == [400])
    }

    // FC-036
    @Test(arguments: [429, 401, nil])
    func `R-293 what a repeat is refused says nothing of a refund whose answer was lost`(
        status: Int?
    ) throws {
        let shop = RevolutShop()
        let names = try shop.run { () async throws -> [String] in
            let pointOfSale = try await shop.open()
            guard let receipt = try await shop.take(with: pointOfSale).2 else { return [] }
            let faults = shop.emulator.host.faults
            faults.add(.loseAnswer, times: 1) { $0.path.hasSuffix("/refund") }
            faults.add(status.map { .answer(HTTPResponse(status: $0)) } ?? .unreachable) {
                $0.path.hasSuffix("/refund")
            }
            let money = try Money(minorUnits: 400, currency: .gbp)
            let first = try await pointOfSale.refund(receipt, amount: money, id: "a")
            faults.clear()
            do throws(PaymentRefusal) {
                let again = try await pointOfSale.refund(receipt, amount: money, id: "b")
                return [Resolution.followUp(first).name, Resolution.followUp(again).name]
            } catch {
                return [Resolution.followUp(first).name, "refused \(error.code)"]
            }
        }
        #expect(names == ["unresolved", "refused open"])
        #expect(shop.world.ledger.entries(.refund).count == 1)
    }

    @Test func `R-293 the lost answer to a refund is repeated under its key`() throws {
        let shop = RevolutShop()
        let name = try shop.run { () async throws -> String in
            let pointOfSale = try await shop.open()
            guard let receipt = try await shop.take(with: pointOfSale).2 else { return "not paid" }
            shop.emulator.host.faults.add(.loseAnswer, times: 1) { $0.path.hasSuffix("/refund") }
            let money = try Money(minorUnits: 400, currency: .gbp)
            return Resolution.followUp(
                try await pointOfSale.refund(receipt, amount: money, id: "a")
            ).name
        }
        #expect(name == "done")
        #expect(shop.world.ledger.entries(.refund).count == 1)
    }
}
