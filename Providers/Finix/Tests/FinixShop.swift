import AcquirerSimulation
import FinixPayments
import FinixSimulation
import PaymentCore
import ReaderSimulation
import Simulation
import Testing
import Synchronization

/// A shop with a simulated reader and an emulated Finix, for tests.
struct FinixShop {
    static let account = Account(provider: "finix", merchant: "MUdemo", environment: .simulated)
    let world: SimulatedWorld
    let emulator: FinixEmulator
    let journal: any AttemptJournal

    init(
        seed: UInt64 = 1,
        schedule: UInt64? = nil,
        card: String? = "visa-credit",
        isConfigured: Bool = true,
        journal: any AttemptJournal = MemoryAttemptJournal()
    ) {
        var device = SimulatedDeviceConfiguration(timing: .instant)
        device.linkedMerchants = ["MUdemo"]
        device.configured = isConfigured ? 100 : 0
        let time = SimulatedTime(seed: seed, scheduleSeed: schedule)
        world = SimulatedWorld(time: time, device: device)
        world.device.control.alwaysThisCard = card.flatMap(SimulatedCard.named)
        emulator = FinixEmulator(world: world, merchant: "MUdemo", devices: ["DVtill": true])
        self.journal = journal
    }

    /// A new process of the app.
    func open(patience: String = "20s", skew: Double = 0) async throws -> PointOfSale {
        var environment = world.environment
        let wallTime = environment.wallTime
        environment.wallTime = { wallTime().addingTimeInterval(skew) }
        let (world, emulator) = (world, emulator)
        let factory = ProviderFactory(name: "finix") { section, environment in
            FinixConfiguration(section).map { configuration in
                .simulatedFinix(
                    configuration,
                    world: world,
                    emulator: emulator,
                    environment: environment
                )
            }
        }
        return try await PointOfSale.open(
            PointOfSaleConfiguration(
                text: """
                    { "provider": "finix", "settling": { "patience": "\(patience)" },
                      "providers": { "finix": { "environment": "simulated", "merchant": "MUdemo",
                        "merchantName": "Corner Shop", "device": "DVtill" } } }
                    """
            ),
            providers: [factory],
            journal: journal,
            environment: environment
        )
    }

    /// Runs something in the shop's own time.
    func run<Value: Sendable>(
        driving: Driving = Driving(),
        _ operation: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        try world.time.run(driving: driving) { () async -> Result<Value, any Error> in
            do { return .success(try await operation()) } catch { return .failure(error) }
        }.get()
    }

    /// Takes one sale in a prepared shop and tells how it went.
    func sale(
        _ minorUnits: Int64 = 1_250,
        order: Order = "o1",
        during: @escaping @Sendable (PaymentEvent, PointOfSale) -> Void = { _, _ in }
    ) throws -> Told {
        try run {
            let pointOfSale = try await open()
            try await pointOfSale.prepare()
            return try await take(minorUnits, order, with: pointOfSale, during: during)
        }
    }

    /// Takes ten dollars and gives four back; how the refund ended.
    func takeAndRefund() throws -> String {
        try run { () async throws -> String in
            let pointOfSale = try await open()
            try await pointOfSale.prepare()
            _ = try await take(1_000, "o1", with: pointOfSale)
            let receipt = try #require(await pointOfSale.receipt(for: "o1"))
            let money = try Money(minorUnits: 400, currency: .usd)
            return try await pointOfSale.refund(receipt, amount: money, id: "r").name
        }
    }

    func take(
        _ minorUnits: Int64,
        _ order: Order,
        with pointOfSale: PointOfSale,
        during: (PaymentEvent, PointOfSale) -> Void = { _, _ in }
    ) async throws -> Told {
        var events: [PaymentEvent] = []
        let request = PaymentRequest.sale(
            try Money(minorUnits: minorUnits, currency: .usd),
            for: order
        )
        let outcome = try await pointOfSale.take(request) { event in
            events.append(event)
            world.time.trace.add("app", event.messageKey.description)
            during(event, pointOfSale)
        }
        return Told(outcome: outcome, events: events)
    }

    var charged: Int64 { world.ledger.balance(.usd) }
}

/// What an app was told.
struct Told: Sendable {
    let outcome: PaymentOutcome
    let events: [PaymentEvent]

    var name: String { outcome.name }
    var phases: [String] {
        events.map { String($0.messageKey.description.split(separator: ".")[1]) }
    }
}

extension PaymentOutcome {
    var name: String {
        switch self {
        case .approved: "approved"
        case .partlyApproved: "partlyApproved"
        case .authorized: "authorized"
        case .declined: "declined"
        case .cancelled: "cancelled"
        case .failed(let error): "failed \(error.code)"
        case .unresolved: "unresolved"
        }
    }
}

/// A value that tasks of a test share.
final class Shared<Value: Sendable>: Sendable {
    private let content: Mutex<Value>

    init(_ value: Value) { content = Mutex(value) }

    var value: Value {
        get { content.withLock { $0 } }
        set { content.withLock { $0 = newValue } }
    }
}
