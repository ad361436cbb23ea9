import AcquirerSimulation
import PaymentCore
import PaymentTransport
import RevolutPayments
import RevolutSimulation
import Simulation
import Testing

/// What the adapter makes of a kit's callbacks, whatever kit it is.
@Suite struct RevolutDriverTests {
    @Test(arguments: [
        (RevolutChargeReport.paid, "approved"), (.failed, "unresolved"),
        (RevolutChargeReport(receipt: nil, failure: nil), "approved"),
    ])
    func `R-011 a charge report says paid or not, and carries a receipt if there is one`(
        report: RevolutChargeReport,
        told: String
    ) throws {
        let shop = ScriptedShop(hasBooks: false) { _, _, tell, end in
            tell(report)
            end()
        }
        let sale = try shop.sale()
        #expect(sale.name == told)
        if case .approved(let receipt)? = sale.outcome { #expect(receipt.url == report.receipt) }
    }

    @Test(arguments: ["internalError", "networkError", "cardExpiredError"])
    func `R-014 more errors may come, R-015 and one not known is unclassified like the first`(
        failure: String
    ) throws {
        let shop = ScriptedShop(hasBooks: false) { _, context, tell, end in
            tell(RevolutChargeReport(receipt: nil, failure: failure))
            end()
        }
        guard case .unresolved(let payment)? = try shop.sale().outcome,
            case .noAnswer(let error) = payment.reason
        else {
            Issue.record("a failure proves nothing")
            return
        }
        #expect(error.code == .unclassified && error.vendorCode == failure)
    }

    @Test func `R-018 a receipt is one address, R-351 which is kept and never a reference`() throws
    {
        let shop = ScriptedShop(hasBooks: false) { _, _, tell, end in
            tell(.paid)
            end()
        }
        guard case .approved(let receipt)? = try shop.sale().outcome else {
            Issue.record("not approved")
            return
        }
        #expect(receipt.url == RevolutChargeReport.paid.receipt)
        #expect(!receipt.references.contains { $0.value.contains("receipts.example") })
    }

    @Test func `R-019 the kit alone gives no order's identifier, R-173 nor tap or code`() throws {
        let shop = ScriptedShop(hasBooks: false) { _, _, tell, end in
            tell(.paid)
            end()
        }
        guard case .approved(let receipt)? = try shop.sale().outcome else {
            Issue.record("not approved")
            return
        }
        #expect(!receipt.references.contains { $0.kind == "order" })
        #expect(receipt.method == .unknown)
        #expect(receipt.approved == .reported(try Money(minorUnits: 1_000, currency: .gbp)))
    }

    @Test func `R-278 without an order's identifier nothing can be refunded`() throws {
        let shop = ScriptedShop(hasBooks: false) { _, _, tell, end in
            tell(.paid)
            end()
        }
        let refused = try shop.shop.run { () async throws -> String in
            let pointOfSale = try await shop.open()
            guard case .approved(let receipt) = try await pointOfSale.take(RevolutShop.request())
            else { return "not paid" }
            do {
                let money = try Money(minorUnits: 100, currency: .gbp)
                _ = try await pointOfSale.refund(receipt, amount: money, id: "r")
                return "refunded"
            } catch {
                return (error as? PaymentRefusal)?.code ?? "\(error)"
            }
        }
        #expect(refused == "missingCapability")
    }

    @Test(arguments: [true, false])
    func `R-105 a sign-out is taken on the main actor and off it`(isMain: Bool) async throws {
        let time = SimulatedTime()
        let emulator = RevolutEmulator(world: SimulatedWorld(time: time))
        let context = Shared<RevolutDriverContext?>(nil)
        let provider = try #require(
            try Self.provider(emulator, time) { made in
                context.value = made
                return ScriptedKit(made) { _, _, _, _ in }
            }
        )
        let told = try #require(context.value)
        #expect(!provider.readiness().isSignedOut)
        if isMain { await MainActor.run { told.onLogout() } } else { told.onLogout() }
        #expect(provider.readiness().isSignedOut)
    }

