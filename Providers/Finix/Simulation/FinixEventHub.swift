import Synchronization

/// Passes the kit's events on to everyone who listens, and the latest one to whoever comes late.
final class FinixEventHub: Sendable {
    private typealias Handler = @Sendable (TapToPayTransactionEvent) -> Void

    private struct State {
        var handlers: [Int: Handler] = [:]
        var count = 0
        var latest: TapToPayTransactionEvent?
    }

    private let state = Mutex(State())

    /// Adds a listener; what is returned takes it away again.
    func add(
        _ handler: @escaping @Sendable (TapToPayTransactionEvent) -> Void
    ) -> @Sendable () -> Void {
        let (id, latest) = state.withLock { state in
            state.count += 1
            state.handlers[state.count] = handler
            return (state.count, state.latest)
        }
        if let latest { handler(latest) }
        return { self.state.withLock { _ = $0.handlers.removeValue(forKey: id) } }
    }

    func send(_ event: TapToPayTransactionEvent) {
        let handlers = state.withLock { state in
            state.latest = event
            return state.handlers.sorted { $0.key < $1.key }.map(\.value)
        }
        for handler in handlers { handler(event) }
    }
}
