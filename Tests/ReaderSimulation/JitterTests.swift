import PaymentCore
import ReaderSimulation
import Simulation
import Testing

/// Times that people and limits set are not shaken, however much the others are.
@Suite struct JitterTests {
    private func world(_ seed: UInt64) throws -> TestWorld {
        var device = SimulatedDeviceConfiguration(
            timing: .hostile,
            linkedMerchants: ["merchant-1"],
            configured: 100
        )
        device.timing.pinTimeout = .seconds(20)
        device.timing.idleSession = .seconds(40)
        return try TestWorld(seed: seed, device).prepared()
    }

    private let withPIN = ReadRequest(
        kind: .purchase,
        minorUnits: 100,
        currency: "EUR",
        asksForPIN: true
    )

    /// When each event was first heard.
    private func times(_ world: TestWorld, _ request: ReadRequest) throws -> [ReaderEvent: Duration]
    {
        let start = world.time.trace.lines.count
        _ = try world.read(request)
        var times: [ReaderEvent: Duration] = [:]
        for event in world.events {
            let line = world.time.trace.lines.dropFirst(start).first {
                $0.text == "event \(event.scenarioName)"
            }
            times[event] = .milliseconds(line?.milliseconds ?? 0)
        }
        return times
    }

    @Test func `1.6 S-021 the limits of a keypad and of a session are the same at every seed`()
        throws
    {
        for seed in UInt64(0)..<10 {
            let world = try world(seed)
            world.control.alwaysThisCard = visa
            world.control.nextPIN(.none)
            let times = try times(world, withPIN)
            let shown = try #require(times[.pinRequested])
            #expect(times[.readNotCompleted] == shown + .seconds(20))
            let end = world.now
            world.time.advance(by: .milliseconds(39_999))
            #expect(world.control.state.phase == .ready)
            world.time.advance(by: .milliseconds(1))
            #expect(world.control.state.phase == .invalidated(.expired))
            #expect(world.now - end == .seconds(40))
        }
    }

    @Test func `S-006 what a script says comes when it says, at every seed`() throws {
        for seed in UInt64(0)..<10 {
            let world = try world(seed)
            world.control.present(card: visa, after: .seconds(50))
            world.control.nextPIN(.correct, after: .seconds(19))
            world.control.add(ReaderFault(.delay(.seconds(5)), .before, .pinShown))
            let times = try times(world, withPIN)
            let sheet = try #require(times[.readyForTap])
            #expect(times[.cardDetected] == sheet + .seconds(50))
            let shown = try #require(times[.pinRequested])
            #expect(times[.pinCompleted] == shown + .seconds(19))
            let removed = try #require(times[.removeCard])
            #expect(shown - removed == .seconds(5))
        }
    }
}