    private static func provider(
        _ emulator: RevolutEmulator,
        _ time: SimulatedTime,
        _ driver: @escaping @Sendable (RevolutDriverContext) -> any RevolutDriver
    ) throws -> RevolutProvider? {
        let made = Shared<RevolutProvider?>(nil)
        let factory = ProviderFactory(name: "revolut") { section, environment in
            RevolutConfiguration(section).map { configuration in
                let provider = RevolutProvider(
                    configuration: configuration,
                    tokenProvider: SimulatedTokenProvider(emulator),
                    backOffice: nil,
                    environment: environment,
                    driver: driver
                )
                made.value = provider
                return Acquirer(
                    account: configuration.account,
                    provider: provider,
                    backOffice: nil
                )
            }
        }
        _ = try time.run { () async -> Bool in
            (try? await PointOfSale.open(
                PointOfSaleConfiguration(
                    text: """
                        { "provider": "revolut", "providers": { "revolut": {
                            "environment": "simulated", "clientID": "demo" } } }
                        """
                ),
                providers: [factory],
                journal: MemoryAttemptJournal(),
                environment: time.environment
            )) != nil
        }
        return made.value
    }

    @Test func `R-026 the kit lives until the end of every flow, R-109 also when it signs out`()
        throws
    {
        let released = Shared<[String]>([])
        let shop = RevolutShop()
        let emulator = shop.emulator
        let told = try shop.run { () async throws -> String in
            let factory = ProviderFactory(name: "revolut") { section, environment in
                RevolutConfiguration(section).map { configuration in
                    .revolut(
                        configuration,
                        origin: RevolutEmulator.origin,
                        apiKey: nil,
                        transport: emulator.host,
                        tokenProvider: SimulatedTokenProvider(emulator),
                        environment: environment
                    ) { LeavingKit($0, shop.world.time, released) }
                }
            }
            var pointOfSale: PointOfSale? = try await shop.open([factory])
            let sale = Task(executorPreference: shop.world.time.executor) { [pointOfSale] in
                try await pointOfSale?.take(try RevolutShop.request()).name ?? "gone"
            }
            try await shop.world.environment.clock.sleep(for: .seconds(1))
            pointOfSale = nil
            return try await sale.value
        }
        #expect(told == "approved")
        #expect(Array(released.value.prefix(2)) == ["signed out", "ended"])
    }

    // MARK: The two callbacks

    @Test func `R-125 the outcome is told at the end, R-126 and nothing of it before`() throws {
        let events = Shared<[String]>([])
        let later = Shared<@Sendable () -> Void>({})
        let scripted = ScriptedShop(hasBooks: false) { _, _, tell, end in
            tell(.paid)
            later.value = end
        }
        let (name, before) = try scripted.shop.run { () async throws -> (String, Int) in
            let pointOfSale = try await scripted.open()
            let sale = Task(executorPreference: scripted.shop.world.time.executor) {
                try await pointOfSale.take(try RevolutShop.request()) { event in
                    events.value.append(event.messageKey.description)
                }.name
            }
            try await scripted.shop.world.environment.clock.sleep(for: .seconds(30))
            let before = events.value.count { $0.hasPrefix("outcome.") }
            later.value()
            return (try await sale.value, before)
        }
        #expect(before == 0 && name == "approved")
        #expect(events.value.last == "outcome.approved")
    }

    @Test(arguments: [
        ("late", ["report", "end", "report"]), ("twice", ["report", "report", "end"]),
        ("failed, then paid", ["failure", "report", "end"]),
    ])
    func `R-122 a report after the end and R-134 a second one make the end uncertain`(
        name: String,
        calls: [String]
    ) throws {
        let shop = ScriptedShop(hasBooks: false) { _, _, tell, end in
            for call in calls {
                switch call {
                case "report": tell(.paid)
                case "failure": tell(.failed)
                default: end()
                }
            }
        }
        let sale = try shop.sale()
        // What came after the end was too late to change what was told; it is told once.
        #expect(sale.name == (name == "late" ? "approved" : "unresolved"))
    }

    @Test func `R-123 a second end is ignored`() throws {
        let shop = ScriptedShop(hasBooks: false) { _, _, tell, end in
            tell(.paid)
            end()
            end()
        }
        #expect(try shop.sale().name == "approved")
    }

    // MARK: Before the kit

