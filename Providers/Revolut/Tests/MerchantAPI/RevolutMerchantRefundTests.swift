import AcquirerSimulation
import PaymentCore
import PaymentTransport
import RevolutPayments
import RevolutSimulation
import Simulation
import Testing

@Suite struct RevolutMerchantRefundTests {
    private static func money(_ minorUnits: Int64, _ currency: Currency = .gbp) throws -> Money {
        try Money(minorUnits: minorUnits, currency: currency)
    }

    private static func paid(_ office: RevolutOffice) throws -> RevolutOrder {
        let amount = try money(1_250)
        let order = try office.run { try await office.merchant.create(RevolutNewOrder(amount)) }
        #expect(office.emulator.payByCode(order.id))
        return try office.run { try await office.merchant.order(order.id) }
    }

    private static func refused(
        _ office: RevolutOffice,
        _ order: RevolutOrder,
        _ amount: Money,
        key: String = "k",
        version: String = "2026-04-20"
    ) throws -> WireError? {
        try office.refusal { () async throws(WireError) in
            try await office.merchant(version: version).refund(order.id, amount, key: key)
        }
    }

    @Test func `R-270 a refund is a new order, and R-277 by our rule done once it is completed`()
        throws
    {
        let office = RevolutOffice()
        let order = try Self.paid(office)
        let amount = try Self.money(500)
        let refund = try office.run {
            try await office.merchant.refund(order.id, amount, key: "r-1")
        }
        #expect(refund.type == .refund && refund.related == order.id)
        #expect(refund.state == .processing && !refund.isGivenRefund)
        #expect(try office.run { try await office.merchant.order(order.id) }.refunded == nil)
        office.world.time.advance(by: .seconds(5))
        #expect(try office.run { try await office.merchant.order(refund.id) }.isGivenRefund)
        // reported for the sandbox.
        #expect(try office.run { try await office.merchant.order(order.id) }.refunded == amount)
        #expect(office.world.ledger.balance(.gbp) == 750)
    }

    @Test func `R-269 parts may be refunded until their sum is what was paid`() throws {
        let office = RevolutOffice()
        let order = try Self.paid(office)
        let half = try Self.money(625)
        for key in ["a", "b"] {
            _ = try office.run { try await office.merchant.refund(order.id, half, key: key) }
        }
        #expect(try Self.refused(office, order, try Self.money(1), key: "c")?.status == 422)
        #expect(office.world.ledger.balance(.gbp) == 0)
    }

    @Test func `R-268 a refund is in the order's currency, above zero, and R-269 of a paid order`()
        throws
    {
        let office = RevolutOffice()
        let order = try Self.paid(office)
        let amount = try Self.money(1)
        let open = try office.run { try await office.merchant.create(RevolutNewOrder(amount)) }
        #expect(try Self.refused(office, order, try Self.money(1, .eur))?.status == 422)
        #expect(try Self.refused(office, order, try Self.money(0))?.mayHaveActed == false)
        #expect(try Self.refused(office, order, amount, key: "")?.mayHaveActed == false)
        #expect(try Self.refused(office, open, amount)?.error.vendorCode == "order_invalid_state")
        #expect(office.world.ledger.entries(.refund).isEmpty)
    }

    @Test func `R-293 by our rule a repeat under the same key is the same refund`() throws {
        let office = RevolutOffice()
        let order = try Self.paid(office)
        let amount = try Self.money(500)
        office.emulator.host.faults.add(.loseAnswer, times: 1) { $0.path.hasSuffix("/refund") }
        let lost = try Self.refused(office, order, amount, key: "r-1")
        #expect(lost?.mayHaveActed == true)
        let again = try office.run {
            try await office.merchant.refund(order.id, amount, key: "r-1")
        }
        #expect(again.related == order.id)
        #expect(office.world.ledger.entries(.refund).count == 1)
    }

    @Test func `R-294 by our rule a key belongs to one refund`() throws {
        let office = RevolutOffice()
        let order = try Self.paid(office)
        #expect(try Self.refused(office, order, try Self.money(500), key: "r-1") == nil)
        let other = try Self.refused(office, order, try Self.money(501), key: "r-1")
        #expect(other?.status == 409 && other?.mayHaveActed == true)
        #expect(office.world.ledger.entries(.refund).count == 1)
    }

    @Test func `R-275 a declined card refund answers 400 and still makes an order to be found`()
        throws
    {
        let office = RevolutOffice()
        let shop = RevolutShop(world: office.world, emulator: office.emulator)
        #expect(try shop.sale().name == "approved")
        let order = try #require(try office.run { try await office.merchant.orders() }.orders.first)
        office.emulator.declineNextRefund("insufficient_funds")
        let error = try Self.refused(office, order, try Self.money(500), version: "2026-09-22")
        #expect(error?.status == 400 && error?.mayHaveActed == true)
        let refunds = try office.run { try await office.merchant.refunds(of: order) }
        #expect(refunds.isComplete && refunds.orders.count == 1)
        let refund = try #require(refunds.orders.first)
        #expect(refund.related == order.id && refund.state.isFinal && !refund.isGivenRefund)
        #expect(refund.decline?.code == "insufficient_funds")
        #expect(office.world.ledger.balance(.gbp) == 1_000)
    }

    @Test(
        arguments: [("2026-09-22", nil), ("2026-08-17", 400), ("2026-04-20", 400)]
            as [(String, Int?)]
    )
    func
        `R-273 a declined Revolut Pay refund is an answer from one version on, and R-274 not before`(
            version: String,
            status: Int?
        ) throws
    {
        let office = RevolutOffice()
        let order = try Self.paid(office)
        office.emulator.declineNextRefund("do_not_honour")
        let amount = try Self.money(500)
        let result = try office.run { () async -> Result<RevolutOrder, WireError> in
            do throws(WireError) {
                return .success(
                    try await office.merchant(version: version).refund(order.id, amount, key: "k")
                )
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let refund):
            #expect(status == nil && refund.decline?.category == .issuerRefused)
            #expect(!refund.isGivenRefund)
        case .failure(let error): #expect(error.status == status && error.mayHaveActed)
        }
        #expect(try office.run { try await office.merchant.refunds(of: order) }.orders.count == 1)
        #expect(office.world.ledger.entries(.refund).isEmpty)
    }

    @Test func `R-276 after a 400 the back office does not say that nothing was refunded`() throws {
        let office = RevolutOffice()
        let shop = RevolutShop(world: office.world, emulator: office.emulator)
        office.emulator.declineNextRefund()
        let names = try shop.run { () async throws -> [String] in
            let pointOfSale = try await shop.open()
            let sale = try await shop.take(with: pointOfSale)
            guard let receipt = sale.2 else { return [sale.0] }
            let outcome = try await pointOfSale.refund(
                receipt,
                amount: try Self.money(400),
                id: "f-1"
            )
            return [sale.0, Resolution.followUp(outcome).name]
        }
        #expect(names == ["approved", "unresolved"])
        #expect(office.world.ledger.entries(.refund).isEmpty)
    }
}
