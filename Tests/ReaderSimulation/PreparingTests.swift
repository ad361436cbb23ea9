import PaymentCore
import ReaderSimulation
import Simulation
import Testing

private let fresh = SimulatedDeviceConfiguration(linkedMerchants: ["merchant-1"])
private let progress = stride(from: 5, through: 100, by: 5).map(ReaderEvent.preparationProgress)

@Suite struct PreparingTests {
    @Test func `S-033 without a link nothing is prepared`() throws {
        let world = TestWorld(.init())
        #expect(try world.prepare() == ReaderError(.accountNotLinked))
        #expect(world.events.isEmpty)
        #expect(world.control.state.phase == .unlinked)
        #expect(try world.read() == .failure(ReaderError(.notPrepared)))
    }

    @Test func `S-034 the terms are accepted by default`() throws {
        let world = TestWorld(.init(configured: 100))
        #expect(try world.status() == .success(false))
        #expect(try world.link() == nil)
        #expect(world.takeEvents() == [.linkSheetShown, .termsAccepted])
        #expect(world.control.state.phase == .linked)
        #expect(try world.status() == .success(true))
        #expect(try world.prepare() == nil)
    }

    @Test(
        arguments: [
            (.closes, .accountLinkCancelled), (.fails, .accountLinkFailed),
        ] as [(ReaderControl.TermsAnswer, ReaderError.Code)]
    )
    func `S-035 S-036 a sheet that was closed or failed links nobody`(
        answer: ReaderControl.TermsAnswer,
        code: ReaderError.Code
    ) throws {
        let world = TestWorld(.init())
        world.control.nextTerms([answer])
        #expect(try world.link() == ReaderError(code))
        #expect(world.takeEvents() == [.linkSheetShown])
        #expect(world.control.linkedMerchants.isEmpty)
        #expect(try world.link() == nil)
    }

    @Test func `S-038 who is linked already sees no sheet`() throws {
        let world = TestWorld()
        #expect(try world.link() == nil)
        #expect(world.events.isEmpty)
        #expect(world.now == .zero)
    }

    @Test func `S-040 a status that cannot be asked is not the same as not linked`() throws {
        let world = TestWorld()
        world.control.networkDown()
        #expect(try world.status() == .failure(ReaderError(.accountCheckFailed)))
        world.control.networkUp()
        #expect(try world.status() == .success(true))
    }

    @Test func `S-041 a link that was lost ends the session`() throws {
        let world = try TestWorld().prepared()
        world.control.revokeLink()
        #expect(world.events == [.sessionEnded(.revoked)])
        #expect(try world.prepare() == ReaderError(.accountNotLinked))
        #expect(try world.link() == nil)
        #expect(try world.prepare() == nil)
    }

    @Test func `S-047 the first preparation is slow and shows its progress`() throws {
        let world = TestWorld(fresh)
        #expect(try world.prepare() == nil)
        #expect(world.events == [.notReady] + progress + [.sessionReady])
        #expect(world.now == .seconds(95))
    }

    @Test func `S-048 later preparations are fast and silent`() throws {
        let world = TestWorld()
        #expect(try world.prepare() == nil)
        #expect(world.events == [.sessionReady])
        #expect(world.now == .seconds(3))
    }

    @Test func `S-049 a session that is good is kept`() throws {
        let world = try TestWorld().prepared()
        let before = world.now
        #expect(try world.prepare() == nil)
        #expect(world.now == before)
        #expect(world.events.isEmpty)
    }

    @Test func `S-050 a second preparation is refused and leaves the first alone`() throws {
        let world = TestWorld(fresh)
        let (first, second) = try world.time.run {
            async let first = preparation(of: world.reader)
            try? await world.time.clock.sleep(for: .seconds(20))
            let second = await preparation(of: world.reader)
            #expect(world.now == .seconds(20))
            return (await first, second)
        }
        #expect(first == nil)
        #expect(second == ReaderError(.readerBusy))
        #expect(world.now == .seconds(95))
        #expect(world.events == [.notReady] + progress + [.sessionReady])
    }

    @Test func `S-058 a network lost on the way is told, and the next call goes on from there`()
        throws
    {
        let world = TestWorld(fresh)
        world.on(.preparationProgress(30)) { world.control.networkDown() }
        #expect(try world.prepare() == ReaderError(.networkUnavailable))
        #expect(world.control.configured == 30)
        #expect(world.control.state.phase == .linked)
        world.control.networkUp()
        _ = world.takeEvents()
        #expect(try world.prepare() == nil)
        #expect(world.events == [.notReady] + progress.dropFirst(6) + [.sessionReady])
    }

