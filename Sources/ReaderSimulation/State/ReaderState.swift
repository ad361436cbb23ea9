/// Where a reader is, and what that allows; a value without a clock, a task or a device.
public struct ReaderState: Hashable, Sendable {
    /// The places a reader can be in.
    public enum Phase: Hashable, Sendable {
        /// This device cannot read cards.
        case unsupported(ReaderError)
        /// The terms are not accepted.
        case unlinked
        /// The terms are accepted, and there is no session.
        case linked
        /// A session is being made, with the configuration's progress where there is one.
        case preparing(progress: Int?)
        /// A session can be used.
        case ready
        /// A read runs, and no card was detected yet.
        case awaitingTap
        /// A card was detected, and its read has not ended.
        case cardInField
        /// The keypad is shown.
        case pinEntry(PINOrigin)
        /// The app left the foreground with something to lose.
        case backgrounded(preparationContinues: Bool)
        /// The session is gone.
        case invalidated(SessionEnd)
    }

    /// What a PIN is asked for by.
    public enum PINOrigin: String, Hashable, Sendable, CaseIterable {
        /// A read that has not ended.
        case read
        /// A capture of its own, after a read.
        case capture
    }

    /// Where the reader is.
    public private(set) var phase: Phase
    /// Whether the merchant is linked, as far as the reader knows.
    public private(set) var isLinked: Bool
    /// Whether the app is on the screen.
    public private(set) var isForeground = true

    /// The state of a reader that was just made.
    public init(isLinked: Bool = false, unsupported: ReaderError? = nil) {
        self.isLinked = isLinked
        phase = unsupported.map { .unsupported($0) } ?? (isLinked ? .linked : .unlinked)
    }

    init(phase: Phase, isLinked: Bool) {
        self.phase = phase
        self.isLinked = isLinked
        if case .backgrounded = phase { isForeground = false }
    }

    /// Whether there is a session, in use or not.
    public var hasSession: Bool {
        switch phase {
        case .ready, .awaitingTap, .cardInField, .pinEntry: true
        default: false
        }
    }
}

extension ReaderState {
    /// Does what a call does to the state at once, if it is allowed.
    @discardableResult
    mutating func apply(_ call: Call) -> Verdict {
        let verdict = verdict(on: call)
        switch call {
        case .background: isForeground = false
        case .foreground: isForeground = true
        default: break
        }
        if case .moves(let next) = verdict { phase = next }
        return verdict
    }

    /// Learns whether the merchant is linked; a session of a merchant who is not ends.
    mutating func learn(isLinked: Bool) {
        self.isLinked = isLinked
        switch phase {
        case .linked where !isLinked: phase = .unlinked
        case .unlinked where isLinked: phase = .linked
        case .ready where !isLinked: phase = .unlinked
        default: break
        }
    }

    /// Learns whether this device can read cards.
    mutating func learn(unsupported reason: ReaderError?) {
        switch (phase, reason) {
        case (.unsupported, nil): phase = rest
        case (.unsupported, let reason?): phase = .unsupported(reason)
        case (.unlinked, let reason?), (.linked, let reason?), (.invalidated, let reason?):
            phase = .unsupported(reason)
        default: break
        }
    }

    /// Takes note of a configuration's progress, which never falls.
    mutating func progress(_ percent: Int) {
        guard case .preparing(let before) = phase else { return }
        phase = .preparing(progress: max(percent, before ?? 1))
    }

    /// A preparation ended, with a session or without.
    mutating func prepared(_ succeeded: Bool) {
        guard case .preparing = phase else { return }
        phase = succeeded ? .ready : rest
    }

    /// A card was detected.
    mutating func cardDetected() {
        if phase == .awaitingTap { phase = .cardInField }
    }

    /// The sheet of a read waits for a card again.
    mutating func waitsForTap() {
        if phase == .cardInField { phase = .awaitingTap }
    }

    /// The keypad of a read is shown.
    mutating func pinAsked() {
        if phase == .cardInField { phase = .pinEntry(.read) }
    }

    /// The keypad of a read is gone, and the read goes on.
    mutating func pinTyped() {
        if phase == .pinEntry(.read) { phase = .cardInField }
    }

    /// A read or a capture ended, and the session is good for another.
    mutating func readEnded() {
        switch phase {
        case .awaitingTap, .cardInField, .pinEntry: phase = .ready
        default: break
        }
    }

    /// The session was lost.
    mutating func sessionLost(_ reason: SessionEnd) {
        guard hasSession else { return }
        phase = reason == .revoked ? rest : .invalidated(reason)
    }

    /// Where a supported reader without a session is.
    private var rest: Phase { isLinked ? .linked : .unlinked }
}

extension ReaderState.Phase {
    /// What a late subscriber hears first, so that it knows where the reader is.
    var event: ReaderEvent? {
        switch self {
        case .preparing(let progress): progress.map { .preparationProgress($0) } ?? .notReady
        case .ready: .sessionReady
        case .awaitingTap: .readyForTap
        case .cardInField: .cardDetected
        case .pinEntry: .pinRequested
        case .unsupported, .unlinked, .linked, .backgrounded, .invalidated: nil
        }
    }

    /// How a trace and a table name it.
    public var traceName: String {
        switch self {
        case .unsupported(let reason): "unsupported(\(reason.code))"
        case .unlinked: "unlinked"
        case .linked: "linked"
        case .preparing: "preparing"
        case .ready: "ready"
        case .awaitingTap: "awaitingTap"
        case .cardInField: "cardInField"
        case .pinEntry(let origin): "pinEntry(\(origin.rawValue))"
        case .backgrounded: "backgrounded"
        case .invalidated(let end): "invalidated(\(end.rawValue))"
        }
    }
}
