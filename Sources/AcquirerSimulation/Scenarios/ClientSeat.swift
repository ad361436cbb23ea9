import PaymentCore
public import ReaderSimulation
public import Simulation

/// Where one process of an app sits in a scenario: everything it may use, and nothing else.
public struct ClientSeat: Sendable {
    /// The reader, as the app sees it.
    public let reader: any CardReader
    /// Where reader tokens come from.
    public let tokens: ScenarioTokenSource
    let desk: SubmissionDesk
    /// What the app writes down.
    public let journal: ClientJournal.Pen
    /// The app's clock.
    public let clock: VirtualClock
    /// What is sold.
    public let sale: Scenario.Sale
    /// The merchant.
    public let merchant: String
    let isForeground: @Sendable () -> Bool

    /// Waits until the app is on the screen; false when that takes too long.
    public func untilForeground(patience: Duration = .seconds(60)) async -> Bool {
        let end = clock.now.advanced(by: patience)
        while !isForeground() {
            guard clock.now < end, !Task.isCancelled else { return false }
            await pause(.milliseconds(500))
        }
        return true
    }

    /// Sends a payload to the acquirer; an ended process sends nothing.
    public func submit(
        _ submission: SubmissionDesk.Submission
    ) async throws(SubmissionDesk.Failure) -> SubmissionDesk.Reply {
        guard journal.isInUse else { throw .notSent(ReaderError(.closed)) }
        return try await desk.submit(submission)
    }

    /// What the acquirer's books say about an attempt; nil when they know nothing of it.
    public func query(
        _ attempt: String
    ) async throws(SubmissionDesk.Failure) -> SubmissionDesk.Reply? {
        try await desk.query(attempt)
    }

    /// Hears the acquirer's notices, each with the attempt it is about.
    public func hear(_ hear: @escaping @Sendable (String, SubmissionDesk.Reply) -> Void) {
        desk.hear(hear)
    }

    /// Waits.
    public func pause(_ duration: Duration) async { try? await clock.sleep(for: duration) }

    /// What the app does, with a deadline: past it the call is cancelled, and its end awaited.
    public func within<Value: Sendable>(
        _ deadline: Duration,
        _ call: @escaping @Sendable () async -> Value
    ) async -> Value? {
        await withTaskGroup(of: Value?.self) { group in
            group.addTask { await call() }
            group.addTask {
                try? await clock.sleep(for: deadline)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            if let first { return first }
            return await group.next() ?? nil
        }
    }
}

/// Somebody who sells something in a scenario; the program under test.
public protocol ScenarioClient: Sendable {
    /// Runs one process of the app, from its launch to the end of its sales.
    ///
    /// - Parameter seat: Everything it may use.
    func run(_ seat: ClientSeat) async
}

/// Hands out reader tokens, as a scenario says.
public struct ScenarioTokenSource: Sendable {
    let control: ReaderControl
    let script: Scenario.Tokens
    let merchant: String
    let clock: VirtualClock
    let counter: TokenCounter

    /// Fetches a token.
    ///
    /// - Returns: The token, good or not.
    /// - Throws: ``ReaderError`` when there is none.
    public func fetch() async throws(ReaderError) -> ReaderToken {
        try await control.reach(.tokenRequested, .before)
        if let error = await control.networkTrouble() { throw error }
        try await control.reach(.tokenRequested, .after)
        let number = counter.next()
        let behavior = number <= script.behaviors.count ? script.behaviors[number - 1] : .ok
        let token = try await token(number, behavior)
        try await control.reach(.tokenReceived, .before)
        try await control.reach(.tokenReceived, .after)
        return token
    }

    private func token(
        _ number: Int,
        _ behavior: Scenario.Tokens.Behavior
    ) async throws(ReaderError) -> ReaderToken {
        switch behavior {
        case .ok: return make("token-\(number)")
        case .empty: return make("")
        case .expired: return make("token-\(number)", age: script.lifetime)
        case .reused: return make("one-time", isOneTime: true)
        case .invalid: return make("token-\(number)", isWellFormed: false)
        case .otherMerchant: return make("token-\(number)", merchant: "unknown-shop")
        case .slow(let duration):
            try? await clock.sleep(for: duration)
            return make("token-\(number)")
        case .hang:
            try? await clock.sleep(for: .seconds(30 * 24 * 3_600))
            throw ReaderError(.networkUnavailable)
        case .fail: throw ReaderError(.networkUnavailable)
        }
    }

    private func make(
        _ text: String,
        merchant other: String? = nil,
        age: Duration = .zero,
        isOneTime: Bool = false,
        isWellFormed: Bool = true
    ) -> ReaderToken {
        ReaderToken(
            text: text,
            merchant: other ?? merchant,
            issuedAt: clock.now.advanced(by: .zero - age),
            lifetime: script.lifetime,
            patience: script.patience,
            isOneTime: isOneTime,
            isWellFormed: isWellFormed
        )
    }
}
