import Synchronization

/// Runs work that does not end with whoever waits for it: a payment cannot be taken back by giving
/// up on its answer.
struct Shield: Sendable {
    let environment: PaymentEnvironment

    /// Starts work in a task of its own and waits for it until a deadline.
    ///
    /// - Parameters:
    ///   - deadline: How long to wait.
    ///   - work: Runs to its end, however long it takes.
    ///   - late: Gets the work's value when it came after the deadline.
    /// - Returns: The work's value, or nil once the deadline has passed.
    func run<Value: Sendable>(
        deadline: Duration,
        _ work: @escaping @Sendable () async -> Value,
        late: @escaping @Sendable (Value) async -> Void = { _ in }
    ) async -> Value? {
        let first = OneShot<Value?>()
        let environment = environment
        let timer = Task(executorPreference: environment.executor) {
            guard (try? await environment.clock.sleep(for: deadline)) != nil else { return }
            first.resolve(.none)
        }
        start {
            let value = await work()
            timer.cancel()
            if !first.resolve(value) { await late(value) }
        }
        return await first.value()
    }

    /// Starts work in a task of its own.
    func start(_ work: @escaping @Sendable () async -> Void) {
        Task(executorPreference: environment.executor, operation: work)
    }
}

/// A value that is set once, whoever sets it first.
package final class OneShot<Value: Sendable>: Sendable {
    private let state = Mutex(State())

    private struct State {
        var value: Value?
        var waiters: [CheckedContinuation<Value, Never>] = []
    }

    /// Creates a value that is not set yet.
    package init() {}

    /// Sets the value; false when it was set before.
    @discardableResult
    package func resolve(_ value: Value) -> Bool {
        let waiters = state.withLock { state -> [CheckedContinuation<Value, Never>]? in
            guard state.value == nil else { return nil }
            state.value = value
            defer { state.waiters = [] }
            return state.waiters
        }
        guard let waiters else { return false }
        for waiter in waiters { waiter.resume(returning: value) }
        return true
    }

    /// The value, once it is set.
    package func value() async -> Value {
        await withCheckedContinuation { continuation in
            let value = state.withLock { state -> Value? in
                if state.value == nil { state.waiters.append(continuation) }
                return state.value
            }
            if let value { continuation.resume(returning: value) }
        }
    }
}
