import AcquirerSimulation
import PaymentCore
import PaymentTransport
import RevolutPayments
import RevolutSimulation
import Simulation
import Testing

/// A provider that answers after a while, whether it was cancelled or not.
private struct Stubborn: TokenProvider {
    let calls = Shared(0)
    let cancelled = Shared(0)
    let time: SimulatedTime
    var delay = Duration.seconds(9_999)

    func token() async throws -> AccessToken {
        calls.value += 1
        let gate = OneShot<Bool>()
        let cancelled = cancelled
        time.clock.schedule(after: delay) { gate.resolve(true) }
        await withTaskCancellationHandler {
            _ = await gate.value()
        } onCancel: {
            cancelled.value += 1
        }
        return AccessToken("token")
    }
}

@Suite struct RevolutTokenPatienceTests {
    /// Hands out one text.
    private struct Fixed: TokenProvider {
        let text: String
        func token() -> AccessToken { AccessToken(text) }
    }

    @Test(
        arguments: [
            ("", false), (" ", false), ("a b", false), ("a\r\nX-Other: 1", false), ("é", false),
            ("a\0", false), (String(repeating: "t", count: 16_385), false),
            (String(repeating: "t", count: 4_000_000), false), ("t", true),
            (String(repeating: "t", count: 16_384), true),
        ] as [(String, Bool)]
    )
    func `R-071 by our contract a token that no header can carry is none, and proves no charge`(
        text: String,
        isUsed: Bool
    ) throws {
        let time = SimulatedTime()
        let source = RevolutTokenSource(Fixed(text: text), environment: time.environment)
        let got = try time.run { () async -> String? in
            do {
                return try await source.token().reveal()
            } catch {
                return (error as? TokenProviderError) == .temporary ? nil : "\(error)"
            }
        }
        #expect(got == (isUsed ? text : nil))
        guard !isUsed else { return }
        var shop = RevolutShop()
        shop.stage.tokenProvider = Fixed(text: text)
        #expect(try shop.sale().name == "failed tokenUnavailable")
    }

    @Test func `R-074 a provider that ignores its cancellation is given up all the same`() throws {
        let time = SimulatedTime()
        let provider = Stubborn(time: time)
        let source = RevolutTokenSource(provider, environment: time.environment)
        let gaveUp = try time.run { () async -> Duration? in
            (try? await source.token()) == nil ? time.clock.now.offset : nil
        }
        #expect(gaveUp == .seconds(30))
        #expect(provider.cancelled.value == 1)
    }

    @Test func `R-100 one waiter's cancellation leaves the round to the others`() throws {
        let time = SimulatedTime()
        let provider = Stubborn(time: time, delay: .seconds(10))
        let source = RevolutTokenSource(provider, environment: time.environment)
        let told = try time.run { () async -> [String] in
            let first = Task(executorPreference: time.executor) { await name(source) }
            let second = Task(executorPreference: time.executor) { await name(source) }
            try? await time.clock.sleep(for: .seconds(1))
            first.cancel()
            let early = await first.value
            return [early, "\(time.clock.now.offset)", await second.value]
        }
        #expect(told == ["cancelled", "\(Duration.seconds(1))", "token"])
        #expect(provider.calls.value == 1)
        #expect(provider.cancelled.value == 0)
    }

    @Test func `R-100 the last waiter's cancellation cancels the round, and is no strike`() throws {
        let time = SimulatedTime()
        let provider = Stubborn(time: time, delay: .seconds(10))
        let source = RevolutTokenSource(provider, environment: time.environment)
        let told = try time.run { () async -> [String] in
            let only = Task(executorPreference: time.executor) { await name(source) }
            try? await time.clock.sleep(for: .seconds(1))
            only.cancel()
            return [await only.value, await name(source)]
        }
        #expect(told == ["cancelled", "token"])
        #expect(provider.calls.value == 2)
        #expect(provider.cancelled.value == 1)
    }
}

private func name(_ source: RevolutTokenSource) async -> String {
    do {
        _ = try await source.token()
        return "token"
    } catch {
        return error is CancellationError ? "cancelled" : "\(error)"
    }
}

