import AcquirerSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import RevolutSimulation
import Simulation
import Testing

/// One way in which a flow of the kit's can end.
struct ExitPath: Sendable, CustomTestStringConvertible {
    let number: String
    let told: String
    let charged: Int64
    var card: String? = "visa-credit"
    var arrange: @Sendable (inout RevolutShop) -> Void = { _ in }

    var testDescription: String { "\(number) \(told)" }
}

@Suite struct RevolutExitPathTests {
    static let paths: [ExitPath] = [
        ExitPath(number: "X1 paid by tap", told: "approved", charged: 1_000),
        ExitPath(number: "X2 paid without a receipt", told: "approved", charged: 1_000) {
            $0.stage.script.givesReceipts = false
        },
        ExitPath(
            number: "X3 declined",
            told: "declined insufficientFunds",
            charged: 0,
            card: "declined-funds"
        ),
        ExitPath(number: "X4 declined, then paid", told: "approved", charged: 1_000, card: nil) {
            $0.stage.script.retriesDeclines = true
            $0.world.device.control.nextCards(
                ["declined-funds", "visa-credit"].compactMap { SimulatedCard.named($0) }
            )
        },
        ExitPath(number: "X5 cancelled, with a report", told: "cancelled", charged: 0, card: nil) {
            customerCancels(&$0)
        },
        ExitPath(number: "X6 cancelled, without one", told: "cancelled", charged: 0, card: nil) {
            $0.stage.script.cancelShape = .completionAlone
            customerCancels(&$0)
        },
        ExitPath(number: "X7 paid by code", told: "approved", charged: 1_000) { shop in
            tapImpossible(&shop) { shop, order in
                shop.world.time.clock.schedule(after: .seconds(5)) {
                    shop.emulator.payByCode(order)
                }
            }
        },
        ExitPath(number: "X8 code ran out", told: "cancelled", charged: 0) {
            $0.stage.script.codePatience = .seconds(30)
            tapImpossible(&$0) { _, _ in }
        },
        ExitPath(number: "X9 code closed by the merchant", told: "cancelled", charged: 0) { shop in
            tapImpossible(&shop) { shop, _ in
                shop.world.time.clock.schedule(after: .seconds(5)) { shop.stage.screen.close() }
            }
        },
        ExitPath(
            number: "X9 code closed after a decline",
            told: "declined issuerRefused",
            charged: 0
        ) { shop in
            tapImpossible(&shop) { shop, order in
                shop.world.time.clock.schedule(after: .seconds(3)) {
                    shop.emulator.refuseByCode(order)
                }
                shop.world.time.clock.schedule(after: .seconds(5)) { shop.stage.screen.close() }
            }
        },
        ExitPath(number: "X10 paid while it is closed", told: "approved", charged: 1_000) { shop in
            tapImpossible(&shop) { shop, order in
                shop.world.time.clock.schedule(after: .milliseconds(5_000)) {
                    shop.stage.screen.close()
                    shop.emulator.payByCode(order)
                }
            }
        },
        ExitPath(number: "X11 never given a token", told: "failed signedOut", charged: 0) {
            $0.stage.tokenFault = { .unauthorized }
        },
        ExitPath(number: "X13 lost before the charge", told: "cancelled", charged: 0) {
            $0.emulator.loseNextCharge(booked: false)
        },
        ExitPath(number: "X14 lost after the charge", told: "approved", charged: 1_000) {
            $0.emulator.loseNextCharge(booked: true)
        },
        ExitPath(number: "X17 currency not accepted", told: "unresolved", charged: 0) {
            $0.emulator.accept(currencies: ["EUR"])
        },
        ExitPath(
            number: "X28 a PIN that cannot be given",
            told: "declined otherInterface",
            charged: 0
        ) {
            $0.world.device.control.throwAtNext(.cardDetected, ReaderError(.pinNotAllowed))
        },
    ]

    @Test(arguments: paths)
    func `R-160 every exit path is told as the ledger has it`(path: ExitPath) throws {
        var shop = RevolutShop(card: path.card)
        path.arrange(&shop)
        let told = try shop.sale()
        #expect(told.name == path.told)
        #expect(shop.stage.installation.flows.flatMap(\.faults) == [])
        #expect(shop.charged == path.charged)
    }

    @Test(arguments: RevolutKitScript.LogoutOrder.allCases)
    func `R-114 a sign-out while charging ends the same in all three orders`(
        order: RevolutKitScript.LogoutOrder
    ) throws {
        var shop = RevolutShop()
        let issued = Shared(0)
        shop.stage.script.logoutOrder = order
        shop.stage.tokenFault = {
            issued.value += 1
            return issued.value > 1 ? .unauthorized : nil
        }
        shop.emulator.host.faults.add(.answer(HTTPResponse(status: 401))) {
            $0.path.hasSuffix("/tap")
        }
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

    @Test func `R-161 a zero amount never reaches the kit`() throws {
        let shop = RevolutShop()
        let refusal = try shop.run { () async throws -> String? in
            let pointOfSale = try await shop.open()
            do {
                _ = try await pointOfSale.take(try RevolutShop.request(0))
                return nil
            } catch {
                return (error as? PaymentRefusal)?.code
            }
        }
        #expect(refusal == "invalidRequest")
        #expect(!shop.world.time.trace.text.contains("revolut"))
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

/// The customer closes the sheet two seconds into the payment.
private func customerCancels(_ shop: inout RevolutShop) {
    let (world, screen) = (shop.world, shop.stage.screen)
    screen.observe { content in
        guard content == .sheet else { return }
        world.time.clock.schedule(after: .seconds(2)) { world.device.control.customerCancels() }
    }
}

/// No tap is possible, and something is done once the code is shown.
private func tapImpossible(
    _ shop: inout RevolutShop,
    whenShown: @escaping @Sendable (RevolutShop, String) -> Void
) {
    shop.world.device.control.setUnsupported(ReaderError(.deviceUnsupported))
    let arranged = shop
    shop.stage.screen.observe { content in
        if case .code(_, let order) = content { whenShown(arranged, order) }
    }
}
