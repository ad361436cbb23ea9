import Synchronization

/// What must not be waited for longer than until its deadline; one timer for all of it.
///
/// A deadline that is let go in time costs a lock: the timer goes on, finds nothing due, and waits
/// for the next one that is left.
final class Deadlines: Sendable {
    private let environment: PaymentEnvironment
    private let elapsed: @Sendable () -> Duration
    private let state = Mutex(State())

    private struct State {
        var nextID = 0
        var waiting: [Deadline] = []
        /// When the timer looks, and which of those that were started it is.
        var timer: (wakes: Duration, id: Int, task: Task<Void, Never>)?
    }

    private struct Deadline {
        let id: Int
        let at: Duration
        let passed: @Sendable () -> Void
    }

    init(_ environment: PaymentEnvironment) {
        self.environment = environment
        elapsed = environment.clock.stopwatch()
    }

    /// Has something done once a time has passed; it may not wait.
    ///
    /// - Returns: What to let the deadline go by.
    func add(after duration: Duration, _ passed: @escaping @Sendable () -> Void) -> Int {
        let at = elapsed() + duration
        return state.withLock { state in
            state.nextID += 1
            let id = state.nextID
            state.waiting.append(Deadline(id: id, at: at, passed: passed))
            if state.timer.map({ at < $0.wakes }) ?? true { startTimer(&state, at, in: duration) }
            return id
        }
    }

    /// Lets a deadline go.
    ///
    /// - Returns: False when it had passed: what was to be done then is done, or about to be.
    @discardableResult
    func remove(_ id: Int) -> Bool {
        state.withLock { state in
            guard let index = state.waiting.lastIndex(where: { $0.id == id }) else { return false }
            state.waiting.swapAt(index, state.waiting.endIndex - 1)
            state.waiting.removeLast()
            return true
        }
    }

    private func startTimer(_ state: inout State, _ at: Duration, in duration: Duration) {
        state.nextID += 1
        let id = state.nextID
        state.timer?.task.cancel()
        // Whoever starts it may be in less of a hurry than those whose deadlines come later.
        let task = environment.start(priority: .high) { [self] in
            guard (try? await environment.clock.sleep(for: duration)) != nil else {
                return giveUp(id)
            }
            look(id)
        }
        state.timer = (at, id, task)
    }

    /// Leaves what waits to the next timer, where a clock did not let one wait.
    private func giveUp(_ timer: Int) {
        state.withLock { if $0.timer?.id == timer { $0.timer = nil } }
    }

    /// Does what is due, and sets the timer for what is not.
    private func look(_ timer: Int) {
        let now = elapsed()
        let due = state.withLock { state -> [Deadline] in
            // One that was to look earlier has taken its place.
            guard state.timer?.id == timer else { return [] }
            let due = state.waiting.filter { $0.at <= now }
            state.waiting.removeAll { $0.at <= now }
            state.timer = nil
            if let next = state.waiting.map(\.at).min() { startTimer(&state, next, in: next - now) }
            return due
        }
        for deadline in due.sorted(by: { ($0.at, $0.id) < ($1.at, $1.id) }) { deadline.passed() }
    }
}
