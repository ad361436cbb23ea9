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
