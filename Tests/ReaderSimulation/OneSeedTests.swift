import PaymentCore
import ReaderSimulation
import Simulation
import Synchronization
import Testing

/// A day at a counter: a slow preparation, reads, cancels, a background; what came of it.
private func day(
    seed: UInt64,
    schedule: UInt64? = nil
) throws -> (trace: String, events: [ReaderEvent], ends: [String], ids: [String]) {
    let world = TestWorld(seed: seed, schedule: schedule, .init(linkedMerchants: ["merchant-1"]))
    world.control.nextCards([visa, phone])
    let results = try world.time.run {
        _ = await failure { () throws(ReaderError) in
            try await world.reader.prepare(token: token)
        }
        var results = [await outcome(of: world.reader), await outcome(of: world.reader)]
        async let waiting = outcome(of: world.reader)
        try? await world.time.clock.sleep(for: .seconds(5))
        async let busy = outcome(of: world.reader)
        results.append(await busy)
        _ = await world.reader.cancelRead()
        results.append(await waiting)
        world.control.background()
        results.append(await outcome(of: world.reader))
        return results
    }
    let ends = results.map { $0.cardID ?? $0.failure?.description ?? "" }
    let ids = results.compactMap { try? $0.get().payload.reveal() }
    return (world.time.trace.text, world.events, ends, ids)
}

@Suite struct OneSeedTests {
    @Test func `S-001 one seed gives one trace and one set of payloads in two hundred runs`() throws
    {
        let first = try day(seed: 7)
        for _ in 0..<200 {
            let again = try day(seed: 7)
            #expect(again.trace == first.trace)
            #expect(again.ids == first.ids)
        }
    }

    @Test func `S-001 another seed changes values, never order or outcome`() throws {
        let one = try day(seed: 7)
        let other = try day(seed: 8)
        #expect(one.ids != other.ids && one.ids.count == 2)
        #expect(one.events == other.events)
        #expect(one.ends == other.ends)
    }

    @Test func `S-004 the order of runnable jobs changes no result`() throws {
        let first = try day(seed: 7)
        for schedule in UInt64(0)..<200 {
            let other = try day(seed: 7, schedule: schedule)
            #expect(other.events == first.events)
            #expect(other.ends == first.ends)
            #expect(other.ids == first.ids)
        }
    }

    @Test func `G-5 everybody hears everything in one order, also who calls back`() throws {
        let world = try TestWorld().prepared()
        let late = Heard()
        // Cancels in the middle of an event, before the other observers have heard of it.
        world.on(.readyForTap) { world.control.customerCancels() }
        let subscription = world.reader.subscribe { late.add($0) }
        _ = try world.read()
        #expect(late.all == [.sessionReady, .readyForTap, .readCancelled, .uiDismissed])
        #expect(world.events == Array(late.all.dropFirst()))
        subscription.cancel()
        _ = try world.read()
        #expect(late.all.count == 4)
        #expect(world.events.count == 6)
    }

    @Test func `S-026 a stream nobody reads does not stop the reader`() throws {
        let world = try TestWorld().prepared()
        world.control.alwaysThisCard = visa
        let stream = world.reader.events()
        #expect(try world.read().isSuccess)
        let heard = try world.time.run {
            var heard: [ReaderEvent] = []
            for await event in stream {
                heard.append(event)
                if event == .uiDismissed { break }
            }
            return heard
        }
        #expect(heard == [.sessionReady, .readyForTap] + tap)
    }

    @Test func `S-021 the presets give the same events at other times`() throws {
        let events = try [ReaderTiming.typical, .instant].map { timing throws in
            let world = TestWorld(.init(timing: timing, linkedMerchants: ["merchant-1"]))
            world.control.alwaysThisCard = visa
            #expect(try world.prepare() == nil)
            #expect(try world.read().isSuccess)
            #expect((world.now < .seconds(1)) == (timing == .instant))
            return world.events
        }
        #expect(events[0] == events[1])
    }

    @Test func `S-016 two devices know nothing of each other`() throws {
        let one = try TestWorld().prepared()
        let other = TestWorld()
        one.control.revokeLink()
        #expect(try other.prepare() == nil)
        #expect(one.events == [.sessionEnded(.revoked)])
    }

    @Test func `S-071 a reader has a name that follows from the seed`() throws {
        func name(_ seed: UInt64) throws -> String? {
            let world = TestWorld(seed: seed)
            return try world.time.run { try? await world.reader.readerIdentifier() }
        }
        #expect(try name(1) == name(1))
        #expect(try name(1) != name(2))
        #expect(try name(1)?.hasPrefix("sim-reader-") == true)
    }

    @Test func `S-001 what a crash releases goes on in the order in which it came`() throws {
        for _ in 0..<5 {
            let world = try TestWorld().prepared()
            let order = Order()
            for number in 1...20 {
                world.control.add(ReaderFault(.hang, .before, .submitReceived, nth: number))
            }
            try world.time.run { [control = world.control] in
                await withTaskGroup(of: Void.self) { group in
                    for number in 1...20 {
                        group.addTask {
                            try? await control.reach(.submitReceived, .before)
                            order.add("\(number)")
                        }
                    }
                    try? await world.time.clock.sleep(for: .seconds(1))
                    control.crash()
                }
            }
            #expect(order.all == (1...20).map { "\($0)" })
        }
    }

    @Test func `S-026 who has cancelled a subscription hears no more, not even what is on its way`()
        throws
    {
        let world = try TestWorld().prepared()
        let heard = Heard()
        let place = Mutex<ReaderSubscription?>(nil)
        let subscription = world.reader.subscribe { event in
            heard.add(event)
            if event == .readNotCompleted { place.withLock { $0 }?.cancel() }
        }
        place.withLock { $0 = subscription }
        _ = try world.read()
        #expect(heard.all == [.sessionReady, .readyForTap, .readNotCompleted])
    }
}
