import PaymentCore
import ReaderSimulation
import Simulation
import Testing

/// The last steps of a read: its result, its sheet, and what is scripted between them.
@Suite struct DeliveryTests {
    private func world(returnsEarly: Bool, _ faults: ReaderFault...) throws -> TestWorld {
        let world = try TestWorld(
            .init(linkedMerchants: ["merchant-1"], configured: 100, returnsEarly: returnsEarly)
        ).prepared()
        world.control.alwaysThisCard = visa
        for fault in faults { world.control.add(fault) }
        return world
    }

    @Test(arguments: [true, false])
    func `S-008 a delivery that is held up takes as long as it was told`(
        returnsEarly: Bool
    ) throws {
        let delay = Duration.seconds(5)
        let world = try world(
            returnsEarly: returnsEarly,
            ReaderFault(.delay(delay), .before, .resultDelivered),
            ReaderFault(.fail(ReaderError(.readFailed)), .before, .resultDelivered, nth: 2)
        )
        let start = world.now
        #expect(try world.read().isSuccess)
        let timing = ReaderTiming.typical
        let usual =
            timing.sheet + timing.tap + timing.cardData + timing.completion
            + (returnsEarly ? .zero : timing.dismissal)
        #expect(world.now - start == usual + delay)
        world.time.runUntilIdle()
        #expect(world.events == [.readyForTap] + tap)
        #expect(world.control.state.phase == .ready)
        // The step was passed once in that read.
        #expect(try world.read() == .failure(ReaderError(.readFailed)))
    }

    @Test(
        arguments: [ReaderTransition.cardDetected, .applicationSelected, .cardDataRead],
        [.removeCard, .secondCard(phone)] as [ReaderAction]
    )
    func `S-082 S-081 of a tap that came to nothing nothing goes on`(
        step: ReaderTransition,
        action: ReaderAction
    ) throws {
        for side in ReaderFault.Side.allCases {
            let world = try world(returnsEarly: false, ReaderFault(action, side, step))
            let result = try world.read()
            #expect(result.isSuccess)
            let taps = world.events.filter { $0 != .uiDismissed }
            // A card whose data is complete may go, and one more changes nothing.
            let isLate = step == .cardDataRead && (side == .after || action == .removeCard)
            let isUnheard = step == .cardDetected && side == .before
            let first: [ReaderEvent] =
                isLate
                ? [] : [.readyForTap] + (isUnheard ? [] : [.cardDetected]) + [.retry(reason: nil)]
            #expect(taps == first + [.readyForTap, .cardDetected, .removeCard, .readCompleted])
        }
    }

    @Test func `S-081 the data of a card that was taken away is not the next one's`() throws {
        let world = try world(returnsEarly: false)
        world.control.present(card: visa, hold: .milliseconds(100))
        world.control.present(card: phone, after: .milliseconds(100))
        let start = world.now
        #expect(try world.read().cardID == "phone-visa")
        let timing = ReaderTiming.typical
        let second = timing.sheet + timing.tap + .milliseconds(200)
        #expect(
            world.now - start == second + timing.cardData + timing.completion + timing.dismissal
        )
    }

    @Test(arguments: [true, false])
    func `S-143 the background finds a sheet that has gone already`(returnsEarly: Bool) throws {
        let world = try world(
            returnsEarly: returnsEarly,
            ReaderFault(.delay(.seconds(5)), .before, .resultDelivered)
        )
        world.on(.uiDismissed, after: .seconds(1)) { world.control.background() }
        #expect(try world.read().isSuccess)
        #expect(world.events == [.readyForTap] + tap + [.sessionEnded(.background)])
    }

    @Test(
        arguments: [
            (.readStarted, false), (.sheetShown, false), (.cardDetected, true),
            (.cardDataRead, true), (.pinShown, true), (.readCompleted, true),
            (.resultDelivered, true),
        ] as [(ReaderTransition, Bool)],
        [ReaderError.Code.interrupted, .closed]
    )
    func `E-28 E-57 a scripted end with a card in the field tells that a payload may exist`(
        step: (ReaderTransition, Bool),
        code: ReaderError.Code
    ) throws {
        let world = try world(
            returnsEarly: false,
            ReaderFault(.fail(ReaderError(code)), .before, step.0)
        )
        let request = ReadRequest(
            kind: .purchase,
            minorUnits: 100,
            currency: "EUR",
            asksForPIN: true
        )
        let error = try #require(try world.read(request).failure)
        #expect(error.code == code && error.payloadMayExist == step.1)
    }
}
