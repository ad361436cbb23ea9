import AcquirerSimulation
import PaymentCore
import ReaderSimulation
import RevolutPayments
import RevolutSimulation
import Simulation
import Synchronization

/// A shop with a simulated reader and an emulated Revolut, for tests.
struct RevolutShop: Sendable {
    let world: SimulatedWorld
    let emulator: RevolutEmulator
    var journal = MemoryAttemptJournal()
    var stage = RevolutStage()
    /// What writes the kit's callbacks down, if something does.
    var heard: RevolutHeardKit.Calls?

    init(seed: UInt64 = 1, card: String? = "visa-credit") {
        var device = SimulatedDeviceConfiguration(timing: .instant)
        device.configured = 100
        world = SimulatedWorld(time: SimulatedTime(seed: seed), device: device)
        world.device.control.alwaysThisCard = card.flatMap { SimulatedCard.named($0) }
        emulator = RevolutEmulator(world: world)
    }

    /// A shop in a world that is there already.
    init(world: SimulatedWorld, emulator: RevolutEmulator) {
        self.world = world
        self.emulator = emulator
    }

    /// A new process of the app.
    func open() async throws -> PointOfSale {
        if let heard { return try await open([RevolutHeardKit.factory(self, heard)]) }
        let (world, emulator, stage) = (world, emulator, stage)
        let factory = ProviderFactory(name: "revolut") { section, environment in
            RevolutConfiguration(section).map { configuration in
                .simulatedRevolut(
                    configuration,
                    world: world,
                    emulator: emulator,
                    stage: stage,
                    environment: environment
                )
            }
        }
        return try await open([factory])
    }

    /// A new process of an app that was built with these acquirers.
    func open(_ providers: [ProviderFactory]) async throws -> PointOfSale {
        try await PointOfSale.open(
            PointOfSaleConfiguration(
                text: """
                    { "provider": "revolut", "providers": { "revolut": {
                        "environment": "simulated", "clientID": "demo",
                        "merchantName": "Corner Shop" } } }
                    """
            ),
            providers: providers,
            journal: journal,
            environment: world.environment
        )
    }

    /// Runs something in the shop's own time.
    func run<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        try world.time.run { () async -> Result<Value, any Error> in
            do { return .success(try await operation()) } catch { return .failure(error) }
        }.get()
    }

    static func request(
        _ minorUnits: Int64 = 1_000,
        _ order: Order = "o1",
        _ currency: Currency = .gbp
    ) throws -> PaymentRequest {
        .sale(try Money(minorUnits: minorUnits, currency: currency), for: order)
    }

    /// Takes one sale and tells how it went, with the events in between.
    func sale() throws -> (name: String, events: [String], receipt: Receipt?) {
        let told = try run { () async throws -> (String, [String], Receipt?) in
            let pointOfSale = try await open()
            return try await take(with: pointOfSale)
        }
        return (told.0, told.1, told.2)
    }

    func take(
        _ order: Order = "o1",
        with pointOfSale: PointOfSale
    ) async throws -> (String, [String], Receipt?) {
        var events: [String] = []
        let outcome = try await pointOfSale.take(try Self.request(1_000, order)) { event in
            events.append(event.messageKey.description)
        }
        var receipt: Receipt?
        if case .approved(let approved) = outcome { receipt = approved }
        return (outcome.name, events, receipt)
    }

    /// How a first sale went, and then a second one, or why that one was refused.
    func twoSales() throws -> [String] {
        try run { () async throws -> [String] in
            let pointOfSale = try await open()
            let first = try await take(with: pointOfSale).0
            do {
                return [first, try await take("o2", with: pointOfSale).0]
            } catch let refusal as PaymentRefusal {
                return [first, refusal.code]
            }
        }
    }

    var charged: Int64 { world.ledger.balance(.gbp) }
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

extension PaymentOutcome {
    var name: String {
        switch self {
        case .approved: "approved"
        case .partlyApproved: "partlyApproved"
        case .authorized: "authorized"
        case .declined(let decline): "declined \(decline.category)"
        case .cancelled: "cancelled"
        case .failed(let error): "failed \(error.code)"
        case .unresolved: "unresolved"
        }
    }
}

extension Resolution {
    var name: String {
        switch self {
        case .payment(let outcome): outcome.name
        case .followUp(let outcome):
            switch outcome {
            case .done: "done"
            case .pending: "pending"
            case .declined: "declined"
            case .failed(let error): "failed \(error.code)"
            case .unresolved: "unresolved"
            }
        }
    }
}
