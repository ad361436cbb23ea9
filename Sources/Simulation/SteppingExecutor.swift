import Synchronization

/// Runs tasks only when it is told to, one job at a time and on the caller's thread.
///
/// Jobs run in the order in which they came, or in an order that a schedule seed picks.
public final class SteppingExecutor: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var head = 0
        var schedule: SeededGenerator?
    }

    private let state: Mutex<State>

    /// Creates an executor; without a schedule seed the first job to come is the first to run.
    public init(scheduleSeed: UInt64? = nil) {
        state = Mutex(State(schedule: scheduleSeed.map { SeededGenerator(seed: $0) }))
    }

    /// Keeps a job until it is told to run it.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
    }

    /// Whether the order of runnable jobs is picked by a seed.
    var isScheduled: Bool { state.withLock { $0.schedule != nil } }

    /// Runs one job; false when none is runnable.
    func runNext() -> Bool {
        let job = state.withLock { state -> UnownedJob? in
            guard state.head < state.jobs.count else { return nil }
            if var schedule = state.schedule {
                let chosen = Int.random(in: state.head..<state.jobs.count, using: &schedule)
                state.schedule = schedule
                state.jobs.swapAt(state.head, chosen)
            }
            let job = state.jobs[state.head]
            state.head += 1
            if state.head == state.jobs.count {
                state.jobs.removeAll(keepingCapacity: true)
                state.head = 0
            }
            return job
        }
        guard let job else { return false }
        job.runSynchronously(on: asUnownedTaskExecutor())
        return true
    }
}
