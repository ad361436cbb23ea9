public import ReaderSimulation
import Simulation

/// Plays one scenario under many schedules: in each, what could happen at once does so differently.
public struct ScenarioExploration: Sendable {
    /// A schedule under which something did not hold; it repeats exactly.
    public struct Failure: Sendable {
        /// The schedule.
        public let schedule: UInt64
        /// Everything that did not hold.
        public let problems: [String]
    }

    /// How many schedules were played.
    public let schedules: Int
    /// How many different runs there were among them.
    public let differentRuns: Int
    /// How often each end was told.
    public let outcomes: [String: Int]
    /// Those under which something did not hold, in order.
    public let failures: [Failure]

    /// Plays a scenario.
    ///
    /// - Parameters:
    ///   - scenario: The scenario.
    ///   - seed: What all chance follows from; the scenario's own without.
    ///   - schedules: How many schedules.
    ///   - client: The program under test.
    public init(
        _ scenario: Scenario,
        seed: UInt64? = nil,
        schedules: Int,
        client: any ScenarioClient = ReferenceClient()
    ) {
        var runs: Set<Int> = []
        var outcomes: [String: Int] = [:]
        var failures: [Failure] = []
        for schedule in 0..<UInt64(max(schedules, 0)) {
            let report = ScenarioRun(scenario, seed: seed, schedule: schedule, client: client)
                .play()
            runs.insert(report.trace.hashValue)
            outcomes[report.outcome?.description ?? "none", default: 0] += 1
            if !report.passed {
                failures.append(Failure(schedule: schedule, problems: report.problems))
            }
        }
        self.schedules = schedules
        differentRuns = runs.count
        self.outcomes = outcomes
        self.failures = failures
    }
}
