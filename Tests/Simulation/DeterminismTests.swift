import PaymentCore
import Simulation
import Synchronization
import Testing

/// A program with tasks, an actor, timers and a cancellation, whose trace shows any disorder.
private func mixedProgram(seed: UInt64, schedule: UInt64?) throws -> (trace: String, sum: Int) {
    let time = SimulatedTime(seed: seed, scheduleSeed: schedule)
    let environment = time.environment
    let sum = try time.run {
        let counter = Counter()
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<20 {
                group.addTask {
                    for _ in 0..<5 {
                        let pause = Duration.milliseconds(Int(environment.randomBits() % 50))
                        try? await environment.clock.sleep(for: pause)
                        await counter.add(index)
                        time.trace.add("task \(index)", "ran")
                    }
                }
            }
            let endless = Task(executorPreference: environment.executor) {
                try? await environment.clock.sleep(for: .seconds(9_999))
                time.trace.add("endless", "ended")
            }
            try? await environment.clock.sleep(for: .milliseconds(70))
            endless.cancel()
        }
        return await counter.sum
    }
    return (time.trace.text, sum)
}

private actor Counter {
    var sum = 0
    func add(_ value: Int) { sum += value }
}

@Suite struct DeterminismTests {
    @Test func `S-001 one seed gives one trace in two hundred runs`() throws {
        let first = try mixedProgram(seed: 7, schedule: nil)
        for _ in 0..<200 { #expect(try mixedProgram(seed: 7, schedule: nil).trace == first.trace) }
        #expect(try mixedProgram(seed: 8, schedule: nil).trace != first.trace)
    }

    @Test func `S-004 schedule seeds change the order and repeat exactly, with the same sum`()
        throws
    {
        let traces = try (UInt64(0)..<50).map { schedule in
            let one = try mixedProgram(seed: 7, schedule: schedule)
            let again = try mixedProgram(seed: 7, schedule: schedule)
            #expect(one.trace == again.trace)
            #expect(one.sum == 950)
            return one.trace
        }
        #expect(Set(traces).count > 40)
    }

    @Test func `S-002 a cancelled wait does not move time`() throws {
        let time = SimulatedTime()
        let environment = time.environment
        let moved = try time.run {
            let sleeper = Task(executorPreference: environment.executor) {
                try await environment.clock.sleep(for: .seconds(500))
            }
            try? await environment.clock.sleep(for: .seconds(1))
            sleeper.cancel()
            _ = await sleeper.result
            return time.clock.now.offset
        }
        #expect(moved == .seconds(1))
        time.runUntilIdle()
        #expect(time.clock.now.offset == .seconds(1))
    }

    @Test func `S-003 a call that can never end is reported at once`() {
        let time = SimulatedTime()
        let error = #expect(throws: SimulationStop.self) {
            try time.run("the impossible") {
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            }
        }
        #expect(error == .hang("the impossible; pending: no call is known"))
    }

    @Test func `S-005 a person's pace sees every wait and may act in between`() throws {
        let time = SimulatedTime()
        let environment = time.environment
        let waits = Mutex<[Duration]>([])
        var driving = Driving()
        driving.beforeWaiting = { wait in
            waits.withLock { $0.append(wait) }
            return true
        }
        try time.run(driving: driving) {
            try? await environment.clock.sleep(for: .seconds(2))
            try? await environment.clock.sleep(for: .seconds(3))
        }
        #expect(waits.withLock { $0 } == [.seconds(2), .seconds(3)])
    }
}
