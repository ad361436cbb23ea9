import AcquirerSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import RevolutPayments
import RevolutSimulation
import Simulation
import Testing

/// The simulated kit's surface is the vendor's, and so is what it tells.
@Suite struct RevolutSurfaceTests {
    private typealias Kit = RevolutTapToPayKit
    private typealias Charged = @Sendable (Kit.Receipt?, Result<Void, Kit.Error>) -> Void

    @Test func `R-001 a kit takes four arguments, R-020 its methods neither throw nor return`() {
        // What does not have the vendor's shape does not compile here.
        let make:
            (String, Kit.Environment, any TokenProviderProtocol, @escaping @Sendable () -> Void)
                -> Kit = Kit.init(clientId:environment:tokenProvider:onLogout:)
        let kit = make("demo", .production, NoTokens(), {})
        let pay:
            (UInt, String, String?, String?, @escaping Charged, @escaping @Sendable () -> Void)
                -> Void =
                kit.performPayment(
                    amount:
                    currency:
                    description:
                    merchantName:
                    onDidCharge:
                    completion:
                )
        let series: (String, String?, @escaping Charged, @escaping @Sendable () -> Void) -> Void =
            kit.performPayments(currency:merchantName:onDidCharge:completion:)
        let setUp: (Bool, String, String?, @escaping Charged) -> Void =
            kit.performFirstTimeSetup(shouldShowIntro:currency:merchantName:completion:)
        // On no phone every flow fails, and by its callbacks alone.
        let told = Shared<[String]>([])
        let tell: Charged = { told.value.append(KitBench.name($0, $1)) }
        pay(0, "none", nil, nil, tell) { told.value.append("end") }
        series("none", nil, tell) { told.value.append("end") }
        setUp(true, "none", nil, tell)
        #expect(
            told.value == [
                "internalError", "end", "internalError", "end", "internalError",
            ]
        )
    }

    @Test func `R-005 a token provider has one requirement, R-084 which fails by throwing`() async {
        let provider: any TokenProviderProtocol & Sendable = NoTokens()
        let fetch: @Sendable () async throws -> SdkTokenApiDto = provider.fetchAccessToken
        await #expect(throws: TokenProviderError.self) { try await fetch() }
        #expect(SdkTokenApiDto(accessToken: "t").accessToken == "t")
    }

    private struct NoTokens: TokenProviderProtocol {
        func fetchAccessToken() async throws -> SdkTokenApiDto {
            throw TokenProviderError.temporary
        }
    }

    @Test func `R-003 production is the only environment, and no configuration names a sandbox`()
        throws
    {
        switch RevolutTapToPayKit.Environment.production {
        case .production: break
        }
        let scripted = ScriptedShop(more: "") { _, _, _, end in end() }
        #expect(throws: PointOfSaleError.self) {
            try scripted.shop.run {
                _ = try await PointOfSale.open(
                    PointOfSaleConfiguration(
                        text: """
                            { "provider": "revolut", "providers": { "revolut": {
                                "environment": "sandbox", "clientID": "demo" } } }
                            """
                    ),
                    providers: [.simulatedRevolut(world: scripted.shop.world)],
                    journal: MemoryAttemptJournal(),
                    environment: scripted.shop.world.environment
                )
            }
        }
    }

    @Test
    func `R-027 the adapter runs over a protocol of that surface, R-041 and any token provider`()
        throws
    {
        // No vendor's module, and no back end: the app itself hands out tokens.
        struct InApp: TokenProvider {
            let emulator: RevolutEmulator
            func token() -> AccessToken { emulator.issueDeviceToken() }
        }
        var shop = RevolutShop()
        shop.stage.tokenProvider = InApp(emulator: shop.emulator)
        #expect(try shop.sale().name == "approved")
    }

    @Test
    func `R-012 a report comes while the kit is on screen, R-013 and the end when nothing is`()
        throws
    {
        let bench = KitBench()
        let (screen, shown) = (bench.shop.stage.screen, Shared<[String]>([]))
        try bench.run { kit, done in
            kit.performPayment(
                amount: 1_000,
                currency: "GBP",
                description: nil,
                merchantName: nil
            ) { _, _ in
                shown.value.append("\(screen.content)")
            } completion: {
                shown.value.append("\(screen.content)")
                done()
            }
        }
        #expect(shown.value == [#"result("paid")"#, "nothing"])
    }

    @Test func `R-017 set-up is optional: a first payment does what is needed`() throws {
        let shop = RevolutShop()
        #expect(try shop.sale().name == "approved")
        #expect(shop.stage.installation.flows.map(\.kind) == [.payment])
        #expect(shop.stage.installation.flows[0].path.contains(.preparing))
    }

    @Test func `R-004 whatever succeeds through the kit moves money, the test payment included`()
        throws
    {
        let bench = KitBench()
        #expect(try bench.setUp(bench.kit()) == "success+receipt")
        try bench.run { bench.pay($0, then: $1) }
        #expect(bench.shop.world.ledger.entries(.charge).map(\.minorUnits) == [1, 1_000])
    }

    @Test func `R-154 success of a set-up is its end, failure that of it or of its payment`() throws
    {
        var told: [String] = []
        for (card, takes) in [("visa-credit", true), ("declined-funds", true), ("", false)] {
            var bench = KitBench(shop: RevolutShop(card: card))
            bench.shop.stage.hands.takesTestPayment = takes
            told.append(try bench.setUp(bench.kit()))
        }
        var refused = KitBench()
        refused.shop.stage.tokenFault = { .unauthorized }
        told.append(try refused.setUp(refused.kit()))
        #expect(told == ["success+receipt", "internalError", "success", "internalError"])
    }

    @Test(arguments: ["PLN", "RON", "CZK", "HUF", "SEK", "DKK", "NOK"])
    func `R-159 one minor unit is too little for a card in some currencies, R-233 and refused`(
        code: String
    ) throws {
        let currency = try #require(Currency(code: code))
        let shop = RevolutShop()
        let told = try shop.run { () async throws -> [String] in
            let pointOfSale = try await shop.open()
            let result = try await pointOfSale.setUp(
                SetUpOptions(
                    mayAcceptTerms: true,
                    testPayment: try RevolutShop.request(1, "set-up", currency)
                )
            )
            let enough = try RevolutShop.request(180, "o2", currency)
            return [result.testPayment?.name ?? "", try await pointOfSale.take(enough).name]
        }
        #expect(told == ["unresolved", "approved"])
        #expect(shop.world.ledger.entries(.charge).map(\.minorUnits) == [180])
    }

    @Test(arguments: [true, false])
    func `R-131 by our script a decline is tried again with no callback, or reported at once`(
        retries: Bool
    ) throws {
        var bench = KitBench(shop: RevolutShop(card: nil))
        bench.shop.stage.script.retriesDeclines = retries
        bench.shop.world.device.control.nextCards(
            ["declined-funds", "declined-funds", "visa-credit"].compactMap {
                SimulatedCard.named($0)
            }
        )
        let paying = bench
        try bench.run { paying.pay($0, then: $1) }
        #expect(bench.calls.value == [retries ? "success+receipt" : "internalError", "end"])
    }

    @Test(arguments: [(false, "cancelled", 1), (true, "unresolved", 0)])
    func `R-136 by our rule the order is made before the tap, or by script with the charge`(
        isLate: Bool,
        told: String,
        orders: Int
    ) throws {
        var shop = RevolutShop(card: nil)
        shop.stage.script.ordersLate = isLate
        let world = shop.world
        shop.stage.screen.observe { content in
            guard content == .sheet else { return }
            world.time.clock.schedule(after: .seconds(2)) { world.device.control.customerCancels() }
        }
        let arranged = shop
        #expect(try arranged.sale().name == told)
        let merchant = Self.merchant(arranged)
        #expect(try arranged.run { try await merchant.orders().orders.count } == orders)
    }

    @Test func `R-136 by script an order that is made with the charge is paid all the same`() throws
    {
        var shop = RevolutShop()
        shop.stage.script.ordersLate = true
        #expect(try shop.sale().name == "approved")
        #expect(shop.charged == 1_000)
    }

    private static func merchant(_ shop: RevolutShop) -> RevolutMerchant {
        RevolutMerchant(
            origin: RevolutEmulator.origin,
            apiKey: Secret(RevolutEmulator.apiKey),
            transport: shop.emulator.host,
            environment: shop.world.environment
        )
    }

    // MARK: Tokens

    @Test func `R-037 the kit gets a device token, R-006 as a bearer, and never a lasting one`()
        throws
    {
        let shop = RevolutShop()
        let sent = Shared<Set<String>>([])
        shop.emulator.host.faults.add(.unreachable) { request in
            if request.path.hasPrefix("/_emu/kit/") {
                sent.value.insert(request.headers["Authorization"] ?? "none")
            }
            return false
        }
        _ = try shop.sale()
        #expect(sent.value.count == 1)
        #expect(sent.value.allSatisfy { $0.hasPrefix("Bearer device-") })
    }

    @Test func `R-083 after the sign-out nothing can be done through this kit any more`() throws {
        var bench = KitBench()
        let refuses = Shared(true)
        bench.shop.stage.tokenFault = { refuses.value ? .unauthorized : nil }
        let refused = bench
        try bench.run { kit, done in
            refused.pay(kit) {
                // Even if the merchant consented again.
                refuses.value = false
                refused.pay(kit, then: done)
            }
        }
        #expect(bench.calls.value == ["out", "internalError", "end", "internalError", "end"])
        #expect(bench.asked.value == 2)
        #expect(bench.shop.charged == 0)
    }

    @Test
    func `R-097 by our rule the strikes are counted for the kit, whichever flow they belong to`()
        throws
    {
        var bench = KitBench()
        bench.shop.stage.tokenFault = { .unauthorized }
        let refused = bench
        try bench.run(3) { refused.pay($0, then: $1) }
        #expect(bench.asked.value == 2)
        #expect(bench.calls.value.filter { $0 == "out" }.count == 1)
        // Another instance counts from zero.
        try bench.run { refused.pay($0, then: $1) }
        #expect(bench.asked.value == 4)
    }

    @Test
    func `R-099 by our rule an older token's request goes again with the present one, in no round`()
        throws
    {
        let bench = KitBench()
        let (world, emulator) = (bench.shop.world, bench.shop.emulator)
        world.device.control.setUnsupported(ReaderError(.deviceUnsupported))
        bench.shop.stage.screen.observe { content in
            guard case .code(_, let order) = content else { return }
            world.time.clock.schedule(after: .seconds(9)) { emulator.payByCode(order) }
        }
        world.time.clock.schedule(after: .seconds(5)) { emulator.revokeDeviceTokens() }
        try bench.run(2) { bench.pay($0, then: $1) }
        #expect(bench.calls.value.filter { $0 == "success+receipt" }.count == 2)
        #expect(bench.asked.value == 2)
    }

    @Test func `R-104 by our rule the token is erased before the sign-out is told`() throws {
        var bench = KitBench()
        let issued = Shared(0)
        bench.shop.stage.tokenFault = {
            issued.value += 1
            return issued.value > 1 ? .unauthorized : nil
        }
        let (emulator, requests) = (bench.shop.emulator, Shared(0))
        emulator.host.faults.add(.answer(HTTPResponse(status: 401))) { $0.path.hasSuffix("/tap") }
        emulator.host.faults.add(.unreachable) { request in
            if request.path.hasPrefix("/_emu/kit/") { requests.value += 1 }
            return false
        }
        let told = Shared<[Int]>([])
        let paying = bench
        try bench.run { kit, done in
            paying.pay(kit) {
                told.value.append(requests.value)
                // A flow that is started now has no token to send.
                paying.pay(kit) {
                    told.value.append(requests.value)
                    done()
                }
            }
        }
        #expect(told.value.count == 2 && told.value[0] == told.value[1])
        #expect(bench.calls.value.contains("out"))
    }

    // MARK: What our emulator and kit can be told to do

    @Test(
        arguments: [
            ("approve", "approved", 1_000), ("decline", "declined insufficientFunds", 0),
            ("pin", "declined otherInterface", 0), ("technical", "cancelled", 0),
            ("no answer", "cancelled", 0), ("drop the answer", "approved", 1_000),
        ] as [(String, String, Int64)]
    )
    func `R-343 by our rule a tap ends as scripted`(
        script: String,
        told: String,
        charged: Int64
    ) throws {
        let shop = RevolutShop(card: script == "decline" ? "declined-funds" : "visa-credit")
        switch script {
        case "pin":
            shop.world.device.control.throwAtNext(.cardDetected, ReaderError(.pinNotAllowed))
        case "technical": shop.emulator.failNextTap()
        case "no answer": shop.emulator.loseNextCharge(booked: false)
        case "drop the answer": shop.emulator.loseNextCharge(booked: true)
        default: break
        }
        #expect(try shop.sale().name == told)
        #expect(shop.charged == charged)
        #expect(shop.emulator.scriptFaults == [])
    }

    @Test(arguments: [
        ("accept", "approved", 1), ("refuse at the back end", "approved", 2),
        ("refuse at the service", "approved", 2), ("temporary", "failed tokenUnavailable", 1),
        ("slow", "approved", 1), ("too slow", "failed tokenUnavailable", 1),
    ])
    func `R-345 by our rule a token round ends as scripted`(
        script: String,
        told: String,
        asked: Int
    ) throws {
        var shop = RevolutShop()
        let tokens = ScriptedTokens(
            emulator: shop.emulator,
            environment: shop.world.environment,
            script: script
        )
        shop.stage.tokenProvider = tokens
        if script == "refuse at the service" {
            let left = Shared(1)
            shop.emulator.host.faults.add(.answer(HTTPResponse(status: 401))) { request in
                guard request.path.hasPrefix("/_emu/kit/") else { return false }
                left.value -= 1
                return left.value >= 0
            }
        }
        #expect(try shop.sale().name == told)
        #expect(tokens.asked.value == asked)
    }

    /// Hands out tokens as a script says.
    private struct ScriptedTokens: TokenProvider {
        let emulator: RevolutEmulator
        let environment: PaymentEnvironment
        let script: String
        let asked = Shared(0)

        func token() async throws -> AccessToken {
            asked.value += 1
            switch script {
            case "refuse at the back end" where asked.value == 1:
                throw TokenProviderError.unauthorized
            case "temporary": throw TokenProviderError.temporary
            case "slow": try await environment.clock.sleep(for: .seconds(20))
            case "too slow": try await environment.clock.sleep(for: .seconds(40))
            default: break
            }
            return emulator.issueDeviceToken()
        }
    }

    // MARK: Codes

    @Test func `R-170 a fixed amount is asked for no code, R-172 which is a fallback alone`() throws
    {
        let shop = RevolutShop()
        let capabilities = try shop.run {
            try await shop.open().acquirers[0].provider.capabilities
        }
        #expect(capabilities.qrFallback && capabilities.series)
        // R-021
        #expect(!capabilities.cancelFromCode)
        let shown = Shared(0)
        shop.stage.screen.observe { if case .code = $0 { shown.value += 1 } }
        #expect(try shop.sale().name == "approved")
        #expect(shown.value == 0)
    }

    @Test func `R-171 a code is a choice in a series, R-398 on the kit's own screen alone`() throws
    {
        var bench = KitBench()
        let left = Shared([RevolutHands.Typed(amount: 500, byCode: true)])
        bench.shop.stage.hands.nextPayment = { left.value.popLast() }
        let (emulator, shown) = (bench.shop.emulator, Shared(0))
        bench.shop.stage.screen.observe { content in
            guard case .code(_, let order) = content else { return }
            shown.value += 1
            emulator.payByCode(order)
        }
        let calls = bench.calls
        try bench.run { kit, done in
            kit.performPayments(currency: "GBP", merchantName: nil) { receipt, result in
                calls.value.append(KitBench.name(receipt, result))
            } completion: {
                done()
            }
        }
        #expect(shown.value == 1 && calls.value == ["success+receipt"])
    }

    @Test(arguments: [true, false])
    func `R-398 no event tells of the kit's code, R-173 and the method is known from the order`(
        hasBooks: Bool
    ) throws {
        let shop = RevolutShop()
        shop.world.device.control.setUnsupported(ReaderError(.deviceUnsupported))
        let emulator = shop.emulator
        shop.stage.screen.observe { content in
            if case .code(_, let order) = content { emulator.payByCode(order) }
        }
        if !hasBooks { shop.emulator.cutBackOffice() }
        let sale = try shop.sale()
        #expect(sale.name == "approved")
        #expect(!sale.events.contains { $0.contains("showQRCode") })
        #expect(sale.receipt?.method == (hasBooks ? .qr : .unknown))
    }

    @Test func `R-394 a tap that is impossible is no error, R-392 for want of a passcode neither`()
        throws
    {
        let shop = RevolutShop()
        shop.world.device.control.setUnsupported(ReaderError(.passcodeRequired))
        let emulator = shop.emulator
        shop.stage.screen.observe { content in
            if case .code(_, let order) = content { emulator.payByCode(order) }
        }
        let readiness = try shop.run {
            await (try await shop.open()).acquirers[0].provider.readiness()
        }
        #expect(readiness.isSupported && readiness.isPrepared)
        #expect(try shop.sale().name == "approved")
        #expect(RevolutQRFallback(condition: "passcodeDisabled") == .fallBack)
    }
}
