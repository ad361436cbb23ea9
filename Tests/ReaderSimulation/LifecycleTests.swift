import PaymentCore
import ReaderSimulation
import Simulation
import Testing

private let ended = ReaderEvent.sessionEnded(.background)

@Suite struct LifecycleTests {
    @Test func `S-141 the background ends a read that waits, and no payload exists`() throws {
        let world = try TestWorld().prepared()
        world.on(.readyForTap, after: .seconds(5)) { world.control.background() }
        let error = try #require(try world.read().failure)
        #expect(error.code == .interrupted && !error.payloadMayExist)
        #expect(error.retry == .onForeground)
        #expect(world.events == [.readyForTap, .readNotCompleted, ended])
    }

    @Test func `S-142 the background ends a read with a card, and a payload may exist`() throws {
        let world = try TestWorld().prepared()
        world.control.alwaysThisCard = visa
        world.on(.cardDetected, after: .milliseconds(100)) { world.control.background() }
        let error = try #require(try world.read().failure)
        #expect(error.code == .interrupted && error.payloadMayExist)
        #expect(world.events == [.readyForTap, .cardDetected, .readNotCompleted, ended])
        world.time.runUntilIdle()
        #expect(world.events.last == ended)
    }

    @Test func `S-143 a result that exists is delivered although the app went away`() throws {
        let world = try TestWorld().prepared()
        world.control.alwaysThisCard = visa
        world.on(.readCompleted, after: .milliseconds(1)) { world.control.background() }
        #expect(try world.read().isSuccess)
        #expect(world.events == [.readyForTap] + tap + [ended])
        #expect(
            world.control.state.phase == .backgrounded(preparationContinues: false)
        )
    }

    @Test func `S-052 S-145 a session from before the background is worth nothing after it`() throws
    {
        let world = try TestWorld().prepared()
        world.control.alwaysThisCard = visa
        world.control.background()
        #expect(try world.read() == .failure(ReaderError(.appInBackground)))
        #expect(try world.prepare() == ReaderError(.appInBackground))
        world.control.foreground()
        #expect(world.control.state.phase == .linked)
        #expect(try world.read() == .failure(ReaderError(.notPrepared)))
        #expect(try world.prepare() == nil)
        #expect(try world.read().isSuccess)
    }

    @Test func `S-051 the configuration goes on without the app`() throws {
        let world = TestWorld(.init(linkedMerchants: ["merchant-1"]))
        world.on(.preparationProgress(40)) { world.control.background() }
        #expect(try world.prepare()?.code == .interrupted)
        #expect(world.takeEvents().suffix(2) == [.preparationProgress(40), ended])
        #expect(world.control.state.phase == .backgrounded(preparationContinues: true))
        world.time.advance(by: .seconds(20))
        world.control.foreground()
        #expect(try world.prepare() == nil)
        #expect(world.takeEvents().prefix(2) == [.notReady, .preparationProgress(65)])
    }

    @Test func `S-053 going back and forth while preparing always ends ready`() throws {
        // FC-059: twenty changes, then a payment.
        let world = TestWorld(.init(linkedMerchants: ["merchant-1"]))
        for _ in 0..<20 {
            world.time.clock.schedule(after: .seconds(2)) { world.control.background() }
            #expect(try world.prepare()?.code == .interrupted)
            world.control.foreground()
        }
        #expect(try world.prepare() == nil)
        world.control.alwaysThisCard = visa
        #expect(try world.read().isSuccess)
    }

    @Test func `S-150 the terms sheet does not survive the background`() throws {
        let world = TestWorld(.init())
        world.on(.linkSheetShown, after: .seconds(1)) { world.control.background() }
        let error = try world.time.run {
            await failure { () throws(ReaderError) in try await world.reader.link(token: token) }
        }
        #expect(error?.code == .interrupted)
        world.time.runUntilIdle()
        #expect(world.control.linkedMerchants.isEmpty)
    }

    @Test(arguments: [(ReaderEvent.readyForTap, false), (.cardDetected, true), (.removeCard, true)])
    func `closing cancels a read that waits and awaits one with a card`(
        moment: ReaderEvent,
        delivers: Bool
    ) throws {
        let world = try TestWorld().prepared()
        world.control.alwaysThisCard = visa
        let result = try world.time.run {
            async let read = outcome(of: world.reader)
            for await event in world.reader.events() where event == moment { break }
            await world.reader.close()
            #expect(world.control.state.phase == .invalidated(.closed))
            return await read
        }
        #expect(result.isSuccess == delivers)
        if !delivers { #expect(result == .failure(.readCancelled(by: .app))) }
        #expect(world.events.last == .sessionEnded(.closed))
        #expect(try world.prepare() == nil)
    }

    @Test func `E-57 closing ends a preparation`() throws {
        let world = TestWorld()
        world.time.clock.schedule(after: .seconds(1)) {
            Task(executorPreference: world.time.executor) { await world.reader.close() }
        }
        #expect(try world.prepare() == ReaderError(.closed))
        #expect(world.control.state.phase == .invalidated(.closed))
        #expect(try world.prepare() == nil)
    }

    @Test func `S-017 the device survives a launch, the session does not`() throws {
        let world = TestWorld(.init())
        #expect(
            try world.time.run {
                await failure { () throws(ReaderError) in
                    try await world.reader.link(token: token)
                    try await world.reader.prepare(token: token)
                }
            } == nil
        )
        world.on(.readyForTap) { _ = SimulatedReader(device: world.device) }
        #expect(try world.read() == .failure(ReaderError(.closed)))
        #expect(try world.read() == .failure(ReaderError(.closed)))
        let next = SimulatedReader(device: world.device)
        let (first, error) = try world.time.run {
            (
                await outcome(of: next),
                await failure { () throws(ReaderError) in try await next.prepare(token: token) }
            )
        }
        #expect(first == .failure(ReaderError(.notPrepared)))
        #expect(error == nil)
        #expect(world.control.configured == 100)
    }

    @Test func `S-027 a device that cannot read says so everywhere`() throws {
        let reason = ReaderError(.deviceUnsupported)
        let world = TestWorld(.init(unsupported: reason))
        #expect(world.reader.support() == .unsupported(reason))
        #expect(try world.prepare() == reason)
        #expect(try world.read() == .failure(ReaderError(.notPrepared)))
        world.control.setUnsupported(nil)
        #expect(world.reader.support() == .supported)
        #expect(world.control.state.phase == .unlinked)
    }

    @Test func `S-027 closing does not make a reader of a device that has none`() throws {
        var device = SimulatedDeviceConfiguration(linkedMerchants: ["merchant-1"], configured: 100)
        device.traits.hasReader = false
        let world = TestWorld(device)
        try world.time.run { [reader = world.reader] in await reader.close() }
        #expect(world.control.state.phase == .invalidated(.closed))
        #expect(try world.prepare() == ReaderError(.deviceUnsupported))
        #expect(try world.read() == .failure(ReaderError(.notPrepared)))
        world.control.traits.hasReader = true
        #expect(try world.prepare() == nil)
    }

    @Test func `1.3 a sheet that waits again does not wait for a reader that was closed`() throws {
        let world = try TestWorld().prepared()
        world.control.alwaysThisCard = visa
        world.on(.cardDetected) {
            Task(executorPreference: world.time.executor) { await world.reader.close() }
            world.time.clock.schedule(after: .milliseconds(100)) { world.control.removeCard() }
        }
        #expect(try world.read() == .failure(.readCancelled(by: .app)))
        world.time.runUntilIdle()
        #expect(world.control.state.phase == .invalidated(.closed))
    }
}
