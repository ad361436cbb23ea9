import AcquirerSimulation
import CommandLineSupport
import PaymentCore
import ReaderSimulation
import Simulation

/// `reader sweep` and `reader explore`.
enum ExploreCommands {
    static let all = [sweep, explore]

    private static let sweep = Command(
        CommandSyntax(
            "sweep",
            "do every action at every step of a scenario, and check what must hold",
            arguments: ["[FILE]"],
            options: [RunOptions.help],
            details: """
                Without a FILE the shipped scenario "tap" is taken. In the table "." holds, "-" was
                never reached, "X" does not hold. The exit code is 0 when every cell holds.
                """
        )
    ) { arguments in
        switch ScenarioFile.read([arguments.words.first ?? "tap"]) {
        case .failure(let problems): return .badFiles(problems)
        case .success(let files):
            let cells = ScenarioSweep(files[0].scenario).run()
            let reached = cells.count(where: \.wasReached)
            let broken = cells.filter { $0.problem != nil }
            var lines = ScenarioSweep.table(cells)
            for cell in broken { lines.append("\(cell.fault): \(cell.problem ?? "")") }
            lines.append(
                "\(cells.count) cells, \(reached) reached, \(broken.count) with a violated invariant"
            )
            let isGood = broken.isEmpty && reached > 0
            return Report(isGood ? .success : .checkFailed, lines: lines)
        }
    }

    private static let explore = Command(
        CommandSyntax(
            "explore",
            "run a scenario under many schedules, and check what must hold",
            arguments: ["FILE"],
            options: [
                OptionSyntax("schedules", "N", help: "how many (default 1000)"),
                RunOptions.seed, RunOptions.help,
            ],
            details: """
                A schedule that fails repeats exactly: run FILE --seed N --schedule N.
                """
        )
    ) { arguments throws(UsageError) in
        let seed = try arguments.wholeNumber("seed", 0...UInt64.max)
        let schedules = try arguments.wholeNumber("schedules", 1...10_000_000)
        switch ScenarioFile.read([arguments.words[0]]) {
        case .failure(let problems): return .badFiles(problems)
        case .success(let files):
            let scenario = files[0].scenario
            let found = ScenarioExploration(scenario, seed: seed, schedules: schedules ?? 1_000)
            var lines = found.outcomes.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }
            for failure in found.failures.prefix(5) {
                lines.append(
                    "FAILED  --seed \(seed ?? scenario.seed) --schedule \(failure.schedule)"
                )
                lines += failure.problems.map { "        \($0)" }
            }
            lines.append(
                "\(found.schedules) schedules, \(found.differentRuns) different, "
                    + "\(found.failures.count) failed"
            )
            let isGood = found.failures.isEmpty
            return Report(isGood ? .success : .checkFailed, lines: lines)
        }
    }
}
