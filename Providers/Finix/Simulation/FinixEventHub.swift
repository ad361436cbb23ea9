import Synchronization

/// Passes the kit's events on to everyone who listens, and the latest one to whoever comes late.
final class FinixEventHub: Sendable {
    private struct Listener {
        let hear: @Sendable (TapToPayTransactionEvent) -> Void
        let end: @Sendable () -> Void
    }

    private struct State {
        var listeners: [Int: Listener] = [:]
        var count = 0
        var latest: TapToPayTransactionEvent?
    }

    private let state = Mutex(State())

    deinit {
        for listener in state.withLock({ $0.listeners.values }) { listener.end() }
    }

    /// Adds a listener.
    ///
    /// - Parameters:
    ///   - end: Called when the kit is gone.
    ///   - hear: Called with each event, and at once with the latest one.
    /// - Returns: What takes the listener away.
    func add(
        end: @escaping @Sendable () -> Void = {},
        _ hear: @escaping @Sendable (TapToPayTransactionEvent) -> Void
    ) -> @Sendable () -> Void {
        let (id, latest) = state.withLock { state in
            state.count += 1
            state.listeners[state.count] = Listener(hear: hear, end: end)
            return (state.count, state.latest)
        }
        if let latest { hear(latest) }
        return { [weak self] in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: id) }
        }
    }

    func send(_ event: TapToPayTransactionEvent) {
        let listeners = state.withLock { state in
            state.latest = event
            return state.listeners.sorted { $0.key < $1.key }.map(\.value)
        }
        for listener in listeners { listener.hear(event) }
    }

    /// Forgets the latest event.
    func forget() { state.withLock { $0.latest = nil } }
}