    @Test(arguments: [
        ("zero", "invalidRequest"), ("long", "invalidRequest"), ("name", "invalidRequest"),
        ("control", "invalidRequest"), ("refund", "missingCapability"),
        ("hold", "missingCapability"),
        ("euros", "missingCapability"), ("much", "invalidRequest"),
    ])
    func `R-129 what a flow needs is checked before the kit is called`(
        what: String,
        code: String
    ) throws {
        let shop = ScriptedShop(more: #", "currencies": ["GBP"], "largest": 5000"#) {
            _,
            _,
            _,
            end in
            end()
        }
        let thousand = try Money(minorUnits: 1_000, currency: .gbp)
        var request = PaymentRequest.sale(thousand, for: "o1")
        switch what {
        case "zero": request.amount = .zero(.gbp)
        case "long": request.description = String(repeating: "d", count: 201)
        case "name": request.merchantName = String(repeating: "n", count: 101)
        case "control": request.description = "a\u{7}"
        case "refund": request.kind = .refundToCard
        case "hold": request.kind = .authorization
        case "euros": request.amount = try Money(minorUnits: 1_000, currency: .eur)
        default: request.amount = try Money(minorUnits: 5_001, currency: .gbp)
        }
        #expect(try shop.sale(request).name == code)
        #expect(shop.calls.isEmpty)
    }

    @Test
    func `R-380 nothing is built in of currencies and amounts, R-163 and only less is configured`()
        throws
    {
        let free = ScriptedShop(hasBooks: false) { _, _, tell, end in
            tell(.paid)
            end()
        }
        for (currency, amount) in [(Currency.jpy, Int64.max), (.kwd, 1), (.pln, 12)] {
            let request = PaymentRequest.sale(
                try Money(minorUnits: amount, currency: currency),
                for: Order(stringLiteral: currency.code)
            )
            #expect(try free.sale(request).name == "approved")
        }
        for more in [
            #", "smallest": 0"#, #", "largest": 0"#, #", "currencies": ["XXX"]"#,
            #", "currencies": ["gbp"]"#, #", "kinds": ["authorization"]"#,
        ] {
            let shop = ScriptedShop(more: more) { _, _, _, end in end() }
            #expect(throws: PointOfSaleError.self, "\(more)") {
                try shop.shop.run { _ = try await shop.open() }
            }
        }
    }

    @Test func `R-162 an amount beyond 64 bits is none, R-007 and counts minor units`() throws {
        #expect(throws: AmountTextError.self) {
            try Money.parse("92233720368547758.08", currency: .gbp)
        }
        let shop = ScriptedShop(hasBooks: false) { _, _, tell, end in
            tell(.paid)
            end()
        }
        let most = try Money(minorUnits: .max, currency: .gbp)
        #expect(try shop.sale(.sale(most, for: "o1")).name == "approved")
        #expect(shop.calls.map(\.amount) == [UInt(Int64.max)])
    }

    @Test(arguments: [Currency.gbp, .jpy, .kwd, .isk, .bhd])
    func `R-008 the currency is an ISO code, R-381 and its own digits are counted`(
        currency: Currency
    ) throws {
        let shop = ScriptedShop(hasBooks: false) { _, _, tell, end in
            tell(.paid)
            end()
        }
        let text = currency.minorUnitDigits == 0 ? "5" : "5.5"
        let money = try Money.parse(text, currency: currency)
        _ = try shop.sale(.sale(money, for: "o1"))
        let call = try #require(shop.calls.first)
        #expect(call.currency == currency.code && call.currency.count == 3)
        let digits = [0: UInt(5), 2: 550, 3: 5_500][currency.minorUnitDigits]
        #expect(call.amount == digits)
    }

    @Test(arguments: [nil, "Table 4", String(repeating: "é", count: 200)] as [String?])
    func `R-009 the description may be absent, R-355 and ends with a mark of at most 40 letters`(
        text: String?
    ) throws {
        let shop = ScriptedShop(hasBooks: false) { _, _, tell, end in
            tell(.paid)
            end()
        }
        var request = try RevolutShop.request()
        request.description = text
        request.merchantName = "Corner Shop"
        _ = try shop.sale(request)
        let call = try #require(shop.calls.first)
        let mark = try #require(call.description.split(separator: " ").last)
        #expect(mark.utf8.count <= 40 && mark.utf8.allSatisfy { $0 < 0x80 })
        #expect(call.description == [text, String(mark)].compactMap(\.self).joined(separator: " "))
        // R-010
        #expect(call.merchantName == "Corner Shop")
    }

    @Test func `R-010 the merchant's name is the configured one unless the payment has one`() throws
    {
        let shop = ScriptedShop(hasBooks: false, more: #", "merchantName": "Shop""#) {
            _,
            _,
            tell,
            end in
            tell(.paid)
            end()
        }
        _ = try shop.sale()
        #expect(shop.calls.map(\.merchantName) == ["Shop"])
    }

    // MARK: What the books say

    @Test func `R-354 what the kit reports is provisional, and the order is the truth`() throws {
        let shop = RevolutShop()
        guard case .approved(let receipt)? = try Self.outcome(of: shop) else {
            Issue.record("not approved")
            return
        }
        #expect(receipt.approved == .confirmed(try Money(minorUnits: 1_000, currency: .gbp)))
        #expect(receipt.method == .tap)
    }

    private static func outcome(of shop: RevolutShop) throws -> PaymentOutcome? {
        try shop.run { try await shop.open().take(try RevolutShop.request()) }
    }

    @Test(arguments: [true, false])
    func `R-111 after a sign-out amid a charge the money may have moved, R-110 or not`(
        isBooked: Bool
    ) throws {
        let emulator = Shared<RevolutEmulator?>(nil)
        let executor = Shared<(any TaskExecutor)?>(nil)
        let scripted = ScriptedShop { payment, context, tell, end in
            Task(executorPreference: executor.value) {
                // The kit was handed a token, so nothing is proven by its failure.
                _ = try? await context.tokens.token()
                if isBooked, let emulator = emulator.value {
                    await Self.book(payment, at: emulator)
                }
                context.onLogout()
                tell(.failed)
                end()
            }
        }
        emulator.value = scripted.shop.emulator
        executor.value = scripted.shop.world.time.executor
        let sale = try scripted.sale()
        #expect(sale.name == (isBooked ? "approved" : "unresolved"))
        #expect(scripted.shop.charged == (isBooked ? 1_000 : 0))
    }

    /// Makes the order of a payment and has it paid, as a kit would.
    private static func book(_ payment: RevolutPayment, at emulator: RevolutEmulator) async {
        var request = HTTPRequest(.post, RevolutEmulator.origin, "/api/orders")
        request.headers["Authorization"] = "Bearer " + RevolutEmulator.apiKey
        request.headers["Revolut-Api-Version"] = "2026-04-20"
        let body = JSONTree.object([
            "amount": .number(Int64(payment.amount)), "currency": .text(payment.currency),
            "description": .text(payment.description),
        ])
        request.body = body.data
        guard let answer = try? await emulator.host.send(request),
            let id = JSONTree.members(of: answer.body)?["id"]?.text
        else { return }
        emulator.payByCode(id)
    }
}

