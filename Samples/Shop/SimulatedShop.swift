import AcquirerSimulation
public import FinixPayments
public import FinixSimulation
public import PaymentCore
public import ReaderSimulation
import RevolutPayments
import RevolutSimulation
public import Simulation
import Synchronization

/// The world that a sample program runs in: a customer, a reader, and every acquirer emulated.
public final class SimulatedShop: Sendable {
    /// The names of the acquirers that samples are built with.
    public static let providerNames = ["finix", "revolut"]
    /// Time, chance and threads.
    public let time: SimulatedTime
    private let world: SimulatedWorld
    private let scripts: Set<Script>
    private let finix = Mutex<FinixEmulator?>(nil)
    private let provisioning = Mutex<FinixProvisioning?>(nil)
    private let revolut = Mutex<RevolutEmulator?>(nil)
    private let teller: @Sendable (String) -> Void
    private let saved = Mutex<SavedWorld?>(nil)
    private let backEnd = ShopBackEnd()
    private let kept = Mutex<RevolutInstallation?>(nil)
    private let isTestTaken = Mutex(true)
    private let hands = Mutex<(@Sendable () -> TypedPayment?)?>(nil)
    private let presses = Mutex<(@Sendable () -> Int)?>(nil)
    private let desk = Mutex<RevolutDesk?>(nil)
    private let codeScreen = Mutex<(@Sendable (String) -> [String])?>(nil)
    private let devices: String?
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
        /// The acquirer leaves the payment, capture or refund pending for ten minutes.
        case pending = "pending"
        /// The reader cannot take a tap.
        case tapImpossible = "tap-impossible"
        /// The customer presents no card.
        case noCard = "no-card"
        /// Nobody accepted the reader's terms for the merchant yet.
        case notLinked = "not-linked"
        /// Nobody did, and whoever is shown them closes them.
        case termsClosed = "terms-closed"
    }

    /// Creates a shop.
    ///
    /// - Parameters:
    ///   - seed: What all chance follows from.
    ///   - card: The card that the customer has.
    ///   - scripts: What goes wrong.
    ///   - devices: The file in which the phone keeps its Devices; without one it keeps none.
    ///   - tell: Tells a person what the simulated customer sees and does.
    public init(
        seed: UInt64,
        card: SimulatedCard,
        scripts: Set<Script>,
        devices: String? = nil,
        tell: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        teller = tell
        self.devices = devices
        world = SimulatedWorld(
            time: SimulatedTime(seed: seed, start: Date()),
            device: SimulatedDeviceConfiguration(timing: .typical, configured: 100)
        )
        self.scripts = scripts
        time = world.time
        let presents = scripts.isDisjoint(with: [.customerCancels, .noCard])
        world.device.control.alwaysThisCard = presents ? card : nil
        if scripts.contains(.termsClosed) { world.device.control.nextTerms([.closes]) }
        if scripts.contains(.partialApproval) { world.issuer.approveInPart() }
        if scripts.contains(.tapImpossible) {
            world.device.control.setUnsupported(ReaderError(.deviceUnsupported))
        }
    }

    /// The acquirers that the program was built with.
    public var providers: [ProviderFactory] {
        [
            .simulatedFinix(world: world, parts: parts) { [self] configuration, emulator in
                acceptTerms(configuration.account.merchant)
                if let snapshot = saved.withLock({ $0?.finix }) { emulator.restore(snapshot) }
                finix.withLock { $0 = emulator }
                provisioning.withLock { $0 = configuration.provisioning }
                script(emulator)
            },
            .simulatedRevolut(world: world) { [self] configuration, emulator in
                acceptTerms(configuration.clientID)
                if let snapshot = saved.withLock({ $0?.revolut }) { emulator.restore(snapshot) }
                revolut.withLock { $0 = emulator }
                script(emulator)
                let desk = RevolutDesk(configuration, emulator, backEnd, environment, teller)
                self.desk.withLock { $0 = desk }
                return stage(emulator, desk)
            },
        ]
    }

    /// What the app knows of its phone.
    private var parts: FinixPhoneParts {
        var parts = FinixPhoneParts.simulated
        if let devices { parts.store = FileFinixDeviceStore(path: devices) }
        return parts
    }

    /// Has the terms accepted, as on a device that is in use.
    private func acceptTerms(_ merchant: String) {
        guard scripts.isDisjoint(with: [.notLinked, .termsClosed]) else { return }
        world.device.control.acceptTerms(merchant: merchant)
    }

    /// The emulated Finix, once a point of sale is open that can reach it.
    public var emulatedFinix: FinixEmulator? { finix.withLock { $0 } }

    /// How the configuration has the phone's Device made, if it does.
    public var finixProvisioning: FinixProvisioning? { provisioning.withLock { $0 } }

    private func script(_ emulator: RevolutEmulator) {
        if scripts.contains(.answerLost) { emulator.loseNextCharge(booked: true) }
        if scripts.contains(.answerLostBeforeBooking) { emulator.loseNextCharge(booked: false) }
        if scripts.contains(.backOfficeDown) { emulator.cutBackOffice() }
        if KillSwitch.wanted == .afterTap { emulator.delayCharges(by: .seconds(10)) }
    }

    /// The kit's screen, and a customer who pays at a code that it shows.
    private func stage(_ emulator: RevolutEmulator, _ desk: RevolutDesk) -> RevolutStage {
        var stage = RevolutStage()
        let (time, control, tell) = (time, world.device.control, teller)
        stage.tokenProvider = desk.tokenProvider
        stage.hands.takesTestPayment = takesTestPayment
        stage.hands.nextPayment = { [weak self] in
            self?.nextPayment().map { RevolutHands.Typed(amount: $0.amount, byCode: $0.byCode) }
        }
        stage.installation = installation
        stage.onLogout = { tell("The kit signed out: the merchant has to consent again") }
        let cancels = scripts.contains(.customerCancels)
        let die: @Sendable () -> Void = { [weak self] in self?.die() }
        stage.screen.observe { [weak self] content in
            switch content {
            case .sheet:
                if KillSwitch.wanted == .beforeTap { die() }
                if cancels {
                    time.clock.schedule(after: .seconds(20)) { control.customerCancels() }
                }
                if KillSwitch.wanted == .afterTap {
                    time.clock.schedule(after: .seconds(10), die)
                }
            case .code(let page, let order):
                tell("On the kit's screen: a code for \(page)")
                for line in self?.codeLines(page) ?? [] { tell(line) }
                time.clock.schedule(after: .seconds(6)) {
                    tell("The customer scans it and pays")
                    emulator.payByCode(order)
                }
            case .introduction: tell("On the kit's screen: what Tap to Pay can do")
            case .offer: tell("On the kit's screen: an offer to try a payment")
            case .nothing, .result: break
            }
        }
        return stage
    }

    /// The desk of the shop's Revolut, once a point of sale is open.
    public var revolutDesk: RevolutDesk? { desk.withLock { $0 } }

    /// Whether the merchant tries a payment when a kit offers one.
    public var takesTestPayment: Bool {
        get { isTestTaken.withLock { $0 } }
        set { isTestTaken.withLock { $0 = newValue } }
    }

    /// Has the merchant type the payments of a series; nil closes it.
    public func type(_ next: @escaping @Sendable () -> TypedPayment?) {
        hands.withLock { $0 = next }
    }

    /// The next payment of a series; whoever pressed Ctrl-C closes it.
    private func nextPayment() -> TypedPayment? {
        guard !isInterrupted else {
            teller("Ctrl-C: the merchant closes the kit")
            return nil
        }
        return hands.withLock { $0 }?()
    }

    /// Whether somebody pressed Ctrl-C.
    public var isInterrupted: Bool { (presses.withLock { $0 }?() ?? 0) > 0 }

    /// Takes who can tell how often Ctrl-C was pressed.
    func hear(_ count: @escaping @Sendable () -> Int) { presses.withLock { $0 = count } }

    /// What the phone keeps for the app, from one command to the next.
    private var installation: RevolutInstallation {
        kept.withLock { kept in
            let isIntroduced = saved.withLock { $0?.isIntroduced } ?? false
            let installation = kept ?? RevolutInstallation(isIntroduced: isIntroduced)
            kept = installation
            return installation
        }
    }

    /// Has the codes on a kit's screen drawn as lines of text.
    public func drawCodes(_ draw: @escaping @Sendable (String) -> [String]) {
        codeScreen.withLock { $0 = draw }
    }

    private func codeLines(_ page: String) -> [String] {
        codeScreen.withLock { $0 }?(page) ?? []
    }

    private func script(_ emulator: FinixEmulator) {
        if scripts.contains(.answerLost) { emulator.loseNextPayment(booked: true) }
        if scripts.contains(.answerLostBeforeBooking) { emulator.loseNextPayment(booked: false) }
        if scripts.contains(.backOfficeDown) { emulator.cutBackOffice() }
        if scripts.contains(.pending) {
            emulator.leavePending(until: .seconds(600), succeeds: true)
            emulator.leaveRefundPending(until: .seconds(600), succeeds: true)
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
        time.advance(to: saved.time)
        self.saved.withLock { $0 = saved }
        backEnd.restore(saved.partner)
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
            finix: finix.withLock { $0?.snapshot } ?? earlier?.finix,
            revolut: revolut.withLock { $0?.snapshot } ?? earlier?.revolut,
            partner: backEnd.kept ?? earlier?.partner,
            isIntroduced: kept.withLock { $0?.isIntroduced } ?? earlier?.isIntroduced
        ).write(path)
    }

    /// Ends the process as a crash would, with the world as it stands: the acquirer lives on.
    private func die() {
        keeper.withLock { $0 }?()
        KillSwitch.kill()
    }
}
