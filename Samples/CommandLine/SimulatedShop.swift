import AcquirerSimulation
import FinixPayments
import FinixSimulation
public import PaymentCore
public import ReaderSimulation
public import Simulation
import Synchronization

/// The world that a sample program runs in: a customer, a reader, and every acquirer emulated.
public final class SimulatedShop: Sendable {
    /// The names of the acquirers that samples are built with.
    public static let providerNames = ["finix"]
    /// Time, chance and threads.
    public let time: SimulatedTime
    private let world: SimulatedWorld
    private let scripts: Set<Script>
    private let finix = Mutex<FinixEmulator?>(nil)
    private let saved = Mutex<SavedWorld?>(nil)
    private let keeper = Mutex<(@Sendable () -> Void)?>(nil)

    /// What can be scripted by name.
    public enum Script: String, Sendable, CaseIterable {
        /// The customer closes the reader's sheet.
        case customerCancels = "customer-cancels"
        /// The payment is booked, and the answer is lost.
        case answerLost = "answer-lost"
        /// The payment is lost on its way.
        case answerLostBeforeBooking = "answer-lost-before-booking"
        /// The acquirer's books cannot be asked.
        case backOfficeDown = "back-office-down"
        /// Half of the amount is approved.
        case partialApproval = "partial-approval"
        /// The acquirer leaves the payment pending for ten minutes.
        case pending = "pending"
    }

    /// Creates a shop.
    ///
    /// - Parameters:
    ///   - seed: What all chance follows from.
    ///   - card: The card that the customer has.
    ///   - scripts: What goes wrong.
    public init(seed: UInt64, card: SimulatedCard, scripts: Set<Script>) {
        world = SimulatedWorld(
            time: SimulatedTime(seed: seed, start: Date()),
            device: SimulatedDeviceConfiguration(timing: .typical, configured: 100)
        )
        self.scripts = scripts
        time = world.time
        world.device.control.alwaysThisCard = scripts.contains(.customerCancels) ? nil : card
        if scripts.contains(.partialApproval) { world.issuer.approveInPart() }
    }

    /// The acquirers that the program was built with.
    public var providers: [ProviderFactory] {
        [
            .simulatedFinix(world: world) { [self] configuration, emulator in
                world.device.control.acceptTerms(merchant: configuration.account.merchant)
                if let snapshot = saved.withLock({ $0?.finix }) { emulator.restore(snapshot) }
                finix.withLock { $0 = emulator }
                script(emulator)
            }
        ]
    }

    private func script(_ emulator: FinixEmulator) {
        if scripts.contains(.answerLost) { emulator.loseNextPayment(booked: true) }
        if scripts.contains(.answerLostBeforeBooking) { emulator.loseNextPayment(booked: false) }
        if scripts.contains(.backOfficeDown) { emulator.cutBackOffice() }
        if scripts.contains(.pending) {
            emulator.leavePending(until: .seconds(600), succeeds: true)
        }
        if KillSwitch.wanted == .afterTap { emulator.delayPayments(by: .seconds(10)) }
    }

    /// Lets the customer see what happens, and act as scripted.
    public func show(_ event: PaymentEvent) {
        switch event.kind {
        case .presentCard:
            if KillSwitch.wanted == .beforeTap { die() }
            guard scripts.contains(.customerCancels) else { return }
            let control = world.device.control
            time.clock.schedule(after: .seconds(2)) { control.customerCancels() }
        case .submitting where KillSwitch.wanted == .afterTap:
            time.clock.schedule(after: .seconds(5)) { self.die() }
        default: break
        }
    }

    /// The environment of everything in the shop.
    public var environment: PaymentEnvironment { world.environment }

    // MARK: Keeping

    /// Goes on from the world that an earlier command left.
    ///
    /// - Parameter path: The file of the world.
    /// - Throws: ``SavedWorldError`` when there is one that cannot be read.
    public func restore(from path: String) throws(SavedWorldError) {
        keeper.withLock { $0 = { [weak self] in _ = self?.save(to: path) } }
        guard let saved = try SavedWorld.read(path) else { return }
        world.ledger.restore(saved.ledger)
        world.issuer.restore(opened: saved.openedPayloads)
        time.advance(to: saved.time)
        self.saved.withLock { $0 = saved }
    }

    /// Keeps the world for a later command, in one step.
    ///
    /// - Parameter path: The file of the world.
    /// - Returns: What went wrong, if something did.
    public func save(to path: String) -> String? {
        let earlier = saved.withLock { $0 }
        return SavedWorld(
            time: time.wallTime,
            ledger: world.ledger.entries,
            openedPayloads: world.issuer.opened,
            finix: finix.withLock { $0?.snapshot } ?? earlier?.finix
        ).write(path)
    }

    /// Ends the process as a crash would, with the world as it stands: the acquirer lives on.
    private func die() {
        keeper.withLock { $0 }?()
        KillSwitch.kill()
    }
}