    @Test func `S-056 S-060 bad tokens and scripted failures keep their code and number`() throws {
        let world = TestWorld()
        #expect(try world.prepare(ReaderToken("")) == ReaderError(.tokenMissing))
        world.control.throwAtNext(.prepareStarted, .prepareFailed(text: "error 2013: not allowed"))
        #expect(try world.prepare()?.number == 2_013)
        #expect(try world.prepare() == nil)
    }

    @Test func `S-062 a token may not wait, but its session outlives it`() throws {
        let world = TestWorld()
        let waiting = ReaderToken(
            text: "short",
            merchant: "merchant-1",
            issuedAt: world.time.clock.now,
            patience: .seconds(60)
        )
        world.time.advance(by: .seconds(59))
        #expect(try world.prepare(waiting) == nil)
        world.time.advance(by: .seconds(600))
        world.control.alwaysThisCard = visa
        #expect(try world.read().isSuccess)
        world.control.expireSession()
        #expect(try world.prepare(waiting) == ReaderError(.tokenExpired))
    }

    @Test func `S-176 a token that aged out under its session is told by the read`() throws {
        let world = TestWorld()
        let aging = ReaderToken(
            text: "old",
            merchant: "merchant-1",
            issuedAt: world.time.clock.now
        )
        #expect(try world.prepare(aging) == nil)
        world.time.advance(by: .seconds(48 * 3_600))
        #expect(try world.read() == .failure(ReaderError(.tokenExpired)))
        #expect(world.events.last == .sessionEnded(.tokenExpired))
        #expect(try world.prepare() == nil)
    }

    @Test func `S-065 cancelling the task of a preparation ends the call, not the configuration`()
        throws
    {
        let world = TestWorld(fresh)
        let error = try world.time.run {
            let task = Task(executorPreference: world.time.executor) {
                await preparation(of: world.reader)
            }
            try? await world.time.clock.sleep(for: .seconds(20))
            task.cancel()
            return await task.value
        }
        #expect(error == ReaderError(.prepareCancelled))
        #expect(world.now == .seconds(20))
        world.time.advance(by: .seconds(100))
        _ = world.takeEvents()
        #expect(try world.prepare() == nil)
        #expect(world.events == [.sessionReady])
    }

    @Test func `S-068 a session that aged out says so, and preparing helps`() throws {
        let world = try TestWorld().prepared()
        world.control.expireSession()
        #expect(world.events == [.sessionEnded(.expired)])
        #expect(try world.read() == .failure(ReaderError(.sessionExpired)))
        #expect(try world.prepare() == nil)
    }

    @Test func `S-072 another merchant needs another session`() throws {
        let world = TestWorld(.init(linkedMerchants: ["merchant-1", "other"], configured: 100))
        #expect(try world.prepare() == nil)
        #expect(try world.prepare(ReaderToken(text: "b", merchant: "other")) == nil)
        #expect(world.events == [.sessionReady, .sessionEnded(.closed), .sessionReady])
    }

    @Test func `D-6 asking about another merchant leaves a running preparation alone`() throws {
        let world = TestWorld(fresh)
        let other = ReaderToken(text: "b", merchant: "other")
        let (first, second, isLinked) = try world.time.run { [reader = world.reader] in
            async let first = preparation(of: reader)
            try? await world.time.clock.sleep(for: .seconds(20))
            let second = await failure { () throws(ReaderError) in
                try await reader.prepare(token: other)
            }
            return (first: await first, second, try? await reader.linkStatus(token: other))
        }
        #expect(first == nil && isLinked == false)
        #expect(second == ReaderError(.readerBusy))
        #expect(world.control.state.phase == .ready)
        world.control.alwaysThisCard = visa
        #expect(try world.read().isSuccess)
    }

    @Test(arguments: [DeviceTraits.Update.required, .random])
    func `S-070 S-015 an update that is wanted later is made too`(
        update: DeviceTraits.Update
    ) throws {
        var ends: Set<Bool> = []
        for seed in UInt64(0)..<20 {
            let world = TestWorld(seed: seed)
            world.control.traits.update = update
            #expect(try world.prepare() == nil)
            ends.insert(world.takeEvents().contains(.preparationProgress(100)))
            world.control.expireSession()
            #expect(try world.prepare() == nil)
            #expect(world.takeEvents() == [.sessionEnded(.expired), .sessionReady])
        }
        #expect(ends == (update == .required ? [true] : [true, false]))
    }
}

private func preparation(of reader: SimulatedReader) async -> ReaderError? {
    await failure { () throws(ReaderError) in try await reader.prepare(token: token) }
}

extension TestWorld {
    fileprivate func link() throws -> ReaderError? {
        try time.run { [reader] in
            await failure { () throws(ReaderError) in try await reader.link(token: token) }
        }
    }

    fileprivate func status() throws -> Result<Bool, ReaderError> {
        try time.run { [reader] in
            do throws(ReaderError) {
                return .success(try await reader.linkStatus(token: token))
            } catch {
                return .failure(error)
            }
        }
    }
}
