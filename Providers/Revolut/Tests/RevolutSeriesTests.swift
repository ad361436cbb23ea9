import AcquirerSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import RevolutPayments
import RevolutSimulation
import Simulation
import Testing

/// A shop whose merchant types a series at the kit.
struct SeriesShop: Sendable {
    var shop: RevolutShop
    let typed: Shared<[RevolutHands.Typed]>

    init(_ typed: [RevolutHands.Typed], card: String? = "visa-credit") {
        let typed = Shared(typed)
        self.typed = typed
        shop = RevolutShop(card: card)
        shop.stage.hands.nextPayment = {
            typed.value.isEmpty ? nil : typed.value.removeFirst()
        }
    }

    /// Takes the series, and tells each payment as `order outcome`.
    func take() throws -> [String] { try Self.take(in: shop) }

    static func take(in shop: RevolutShop) throws -> [String] {
        try shop.run { () async throws -> [String] in
            try await Self.told(try await shop.open())
        }
    }

    static func told(_ pointOfSale: PointOfSale) async throws -> [String] {
        var told: [String] = []
        do {
            let series = try await pointOfSale.takeSeries(
                SeriesRequest("market", currency: .gbp)
            )
            for await payment in series { told.append("\(payment.order) \(payment.outcome.name)") }
        } catch {
            told.append(error.code)
        }
        return told
    }
}

@Suite struct RevolutSeriesTests {
    @Test func `R-145 each report has an entry of its own with its number`() throws {
        let series = SeriesShop([.init(amount: 500), .init(amount: 700, byCode: true)])
        let emulator = series.shop.emulator
        series.shop.stage.screen.observe { content in
            if case .code(_, let order) = content { emulator.payByCode(order) }
        }
        #expect(try series.take() == ["market-1 approved", "market-2 approved"])
        let places = try series.shop.run {
            series.shop.journal.read { $0.all.compactMap(\.began.series) }
        }
        #expect(places.map(\.number) == [1, 2, 3])
        #expect(Set(places.map(\.id)) == ["market"])
    }

