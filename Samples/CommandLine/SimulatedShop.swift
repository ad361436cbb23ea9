import AcquirerSimulation
import FinixPayments
import FinixSimulation
public import PaymentCore
public import ReaderSimulation
public import Simulation

/// The world that a sample program runs in: a customer, a reader, and every acquirer emulated.
public struct SimulatedShop: Sendable {
    /// Time, chance and threads.
    public let time: SimulatedTime
    /// The acquirers that the program was built with.
    public let providers: [ProviderFactory]
    private let world: SimulatedWorld
    private let scripts: Set<Script>

    /// The names of the acquirers that samples are built with.
    public static let providerNames = ["finix"]

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
        let world = SimulatedWorld(
            time: SimulatedTime(seed: seed, start: Date()),
            device: SimulatedDeviceConfiguration(timing: .typical, configured: 100)
        )
        self.world = world
        self.scripts = scripts
        time = world.time
        let control = world.device.control
        control.alwaysThisCard = scripts.contains(.customerCancels) ? nil : card
        if scripts.contains(.partialApproval) { world.issuer.approveInPart() }
        providers = [
            .simulatedFinix(world: world) { configuration, emulator in
                control.acceptTerms(merchant: configuration.account.merchant)
                Self.apply(scripts, to: emulator)
            }
        ]
    }

    private static func apply(_ scripts: Set<Script>, to emulator: FinixEmulator) {
        if scripts.contains(.answerLost) { emulator.loseNextPayment(booked: true) }
        if scripts.contains(.answerLostBeforeBooking) { emulator.loseNextPayment(booked: false) }
        if scripts.contains(.backOfficeDown) { emulator.cutBackOffice() }
        if scripts.contains(.pending) {
            emulator.leavePending(until: .seconds(600), succeeds: true)
        }
    }

    /// Lets the customer see what happens, and act as scripted.
    public func show(_ event: PaymentEvent) {
        guard case .presentCard = event.kind, scripts.contains(.customerCancels) else { return }
        let control = world.device.control
        time.clock.schedule(after: .seconds(2)) { control.customerCancels() }
    }

    /// The environment of everything in the shop.
    public var environment: PaymentEnvironment { world.environment }
}
