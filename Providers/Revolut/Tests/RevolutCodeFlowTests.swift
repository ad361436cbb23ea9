import AcquirerSimulation
import PaymentCore
import PaymentTransport
import RevolutPayments
import RevolutSimulation
import Simulation
import Testing

@Suite struct RevolutCodeFlowTests {
    /// Takes one sale where no kit can run; something is done once the code is shown.
    private func sale(
        _ whenShown: @escaping @Sendable (RevolutShop, String, PointOfSale) -> Void
    ) throws -> (told: String, charged: Int64, ledger: Int) {
        var shop = RevolutShop()
        shop.stage.hasKit = false
        let prepared = shop
        let told = try shop.run { () async throws -> String in
            let pointOfSale = try await prepared.open()
            let request = try RevolutShop.request()
            return try await pointOfSale.take(request) { event in
                guard case .showQRCode(let url, _) = event.kind else { return }
                whenShown(prepared, url.absoluteString, pointOfSale)
            }.name
        }
        return (told, shop.charged, shop.world.ledger.entries.count)
    }

    @Test func `R-396 a code that is paid is approved`() throws {
        let sale = try sale { shop, page, _ in
            shop.world.time.clock.schedule(after: .seconds(7)) {
                shop.emulator.payByCode(at: page)
            }
        }
        #expect(sale == ("approved", 1_000, 1))
    }

    @Test func `R-181 a code that nobody pays ends when the order does`() throws {
        #expect(try sale { _, _, _ in } == ("failed expired", 0, 0))
    }

    // FC-045
    @Test func `R-397 cancelling closes the order first`() throws {
        let sale = try sale { shop, _, pointOfSale in
            Task(executorPreference: shop.world.time.executor) {
                try? await shop.world.environment.clock.sleep(for: .seconds(3))
                _ = await pointOfSale.cancel("o1")
            }
        }
        #expect(sale == ("cancelled", 0, 0))
    }

    @Test func `R-397 a code that is closed after a decline is told as declined`() throws {
        let sale = try sale { shop, page, pointOfSale in
            shop.world.time.clock.schedule(after: .seconds(1)) {
                shop.emulator.refuseByCode(at: page)
            }
            Task(executorPreference: shop.world.time.executor) {
                try? await shop.world.environment.clock.sleep(for: .seconds(3))
                _ = await pointOfSale.cancel("o1")
            }
        }
        #expect(sale == ("declined issuerRefused", 0, 0))
    }

    @Test func `R-397 a payment that wins the race against the close is approved`() throws {
        for delay in stride(from: 2_900, to: 4_300, by: 20) {
            let sale = try sale { shop, page, pointOfSale in
                shop.world.time.clock.schedule(after: .milliseconds(delay)) {
                    shop.emulator.payByCode(at: page)
                }
                Task(executorPreference: shop.world.time.executor) {
                    try? await shop.world.environment.clock.sleep(for: .seconds(3))
                    _ = await pointOfSale.cancel("o1")
                }
            }
            #expect(["approved", "cancelled"].contains(sale.told))
            #expect(sale.charged == (sale.told == "approved" ? 1_000 : 0), "after \(delay) ms")
        }
    }

    @Test func `R-291 an order whose answer was lost is found by its reference, and closed`() throws
    {
        var shop = RevolutShop()
        shop.stage.hasKit = false
        shop.emulator.host.faults.add(.loseAnswer, times: 1) { request in
            request.method == .post && request.path == "/api/orders"
        }
        #expect(try shop.sale().name == "cancelled")
        #expect(shop.world.ledger.entries.isEmpty)
    }
}
