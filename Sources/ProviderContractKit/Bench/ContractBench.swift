public import AcquirerSimulation
import PaymentCore
import ReaderSimulation
import Simulation
import Synchronization

/// One world for one check: a device, an acquirer, a ledger, a journal, and the adapter in between.
public final class ContractBench: Sendable {
    /// The world.
    public let world: SimulatedWorld
    let harness: any ContractHarness
    let stage: ContractStage
    let wire: ContractWire
    let tokens: ContractTokens
    private let journals: Mutex<[ContractJournal]>
    private let log = Mutex<[String]>([])

    init(_ harness: any ContractHarness, seed: UInt64, schedule: UInt64? = nil) {
        self.harness = harness
        var device = SimulatedDeviceConfiguration(timing: .instant)
        device.configured = 100
        let time = SimulatedTime(seed: seed, scheduleSeed: schedule)
        let world = SimulatedWorld(time: time, device: device)
        world.device.control.alwaysThisCard = SimulatedCard.named(Self.card)
        // Only what is told counts; a rule that looks at the trace has it kept.
        time.trace.isKept = false
        self.world = world
        tokens = ContractTokens(clock: time.clock)
        stage = harness.stage(in: world, tokens: tokens)
        let journal = ContractJournal()
        journals = Mutex([journal])
        wire = ContractWire(stage, time: time) { journal.entries.count }
    }

    /// The card that a customer presents unless a rule says otherwise.
    static let card = "visa-classic"

    /// What was done, for the report of a failure.
    var steps: [String] { log.withLock { $0 } }

    /// Notes what is done.
    func step(_ text: String) { log.withLock { $0.append(text) } }

    /// The journal of the present process of the app.
    var journal: ContractJournal { journals.withLock { $0[$0.count - 1] } }

    /// What people and the world around the device do.
    var control: ReaderControl { world.device.control }

    // MARK: The app

    /// The configuration of an app with this adapter alone.
    func configuration(section: String? = nil, patience: String = "20s") -> String {
        """
        { "provider": "\(harness.provider)", "settling": { "patience": "\(patience)" },
          "providers": { "\(harness.provider)": \(section ?? harness.section) } }
        """
    }

    /// Starts the app, on a device whose clock may be wrong.
    func open(skew: Duration = .zero) async throws -> PointOfSale {
        step(skew == .zero ? "open" : "open with a clock that is \(skew) off")
        var environment = world.environment
        let wallTime = environment.wallTime
        environment.wallTime = { wallTime().addingTimeInterval(skew / .seconds(1)) }
        return try await PointOfSale.open(
            PointOfSaleConfiguration(text: configuration()),
            providers: [stage.factory],
            journal: journal,
            environment: environment
        )
    }

    /// Starts the app and prepares its reader.
    func ready(skew: Duration = .zero) async throws -> PointOfSale {
        let pointOfSale = try await open(skew: skew)
        step("prepare")
        try await pointOfSale.prepare()
        return pointOfSale
    }

    /// Starts the app again from what survived of its journal; everything when nil.
    func restart(from entries: [JournalEntry]? = nil) async throws -> PointOfSale {
        let entries = entries ?? journal.entries
        step("restart from \(entries.count) entries")
        journals.withLock { $0.append(ContractJournal(entries: entries)) }
        let pointOfSale = try await open()
        try? await pointOfSale.prepare()
        return pointOfSale
    }

    /// Lets time pass.
    func pass(_ duration: Duration) async {
        step("wait \(duration)")
        try? await world.time.clock.sleep(for: duration)
    }

    // MARK: Money

    /// An amount in the harness's currency.
    func money(_ minorUnits: Int64) throws -> Money {
        try Money(minorUnits: minorUnits, currency: harness.currency)
    }

    private func sum(_ kind: Ledger.Kind) -> Int64 {
        world.ledger.entries(kind).reduce(0) { $0 + $1.minorUnits }
    }

    /// What was charged, less nothing.
    var charged: Int64 { sum(.charge) }
    /// What was held and not let go; what lapsed or was captured counts.
    var held: Int64 { sum(.hold) - sum(.release) }
    /// What went back.
    var refunded: Int64 { sum(.refund) }
    /// Whether any money ever moved or was held.
    var isUntouched: Bool { world.ledger.entries.isEmpty }
}