    @Test func `R-146 no amount is claimed to be known, R-147 until the order is found`() throws {
        let series = SeriesShop([.init(amount: 500), .init(amount: 700)])
        let shop = series.shop
        let told = try shop.run { () async throws -> [String] in
            let pointOfSale = try await shop.open()
            _ = try await SeriesShop.told(pointOfSale)
            let before = await pointOfSale.receipt(for: "market-2")
            let found = try await pointOfSale.candidates(for: "market-2")
            let record = found.first { $0.amount.minorUnits == 700 }
            guard let record else { return ["no record"] }
            let outcome = try await pointOfSale.identify(
                "market-2",
                as: PersonalVerdict(.moved(record.reference), name: "Ann", reason: "the receipt")
            )
            let after = await pointOfSale.receipt(for: "market-2")
            guard let after else { return ["no receipt"] }
            let refund = try await pointOfSale.refund(
                after,
                amount: try Money(minorUnits: 200, currency: .gbp),
                id: "r"
            )
            return [
                "\(before?.approved ?? .confirmed(.zero(.gbp)))", "\(found.count)", outcome.name,
                "\(after.approved)", Resolution.followUp(refund).name,
            ]
        }
        let seven = try Money(minorUnits: 700, currency: .gbp)
        #expect(
            told == ["unknown", "2", "approved", "\(ApprovedAmount.confirmed(seven))", "pending"]
        )
    }

    @Test func `R-359 nothing marks the orders of a series, which is said beforehand`() throws {
        let series = SeriesShop([.init(amount: 500)])
        let (needsPerson, descriptions) = try series.shop.run {
            () async throws -> (Bool, [String?]) in
            let pointOfSale = try await series.shop.open()
            let payments = try await pointOfSale.takeSeries(
                SeriesRequest("market", currency: .gbp)
            )
            for await _ in payments {}
            let merchant = RevolutMerchant(
                origin: RevolutEmulator.origin,
                apiKey: Secret(RevolutEmulator.apiKey),
                transport: series.shop.emulator.host,
                environment: series.shop.world.environment
            )
            return (payments.needsPerson, try await merchant.orders().orders.map(\.description))
        }
        #expect(needsPerson)
        #expect(descriptions == [nil])
    }

    @Test func `R-358 candidates are of the flow's time and currency, and settle nothing`() throws {
        let series = SeriesShop([.init(amount: 500)], card: "declined-funds")
        let shop = series.shop
        let told = try shop.run { () async throws -> [String] in
            let merchant = RevolutMerchant(
                origin: RevolutEmulator.origin,
                apiKey: Secret(RevolutEmulator.apiKey),
                transport: shop.emulator.host,
                environment: shop.world.environment
            )
            let early = try Money(minorUnits: 111, currency: .gbp)
            _ = try await merchant.create(RevolutNewOrder(early))
            try await shop.world.environment.clock.sleep(for: .seconds(600))
            let euros = try Money(minorUnits: 222, currency: .eur)
            _ = try await merchant.create(RevolutNewOrder(euros))
            let near = try Money(minorUnits: 333, currency: .gbp)
            _ = try await merchant.create(RevolutNewOrder(near))
            try await shop.world.environment.clock.sleep(for: .seconds(60))
            let pointOfSale = try await shop.open()
            let told = try await SeriesShop.told(pointOfSale)
            let found = try await pointOfSale.candidates(for: "market-1")
            return told + found.map { "\($0.amount)" }
        }
        // The acquirer tells its time, so what was made a minute earlier is not in question.
        #expect(told == ["market-1 unresolved", "5.00 GBP"])
    }

    @Test func `R-016 the currency is the call's, and the amounts are the merchant's`() throws {
        let series = SeriesShop([.init(amount: 500), .init(amount: 1)])
        _ = try series.take()
        let entries = series.shop.world.ledger.entries(.charge)
        #expect(entries.map(\.minorUnits) == [500, 1])
        #expect(Set(entries.map(\.currency)) == ["GBP"])
    }

    @Test func `R-133 a code that was paid while it was closed is open, not forgotten`() throws {
        var series = SeriesShop([.init(amount: 500, byCode: true)])
        series.shop.stage.script.cancelShape = .completionAlone
        let shop = series.shop
        shop.stage.screen.observe { content in
            guard case .code(_, let order) = content else { return }
            shop.world.time.clock.schedule(after: .milliseconds(5_000)) {
                shop.stage.screen.close()
                shop.emulator.payByCode(order)
            }
        }
        #expect(try series.take() == ["market-1 unresolved"])
        #expect(shop.charged == 500)
    }

    @Test(arguments: RevolutKitScript.LogoutOrder.allCases)
    func `R-112 without any token nothing can have been charged, in a series too`(
        order: RevolutKitScript.LogoutOrder
    ) throws {
        var series = SeriesShop([.init(amount: 500)])
        series.shop.stage.tokenFault = { .unauthorized }
        series.shop.stage.script.logoutOrder = order
        let shop = series.shop
        let told = try shop.run { () async throws -> [String] in
            let pointOfSale = try await shop.open()
            let first = try await SeriesShop.told(pointOfSale)
            return first + (try await SeriesShop.told(pointOfSale))
        }
        #expect(told == ["market-1 failed signedOut", "signedOut"])
        #expect(shop.charged == 0)
    }

    @Test func `R-115 a series that never ends after a sign-out is given up, and is open`() throws {
        let (told, after) = try Self.unending()
        #expect(told == ["market-1 approved", "market-2 unresolved"])
        #expect(after >= .seconds(60) && after < .seconds(120))
    }

    private static func unending() throws -> ([String], Duration) {
        let shop = RevolutShop()
        let emulator = shop.emulator
        return try shop.run { () async throws -> ([String], Duration) in
            let factory = ProviderFactory(name: "revolut") { section, environment in
                RevolutConfiguration(section).map { configuration in
                    .revolut(
                        configuration,
                        origin: RevolutEmulator.origin,
                        apiKey: nil,
                        transport: emulator.host,
                        tokenProvider: SimulatedTokenProvider(emulator),
                        environment: environment,
                        driver: UnendingSeries.init
                    )
                }
            }
            let pointOfSale = try await shop.open([factory])
            return (try await SeriesShop.told(pointOfSale), shop.world.time.clock.now.offset)
        }
    }

    @Test func `R-127 a series keeps the kit to itself until it ends`() throws {
        let series = SeriesShop([.init(amount: 500)], card: nil)
        let shop = series.shop
        let told = try shop.run { () async throws -> [String] in
            let pointOfSale = try await shop.open()
            let running = Task(executorPreference: shop.world.time.executor) {
                try await SeriesShop.told(pointOfSale)
            }
            try await shop.world.environment.clock.sleep(for: .seconds(5))
            var told: [String] = []
            do {
                _ = try await pointOfSale.take(try RevolutShop.request())
            } catch {
                told.append((error as? PaymentRefusal)?.code ?? "\(error)")
            }
            told.append("\(await pointOfSale.cancel("market-1"))")
            shop.world.device.control.customerCancels()
            return told + (try await running.value)
        }
        #expect(told == ["busy", "unsupported", "market-1 unresolved"])
    }

    @Test func `R-172 where no kit can run there is no series`() throws {
        var series = SeriesShop([.init(amount: 500)])
        series.shop.stage.hasKit = false
        #expect(try series.take() == ["missingCapability"])
    }
}

/// A kit that reports one payment of a series, signs out, and never ends.
private final class UnendingSeries: RevolutDriver {
    let context: RevolutDriverContext

    init(_ context: RevolutDriverContext) { self.context = context }

    var isSupported: Bool { true }

    func performPayment(
        _ payment: RevolutPayment,
        onDidCharge: @escaping @Sendable (RevolutChargeReport) -> Void,
        completion: @escaping @Sendable () -> Void
    ) {}

    func performPayments(
        _ series: RevolutSeries,
        onDidCharge: @escaping @Sendable (RevolutChargeReport) -> Void,
        completion: @escaping @Sendable () -> Void
    ) {
        onDidCharge(RevolutChargeReport(receipt: nil, failure: nil))
        context.onLogout()
    }

    func performFirstTimeSetup(
        _ setUp: RevolutFirstTimeSetup,
        completion: @escaping @Sendable (RevolutChargeReport) -> Void
    ) {}
}
