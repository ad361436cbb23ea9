import Synchronization

/// One payment's events on their way to the one caller that awaits it.
///
/// Costs a lock and no task, and where nobody listens only the end is handed over.
final class EventChannel: Sendable {
    /// Events that nobody took yet, or why the payment did not begin.
    typealias Events = Result<[PaymentEvent], PaymentRefusal>

    private let isHeard: Bool
    private let isGivenUp = Atomic(false)
    private let state = Mutex(State())

    private struct State {
        var events: [PaymentEvent] = []
        /// Whether nothing comes after those events.
        var isEnded = false
        var refusal: PaymentRefusal?
        var waiter: CheckedContinuation<Void, Never>?

        var isWorthWaking: Bool { !events.isEmpty || isEnded }
    }

    init(isHeard: Bool) { self.isHeard = isHeard }

    /// Hands over an event; ignored after the end.
    func send(_ event: PaymentEvent) {
        let isEnd = if case .finished = event.kind { true } else { false }
        guard isHeard || isEnd else { return }
        change { state in
            state.events.append(event)
            state.isEnded = isEnd
        }
    }

    /// Ends the events of a payment that does not begin.
    func refuse(_ refusal: PaymentRefusal) {
        change { state in
            state.refusal = refusal
            state.isEnded = true
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.isEnded else { return nil }
            body(&state)
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Takes note that whoever awaits the payment has given up; true the first time.
    func giveUp() -> Bool { !isGivenUp.exchange(true, ordering: .relaxed) }

    /// The events that came since the last time, once there are some; none after the end.
    func next() async -> Events {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if !state.isWorthWaking { state.waiter = continuation }
                return state.isWorthWaking
            }
            if isThere { continuation.resume() }
        }
        return state.withLock { state in
            if let refusal = state.refusal { return .failure(refusal) }
            defer { state.events = [] }
            return .success(state.events)
        }
    }
}

/// Waits for a payment's events; whoever gives up waiting asks for its cancellation, once.
struct PaymentWatch: Sendable {
    let engine: PaymentEngine
    let attempt: AttemptID
    let events: EventChannel

    /// The next events, also after a cancellation; `finished` is the last of all.
    ///
    /// - Throws: ``PaymentRefusal`` when the payment did not begin.
    func next() async throws(PaymentRefusal) -> [PaymentEvent] {
        // The handler's operation leaves the caller's actor, so it only waits.
        let next = await withTaskCancellationHandler {
            await events.next()
        } onCancel: {
            guard events.giveUp() else { return }
            let (engine, attempt) = (engine, attempt)
            engine.environment.start { _ = await engine.cancel(attempt) }
        }
        return try next.get()
    }
}

extension PaymentWatch {
    /// How the payment ended, for somebody who does not listen to its events.
    func outcome() async throws(PaymentRefusal) -> PaymentOutcome {
        while true {
            if case .finished(let outcome)? = try await next().last?.kind { return outcome }
        }
    }
}
