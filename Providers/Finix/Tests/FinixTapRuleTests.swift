import AcquirerSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import Simulation
import Testing

@testable import FinixPayments
@testable import FinixSimulation

/// What is asked of the SDK for one tap, and what is sent for it.
@Suite struct FinixTapRuleTests {
    /// Everything that a shop's phone and back office sent.
    private func sent(
        _ body: @escaping @Sendable (FinixShop, PointOfSale) async throws -> Void
    ) throws -> (requests: [HTTPRequest], shop: FinixShop) {
        let shop = FinixShop()
        let requests = Shared<[HTTPRequest]>([])
        shop.emulator.host.faults.add(.loseRequest) { request in
            requests.value.append(request)
            return false
        }
        try shop.run {
            let pointOfSale = try await shop.open()
            try await pointOfSale.prepare()
            try await body(shop, pointOfSale)
        }
        return (requests.value, shop)
    }

    private func body(_ request: HTTPRequest) -> [String: JSONTree] {
        JSONTree.members(of: request.body) ?? [:]
    }

    @Test func `F-062 every amount goes through as the whole number that it is`() throws {
        var amounts: [Int64] = [1, 2, 7, 10, 99, 101, 115, 819, 1_999, 999_999_998, 999_999_999]
        amounts += (0..<20).map { 33_333_331 + $0 * 1_000_003 }
        let chosen = amounts
        let (requests, shop) = try sent { shop, pointOfSale in
            shop.emulator.modes.ignoresTriggerAmounts = true
            for (index, amount) in chosen.enumerated() {
                try await pointOfSale.prepare()
                _ = try await shop.take(amount, try Order(id: "o\(index)"), with: pointOfSale)
            }
        }
        let told = requests.filter { $0.method == .post }.map { body($0)["amount"]?.number }
        #expect(told == amounts)
        #expect(shop.world.ledger.entries(.charge).map(\.minorUnits) == amounts)
    }

    @Test(arguments: ["JPY", "KWD", "ISK", "BHD"])
    func `F-064 a currency without two decimals is refused, and nothing is sent`(
        code: String
    ) throws {
        let currency = try #require(Currency(code: code))
        let refused = Shared<[String]>([])
        let (requests, shop) = try sent { _, pointOfSale in
            for request in [
                PaymentRequest.sale(try Money(minorUnits: 1_000, currency: currency), for: "o1"),
                .authorization(try Money(minorUnits: 1_000, currency: currency), for: "o2"),
            ] {
                do throws(PaymentRefusal) {
                    _ = try await pointOfSale.take(request)
                } catch {
                    refused.value.append(error.code)
                }
            }
        }
        #expect(refused.value.count == 2)
        #expect(requests.allSatisfy { $0.method == .get })
        #expect(shop.world.ledger.entries.isEmpty)
    }

    @Test func `F-066 F-106 F-201 a tap is submitted once, by the kit, under a name of its own`()
        throws
    {
        let (requests, shop) = try sent { shop, pointOfSale in
            for order in ["o1", "o2"] {
                try await pointOfSale.prepare()
                _ = try await shop.take(1_250, try Order(id: order), with: pointOfSale)
            }
            let later = try await shop.open()
            try await later.prepare()
            _ = try await shop.take(1_250, "o3", with: later)
            let receipt = try #require(await later.receipt(for: "o3"))
            for id in ["a", "b"] {
                let part = try Money(minorUnits: 100, currency: .usd)
                _ = try await later.refund(receipt, amount: part, id: .init(id))
            }
        }
        let taps = requests.filter { $0.path == "/card_reader/transfers" }
        let created = requests.filter { $0.method == .post && !$0.path.hasPrefix("/card_reader") }
        #expect(taps.count == 3 && created.count == 2)
        #expect(created.allSatisfy { $0.path.hasSuffix("/reversals") })
        let ids = (taps + created).compactMap { body($0)["idempotency_id"]?.text }
        #expect(Set(ids).count == 5)
        #expect(ids.prefix(3).allSatisfy { $0.hasPrefix("TTP_") })
        #expect(shop.world.ledger.entries(.charge).count == 3)
    }

