import AcquirerSimulation
import FinixSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import Simulation
import Testing

@Suite struct FinixEmulatorMoneyTests {
    private let client = FinixRESTClient()

    @Test(arguments: FinixTriggerAmount.all)
    func `F-221 an emulator that plays live Finix has no special amounts`(
        amount: FinixTriggerAmount
    ) throws {
        let shop = FinixShop()
        shop.emulator.modes.ignoresTriggerAmounts = true
        guard case .approved = try shop.sale(amount.minorUnits).outcome else {
            Issue.record("\(amount) was not approved")
            return
        }
        #expect(shop.charged == amount.minorUnits)
    }

    @Test(arguments: FinixTriggerAmount.all)
    func `F-237 a sandbox amount has its effect on a tapped sale, and the ledger agrees`(
        amount: FinixTriggerAmount
    ) throws {
        let shop = FinixShop()
        let told = try shop.sale(amount.minorUnits)
        switch (amount.effect, told.outcome) {
        case (.approved, .approved): #expect(shop.charged == amount.minorUnits)
        case (.cancelled, .cancelled): #expect(shop.charged == 0)
        case (.declined(let code), .declined(let decline)),
            (.flagged(let code), .declined(let decline)):
            #expect(decline.code == code)
            #expect(shop.charged == 0)
        default: Issue.record("\(amount) told as \(told.name)")
        }
    }

