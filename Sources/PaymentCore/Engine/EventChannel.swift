import Synchronization

/// One payment's events on their way to the one caller that awaits it.
///
/// Costs a lock and no task; the last element is the end.
final class EventChannel: Sendable {
    /// An event, or why the payment did not begin.
    typealias Element = Result<PaymentEvent, PaymentRefusal>

    private let state = Mutex(State())

    private struct State {
        var elements: [Element] = []
        var end: Element?
        var waiter: CheckedContinuation<Element, Never>?
    }

    /// Hands over an event; ignored after the end.
    func send(_ event: PaymentEvent) {
        if case .finished = event.kind {
            send(.success(event), isEnd: true)
        } else {
            send(.success(event), isEnd: false)
        }
    }

    /// Ends the events of a payment that does not begin.
    func refuse(_ refusal: PaymentRefusal) { send(.failure(refusal), isEnd: true) }

    private func send(_ element: Element, isEnd: Bool) {
        let waiter = state.withLock { state -> CheckedContinuation<Element, Never>? in
            guard state.end == nil else { return nil }
            if isEnd { state.end = element }
            guard let waiter = state.waiter else {
                state.elements.append(element)
                return nil
            }
            state.waiter = nil
            return waiter
        }
        waiter?.resume(returning: element)
    }

    /// The next element; the end again once it was handed over.
    func next() async -> Element {
        await withCheckedContinuation { continuation in
            let element = state.withLock { state -> Element? in
                if !state.elements.isEmpty { return state.elements.removeFirst() }
                if let end = state.end { return end }
                state.waiter = continuation
                return nil
            }
            if let element { continuation.resume(returning: element) }
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
    ///
    /// - Throws: ``PaymentRefusal`` when the payment did not begin.
    func next() async throws(PaymentRefusal) -> PaymentEvent {
        // The handler's operation leaves the caller's actor, so it only waits.
        let element = await withTaskCancellationHandler {
            await events.next()
        } onCancel: {
            guard cancelled.resolve(true) else { return }
            let (engine, attempt) = (engine, attempt)
            engine.environment.start { _ = await engine.cancel(attempt) }
        }
        return try element.get()
    }
}
