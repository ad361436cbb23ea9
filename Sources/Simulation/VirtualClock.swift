import Synchronization

/// A clock that stands still until the simulation moves it.
public final class VirtualClock: Clock, Sendable {
    /// A moment, counted from the start of the simulation.
    public struct Instant: InstantProtocol {
        /// The time since the start.
        public let offset: Swift.Duration

        /// The moment a duration later.
        public func advanced(by duration: Swift.Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        /// The time from this moment to another.
        public func duration(to other: Instant) -> Swift.Duration { other.offset - offset }

        /// Whether this moment is the earlier one.
        public static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
    }

    private struct Timer {
        let deadline: Swift.Duration
        let sequence: Int
        let action: @Sendable () -> Void
    }

    private struct State {
        var now = Swift.Duration.zero
        var timers: [Timer] = []
        var sequence = 0
        var sleepers: [Int: CheckedContinuation<Bool, Never>] = [:]
    }

    private let state = Mutex(State())

    init() {}

    /// The present moment.
    public var now: Instant { Instant(offset: state.withLock { $0.now }) }

    /// The smallest step.
    public var minimumResolution: Swift.Duration { .nanoseconds(1) }

    /// Waits until the simulation has reached a moment; a cancelled wait leaves nothing behind.
    public func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
        let id = state.withLock { state in
            state.sequence += 1
            return state.sequence
        }
        let reached = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
                let immediate = state.withLock { state -> Bool? in
                    if Task.isCancelled { return false }
                    if deadline.offset <= state.now { return true }
                    state.sleepers[id] = continuation
                    insert(deadline.offset, sequence: id, into: &state) { [self] in wake(id, true) }
                    return nil
                }
                if let immediate { continuation.resume(returning: immediate) }
            }
        } onCancel: {
            state.withLock { $0.timers.removeAll { $0.sequence == id } }
            wake(id, false)
        }
        if !reached { throw CancellationError() }
    }

    /// Has something done after a while; it may not wait.
    ///
    /// - Returns: What to cancel it by.
    @discardableResult
    public func schedule(
        after delay: Swift.Duration,
        _ action: @escaping @Sendable () -> Void
    ) -> Scheduled {
        let id = state.withLock { state in
            state.sequence += 1
            insert(state.now + delay, sequence: state.sequence, into: &state, action)
            return state.sequence
        }
        return Scheduled { [self] in
            state.withLock { $0.timers.removeAll { $0.sequence == id } }
        }
    }

    /// Something that was scheduled.
    public struct Scheduled: Sendable {
        /// Sees to it that it is not done, unless it was done already.
        public let cancel: @Sendable () -> Void
    }

    /// The next deadline, if anything waits.
    var nextDeadline: Swift.Duration? { state.withLock { $0.timers.first?.deadline } }

    /// Moves to the next deadline and fires its first timer; false when nothing waits.
    func fireNext() -> Bool {
        let timer = state.withLock { state -> Timer? in
            guard !state.timers.isEmpty else { return nil }
            let timer = state.timers.removeFirst()
            state.now = max(state.now, timer.deadline)
            return timer
        }
        timer?.action()
        return timer != nil
    }

    /// Moves on without firing anything.
    func move(to offset: Swift.Duration) {
        state.withLock { $0.now = max($0.now, offset) }
    }

    private func insert(
        _ deadline: Swift.Duration,
        sequence: Int,
        into state: inout State,
        _ action: @escaping @Sendable () -> Void
    ) {
        var index = state.timers.endIndex
        while index > 0, state.timers[index - 1].deadline > deadline { index -= 1 }
        state.timers.insert(
            Timer(deadline: deadline, sequence: sequence, action: action),
            at: index
        )
    }

    private func wake(_ id: Int, _ reached: Bool) {
        state.withLock { $0.sleepers.removeValue(forKey: id) }?.resume(returning: reached)
    }
}
