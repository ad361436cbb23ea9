import AcquirerSimulation
import FinixPayments
import FinixSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import RevolutPayments
import RevolutSimulation
import Simulation

/// One world with both acquirers, one ledger and one journal, in which tills come and go.
final class ProofWorld: Sendable {
    static let price: Int64 = 1_250
    let world: SimulatedWorld
    let finix: FinixEmulator
    let revolut: RevolutEmulator
    let journal: any AttemptJournal
    private let bug: Bug?

    init(seed: UInt64?, bug: Bug?) {
        var device = SimulatedDeviceConfiguration(
            timing: .instant,
            linkedMerchants: ["MU-demo", "demo"],
            configured: 100
        )
        device.traits.systemVersion = 26
        world = SimulatedWorld(
            time: SimulatedTime(seed: 1, scheduleSeed: seed),
            device: device
        )
        finix = FinixEmulator(
            world: world,
            merchant: "MU-demo",
            devices: ["DVa": true, "DVb": true]
        )
        revolut = RevolutEmulator(world: world)
        self.bug = bug
        let memory = MemoryAttemptJournal()
        journal = bug == .journalWrittenLate ? LateJournal(memory) : memory
        world.time.trace.isKept = false
    }

    /// Opens a till: a new process of the app.
    func open(_ move: Move, _ life: Life) async throws(PointOfSaleError) -> PointOfSale {
        var environment = world.environment
        let wallTime = environment.wallTime
        environment.wallTime = { wallTime().addingTimeInterval(Double(move.skew)) }
        for host in [finix.host, revolut.host] { bury(host, life) }
        return try await PointOfSale.open(
            PointOfSaleConfiguration(
                text: """
                    { "provider": "\(move.acquirer)", "providers": {
                      "finix": { "environment": "simulated", "merchant": "MU-demo",
                                 "merchantName": "Shop", "device": "DV\(move.order)" },
                      "revolut": { "environment": "simulated", "clientID": "demo",
                                   "merchantName": "Shop" } } }
                    """
            ),
            providers: factories,
            journal: MortalJournal(journal, life: life),
            environment: environment
        )
    }

    /// Whatever a process sends after its end is not sent.
    private func bury(_ host: EmulatedHost, _ life: Life) {
        host.faults.decide { _ in
            switch life.requests() {
            case .sent: nil
            case .notSent: .unreachable
            case .answerLost: .loseAnswer
            }
        }
    }

    private var factories: [ProviderFactory] {
        let (world, finix, revolut, bug) = (world, finix, revolut, bug)
        return [
            ProviderFactory(name: "finix") { section, environment in
                FinixConfiguration(section).map { configuration in
                    let sound = Acquirer.simulatedFinix(
                        configuration,
                        world: world,
                        emulator: finix,
                        environment: environment
                    )
                    return bug?.put(into: sound) ?? sound
                }
            },
            ProviderFactory(name: "revolut") { section, environment in
                RevolutConfiguration(section).map { configuration in
                    let sound = Acquirer.simulatedRevolut(
                        configuration,
                        world: world,
                        emulator: revolut,
                        environment: environment
                    )
                    return bug?.put(into: sound) ?? sound
                }
            },
        ]
    }

    /// Nothing goes wrong any more.
    func heal() {
        for host in [finix.host, revolut.host] { host.faults.clear() }
        world.device.control.foreground()
    }

    /// The names of everything that both acquirers have written down.
    var records: Set<String> { Set(finix.recordIDs + revolut.recordIDs) }

    /// What moved to the merchant and stayed there, by the acquirer's record.
    var moved: [String: Int] {
        var moved: [String: Int] = [:]
        for entry in world.ledger.entries {
            switch entry.kind {
            case .charge: moved[entry.record, default: 0] += 1
            case .refund: moved[entry.record, default: 0] -= 1
            case .hold, .release: break
            }
        }
        return moved
    }
}
