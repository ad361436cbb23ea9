public import AcquirerSimulation
import Synchronization

/// The simulated iPhone that a kit runs on: its reader, its screen, and the Revolut it reaches.
///
/// Code that was written for the vendor's kit names no phone. It runs inside of
/// `RevolutPhone.$current.withValue(phone) { … }`; outside of it every flow fails.
public final class RevolutPhone: Sendable {
    /// The phone of kits that are made without one.
    @TaskLocal public static var current: RevolutPhone?

    /// The world that the phone is in.
    public let world: SimulatedWorld
    /// The Revolut that its kits talk to.
    public let emulator: RevolutEmulator
    /// What the kit shows, what the merchant does there, and what the phone keeps.
    public let stage: RevolutStage

    /// Creates a phone.
    ///
    /// - Parameters:
    ///   - world: The world whose device it is.
    ///   - emulator: The Revolut that its kits talk to.
    ///   - stage: What the kit shows, and what the merchant does there.
    public init(world: SimulatedWorld, emulator: RevolutEmulator, stage: RevolutStage) {
        self.world = world
        self.emulator = emulator
        self.stage = stage
    }
}

/// What a phone keeps for an app from one kit to the next.
public final class RevolutInstallation: Sendable {
    private let state: Mutex<(isIntroduced: Bool, flows: [RevolutKitMachine])>

    /// Creates an installation.
    ///
    /// - Parameter isIntroduced: Whether the introduction was shown before.
    public init(isIntroduced: Bool = false) { state = Mutex((isIntroduced, [])) }

    /// Whether the introduction was shown.
    public var isIntroduced: Bool { state.withLock { $0.isIntroduced } }

    /// The flows that are over, oldest first, with the states that each went through.
    public var flows: [RevolutKitMachine] { state.withLock { $0.flows } }

    /// True once: the introduction is to be shown now.
    func introduce() -> Bool {
        state.withLock { state in
            defer { state.isIntroduced = true }
            return !state.isIntroduced
        }
    }

    func keep(_ flow: RevolutKitMachine) { state.withLock { $0.flows.append(flow) } }
}

/// What the merchant does at a kit's screen.
public struct RevolutHands: Sendable {
    /// Whether the test payment of the set-up is made.
    public var takesTestPayment = true
    /// The next payment of a series; nil to close it.
    public var nextPayment: @Sendable () -> Typed? = { nil }

    /// A payment of a series, as it is typed.
    public struct Typed: Hashable, Sendable {
        /// The amount in minor units.
        public var amount: UInt
        /// Whether a code was chosen in place of a tap.
        public var byCode: Bool

        /// Creates a payment.
        public init(amount: UInt, byCode: Bool = false) {
            self.amount = amount
            self.byCode = byCode
        }
    }

    /// Hands that take the test payment, and close every series at once.
    public init() {}
}