    @Test func `F-072 a surcharge that Finix leaves out is neither charged nor left to pay`()
        throws
    {
        let shop = FinixShop()
        shop.emulator.modes.leavesOutSurcharge = true
        let receipts = Shared<[Receipt]>([])
        try shop.run {
            let pointOfSale = try await shop.open()
            for (order, isLost) in [("o1", false), ("o2", true)] {
                try await pointOfSale.prepare()
                if isLost { shop.emulator.loseNextPayment(booked: true) }
                let price = try Money(minorUnits: 1_200, currency: .usd)
                var request = PaymentRequest.sale(price, for: try Order(id: order))
                request.surcharge = try Money(minorUnits: 30, currency: .usd)
                guard case .approved(let receipt) = try await pointOfSale.take(request) else {
                    continue
                }
                receipts.value.append(receipt)
            }
        }
        let price = try Money(minorUnits: 1_200, currency: .usd)
        #expect(receipts.value.map(\.approved) == [.confirmed(price), .confirmed(price)])
        #expect(receipts.value.allSatisfy { $0.surcharge == nil })
        #expect(receipts.value.allSatisfy { $0.asked.minorUnits == 1_230 })
        #expect(shop.charged == 2_400)
    }

    @Test(arguments: [("presentCard", "cancelled", 0), ("cardRead", "approved", 1_250)])
    func `F-076 cancelling the task asks the kit to cancel, and still tells what became of it`(
        moment: String,
        told: String,
        charged: Int64
    ) throws {
        let shop = FinixShop(card: moment == "presentCard" ? nil : "visa-credit")
        shop.emulator.delayPayments(by: .seconds(3))
        let task = Shared<Task<String, any Error>?>(nil)
        let name = try shop.run { () async throws -> String in
            let pointOfSale = try await shop.open()
            try await pointOfSale.prepare()
            let payment = Task(executorPreference: shop.world.time.executor) {
                try await shop.take(1_250, "o1", with: pointOfSale) { event, _ in
                    if event.word == moment { task.value?.cancel() }
                }.name
            }
            task.value = payment
            return try await payment.value
        }
        #expect(name == told)
        #expect(shop.charged == charged)
    }

    @Test(arguments: ["readerTokenExpired", "readerSessionExpired", "noReaderSession"])
    func `F-096 a session or token that ran out is cured by preparing and reading again`(
        error: String
    ) throws {
        let stage = FinixStage(card: "visa-credit")
        try stage.shop.run {
            let pointOfSale = try await stage.ready()
            stage.control.throwAtNext(.readStarted, .apple(error))
            try await stage.pay("o1", with: pointOfSale)
            try await pointOfSale.prepare()
            try await stage.pay("o1", with: pointOfSale)
        }
        #expect(stage.told == ["failed cardNotRead", "approved"])
        #expect(stage.ledger == ["charge 1250"])
    }

    @Test func `F-112 when readingCard is told the sheet may not be up yet`() throws {
        let bench = FinixKitBench()
        let kit = bench.kit()
        let phases = Shared<[ReaderState.Phase]>([])
        let stop = kit.observe { event in
            guard event == .readingCard else { return }
            phases.value.append(bench.world.device.control.state.phase)
        }
        _ = try bench.run {
            _ = await KitCall.prepareReader.end(on: kit)
            _ = await KitCall.startTransaction.end(on: kit)
        }
        stop()
        #expect(phases.value == [.ready])
    }

    @Test func `F-197 a hold is voided, and cannot be refunded`() throws {
        let told = Shared<[String]>([])
        let (requests, shop) = try sent { shop, pointOfSale in
            let amount = try Money(minorUnits: 1_000, currency: .usd)
            guard
                case .authorized(let hold) = try await pointOfSale.take(
                    .authorization(amount, for: "tab")
                )
            else { return }
            do throws(PaymentRefusal) {
                told.value.append(
                    try await pointOfSale.refund(hold.receipt, amount: amount, id: "r").name
                )
            } catch {
                told.value.append(error.code)
            }
            told.value.append(try await pointOfSale.void(hold, id: "v").name)
        }
        #expect(told.value == ["invalidRequest", "done"])
        #expect(!requests.contains { $0.path.hasSuffix("/reversals") })
        #expect(shop.world.ledger.entries.map(\.kind) == [.hold, .release])
    }

