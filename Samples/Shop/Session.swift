public import CommandLineSupport
import PaymentCore
import Simulation
import Synchronization

/// Runs one command in a simulated shop, at a person's pace if one is wanted, under Ctrl-C.
public struct Session: Sendable {
    private let shop: SimulatedShop
    private let terminal: Terminal
    private let speed: Double?

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - shop: The world.
    ///   - terminal: Where progress is told.
    ///   - speed: Virtual seconds a real second; as fast as possible when nil.
    public init(shop: SimulatedShop, terminal: Terminal, speed: Double?) {
        self.shop = shop
        self.terminal = terminal
        self.speed = speed
    }

    /// Runs a command to its report.
    ///
    /// The first Ctrl-C cancels what `cancel` cancels; the second gives up and leaves everything
    /// as it stands, as the first does where there is nothing to cancel.
    ///
    /// - Parameters:
    ///   - cancel: Asks for a cancellation, and tells what came of it; nil where there is nothing.
    ///   - abandoned: The report of a command that was given up.
    ///   - command: The command.
    /// - Returns: The report.
    public func run(
        cancel: (@Sendable () async -> String?)?,
        abandoned: @escaping @Sendable () -> Report,
        _ command: @escaping @Sendable () async -> Report
    ) -> Report {
        let interruption = Interruption()
        let (time, terminal, speed) = (shop.time, terminal, speed)
        shop.hear { interruption.presses }
        var driving = Driving()
        driving.betweenSteps = {
            guard let cancel, interruption.takeFirst() else { return }
            Task(executorPreference: time.executor) {
                if let answer = await cancel() { terminal.progress("Ctrl-C: \(answer)") }
            }
        }
        let presses = cancel == nil ? 1 : 2
        driving.isAbandoned = { interruption.presses >= presses }
        if let speed {
            driving.beforeWaiting = { interruption.wait($0 / speed) }
        }
        do throws(SimulationStop) {
            return try time.run(driving: driving, command)
        } catch {
            if error == .abandoned { return abandoned() }
            return .problem(.software, ["internal: nothing can happen any more (\(error))"])
        }
    }
}
