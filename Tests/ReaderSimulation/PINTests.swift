import PaymentCore
import ReaderSimulation
import Simulation
import Testing

@Suite struct PINTests {
    private func world() throws -> TestWorld {
        let world = try TestWorld().prepared()
        world.control.alwaysThisCard = visa
        return world
    }

    private func capture(
        _ world: TestWorld,
        _ token: PINToken,
        _ readID: String
    ) throws -> Result<ReadResult, ReaderError> {
        try world.time.run { [reader = world.reader] in
            do throws(ReaderError) {
                return .success(try await reader.capturePIN(token: token, readID: readID))
            } catch {
                return .failure(error)
            }
        }
    }

    @Test(arguments: [(54_900, true), (55_000, true), (55_100, false)])
    func `S-121 a PIN can be added until the window closes`(after: Int, isGood: Bool) throws {
        let world = try world()
        let read = try world.read().get()
        // The read completed before its sheet closed, and from then on time counts.
        let sinceCompletion = Duration.milliseconds(after) - ReaderTiming.typical.dismissal
        world.time.advance(by: sinceCompletion)
        _ = world.takeEvents()
        let result = try capture(world, PINToken("pin", readID: read.readID), read.readID)
        if isGood {
            #expect(try result.get().readID == read.readID)
            #expect(world.events == [.pinRequested, .pinCompleted, .uiDismissed])
        } else {
            #expect(result == .failure(ReaderError(.pinWindowClosed)))
            #expect(world.events.isEmpty)
        }
        #expect(world.control.state.phase == .ready)
    }

    @Test func `S-122 a PIN token of another read, or one that was used, is refused`() throws {
        let world = try world()
        let first = try world.read().get()
        let second = try world.read().get()
        let refused = Result<ReadResult, ReaderError>.failure(ReaderError(.pinTokenInvalid))
        #expect(try capture(world, PINToken("a", readID: first.readID), second.readID) == refused)
        #expect(try capture(world, PINToken("b", readID: first.readID), first.readID) == refused)
        let token = PINToken("c", readID: second.readID)
        #expect(try capture(world, token, second.readID).isSuccess)
        #expect(try capture(world, token, second.readID) == refused)
    }

    @Test func `S-132 a cancel after a capture has ended is answered no`() throws {
        let world = try world()
        let read = try world.read().get()
        _ = world.takeEvents()
        let (result, cancel) = try world.time.run { [reader = world.reader] in
            async let result = failure { () throws(ReaderError) in
                _ = try await reader.capturePIN(
                    token: PINToken("pin", readID: read.readID),
                    readID: read.readID
                )
            }
            try? await world.time.clock.sleep(for: .seconds(1))
            return (await result, await reader.cancelRead())
        }
        #expect(result == nil && !cancel)
        #expect(world.events == [.pinRequested, .pinCompleted, .uiDismissed])
    }

    @Test func `S-131 D-5 while the keypad of a capture is shown a cancel ends it`() throws {
        let world = try world()
        world.control.nextPIN(.none)
        let read = try world.read().get()
        _ = world.takeEvents()
        let (error, cancel) = try world.time.run { [reader = world.reader] in
            async let error = failure { () throws(ReaderError) in
                _ = try await reader.capturePIN(
                    token: PINToken("pin", readID: read.readID),
                    readID: read.readID
                )
            }
            try? await world.time.clock.sleep(for: .seconds(1))
            let cancel = await reader.cancelRead()
            return (await error, cancel)
        }
        #expect(error == .readCancelled(by: .app) && cancel)
        #expect(world.events == [.pinRequested, .readCancelled, .uiDismissed])
    }

    @Test func `S-117 a read that was asked for with a PIN says so`() throws {
        let world = try world()
        let request = ReadRequest(
            kind: .purchase,
            minorUnits: 100,
            currency: "EUR",
            asksForPIN: true
        )
        let result = try world.read(request).get()
        #expect(result.isPINFallback && !result.pinBypassed)
        #expect(CardPayload.open(result.payload.reveal())?.pin == .right)
    }

    @Test(arguments: [ReaderError.Code.pinNotAllowed, .sessionExpired])
    func `S-118 without a keypad or a session no PIN is captured`(code: ReaderError.Code) throws {
        let world = try world()
        let read = try world.read().get()
        if code == .pinNotAllowed {
            world.control.traits.allowsPIN = false
        } else {
            world.control.expireSession()
        }
        let result = try capture(world, PINToken("pin", readID: read.readID), read.readID)
        #expect(result == .failure(ReaderError(code)))
    }

    @Test(arguments: [ReaderControl.PINAnswer.correct, .cancel])
    func `E-20 a session ages out after a capture as it does after a read`(
        answer: ReaderControl.PINAnswer
    ) throws {
        var device = SimulatedDeviceConfiguration(linkedMerchants: ["merchant-1"], configured: 100)
        device.timing.idleSession = .seconds(30)
        let world = try TestWorld(device).prepared()
        world.control.alwaysThisCard = visa
        let read = try world.read().get()
        world.control.nextPIN(answer)
        let result = try capture(world, PINToken("pin", readID: read.readID), read.readID)
        #expect(result.isSuccess == (answer == .correct))
        world.time.advance(by: .seconds(29))
        #expect(world.control.state.phase == .ready)
        world.time.advance(by: .seconds(2))
        #expect(world.control.state.phase == .invalidated(.expired))
    }

    @Test func `S-119 the tags of a read whose PIN came later tell of it`() throws {
        let world = try world()
        let read = try world.read().get()
        let second = try capture(world, PINToken("pin", readID: read.readID), read.readID).get()
        #expect(read.tagBlock["9F34"] == "1F0002")
        #expect(second.tagBlock["9F34"] == "020300")
        #expect(second.tagBlock["95"] == "0000040000")
        #expect(second.tagBlock["9F26"] == read.tagBlock["9F26"])
    }

    @Test(arguments: ReaderFault.Side.allCases)
    func `G-1 a capture that is stuck is ended by the system`(side: ReaderFault.Side) throws {
        let world = try world()
        let read = try world.read().get()
        world.control.add(ReaderFault(.hang, side, .pinShown))
        let result = try capture(world, PINToken("pin", readID: read.readID), read.readID)
        #expect(result == .failure(ReaderError(.pinFailed)))
        #expect(world.control.state.phase == .ready)
        #expect(try world.read().isSuccess)
    }

    @Test(arguments: [ReaderFault.Side.before, .after], [5, 90])
    func `S-110 one keypad takes one PIN, however long it thinks about it`(
        side: ReaderFault.Side,
        seconds: Int
    ) throws {
        let world = try world()
        world.control.add(ReaderFault(.delay(.seconds(seconds)), side, .pinDone))
        world.on(.pinRequested, after: .seconds(4)) { world.control.type(.cancel) }
        let request = ReadRequest(
            kind: .purchase,
            minorUnits: 100,
            currency: "EUR",
            asksForPIN: true
        )
        #expect(try world.read(request).isSuccess)
        #expect(world.events.count { $0 == .pinCompleted } == 1)
    }
}
