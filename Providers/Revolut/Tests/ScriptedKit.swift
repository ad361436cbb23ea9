import AcquirerSimulation
import PaymentCore
import PaymentTransport
import RevolutPayments
import RevolutSimulation
import Simulation

/// A kit behind the driver seam that calls back as a test wrote down.
final class ScriptedKit: RevolutDriver {
    typealias Report = @Sendable (RevolutChargeReport) -> Void
    typealias Script =
        @Sendable (
            RevolutPayment, RevolutDriverContext, @escaping Report, @escaping @Sendable () -> Void
        )
        -> Void

    let calls = Shared<[RevolutPayment]>([])
    private let context: RevolutDriverContext
    private let script: Script

    init(_ context: RevolutDriverContext, _ script: @escaping Script) {
        self.context = context
        self.script = script
    }

    var isSupported: Bool { true }

    func performPayment(
        _ payment: RevolutPayment,
        onDidCharge: @escaping @Sendable (RevolutChargeReport) -> Void,
        completion: @escaping @Sendable () -> Void
    ) {
        calls.value.append(payment)
        script(payment, context, onDidCharge, completion)
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

extension RevolutChargeReport {
    static let paid = RevolutChargeReport(
        receipt: URL(string: "https://receipts.example/r1"),
        failure: nil
    )
    static let failed = RevolutChargeReport(receipt: nil, failure: "internalError")
}

/// A shop whose kit is scripted, and whose books may be out of reach.
struct ScriptedShop: Sendable {
    var shop: RevolutShop
    let kit = Shared<ScriptedKit?>(nil)
    var hasBooks = true
    /// More members of the configuration, each with a comma before it.
    var more = ""
    /// Where tokens come from; straight from the emulator when nil.
    var tokens: (any TokenProvider)?
    let script: ScriptedKit.Script

    init(
        hasBooks: Bool = true,
        more: String = "",
        seed: UInt64 = 1,
        tokens: (any TokenProvider)? = nil,
        time: SimulatedTime? = nil,
        _ script: @escaping ScriptedKit.Script
    ) {
        if let time {
            let world = SimulatedWorld(time: time)
            shop = RevolutShop(world: world, emulator: RevolutEmulator(world: world))
        } else {
            shop = RevolutShop(seed: seed)
        }
        self.tokens = tokens
        self.hasBooks = hasBooks
        self.more = more
        self.script = script
    }

    func open() async throws -> PointOfSale {
        let (emulator, kit, script, hasBooks) = (shop.emulator, kit, script, hasBooks)
        let tokens = tokens ?? SimulatedTokenProvider(emulator)
        let factory = ProviderFactory(name: "revolut") { section, environment in
            RevolutConfiguration(section).map { configuration in
                .revolut(
                    configuration,
                    origin: RevolutEmulator.origin,
                    apiKey: hasBooks ? Secret(RevolutEmulator.apiKey) : nil,
                    transport: emulator.host,
                    tokenProvider: tokens,
                    environment: environment
                ) { context in
                    let scripted = ScriptedKit(context, script)
                    kit.value = scripted
                    return scripted
                }
            }
        }
        return try await PointOfSale.open(
            PointOfSaleConfiguration(
                text: """
                    { "provider": "revolut", "providers": { "revolut": {
                        "environment": "simulated", "clientID": "demo" \(more) } } }
                    """
            ),
            providers: [factory],
            journal: shop.journal,
            environment: shop.world.environment
        )
    }

    /// Takes one sale, and tells how it went and when.
    func sale(
        _ request: PaymentRequest? = nil
    ) throws -> (name: String, outcome: PaymentOutcome?, after: Duration) {
        let told = try shop.run { () async throws -> (String, PaymentOutcome?, Duration) in
            let pointOfSale = try await open()
            do {
                let outcome = try await pointOfSale.take(try request ?? RevolutShop.request())
                return (outcome.name, outcome, shop.world.time.clock.now.offset)
            } catch let refusal as PaymentRefusal {
                return (refusal.code, nil, shop.world.time.clock.now.offset)
            }
        }
        return (told.0, told.1, told.2)
    }

    /// How often the kit was called.
    var calls: [RevolutPayment] { kit.value?.calls.value ?? [] }
}
