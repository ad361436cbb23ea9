import AcquirerSimulation
import CommandLineSupport
import FinixSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import RevolutSimulation
import Simulation
import Synchronization

/// The acquirers, their world and its time, which follows the clock on the wall.
///
/// Used by the server's thread alone, one request at a time.
final class EmulatedAcquirers: Sendable {
    /// One world; a reset makes another.
    struct World: Sendable {
        let simulated: SimulatedWorld
        let finix: FinixEmulator
        let revolut: RevolutEmulator

        init(_ options: EmulatorOptions, at time: Date) {
            var device = SimulatedDeviceConfiguration(timing: .instant)
            device.linkedMerchants = [options.merchant]
            device.configured = 100
            simulated = SimulatedWorld(
                time: SimulatedTime(seed: options.seed, start: time),
                device: device
            )
            finix = FinixEmulator(
                world: simulated,
                merchant: options.merchant,
                devices: [options.device: true]
            )
            revolut = RevolutEmulator(world: simulated)
        }
    }

    private struct State {
        var world: World
        /// How far the world's time is ahead of the clock on the wall, in seconds.
        var ahead: Double
        var keptEntries: Int
    }

    let options: EmulatorOptions
    private let state: Mutex<State>
    private let lock: FileLock?

    init(_ options: EmulatorOptions) throws(KeptWorldError) {
        self.options = options
        lock = if let path = options.ledger { try KeptWorld.lock(path) } else { nil }
        let kept: KeptWorld? =
            if let path = options.ledger { try KeptWorld.read(path) } else { nil }
        let now = Date()
        let world = World(options, at: max(kept?.time ?? now, now))
        if let kept {
            world.simulated.ledger.restore(kept.ledger)
            world.finix.restore(kept.finix)
            world.revolut.restore(kept.revolut)
        }
        let ahead = max((kept?.time ?? now).timeIntervalSince(now), 0)
        state = Mutex(
            State(world: world, ahead: ahead, keptEntries: world.simulated.ledger.entries.count)
        )
        // What cannot be kept later on is found out before anybody pays.
        try write()
    }

    var world: World { state.withLock { $0.world } }

    /// Answers a request, once everything that was due before it has happened.
    func answer(_ request: HTTPRequest) -> LoopbackReply {
        catchUp()
        let reply: LoopbackReply
        if Self.isControl(request.path) {
            reply = .answer(EmulatorControls(self).answer(request))
        } else {
            let host = Self.isRevolut(request.path) ? world.revolut.host : world.finix.host
            reply = host.serve(request)
        }
        guard let problem = keepWhatChanged(request) else { return reply }
        Terminal.write("emulator: \(problem)", to: 2)
        return .answer(.json(500, .object(["problem": .text("the ledger cannot be kept")])))
    }

    private static func isControl(_ path: String) -> Bool {
        path == "/_emu" || path.hasPrefix("/_emu/") && !isRevolut(path)
    }

    private static func isRevolut(_ path: String) -> Bool {
        ["/api/", "/_emu/kit/", "/_emu/oauth/", "/_emu/consents/"].contains { path.hasPrefix($0) }
    }

    // MARK: Time

    private func catchUp() {
        let (world, ahead) = state.withLock { ($0.world, $0.ahead) }
        world.simulated.time.advance(to: Date().addingTimeInterval(ahead))
    }

    /// Moves the world's time on.
    func advance(by seconds: Double) {
        state.withLock { $0.ahead += seconds }
        catchUp()
    }

    /// Makes another world, in which nothing has happened and nothing goes wrong.
    func reset() {
        state.withLock { state in
            state.world = World(options, at: Date())
            state.ahead = 0
        }
    }

    /// The text that a reader makes of a tap, to be sent to an acquirer at once.
    func tap(_ card: SimulatedCard, _ request: ReadRequest) throws(ReaderError) -> CardPayload {
        let (world, merchant) = (world.simulated, options.merchant)
        world.device.control.alwaysThisCard = card
        let read = try? world.time.run("tap") { () async -> Result<CardPayload, ReaderError> in
            do throws(ReaderError) {
                try await world.reader.prepare(
                    token: ReaderToken(text: "emulator", merchant: merchant)
                )
                return .success(try await world.reader.read(request).payload)
            } catch {
                return .failure(error)
            }
        }
        guard let read else { throw ReaderError(.readFailed) }
        return try read.get()
    }

    // MARK: Keeping

    /// Keeps the ledger and all records; returns what went wrong, if something did.
    func keep() -> String? {
        do throws(KeptWorldError) {
            try write()
            return nil
        } catch {
            return error.description
        }
    }

    private func keepWhatChanged(_ request: HTTPRequest) -> String? {
        let (entries, kept) = state.withLock { state in
            (state.world.simulated.ledger.entries.count, state.keptEntries)
        }
        return request.method != .get || entries != kept ? keep() : nil
    }

    private func write() throws(KeptWorldError) {
        guard let path = options.ledger else { return }
        let world = world
        let entries = world.simulated.ledger.entries
        try KeptWorld(
            time: world.simulated.time.wallTime,
            ledger: entries,
            finix: world.finix.snapshot,
            revolut: world.revolut.snapshot
        ).write(path)
        state.withLock { $0.keptEntries = entries.count }
    }
}
