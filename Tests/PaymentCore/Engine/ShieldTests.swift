import Simulation
import Synchronization
import Testing

@testable import PaymentCore

@Suite struct ShieldTests {
    /// What passed, and when.
    private final class Record: Sendable {
        private let lines = Mutex<[String]>([])

        var all: [String] { lines.withLock { $0 } }

        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `N-035 each deadline passes at its moment, and one that was let go never`(
        seed: UInt64
    ) throws {
        let time = SimulatedTime(seed: seed, scheduleSeed: seed)
        let deadlines = Deadlines(time.environment)
        let record = Record()
        var chance = time.stream("deadlines")
        var expected: [(at: Int, name: Int)] = []
        var plan: [(pause: Int, after: Int, keptFor: Int?)] = []
        var now = 0
        for name in 0..<40 {
            let pause = Int.random(in: 0...30, using: &chance)
            let after = Int.random(in: 1...100, using: &chance)
            let keptFor =
                Bool.random(using: &chance) ? Int.random(in: 0..<after, using: &chance) : nil
            plan.append((pause, after, keptFor))
            now += pause
            if keptFor == nil { expected.append((now + after, name)) }
        }
        let sent = plan
        try time.run {
            for (name, step) in sent.enumerated() {
                try? await time.clock.sleep(for: .seconds(step.pause))
                let id = deadlines.add(after: .seconds(step.after)) {
                    record.add("\(name) at \(time.clock.now.offset)")
                }
                guard let keptFor = step.keptFor else { continue }
                time.clock.schedule(after: .seconds(keptFor)) { deadlines.remove(id) }
            }
            try? await time.clock.sleep(for: .seconds(200))
        }
        let lines = expected.sorted { $0 < $1 }.map { "\($0.name) at \(Duration.seconds($0.at))" }
        #expect(lines.count > 5)
        #expect(record.all == lines)
    }

    @Test func `N-035 a clock that fails once or wakes early keeps no deadline from passing`()
        throws
    {
        let time = SimulatedTime()
        var environment = time.environment
        environment.clock = MoodyClock(inner: time.clock)
        let deadlines = Deadlines(environment)
        let record = Record()
        try time.run {
            for after in [10, 20] {
                _ = deadlines.add(after: .seconds(after)) {
                    record.add("\(after) at \(time.clock.now.offset)")
                }
                try? await time.clock.sleep(for: .seconds(2))
            }
            try? await time.clock.sleep(for: .seconds(100))
        }
        #expect(record.all == ["10 at 10.0 seconds", "20 at 22.0 seconds"])
    }

    @Test func `N-035 what follows a deadline is as urgent as what waited for it`() throws {
        let time = SimulatedTime()
        let shield = Shield(time.environment)
        let record = Record()
        try time.run {
            // The timer is started by somebody in no hurry.
            Task(executorPreference: time.executor, priority: .background) {
                _ = await shield.run(deadline: .seconds(10)) { await OneShot<Void>().value() }
            }
            try? await time.clock.sleep(for: .seconds(1))
            Task(executorPreference: time.executor, priority: .high) {
                await shield.run(deadline: .seconds(20)) {
                    await OneShot<Void>().value()
                } then: { _ in
                    record.add(Task.currentPriority == .high ? "high" : "less")
                }
            }
            try? await time.clock.sleep(for: .seconds(100))
        }
        #expect(record.all == ["high"])
    }

    @Test func `N-035 a deadline that was let go keeps no engine alive`() throws {
        weak var engine: PaymentEngine?
        let time: SimulatedTime
        do {
            let till = TestTill(VendorScript(delay: .seconds(1), answer: .cancelled))
            (engine, time) = (till.engine, till.time)
            #expect(try till.run { await till.take().name } == "cancelled")
        }
        time.advance(by: .zero)
        #expect(engine == nil)
    }

    @Test func `N-035 what comes next comes once, and what is late is told as late`() throws {
        let time = SimulatedTime()
        let shield = Shield(time.environment)
        let record = Record()
        try time.run {
            for delay in [5, 15] {
                await shield.run(deadline: .seconds(10)) {
                    try? await time.clock.sleep(for: .seconds(delay))
                    return delay
                } then: { value in
                    record.add("\(value.map(String.init) ?? "none") at \(time.clock.now.offset)")
                } late: { value in
                    record.add("late \(value) at \(time.clock.now.offset)")
                }
            }
        }
        #expect(
            record.all == [
                "5 at 5.0 seconds", "none at 15.0 seconds", "late 15 at 20.0 seconds",
            ]
        )
    }
}

/// A clock whose first wait fails, and whose second ends at once.
private struct MoodyClock: Clock {
    let inner: VirtualClock
    private let moods = Moods()

    init(inner: VirtualClock) { self.inner = inner }

    var now: VirtualClock.Instant { inner.now }
    var minimumResolution: Duration { inner.minimumResolution }

    func sleep(until deadline: VirtualClock.Instant, tolerance: Duration?) async throws {
        switch moods.next() {
        case 1: throw CancellationError()
        case 2: return
        default: try await inner.sleep(until: deadline, tolerance: tolerance)
        }
    }

    private final class Moods: Sendable {
        private let count = Mutex(0)

        func next() -> Int {
            count.withLock { count in
                count += 1
                return count
            }
        }
    }
}