/// A kit that signs out in mid-flow, and ends ten seconds later; it tells when it is released.
private final class LeavingKit: RevolutDriver {
    private let context: RevolutDriverContext
    private let time: SimulatedTime
    private let told: Shared<[String]>

    init(_ context: RevolutDriverContext, _ time: SimulatedTime, _ told: Shared<[String]>) {
        self.context = context
        self.time = time
        self.told = told
    }

    deinit { told.value.append("released") }

    var isSupported: Bool { true }

    func performPayment(
        _ payment: RevolutPayment,
        onDidCharge: @escaping @Sendable (RevolutChargeReport) -> Void,
        completion: @escaping @Sendable () -> Void
    ) {
        let (context, told) = (context, told)
        time.clock.schedule(after: .seconds(2)) {
            context.onLogout()
            told.value.append("signed out")
        }
        time.clock.schedule(after: .seconds(10)) {
            told.value.append("ended")
            onDidCharge(.paid)
            completion()
        }
    }

    func performPayments(
        _ series: RevolutSeries,
        onDidCharge: @escaping @Sendable (RevolutChargeReport) -> Void,
        completion: @escaping @Sendable () -> Void
    ) {}

    func performFirstTimeSetup(
        _ setUp: RevolutFirstTimeSetup,
        completion: @escaping @Sendable (RevolutChargeReport) -> Void
    ) {}
}
