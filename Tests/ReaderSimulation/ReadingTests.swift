import PaymentCore
import ReaderSimulation
import Simulation
import Testing

@Suite struct ReadingTests {
    @Test(arguments: ["visa-credit", "declined-funds", "phone-visa"])
    func `S-073 a tap gives its events in order and one result`(id: String) throws {
        let world = try TestWorld().prepared()
        world.control.alwaysThisCard = SimulatedCard.named(id)
        let result = try world.read().get()
        #expect(world.events == [.readyForTap] + tap)
        #expect(result.outcome == .success && result.isSimulated)
        let content = try #require(CardPayload.open(result.payload.reveal()))
        #expect(content.readID == result.readID)
        #expect(content.cardID == id)
        #expect(content.minorUnits == 1_234 && content.currency == "EUR")
        #expect(content.cvm == (id == "phone-visa" ? .device : .none))
        #expect(content.expiresAt - content.issuedAt == .seconds(60))
        #expect(world.control.state.phase == .ready)
    }

    @Test func `G-3 the terminal event comes before the call returns`() throws {
        let world = try TestWorld().prepared()
        world.control.alwaysThisCard = visa
        let heard = try world.time.run {
            _ = await outcome(of: world.reader)
            return world.events
        }
        #expect(heard.last == .uiDismissed && heard.contains(.readCompleted))
    }

    @Test func `S-074 an early result leaves the sheet up, and until it is gone the reader busy`()
        throws
    {
        let world = try TestWorld(
            .init(linkedMerchants: ["merchant-1"], configured: 100, returnsEarly: true)
        ).prepared()
        world.control.alwaysThisCard = visa
        let (heard, busy) = try world.time.run {
            _ = await outcome(of: world.reader)
            return (world.events, await outcome(of: world.reader))
        }
        #expect(heard.last == .readCompleted)
        #expect(busy == .failure(ReaderError(.readerBusy)))
        world.time.runUntilIdle()
        #expect(world.events.last == .uiDismissed)
        #expect(try world.read().isSuccess)
    }

