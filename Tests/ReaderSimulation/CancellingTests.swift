import PaymentCore
import ReaderSimulation
import Simulation
import Testing

private let cancelled = Result<ReadResult, ReaderError>.failure(.readCancelled(by: .app))

@Suite struct CancellingTests {
    /// Reads, and cancels after a while: what came of both.
    private func readAndCancel(
        _ world: TestWorld,
        after delay: Duration
    ) throws -> (Result<ReadResult, ReaderError>, Bool) {
        try world.time.run {
            async let read = outcome(of: world.reader)
            try? await world.time.clock.sleep(for: delay)
            let cancel = await world.reader.cancelRead()
            return (await read, cancel)
        }
    }

    @Test func `S-127 a cancel before the sheet leaves no sheet`() throws {
        let world = try TestWorld().prepared()
        let (read, cancel) = try readAndCancel(world, after: .milliseconds(1))
        #expect(cancel && read == cancelled)
        world.time.runUntilIdle()
        #expect(world.events == [.readCancelled])
    }

    @Test func `S-128 a cancel while waiting ends the read`() throws {
        let world = try TestWorld().prepared()
        let (read, cancel) = try readAndCancel(world, after: .seconds(10))
        #expect(cancel && read == cancelled)
        #expect(world.events == [.readyForTap, .readCancelled, .uiDismissed])
        #expect(world.control.state.phase == .ready)
    }

    @Test func `S-129 a cancel and a card at one instant end one way or the other`() throws {
        let timing = ReaderTiming.typical
        var ends: Set<Bool> = []
        for delay in [timing.sheet + timing.tap - .nanoseconds(1), timing.sheet + timing.tap] {
            for schedule in UInt64(0)..<25 {
                let world = try TestWorld(schedule: schedule).prepared()
                world.control.alwaysThisCard = visa
                let (read, cancel) = try readAndCancel(world, after: delay)
                #expect(cancel != read.isSuccess)
                #expect(world.events.count(where: \.isTerminal) == 1)
                ends.insert(cancel)
            }
        }
        #expect(ends == [true, false])
    }

    @Test func `S-130 a cancel after detection is answered no, and the result is delivered`() throws
    {
        let timing = ReaderTiming.typical
        for extra in [1, 600, 800, 1_400] {
            let world = try TestWorld().prepared()
            world.control.alwaysThisCard = visa
            let delay = timing.sheet + timing.tap + .milliseconds(extra)
            let (read, cancel) = try readAndCancel(world, after: delay)
            #expect(!cancel && read.isSuccess)
            #expect(world.events == [.readyForTap] + tap)
        }
    }

    @Test func `S-133 of two cancels at most one is told yes`() throws {
        let world = try TestWorld().prepared()
        let answers = try world.time.run {
            async let read = outcome(of: world.reader)
            try? await world.time.clock.sleep(for: .seconds(1))
            async let one = world.reader.cancelRead()
            async let two = world.reader.cancelRead()
            _ = await read
            return [await one, await two]
        }
        #expect(answers.count(where: \.self) == 1)
    }

    @Test func `S-134 a cancel without a read is answered no`() throws {
        let world = TestWorld()
        #expect(try !world.time.run { await world.reader.cancelRead() })
        #expect(try world.prepare() == nil)
        #expect(try !world.time.run { await world.reader.cancelRead() })
        world.control.alwaysThisCard = visa
        #expect(try world.read().isSuccess)
        _ = world.takeEvents()
        #expect(try !world.time.run { await world.reader.cancelRead() })
        #expect(world.events.isEmpty)
    }

    @Test(arguments: [(0, false), (1, false), (1_399, false), (1_401, true), (2_000, true)])
    func `S-135 cancelling the task ends the read until the card is there`(
        milliseconds: Int,
        delivers: Bool
    ) throws {
        let world = try TestWorld().prepared()
        world.control.alwaysThisCard = visa
        let result = try world.time.run {
            let task = Task(executorPreference: world.time.executor) {
                await outcome(of: world.reader)
            }
            // Zero cancels before the task has run at all.
            if milliseconds > 0 {
                try? await world.time.clock.sleep(for: .milliseconds(milliseconds))
            }
            task.cancel()
            return await task.value
        }
        #expect(result.isSuccess == delivers)
        if !delivers { #expect(result == .failure(.readCancelled(by: .task))) }
        #expect(world.events.count(where: \.isTerminal) == 1)
    }

    @Test func `S-136 a cancel within milliseconds of the start always ends the read`() throws {
        for seed in UInt64(0)..<200 {
            let world = try TestWorld(schedule: seed).prepared()
            let start = world.now
            let (read, cancel) = try readAndCancel(world, after: .microseconds(Int(seed) * 25 + 1))
            #expect(cancel && read == cancelled)
            #expect(world.now - start < .seconds(1))
        }
    }

    @Test func `G-2 a read that was cancelled has returned when the cancel has`() throws {
        for schedule in UInt64(0)..<50 {
            let world = try TestWorld(schedule: schedule).prepared()
            world.control.alwaysThisCard = visa
            let (order, next) = try world.time.run {
                let order = Order()
                async let read: Void = {
                    _ = await outcome(of: world.reader)
                    order.add("read")
                }()
                try? await world.time.clock.sleep(for: .seconds(1))
                _ = await world.reader.cancelRead()
                order.add("cancel")
                let next = await outcome(of: world.reader)
                await read
                return (order.all, next)
            }
            #expect(order == ["read", "cancel"])
            #expect(next.isSuccess)
        }
    }

    @Test func `S-137 after a cancel the next read works at once`() throws {
        let world = try TestWorld().prepared()
        #expect(try readAndCancel(world, after: .seconds(1)).1)
        world.control.alwaysThisCard = visa
        #expect(try world.read().isSuccess)
        #expect(
            world.events == [.readyForTap, .readCancelled, .uiDismissed, .readyForTap] + tap
        )
    }

    @Test(
        arguments: [
            (.apple, .system), (.open, .customer),
        ] as [(SimulatedDeviceConfiguration.Fidelity, ReaderError.Canceller)]
    )
    func `S-138 the customer closes the sheet, which a live reader does not say`(
        fidelity: SimulatedDeviceConfiguration.Fidelity,
        by: ReaderError.Canceller
    ) throws {
        let world = try TestWorld(
            .init(linkedMerchants: ["merchant-1"], configured: 100, fidelity: fidelity)
        ).prepared()
        world.on(.readyForTap, after: .seconds(1)) { world.control.customerCancels() }
        #expect(try world.read() == .failure(.readCancelled(by: by)))
        #expect(world.events == [.readyForTap, .readCancelled, .uiDismissed])
        #expect(world.time.trace.text.contains("cancelled by customer"))
    }

    @Test func `S-139 a cancel does not touch a preparation`() throws {
        let world = TestWorld()
        let (cancel, error) = try world.time.run {
            async let prepare = failure { () throws(ReaderError) in
                try await world.reader.prepare(token: token)
            }
            try? await world.time.clock.sleep(for: .seconds(1))
            return (await world.reader.cancelRead(), await prepare)
        }
        #expect(!cancel && error == nil)
    }
}
