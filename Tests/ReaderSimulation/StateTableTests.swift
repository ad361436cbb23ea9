import Testing

@testable import ReaderSimulation

private typealias Phase = ReaderState.Phase
private typealias Verdict = ReaderState.Verdict
private typealias Call = ReaderState.Call

private let noModel = ReaderError(.deviceUnsupported)
private let reason = Verdict.refused(noModel)
private let busy = Verdict.refused(ReaderError(.readerBusy))
private let inBackground = Verdict.refused(ReaderError(.appInBackground))
private let notPrepared = Verdict.refused(ReaderError(.notPrepared))
private let notLinked = Verdict.refused(ReaderError(.accountNotLinked))
private let no = Verdict.answers(false)
private let yes = Verdict.answers(true)
private let ok = Verdict.stays
private let preparing = Verdict.moves(to: .preparing(progress: nil))
private let closed = Verdict.moves(to: .invalidated(.closed))
private let away = Verdict.moves(to: .backgrounded(preparationContinues: false))

/// The columns of the table of legal calls, each with a state that has it.
private let columns: [ReaderState] = [
    ReaderState(phase: .unsupported(noModel), isLinked: false),
    ReaderState(phase: .unlinked, isLinked: false),
    ReaderState(phase: .linked, isLinked: true),
    ReaderState(phase: .preparing(progress: nil), isLinked: true),
    ReaderState(phase: .ready, isLinked: true),
    ReaderState(phase: .awaitingTap, isLinked: true),
    ReaderState(phase: .cardInField, isLinked: true),
    ReaderState(phase: .pinEntry(.read), isLinked: true),
    ReaderState(phase: .backgrounded(preparationContinues: false), isLinked: true),
    ReaderState(phase: .invalidated(.closed), isLinked: true),
]

private let rows: [(Call, [Verdict])] = [
    (.support, [ok, ok, ok, ok, ok, ok, ok, ok, ok, ok]),
    (.linkStatus, [reason, no, yes, yes, yes, yes, yes, yes, inBackground, yes]),
    (.link, [reason, .moves(to: .linked), ok, busy, ok, busy, busy, busy, inBackground, ok]),
    (
        .relink,
        [reason, notLinked, ok, busy, .moves(to: .linked), busy, busy, busy, inBackground, ok]
    ),
    (
        .prepare,
        [reason, notLinked, preparing, busy, ok, busy, busy, busy, inBackground, preparing]
    ),
    (
        .read,
        [
            notPrepared, notPrepared, notPrepared, notPrepared, .moves(to: .awaitingTap), busy,
            busy, busy, inBackground, notPrepared,
        ]
    ),
    (
        .capturePIN,
        [
            notPrepared, notPrepared, notPrepared, notPrepared, .moves(to: .pinEntry(.capture)),
            busy, busy, busy, inBackground, notPrepared,
        ]
    ),
    (.cancelRead, [no, no, no, no, no, .moves(to: .ready), no, no, no, no]),
    (.close, [closed, closed, closed, closed, closed, closed, .waits, .waits, closed, ok]),
    (
        .background,
        [
            ok, ok, away, .moves(to: .backgrounded(preparationContinues: true)), away, away, away,
            away, ok, ok,
        ]
    ),
    (.foreground, [ok, ok, ok, ok, ok, ok, ok, ok, .moves(to: .linked), ok]),
]

@Suite struct StateTableTests {
    @Test(arguments: Call.allCases)
    func `S-023 every state says to every call what the table says`(call: ReaderState.Call) throws {
        let row = try #require(rows.first { $0.0 == call }?.1)
        try #require(row.count == columns.count)
        for (state, expected) in zip(columns, row) {
            #expect(state.verdict(on: call) == expected, "\(state.phase) \(call)")
            var after = state
            #expect(after.apply(call) == expected)
            if case .moves(let next) = expected {
                #expect(after.phase == next)
            } else {
                #expect(after.phase == state.phase)
            }
        }
    }

    @Test func `D-5 a capture of its own can be cancelled`() {
        let state = ReaderState(phase: .pinEntry(.capture), isLinked: true)
        #expect(state.verdict(on: .cancelRead) == .moves(to: .ready))
    }

    @Test func `S-068 a session that aged out says so to the next read`() {
        let expired = ReaderState(phase: .invalidated(.expired), isLinked: true)
        #expect(expired.verdict(on: .read) == .refused(ReaderError(.sessionExpired)))
        #expect(expired.verdict(on: .prepare) == preparing)
        let token = ReaderState(phase: .invalidated(.tokenExpired), isLinked: true)
        #expect(token.verdict(on: .read) == .refused(ReaderError(.tokenExpired)))
    }

    @Test func `S-045 without a link neither the background nor closing leads around it`() {
        let closed = ReaderState(phase: .invalidated(.closed), isLinked: false)
        #expect(closed.verdict(on: .prepare) == notLinked)
        #expect(closed.verdict(on: .link) == .moves(to: .linked))
        var away = ReaderState(phase: .backgrounded(preparationContinues: false), isLinked: false)
        away.apply(.foreground)
        #expect(away.phase == .unlinked)
    }

    @Test(arguments: [Call.link, .prepare, .linkStatus, .read])
    func `E-27 what was lost before the background is not offered in it`(call: ReaderState.Call) {
        var state = ReaderState(phase: .unlinked, isLinked: false)
        state.apply(.background)
        #expect(state.verdict(on: call) == inBackground)
        state.apply(.foreground)
        #expect(state.verdict(on: call) != inBackground)
    }

    @Test func `G-8 from every state documented calls lead to ready`() {
        for var state in columns.dropFirst() {
            state.apply(.foreground)
            state.readEnded()
            if case .preparing = state.phase { state.prepared(false) }
            if state.phase == .unlinked {
                state.apply(.link)
                state.learn(isLinked: true)
            }
            if state.phase != .ready {
                #expect(state.apply(.prepare) == preparing)
                state.prepared(true)
            }
            #expect(state.phase == .ready)
        }
    }

    @Test func `G-9 progress never falls`() {
        var state = ReaderState(isLinked: true)
        state.apply(.prepare)
        for percent in [5, 40, 20] { state.progress(percent) }
        #expect(state.phase == .preparing(progress: 40))
    }
}