    @Test func `S-088 an unreadable card ends the read`() throws {
        let world = try TestWorld().prepared()
        world.control.nextCards([try #require(SimulatedCard.named("damaged"))])
        #expect(try world.read() == .failure(ReaderError(.cardReadFailed)))
        #expect(world.events == [.readyForTap, .cardDetected, .readNotCompleted, .uiDismissed])
        #expect(world.control.state.phase == .ready)
    }

    @Test func `S-090 nobody taps for a minute`() throws {
        let world = try TestWorld().prepared()
        let start = world.now
        #expect(try world.read() == .failure(ReaderError(.tapTimedOut)))
        #expect(world.events == [.readyForTap, .readNotCompleted, .uiDismissed])
        #expect(world.now - start == .seconds(60) + ReaderTiming.typical.sheet)
    }

    @Test(arguments: [(59_999, true), (60_000, false), (60_001, false)])
    func `S-091 a tap in the last instant counts, one at the end does not`(
        milliseconds: Int,
        counts: Bool
    ) throws {
        for isTimerFirst in [true, false] {
            let world = try TestWorld().prepared()
            let after = Duration.milliseconds(milliseconds)
            if isTimerFirst {
                world.on(.readyForTap) { world.control.present(card: visa, after: after) }
            } else {
                world.time.clock.schedule(after: ReaderTiming.typical.sheet + after) {
                    world.control.tap(visa)
                }
            }
            let result = try world.read()
            #expect(result.isSuccess == counts)
            if !counts { #expect(result == .failure(ReaderError(.tapTimedOut))) }
            #expect(world.events.count(where: \.isTerminal) == 1)
        }
    }

    @Test func `S-022 cards are used in order, then nobody taps`() throws {
        let world = try TestWorld().prepared()
        world.control.nextCards([visa, phone])
        #expect(try world.read().cardID == "visa-credit")
        #expect(try world.read().cardID == "phone-visa")
        #expect(try world.read() == .failure(ReaderError(.tapTimedOut)))
    }

    @Test func `S-093 a tap between two reads is nothing`() throws {
        let world = try TestWorld().prepared()
        world.control.tap(visa)
        #expect(world.events.isEmpty)
        #expect(try world.read() == .failure(ReaderError(.tapTimedOut)))
    }

    @Test func `S-094 a second read is refused at once and leaves the first alone`() throws {
        let world = try TestWorld().prepared()
        world.control.alwaysThisCard = visa
        let (first, second) = try world.time.run {
            async let first = outcome(of: world.reader)
            try? await world.time.clock.sleep(for: .milliseconds(500))
            let before = world.now
            let second = await outcome(of: world.reader)
            #expect(world.now == before)
            return (await first, second)
        }
        #expect(first.isSuccess)
        #expect(second == .failure(ReaderError(.readerBusy)))
        #expect(world.events == [.readyForTap] + tap)
    }

    @Test func `S-096 a hundred reads on one session all work`() throws {
        let world = try TestWorld().prepared()
        world.control.alwaysThisCard = visa
        let reads = try (0..<100).map { _ in try world.read().get().readID }
        #expect(Set(reads).count == 100)
    }

    @Test(
        arguments: [
            (0, false), (-1, false), (1, true), (99_999, true), (100_000, true),
            (999_999_999, true),
            (1_000_000_000, false), (.min, false), (.max, false),
        ] as [(Int64, Bool)]
    )
    func `S-097 amounts have limits`(minorUnits: Int64, isGood: Bool) throws {
        let world = try TestWorld().prepared()
        world.control.alwaysThisCard = visa
        let result = try world.read(.init(kind: .refund, minorUnits: minorUnits, currency: "JPY"))
        #expect(result.isSuccess == isGood)
        if !isGood { #expect(result == .failure(ReaderError(.invalidAmount))) }
    }

    @Test(arguments: ["", "usd", "XXZ", "XAU", "EURO"])
    func `S-099 a bad currency is refused`(code: String) throws {
        let world = try TestWorld().prepared()
        let result = try world.read(.init(kind: .purchase, minorUnits: 1, currency: code))
        #expect(result == .failure(ReaderError(.invalidCurrency)))
        #expect(world.events.isEmpty)
        #expect(world.control.state.phase == .ready)
    }

    @Test func `S-077 a verification has no amount`() throws {
        let world = try TestWorld().prepared()
        world.control.alwaysThisCard = visa
        let result = try world.read(.init(kind: .verification, minorUnits: 5, currency: "EUR"))
        #expect(CardPayload.open(try result.get().payload.reveal())?.minorUnits == 0)
    }

    @Test(
        arguments: [
            (.readStarted, []),
            (.sheetShown, [.readNotCompleted]),
            (.cardDetected, [.readyForTap, .readNotCompleted, .uiDismissed]),
            (
                .cardDataRead,
                [.readyForTap, .cardDetected, .readNotCompleted, .uiDismissed]
            ),
            (
                .cvmDecided,
                [.readyForTap, .cardDetected, .removeCard, .readNotCompleted, .uiDismissed]
            ),
            (.resultDelivered, [.readyForTap] + tap),
        ] as [(ReaderTransition, [ReaderEvent])]
    )
    func `S-008 a scripted fault ends a read at its moment`(
        moment: ReaderTransition,
        events: [ReaderEvent]
    ) throws {
        let world = try TestWorld().prepared()
        world.control.alwaysThisCard = visa
        world.control.throwAtNext(moment, ReaderError(.readFailed))
        #expect(try world.read() == .failure(ReaderError(.readFailed)))
        #expect(world.takeEvents() == events)
        #expect(world.control.unusedFaults.isEmpty)
        #expect(try world.read().isSuccess)
    }
}
