import Testing

@testable import ReaderSimulation

private typealias Entry = ReaderAudit.Entry

@Suite struct InvariantTests {
    private func violations(_ entries: [ReaderAudit.Entry]) -> [ReaderInvariant] {
        var audit = ReaderAudit()
        for entry in entries { audit.add(entry) }
        return ReaderInvariant.allCases.filter { $0.violation(in: audit) != nil }
    }

    private static let good: [ReaderAudit.Entry] = [
        .called("prepare", id: 1, process: 1), .operation(1),
        .event(.preparationProgress(50), operation: 1, process: 1),
        .event(.preparationProgress(100), operation: 1, process: 1),
        .event(.sessionReady, operation: 1, process: 1), .operation(nil),
        .returned(1, .succeeded(readID: nil)),
        .called("read", id: 2, process: 1), .operation(2),
        .event(.readyForTap, operation: 2, process: 1),
        .event(.readCompleted, operation: 2, process: 1),
        .event(.uiDismissed, operation: 2, process: 1), .operation(nil),
        .returned(2, .succeeded(readID: "r")), .cancelAnswered(ended: nil),
    ]

    @Test func `I-1 a good day violates nothing`() { #expect(violations(Self.good) == []) }

    @Test(
        arguments: [
            (.callsEndOnce, [.called("read", id: 9, process: 1)]),
            (.callsEndOnce, [.returned(2, .succeeded(readID: nil))]),
            (.oneTerminalEvent, [.event(.readCancelled, operation: 2, process: 1)]),
            (.oneTerminalEvent, [.event(.cardDetected, operation: 2, process: 1)]),
            (.cancelIsTrue, [.cancelAnswered(ended: 2)]),
            (
                .cancelIsTrue,
                [
                    .called("read", id: 3, process: 1),
                    .returned(3, .failed(.readCancelled(by: .app))),
                ]
            ),
            (
                .onePayload,
                [.called("read", id: 3, process: 1), .returned(3, .succeeded(readID: "r"))]
            ),
            (.oneOperation, [.operation(3), .operation(4)]),
            (
                .progressRises,
                [
                    .event(.preparationProgress(60), operation: 5, process: 1),
                    .event(.preparationProgress(55), operation: 5, process: 1),
                ]
            ),
            (.progressRises, [.event(.preparationProgress(0), operation: 5, process: 1)]),
        ] as [(ReaderInvariant, [ReaderAudit.Entry])]
    )
    func `S-013 each invariant finds what breaks it, and that alone`(
        invariant: ReaderInvariant,
        extra: [ReaderAudit.Entry]
    ) {
        #expect(violations(Self.good + extra) == [invariant])
    }

    @Test(arguments: [
        ("nothing", false), ("background", true), ("call", true),
    ])
    func `I-6 a session from before the background or a call reads nothing after it`(
        between: String,
        isBroken: Bool
    ) throws {
        let world = TestWorld()
        world.control.audit = ReaderAudit()
        #expect(try world.prepare() == nil)
        switch between {
        case "background":
            world.control.background()
            world.control.foreground()
        case "call":
            world.control.call()
            world.control.endCall()
        default: break
        }
        var audit = try #require(world.control.audit)
        audit.add(.called("read", id: 7, process: 1))
        audit.add(.returned(7, .succeeded(readID: "x")))
        #expect(
            (ReaderInvariant.sessionEndsInBackground.violation(in: audit) != nil) == isBroken
        )
    }

    @Test func `I-11 time that runs backwards is found`() {
        var audit = ReaderAudit()
        audit.add(.closeAsked, at: .seconds(2))
        #expect(ReaderInvariant.timeRises.violation(in: audit) == nil)
        audit.add(.closeAsked, at: .seconds(1))
        #expect(ReaderInvariant.timeRises.violation(in: audit) != nil)
    }

    @Test func `I-1 calls of a process that ended are excepted`() {
        let entries: [ReaderAudit.Entry] = [.called("read", id: 9, process: 1), .processEnded(1)]
        #expect(violations(Self.good + entries) == [])
    }
}
