import AcquirerSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import RevolutPayments
import RevolutSimulation
import Simulation
import Testing

/// Rules of orders, codes, refunds and look-ups that no other suite is about.
@Suite struct RevolutRuleTests {
    private static func merchant(_ shop: RevolutShop) -> RevolutMerchant {
        RevolutMerchant(
            origin: RevolutEmulator.origin,
            apiKey: Secret(RevolutEmulator.apiKey),
            transport: shop.emulator.host,
            environment: shop.world.environment
        )
    }

    private static func order(
        _ shop: RevolutShop,
        expiresAfter: Duration? = nil
    ) throws -> RevolutOrder {
        try shop.run { () async throws -> RevolutOrder in
            var new = RevolutNewOrder(try Money(minorUnits: 500, currency: .gbp))
            new.expiresAfter = expiresAfter
            return try await merchant(shop).create(new)
        }
    }

    // MARK: Orders and their pages

    @Test func `R-174 a new order has a page, R-175 under its token, as in the published form`()
        throws
    {
        let shop = RevolutShop()
        let (one, two) = (try Self.order(shop), try Self.order(shop))
        let pages = [one, two].compactMap { $0.checkoutURL?.absoluteString }
        #expect(Set(pages).count == 2)
        for page in pages {
            #expect(
                page.wholeMatch(
                    of: /https:\/\/checkout\.revolut\.simulated\/payment-link\/[a-f0-9-]{36}/
                ) != nil
            )
        }
    }

    @Test
    func `R-178 a page is paid once, R-179 takes no further attempt, R-232 nor does its token`()
        throws
    {
        let shop = RevolutShop()
        let page = try #require(try Self.order(shop).checkoutURL?.absoluteString)
        #expect(shop.emulator.payByCode(at: page))
        #expect(!shop.emulator.payByCode(at: page))
        #expect(!shop.emulator.refuseByCode(at: page))
        #expect(shop.charged == 500)
    }

    @Test func `R-182 an expiry was reported to be late, so the order is read and no clock`() throws
    {
        var shop = RevolutShop()
        shop.stage.hasKit = false
        let till = shop
        let told = try till.run { () async throws -> String in
            let pointOfSale = try await till.open()
            return try await pointOfSale.take(try RevolutShop.request()) { event in
                guard case .showQRCode(_, let expiresAt?) = event.kind else { return }
                // Revolut has not got round to it two minutes after the time is over.
                till.emulator.host.faults.add(
                    .changeAnswer { Self.stillPending($0) }
                ) { request in
                    let late = till.world.time.wallTime < expiresAt + 120
                    return request.method == .get && request.path.hasPrefix("/api/orders/") && late
                }
            }.name
        }
        #expect(told == "failed expired")
        #expect(till.world.time.clock.now.offset >= .seconds(720))
    }

    private static func stillPending(_ answer: HTTPResponse) -> HTTPResponse {
        var answer = answer
        let text = String(decoding: answer.body, as: UTF8.self)
        answer.body = Data(text.replacing(#""failed""#, with: #""pending""#).utf8)
        return answer
    }

    @Test(arguments: [
        "pending", "processing", "authorised", "completed", "cancelled", "failed", "new",
    ])
    func `R-370 only an order that is closed or failed says no, R-183 and never a pending one`(
        state: String
    ) throws {
        let payments =
            [
                "pending", "authentication_challenge", "authentication_verified",
                "authorisation_started", "authorisation_passed", "authorised", "capture_started",
                "captured", "refund_validated", "refund_started", "cancellation_started",
                "declining",
                "completing", "cancelling", "failing", "completed", "declined", "soft_declined",
                "cancelled", "failed", "somethingNew",
            ].map { #"[{"id":"p","state":"\#($0)"}]"# } + ["[]"]
        for payment in payments {
            let record = try Self.record(state, payment)
            switch record.state {
            case .declined, .cancelled:
                #expect(["cancelled", "failed"].contains(state), "\(payment)")
            case .succeeded: #expect(state == "completed", "\(payment)")
            case .payable: #expect(state == "pending", "\(payment)")
            case .pending: #expect(["pending", "processing", "authorised"].contains(state))
            case .unknown: #expect(state == "new")
            }
        }
    }

    private static func record(_ state: String, _ payments: String) throws -> AcquirerRecord {
        let account = Account(provider: "revolut", merchant: "c", environment: .sandbox)
        let time = SimulatedTime()
        let books = RevolutBackOffice(
            account: account,
            origin: "https://revolut.example",
            apiKey: Secret("k"),
            apiVersion: "2026-04-20",
            transport: Fixed { _ in
                HTTPResponse(
                    status: 200,
                    body: Data(
                        """
                        { "id": "abc", "type": "payment", "state": "\(state)", "amount": 1250,
                          "currency": "EUR", "created_at": "2026-01-05T09:00:00Z",
                          "payments": \(payments) }
                        """.utf8
                    )
                )
            },
            environment: time.environment
        )
        let query = RecordQuery(
            account: account,
            references: [AcquirerReference(kind: "order", value: "abc")],
            created: time.wallTime...time.wallTime,
            kind: .sale
        )
        let records = try time.run { () async -> [AcquirerRecord] in
            (try? await books.records(query).records) ?? []
        }
        return try #require(records.first)
    }

    private struct Fixed: HTTPTransport {
        let answer: @Sendable (HTTPRequest) -> HTTPResponse

        init(_ answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse) { self.answer = answer }

        func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
            answer(request)
        }
    }

    // MARK: Versions

    @Test(arguments: ["2026-08-17", "2026-09-22", "2031-01-01"])
    func `R-203 the version is configuration, and a later one's answers are read`(
        version: String
    ) throws {
        let shop = RevolutShop()
        let sent = Shared<Set<String>>([])
        shop.emulator.host.faults.add(.unreachable) { request in
            sent.value.insert(request.headers["Revolut-Api-Version"] ?? "none")
            return false
        }
        let merchant = RevolutMerchant(
            origin: RevolutEmulator.origin,
            apiKey: Secret(RevolutEmulator.apiKey),
            apiVersion: version,
            transport: shop.emulator.host,
            environment: shop.world.environment
        )
        let money = try Money(minorUnits: 500, currency: .gbp)
        _ = try shop.run { try await merchant.create(RevolutNewOrder(money)) }
        #expect(sent.value == [version])
        let later = try RevolutOrder(
            json: """
                {"id":"a","type":"gift","state":"resting","amount":5,"currency":"EUR",
                 "created_at":"2031-01-05T09:00:00Z","capture_mode":"someday","new":{"x":[1]}}
                """
        )
        #expect(later.state.description == "resting" && later.type.description == "gift")
    }

    @Test(arguments: [
        ("latest", false), ("2026-4-20", false), ("2026-04-20 ", false), ("20260420", false),
        ("", false), ("２０２６-04-20", false), ("2026-04-20", true), ("2031-12-01", true),
    ])
    func `R-202 a version is a date, N-033 and a configuration that names none is refused`(
        version: String,
        isAccepted: Bool
    ) throws {
        let shop = ScriptedShop(more: #", "apiVersion": "\#(version)""#) { _, _, _, end in end() }
        let error = try shop.shop.run { () async -> PointOfSaleError? in
            do {
                _ = try await shop.open()
                return nil
            } catch {
                return error as? PointOfSaleError
            }
        }
        #expect((error == nil) == isAccepted)
    }

    @Test(arguments: [
        (HTTPRequest.Method.get, "/api/orders"), (.post, "/api/orders"), (.get, "/api/orders/x"),
        (.patch, "/api/orders/x"), (.post, "/api/orders/x/capture"),
        (.post, "/api/orders/x/refund"),
    ])
    func `R-204 without a version where it is required the answer is an error`(
        method: HTTPRequest.Method,
        path: String
    ) throws {
        let shop = RevolutShop()
        var request = HTTPRequest(method, RevolutEmulator.origin, path)
        request.headers["Authorization"] = "Bearer " + RevolutEmulator.apiKey
        let sent = request
        #expect(try shop.run { try await shop.emulator.host.send(sent) }.status == 400)
    }

    // MARK: Refunds and receipts

    @Test func `R-271 a refund is pending until it is final, however long that takes`() throws {
        let shop = RevolutShop()
        let names = try shop.run { () async throws -> [String] in
            let pointOfSale = try await shop.open()
            guard let receipt = try await shop.take(with: pointOfSale).2 else { return [] }
            // Two days without an end.
            shop.emulator.host.faults.add(
                .changeAnswer { answer in
                    var answer = answer
                    let text = String(decoding: answer.body, as: UTF8.self)
                    answer.body = Data(text.replacing("completed", with: "processing").utf8)
                    return answer
                }
            ) { $0.path.hasPrefix("/api/orders/") && $0.method == .get }
            let money = try Money(minorUnits: 400, currency: .gbp)
            let refund = try await pointOfSale.refund(receipt, amount: money, id: "a")
            var names = [Resolution.followUp(refund).name]
            for _ in 0..<4 {
                try await shop.world.environment.clock.sleep(for: .seconds(43_200))
                names += await pointOfSale.resolve("o1").map(\.name)
            }
            shop.emulator.host.faults.clear()
            return names + (await pointOfSale.resolve("o1").map(\.name))
        }
        #expect(names == Array(repeating: "pending", count: 5) + ["done"])
    }

    @Test(arguments: [true, false])
    func `R-350 a receipt comes with the report, and a set-up's with its end, R-352 or not at all`(
        gives: Bool
    ) throws {
        var shop = RevolutShop()
        shop.stage.script.givesReceipts = gives
        let till = shop
        let sale = try till.sale()
        #expect(sale.name == "approved")
        #expect((sale.receipt?.url != nil) == gives)
        guard gives else { return }
        let url = try till.run { () async throws -> URL? in
            let result = try await till.open().setUp(
                SetUpOptions(mayAcceptTerms: true, testPayment: try RevolutShop.request(1, "s"))
            )
            guard case .approved(let receipt)? = result.testPayment else { return nil }
            return receipt.url
        }
        #expect(url != nil)
    }

    // MARK: Looking up

    /// A till whose books are never whole; each sale, and when the books were read, by the second.
    private static func reads(
        sales: [Duration],
        until end: Duration
    ) throws -> [Duration] {
        let shop = ScriptedShop { _, _, tell, end in
            tell(.failed)
            end()
        }
        let till = shop.shop
        let reads = Shared<[Duration]>([])
        // A list that cannot be read whole proves nothing.
        let unread = HTTPResponse(status: 200, body: Data(#"{"orders":[{}]}"#.utf8))
        till.emulator.host.faults.add(.answer(unread)) { request in
            guard request.path == "/api/orders" else { return false }
            let second = Duration.seconds(till.world.time.clock.now.offset.components.seconds)
            if reads.value.last != second { reads.value.append(second) }
            return true
        }
        try till.run { () async throws in
            let pointOfSale = try await shop.open()
            let clock = till.world.time.clock
            let running = Task(executorPreference: till.world.time.executor) {
                await pointOfSale.run()
            }
            for (index, time) in sales.enumerated() {
                try await clock.sleep(for: time - clock.now.offset)
                let order: Order = index == 0 ? "o1" : "o2"
                _ = try await pointOfSale.take(try RevolutShop.request(1_000, order))
            }
            try await clock.sleep(for: end - clock.now.offset)
            running.cancel()
        }
        return reads.value
    }

    @Test func `R-360 by our rule an open payment is read at 2, 5, 15, 60 and 300 s, then hourly`()
        throws
    {
        let reads = try Self.reads(sales: [.zero], until: .seconds(6 * 3_600))
        for (after, mark) in zip([0, 2, 5, 20, 60], [2, 5, 15, 60, 300]) {
            let span = Duration.seconds(after)...Duration.seconds(mark)
            #expect(reads.contains { span.contains($0) && $0 != span.lowerBound }, "\(mark)")
        }
        let gaps = zip(reads.dropFirst(), reads).map { $0 - $1 }
        #expect(gaps.allSatisfy { $0 <= .seconds(3_660) })
        #expect((gaps.last ?? .zero) > .seconds(1_800))
    }

    @Test func `R-360 one that has long been open delays no other`() throws {
        // The first is read hourly by then, and was read a few minutes ago.
        let second = Duration.seconds(12_000)
        let reads = try Self.reads(sales: [.zero, second], until: second + .seconds(400))
        #expect(!reads.contains { $0 > second - .seconds(600) && $0 < second })
        for (after, mark) in [(20, 60), (60, 300)] {
            let span = (second + .seconds(after))...(second + .seconds(mark))
            #expect(reads.contains { span.contains($0) && $0 != span.lowerBound }, "\(mark)")
        }
    }

    @Test func `R-361 yes never becomes no, and a refund is a new fact`() throws {
        // The kit says paid, and the books never hold it.
        let shop = ScriptedShop { _, _, tell, end in
            tell(.paid)
            end()
        }
        let told = try shop.shop.run { () async throws -> [String] in
            let pointOfSale = try await shop.open()
            let outcome = try await pointOfSale.take(try RevolutShop.request())
            for _ in 0..<4 {
                try await shop.shop.world.environment.clock.sleep(for: .seconds(900))
                _ = await pointOfSale.resolve("o1")
            }
            let after = await pointOfSale.receipt(for: "o1") == nil ? "no" : "yes"
            return [outcome.name, after]
        }
        #expect(told == ["approved", "yes"])
        let paid = RevolutShop()
        let refunded = try paid.run { () async throws -> [Bool] in
            let pointOfSale = try await paid.open()
            guard let receipt = try await paid.take(with: pointOfSale).2 else { return [] }
            _ = try await pointOfSale.refund(receipt, amount: receipt.asked, id: "all")
            return [await pointOfSale.receipt(for: "o1") == receipt]
        }
        #expect(refunded == [true])
    }

    @Test func `R-312 an empty journal is told of every sale in the books`() throws {
        let shop = RevolutShop()
        #expect(try shop.sale().name == "approved")
        var later = RevolutShop(world: shop.world, emulator: shop.emulator)
        later.journal = MemoryAttemptJournal()
        let lost = later
        let told = try lost.run { () async throws -> [String] in
            let other = try Money(minorUnits: 77, currency: .gbp)
            _ = try await Self.merchant(lost).create(RevolutNewOrder(other))
            let since = lost.world.time.wallTime - 600
            let adoption = try await lost.open().adopt(since: since)
            return adoption.strangers.map { "\($0.amount)" } + ["\(adoption.isComplete)"]
        }
        #expect(told == ["0.77 GBP", "10.00 GBP", "true"])
    }

    // MARK: The device and the emulator

    @Test func `R-393 without the reader's terms no tap is taken, and a code is shown`() throws {
        let shop = RevolutShop()
        shop.world.device.control.nextTerms([.closes, .closes])
        let emulator = shop.emulator
        shop.stage.screen.observe { content in
            if case .code(_, let order) = content { emulator.payByCode(order) }
        }
        let sale = try shop.sale()
        #expect(sale.name == "approved" && sale.receipt?.method == .qr)
    }

    @Test func `R-340 by our rule the emulator's time is the world's, and its state its own`()
        throws
    {
        let shop = RevolutShop()
        let order = try Self.order(shop, expiresAfter: .seconds(60))
        shop.world.time.advance(by: .seconds(59))
        let before = try shop.run { try await Self.merchant(shop).order(order.id).state }
        shop.world.time.advance(by: .seconds(2))
        let after = try shop.run { try await Self.merchant(shop).order(order.id).state }
        #expect([before, after] == [.pending, .failed])
        let other = RevolutShop(world: shop.world, emulator: RevolutEmulator(world: shop.world))
        #expect(try other.run { try await Self.merchant(other).orders().orders }.isEmpty)
    }
}
