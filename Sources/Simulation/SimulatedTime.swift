public import PaymentCore
import Synchronization

/// A world with its own time, chance and thread, in which every run of one seed is the same.
public final class SimulatedTime: Sendable {
    /// The clock; it moves only when the simulation is driven.
    public let clock: VirtualClock
    /// Where everything in the simulation runs.
    public let executor: SteppingExecutor
    /// What happened.
    public let trace: Trace
    /// The calls that somebody awaits.
    public let pending = PendingCalls()
    /// What all chance follows from.
    public let seed: UInt64
    private let start: Date
    private let jump = Mutex(Duration.zero)
    private let random: Mutex<SeededGenerator>

    /// Creates a simulation.
    ///
    /// - Parameters:
    ///   - seed: What all chance follows from.
    ///   - scheduleSeed: Picks the order of runnable jobs; first come, first served without one.
    ///   - start: The time of day at the beginning.
    public init(
        seed: UInt64 = 0,
        scheduleSeed: UInt64? = nil,
        start: Date = Date(timeIntervalSince1970: 1_767_603_600)
    ) {
        clock = VirtualClock()
        executor = SteppingExecutor(scheduleSeed: scheduleSeed)
        trace = Trace(clock: clock)
        self.seed = seed
        self.start = start
        random = Mutex(SeededGenerator(seed: seed, stream: "environment"))
    }

    /// The time of day.
    public var wallTime: Date {
        let offset = clock.now.offset + jump.withLock { $0 }
        let (seconds, attoseconds) = offset.components
        return start.addingTimeInterval(Double(seconds) + Double(attoseconds) / 1e18)
    }

    /// Sets the time of day forward or back, as a person or a network does; waiting goes on as before.
    public func jumpWallTime(by duration: Duration) {
        jump.withLock { $0 += duration }
        trace.add("clock", "set by \(duration)")
    }

    /// The chance that belongs to a name, independent of all others.
    public func stream(_ name: String) -> SeededGenerator {
        SeededGenerator(seed: seed, stream: name)
    }

    /// The environment that makes a point of sale part of the simulation.
    public var environment: PaymentEnvironment {
        PaymentEnvironment(
            clock: clock,
            wallTime: { [self] in wallTime },
            randomBits: { [self] in random.withLock { $0.next() } },
            executor: executor
        )
    }
}

/// How a simulation is driven: by a test as fast as it can, by a person's program at a pace.
public struct Driving: Sendable {
    /// Called between any two steps; the place for whoever acts from outside.
    public var betweenSteps: @Sendable () -> Void = {}
    /// Called before time moves on, with the time that will pass; may really wait.
    ///
    /// Returns false to look again before moving on, since something was done meanwhile.
    public var beforeWaiting: @Sendable (Duration) -> Bool = { _ in true }

    /// Asked between any two steps; true gives the operation up where it stands.
    public var isAbandoned: @Sendable () -> Bool = { false }

    /// Drives as fast as possible.
    public init() {}
}

/// Why a simulation stopped before what it ran had ended.
public enum SimulationStop: Error, Hashable, Sendable {
    /// Nothing can happen any more, but this has not ended: its name, and what is known of it.
    case hang(String)
    /// Whoever drives it gave up.
    case abandoned
}

extension SimulatedTime {
    /// Runs an operation to its end: jobs until none is runnable, then the next timer.
    ///
    /// - Parameters:
    ///   - name: What it is, for the report of a hang.
    ///   - driving: Who may act in between, and at which pace.
    ///   - operation: Runs on the simulation's executor.
    /// - Returns: What the operation returned.
    /// - Throws: ``SimulationStop`` when neither a job nor a timer is left, or it was abandoned.
    public func run<Value: Sendable>(
        _ name: String = "operation",
        driving: Driving = Driving(),
        _ operation: @escaping @Sendable () async -> Value
    ) throws(SimulationStop) -> Value {
        let result = Box<Value>()
        let hasEnded = Flag()
        Task(executorPreference: executor) {
            result.set(await operation())
            hasEnded.isSet.store(true, ordering: .releasing)
        }
        while true {
            driving.betweenSteps()
            if hasEnded.isSet.load(ordering: .acquiring), let value = result.value {
                runRemainder()
                return value
            }
            if driving.isAbandoned() { throw .abandoned }
            if executor.runNext() { continue }
            guard let deadline = clock.nextDeadline else {
                throw .hang("\(name); \(pending.report)")
            }
            let wait = deadline - clock.now.offset
            if wait > .zero, !driving.beforeWaiting(wait) { continue }
            fire(deadline)
        }
    }

    /// Runs the jobs that are left, such as timers that were cancelled: a task that never comes to
    /// its end holds for ever what it was made with, which may be the whole world.
    private func runRemainder() {
        for _ in 0..<Self.mostRemaining { guard executor.runNext() else { return } }
    }

    /// What still runs after so many jobs means to go on.
    private static let mostRemaining = 1_000

    /// Moves on to a time of day, if it lies ahead; what waits until then happens.
    public func advance(to date: Date) {
        let ahead = date.timeIntervalSince(wallTime)
        if ahead > 0 { advance(by: .seconds(ahead)) }
    }

    /// Runs everything that can happen within a while, then stands at its end.
    public func advance(by duration: Duration) {
        let end = clock.now.offset + duration
        while step(until: end) {}
        clock.move(to: end)
    }

    /// Runs jobs and timers until neither is left.
    public func runUntilIdle() { while step(until: .seconds(Int64.max)) {} }

    /// Runs one job, or else fires the next timer that is due by then.
    ///
    /// - Parameter end: Timers behind it are left alone.
    /// - Returns: False when there is nothing to do until then.
    public func step(until end: Duration) -> Bool {
        if executor.runNext() { return true }
        guard let deadline = clock.nextDeadline, deadline <= end else { return false }
        fire(deadline)
        return true
    }

    /// Fires the next timer; under a schedule seed, what is due at one moment is due together.
    private func fire(_ deadline: Duration) {
        _ = clock.fireNext()
        while executor.isScheduled, clock.nextDeadline == deadline { _ = clock.fireNext() }
    }
}

private final class Box<Value: Sendable>: Sendable {
    private let content = Mutex<Value?>(nil)
    var value: Value? { content.withLock { $0 } }
    func set(_ value: Value) { content.withLock { $0 = value } }
}

/// Tells that a box is full without looking into it, which costs more for a value of any type.
private final class Flag: Sendable {
    let isSet = Atomic(false)
}