    @Test func `F-299 a transfer that Finix cancelled is a cancelled payment`() throws {
        let shop = FinixShop()
        #expect(try shop.sale(103).name == "cancelled")
        #expect(shop.charged == 0)
        #expect(try shop.sale(1_250).name == "approved")
    }

    @Test func `F-089 a decline has Finix's code, which the kit does not hand over`() throws {
        let shop = FinixShop(card: "declined-funds")
        guard case .declined(let decline) = try shop.sale().outcome else {
            Issue.record("not declined")
            return
        }
        #expect(decline.code == "INSUFFICIENT_FUNDS" && decline.category == .insufficientFunds)
        #expect(decline.references.first?.kind == "transfer")
    }

    @Test func `F-282 each way in which a payment ends has words of its own`() throws {
        var words: [String] = []
        let endings: [(card: String?, arrange: @Sendable (FinixStage) -> Void)] = [
            ("visa-credit", { _ in }),
            ("visa-credit", { $0.shop.world.issuer.approveInPart() }),
            ("declined-funds", { _ in }), ("damaged", { _ in }),
            ("visa-credit", { $0.emulator.loseNextPayment(booked: false) }),
        ]
        for (card, arrange) in endings {
            let stage = FinixStage(card: card)
            arrange(stage)
            let outcome = try stage.shop.run {
                try await stage.pay(amount: 1_251, with: try await stage.ready())
            }
            words.append(outcome?.messageKey.english ?? "")
        }
        let held = FinixStage(card: "visa-credit")
        let hold = try held.shop.run {
            try await held.pay("o1", .authorization, with: try await held.ready())
        }
        words += [hold?.messageKey.english ?? "", PaymentOutcome.cancelled.messageKey.english]
        #expect(Set(words).count == 7 && !words.contains(""), "\(words)")
    }

    @Test func `F-289 nobody is sent anything but Finix`() throws {
        let (requests, _) = try sent { shop, pointOfSale in
            _ = try await shop.take(1_250, "o1", with: pointOfSale)
            let receipt = try #require(await pointOfSale.receipt(for: "o1"))
            _ = try await pointOfSale.refund(receipt, amount: receipt.asked, id: "r")
        }
        #expect(requests.count > 4)
        #expect(requests.allSatisfy { $0.origin == FinixEmulator.origin })
    }

    // MARK: - Looking a payment up

    @Test func `F-102 F-103 a lost payment is found without tags and without a query for an id`()
        throws
    {
        let shop = FinixShop()
        shop.emulator.loseNextPayment(booked: true)
        let stripped = Shared(0)
        shop.emulator.host.faults.add(
            .changeAnswer { response in
                let text = String(decoding: response.body, as: UTF8.self)
                stripped.value += text.contains("tap_to_pay") ? 1 : 0
                var response = response
                response.body = Data(text.replacing("\"tags\"", with: "\"other\"").utf8)
                return response
            }
        ) { $0.path == "/transfers" }
        #expect(try shop.sale().name == "approved")
        #expect(stripped.value > 0)
    }

    @Test func `F-104 F-101 the search begins before the start and stays open for five minutes`()
        throws
    {
        let start = Shared<Date?>(nil)
        let (requests, _) = try sent { shop, pointOfSale in
            start.value = shop.world.time.wallTime
            shop.emulator.loseNextPayment(booked: true)
            _ = try await shop.take(1_250, "o1", with: pointOfSale)
        }
        let query = try #require(requests.first { $0.path == "/transfers" })
        let began = try #require(start.value)
        let from = try #require(query.value("created_at.gte").flatMap(WireDate.parse))
        let to = try #require(query.value("created_at.lte").flatMap(WireDate.parse))
        #expect(from.timeIntervalSince(began) < -5)
        #expect(to.timeIntervalSince(began) >= 300)
        #expect(query.value("merchant_id") == "MUdemo")
    }
}