    @Test func `F-237 each amount stands in the table once, and only sales heed those in person`()
        throws
    {
        let amounts = FinixTriggerAmount.all.map(\.minorUnits)
        #expect(Set(amounts).count == amounts.count)
        #expect(
            try client.send(.post, "/authorizations", FinixRESTClient.payment(51))?.status == 201
        )
        #expect(try client.send(.post, "/transfers", FinixRESTClient.payment(51))?.status == 402)
        let declined = try client.send(.post, "/authorizations", FinixRESTClient.payment(102))
        #expect(declined?.status == 402 && declined?.error["code"]?.text == "DECLINED")
        let id = declined?.error["authorization"]?.text ?? "none"
        #expect(try client.send(.get, "/authorizations/\(id)")?.state == "FAILED")
    }

    @Test func `F-219 a card that was flagged keeps failing, another does not`() throws {
        let amounts: [(Int64, String)] = [
            (889_986, "visa-credit"), (700, "visa-credit"), (700, "damaged"),
        ]
        let codes = try amounts.map { amount, card in
            let body = FinixRESTClient.payment(amount, card: card)
            return try client.send(.post, "/transfers", body)?.error["failure_code"]?.text ?? "-"
        }
        let flag = "ADDRESS_VERIFICATION_FAILED_RISK_RULES"
        #expect(codes == [flag, flag, "-"])
    }

    @Test(arguments: FinixTriggerAmount.all.filter { !$0.isInPersonOnly && $0.effect != .approved })
    func `F-186 F-220 a capture can be declined, and the hold remains`(
        amount: FinixTriggerAmount
    ) throws {
        let hold = try client.hold(900_000)
        let declined = try #require(try client.capture(hold, amount.minorUnits))
        #expect(declined.status == 402 && declined.error["code"]?.text == "PAYMENT_DECLINED")
        let failed = declined.error["transfer"]?.text ?? "none"
        let isCancelled = amount.effect == .cancelled
        let state = try client.send(.get, "/transfers/\(failed)")?.state
        #expect(state == (isCancelled ? "CANCELED" : "FAILED"))
        guard case .flagged = amount.effect else {
            #expect(try client.capture(hold, 700)?.status == 200)
            #expect(client.world.ledger.balance(.usd) == 700)
            return
        }
        #expect(try client.capture(hold, 700)?.status == 402)
    }

    @Test(arguments: [true, false])
    func `F-238 a transfer stays pending and is settled later, either way`(succeeds: Bool) throws {
        client.emulator.leavePending(until: .seconds(60), succeeds: succeeds)
        let id = try client.transfer()
        client.wait(.seconds(58))
        #expect(try client.send(.get, "/transfers/\(id)")?.state == "PENDING")
        #expect(client.world.ledger.entries.isEmpty)
        client.wait(.seconds(2))
        let settled = try client.send(.get, "/transfers/\(id)")
        #expect(settled?.state == (succeeds ? "SUCCEEDED" : "FAILED"))
        #expect(client.world.ledger.balance(.usd) == (succeeds ? 1_000 : 0))
    }

    @Test func `F-169 F-193 F-239 refunds never exceed the payment, and the rest is told`() throws {
        let id = try client.transfer(1_000)
        let statuses = try [600, 401, 0, -1, 400, 1].map { try client.refund(id, $0)?.status }
        #expect(statuses == [201, 422, 422, 422, 201, 422])
        let list = try client.send(.get, "/transfers/\(id)/reversals")
        #expect(list?.body["unreversed_amount"]?.number == 0)
        #expect(list?.rows().count == 2)
        #expect(client.world.ledger.balance(.usd) == 0)
    }

    @Test func `F-192 F-239 only money that was taken can be given back`() throws {
        let paid = try client.transfer()
        let reversal = try #require(try client.refund(paid, 500)).id
        let declined = try client.send(.post, "/transfers", FinixRESTClient.payment(102))
        let failed = declined?.error["transfer"]?.text ?? "none"
        client.emulator.leavePending(until: .seconds(600), succeeds: true)
        let pending = try client.transfer()
        let statuses = try [reversal, failed, pending, "TRnone"].map { id in
            try client.refund(id, 1)?.status
        }
        #expect(statuses == [422, 422, 422, 404])
    }

    @Test func `F-183 F-185 F-239 a hold is captured once, and never above itself`() throws {
        let hold = try client.hold(1_000)
        let statuses = try [0, 1_001, 600, 400].map { try client.capture(hold, $0)?.status }
        #expect(statuses == [422, 422, 200, 402])
        #expect(client.world.ledger.balance(.usd) == 600)
        let body = try client.send(.get, "/authorizations/\(hold)")?.body
        #expect(body?["amount"]?.number == 1_000 && body?["capture_amount"]?.number == 600)
    }

    @Test func `F-187 F-189 F-239 a void comes before a capture, or not at all`() throws {
        let (voided, captured) = (try client.hold(), try client.hold())
        #expect(try client.void(voided)?.status == 200)
        #expect(try client.void(voided)?.status == 422)
        #expect(try client.capture(voided, 700)?.status == 402)
        _ = try client.capture(captured, 700)
        #expect(try client.void(captured)?.status == 422)
        #expect(client.world.ledger.entries(.release).count == 1)
    }

    @Test(arguments: [(7 * 24 * 3_600 - 2, 200), (7 * 24 * 3_600, 402)])
    func `F-181 F-239 F-240 a hold lapses after seven days on the emulator's clock`(
        seconds: Int,
        status: Int
    ) throws {
        let hold = try client.hold()
        client.wait(.seconds(seconds))
        let answer = try #require(try client.capture(hold, 700))
        #expect(answer.status == status)
        let code = answer.error["failure_code"]?.text
        #expect(code == (status == 402 ? "AUTHORIZATION_EXPIRED_OR_ALREADY_CAPTURED" : nil))
    }

    @Test(arguments: [true, false])
    func `F-188 a void may be pending before it succeeds or fails`(succeeds: Bool) throws {
        client.emulator.modes.voidsSlowly = true
        let hold = try client.hold()
        let body = try client.void(hold)?.body
        #expect(body?["is_void"]?.flag == true && body?["void_state"]?.text == "PENDING")
        #expect(body?["state"]?.text == "SUCCEEDED")
        #expect(client.world.ledger.entries(.release).isEmpty)
        client.emulator.settleVoids(succeeds: succeeds)
        let settled = try client.send(.get, "/authorizations/\(hold)")?.body
        #expect(settled?["void_state"]?.text == (succeeds ? "SUCCEEDED" : "FAILED"))
        #expect(client.world.ledger.entries(.release).count == (succeeds ? 1 : 0))
    }

    @Test(arguments: [true, false])
    func `F-195 an accepted refund may fail later, and the app is told`(succeeds: Bool) throws {
        let shop = FinixShop()
        shop.emulator.leaveRefundPending(until: .seconds(3_600), succeeds: succeeds)
        let names = try shop.run { () async throws -> [String] in
            let pointOfSale = try await shop.open()
            try await pointOfSale.prepare()
            _ = try await shop.take(1_000, "o1", with: pointOfSale)
            let receipt = try #require(await pointOfSale.receipt(for: "o1"))
            let money = try Money(minorUnits: 1_000, currency: .usd)
            let told = try await pointOfSale.refund(receipt, amount: money, id: "r")
            try await shop.world.environment.clock.sleep(for: .seconds(3_601))
            return [told.name] + (await pointOfSale.resolve("o1")).map(\.name)
        }
        #expect(names.first == "pending")
        #expect(names.last == (succeeds ? "done" : "declined"))
        #expect(shop.charged == (succeeds ? 0 : 1_000))
    }

    @Test func `F-204 a repeat that an old Finix refuses is found by its id`() throws {
        let shop = FinixShop()
        shop.emulator.modes.refusesRepeats = true
        shop.emulator.host.faults.add(.loseAnswer, times: 1) { $0.path.hasSuffix("reversals") }
        let name = try shop.takeAndRefund()
        #expect(name == "done")
        #expect(shop.world.ledger.entries(.refund).map(\.minorUnits) == [400])
    }

    @Test func `F-143 a Device takes no payments for another merchant`() throws {
        let bench = FinixKitBench()
        bench.emulator.add(merchant: "MUother")
        bench.world.device.control.acceptTerms(merchant: "MUother")
        let kit = bench.kit(merchant: "MUother")
        let ends = try bench.run {
            [
                await KitCall.prepareReader.end(on: kit),
                await KitCall.startTransaction.end(on: kit),
            ]
        }
        #expect(ends == ["ok", "transactionFailed"])
        #expect(bench.world.ledger.entries.isEmpty)
    }
}
