import Synchronization

/// One payment's events on their way to the one caller that awaits it.
///
/// Costs a lock and no task; the last element is the end.
final class EventChannel: Sendable {
    private let state = Mutex(State())

    private struct State {
        var events: [PaymentEvent] = []
        var end: PaymentEvent?
        var waiter: CheckedContinuation<PaymentEvent, Never>?
    }

    /// Hands over an event; ignored after the end.
    func send(_ event: PaymentEvent) {
        let waiter = state.withLock { state -> CheckedContinuation<PaymentEvent, Never>? in
            guard state.end == nil else { return nil }
            if case .finished = event.kind { state.end = event }
            guard let waiter = state.waiter else {
                state.events.append(event)
                return nil
            }
            state.waiter = nil
            return waiter
        }
        waiter?.resume(returning: event)
    }

    /// The next event; the end again once it was handed over.
    func next() async -> PaymentEvent {
        await withCheckedContinuation { continuation in
            let event = state.withLock { state -> PaymentEvent? in
                if !state.events.isEmpty { return state.events.removeFirst() }
                if let end = state.end { return end }
                state.waiter = continuation
                return nil
            }
            if let event { continuation.resume(returning: event) }
        }
    }
}

/// Waits for a payment's events; whoever gives up waiting asks for its cancellation, once.
struct PaymentWatch: Sendable {
    let engine: PaymentEngine
    let attempt: AttemptID
    let events: EventChannel
    private let cancelled = OneShot<Bool>()

    init(engine: PaymentEngine, attempt: AttemptID, events: EventChannel) {
        self.engine = engine
        self.attempt = attempt
        self.events = events
    }

    /// The next event, also after a cancellation.
    func next() async -> PaymentEvent {
        // The handler's operation leaves the caller's actor, so it only waits.
        await withTaskCancellationHandler {
            await events.next()
        } onCancel: {
            guard cancelled.resolve(true) else { return }
            let (engine, attempt) = (engine, attempt)
            Shield(environment: engine.environment).start { _ = await engine.cancel(attempt) }
        }
    }
}
