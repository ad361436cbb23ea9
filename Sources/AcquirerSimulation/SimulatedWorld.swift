public import PaymentCore
public import ReaderSimulation
public import Simulation
import Synchronization

/// One world: its time, the device in the shop, the issuers, and one ledger for all acquirers.
public final class SimulatedWorld: Sendable {
    /// Time, chance and threads.
    public let time: SimulatedTime
    /// The device in the shop; survives crashes of the app.
    public let device: SimulatedDevice
    /// The reader of the app that runs on the device; every vendor's kit in it uses this one.
    public let reader: SimulatedReader
    /// The way from the device to whichever acquirer takes the payload.
    public let line: SubmissionLine
    /// The cardholders' banks.
    public let issuer: SimulatedIssuer
    /// Where all acquirers book money.
    public let ledger = Ledger()
    private let acquirers = Mutex<[String: any Sendable]>([:])

    /// Creates a world.
    ///
    /// - Parameters:
    ///   - time: Its time and chance.
    ///   - device: What the device is like at the beginning.
    public init(
        time: SimulatedTime,
        device: SimulatedDeviceConfiguration = SimulatedDeviceConfiguration(timing: .typical)
    ) {
        self.time = time
        self.device = SimulatedDevice(time: time, configuration: device)
        reader = SimulatedReader(device: self.device)
        line = SubmissionLine(control: self.device.control)
        issuer = SimulatedIssuer(time: time, magic: device.magic)
    }

    /// The environment that makes a point of sale part of this world.
    public var environment: PaymentEnvironment { time.environment }

    /// Whether a point of sale is part of this world, as it is with the world's ``environment``.
    ///
    /// With another clock it would wait for ever for a time that only this world moves on.
    ///
    /// - Parameters:
    ///   - environment: What the point of sale is opened with.
    ///   - section: The acquirer's section, where it is told when it is not.
    /// - Returns: False once the section has told.
    public func holds(_ environment: PaymentEnvironment, _ section: ConfigurationSection) -> Bool {
        if let clock = environment.clock as? VirtualClock, clock === time.clock { return true }
        section.reject(
            "environment",
            """
            the point of sale has another clock than the simulated world, and would wait for ever; \
            accepted is the world's environment, as in open(…, environment: world.environment)
            """
        )
        return false
    }
}

extension SimulatedWorld {
    /// What an acquirer sees of the world that keeps it; holding the world itself would hold it for
    /// ever.
    package struct Surroundings: Sendable {
        /// Time, chance and threads.
        package let time: SimulatedTime
        /// The cardholders' banks.
        package let issuer: SimulatedIssuer
        /// Where it books money.
        package let ledger: Ledger
    }

    /// What an acquirer sees of the world.
    package var surroundings: Surroundings {
        Surroundings(time: time, issuer: issuer, ledger: ledger)
    }

    /// An acquirer of the world, made once: its books outlive every process of the app.
    package func acquirer<Emulator: Sendable>(
        _ name: String,
        _ make: () -> Emulator
    ) -> Emulator {
        acquirers.withLock { acquirers in
            if let known = acquirers[name] as? Emulator { return known }
            let made = make()
            acquirers[name] = made
            return made
        }
    }
}
