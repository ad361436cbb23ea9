/// Runs work that does not end with whoever waits for it: a payment cannot be taken back by giving
/// up on its answer.
struct Shield: Sendable {
    let environment: PaymentEnvironment
    private let deadlines: Deadlines

    init(_ environment: PaymentEnvironment) {
        self.environment = environment
        deadlines = Deadlines(environment)
    }

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
        let timer = deadlines.add(after: deadline) { first.resolve(.none) }
        environment.start {
            let value = await work()
            deadlines.remove(timer)
            if !first.resolve(value) { await late(value) }
        }
        return await first.value()
    }

    /// Runs work in the present task, which nobody waits for, and goes on in another one once a
    /// deadline has passed.
    ///
    /// - Parameters:
    ///   - deadline: How long to wait.
    ///   - work: Runs to its end, however long it takes.
    ///   - then: What comes next, with the work's value, or nil once the deadline has passed.
    ///   - late: Gets the work's value when it came after the deadline.
    @concurrent func run<Value: Sendable>(
        deadline: Duration,
        _ work: @Sendable () async -> Value,
        then: @escaping @Sendable (Value?) async -> Void,
        late: @Sendable (Value) async -> Void = { _ in }
    ) async {
        let priority = Task.currentPriority
        let timer = deadlines.add(after: deadline) {
            environment.start(priority: priority) { await then(nil) }
        }
        let value = await work()
        if deadlines.remove(timer) { await then(value) } else { await late(value) }
    }
}