/// A kit that tells success, signs out, and never ends its flow.
private final class UnendingDriver: RevolutDriver {
    let onLogout: @Sendable () -> Void

    init(_ context: RevolutDriverContext) { onLogout = context.onLogout }

    var isSupported: Bool { true }

    func performPayment(
        _ payment: RevolutPayment,
        onDidCharge: @escaping @Sendable (RevolutChargeReport) -> Void,
        completion: @escaping @Sendable () -> Void
    ) {
        onDidCharge(RevolutChargeReport(receipt: nil, failure: nil))
        onLogout()
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

@Suite struct RevolutEvidenceTests {
    /// How a sale ends at the unending kit, what the journal held before, and how long it took.
    private func sale() throws -> (told: String, noted: [String], after: Duration) {
        let shop = RevolutShop()
        return try shop.run { () async throws -> (String, [String], Duration) in
            let pointOfSale = try await Self.open(shop)
            let sale = Task(executorPreference: shop.world.time.executor) {
                try await shop.take(with: pointOfSale).0
            }
            try await shop.world.environment.clock.sleep(for: .seconds(30))
            let noted = shop.journal.read { $0.open.flatMap(\.references).map(\.description) }
            return (try await sale.value, noted, shop.world.time.clock.now.offset)
        }
    }

    private static func open(_ shop: RevolutShop) async throws -> PointOfSale {
        let emulator = shop.emulator
        let factory = ProviderFactory(name: "revolut") { section, environment in
            RevolutConfiguration(section).map { configuration in
                .revolut(
                    configuration,
                    origin: RevolutEmulator.origin,
                    apiKey: Secret(RevolutEmulator.apiKey),
                    transport: emulator.host,
                    tokenProvider: SimulatedTokenProvider(emulator),
                    environment: environment,
                    driver: UnendingDriver.init
                )
            }
        }
        return try await shop.open([factory])
    }

    @Test func `R-115 a flow that is given up is settled by the books, whatever it reported`()
        throws
    {
        let sale = try sale()
        #expect(sale.told == "unresolved")
        #expect(sale.after >= .seconds(60) && sale.after < .seconds(120))
    }

    @Test func `R-124 a charge report is in the journal before anybody is told`() throws {
        let noted = try sale().noted
        #expect(noted.count == 1)
        #expect(noted.first?.hasPrefix("chargeReport paid ") == true)
    }

    @Test func `R-124 a reported sale is still found by its marker`() throws {
        let shop = RevolutShop()
        let receipt = try shop.sale().receipt
        #expect(receipt?.references.first?.kind == "order")
        #expect(receipt?.method == .tap)
    }

    @Test func `R-356 a merchant's own reference is no marker`() throws {
        let shop = RevolutShop(card: "declined-funds")
        shop.emulator.cutBackOffice()
        let candidates = try shop.run { () async throws -> Int in
            let pointOfSale = try await shop.open()
            let told = try await shop.take(with: pointOfSale).0
            shop.emulator.host.faults.clear()
            try await Self.order(shop, reference: "till-7/42")
            try await Self.order(shop, reference: "T4-0105-07")
            let query = RecordQuery(
                account: pointOfSale.account,
                marker: String(repeating: "b", count: 24),
                created: shop.world.time.wallTime - 600...shop.world.time.wallTime + 600,
                kind: .sale
            )
            let records = try await pointOfSale.acquirers[0].backOffice?.records(query).records
            return told == "unresolved" ? records?.count ?? -1 : -2
        }
        // The two orders of the merchant's own, and not the attempt's.
        #expect(candidates == 2)
    }

    private static func order(_ shop: RevolutShop, reference: String) async throws {
        let merchant = RevolutMerchant(
            origin: RevolutEmulator.origin,
            apiKey: Secret(RevolutEmulator.apiKey),
            transport: shop.emulator.host,
            environment: shop.world.environment
        )
        var new = RevolutNewOrder(try Money(minorUnits: 1_000, currency: .gbp))
        new.reference = reference
        _ = try await merchant.create(new)
    }
}
