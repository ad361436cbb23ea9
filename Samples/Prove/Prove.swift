import CommandLineSupport
import PaymentCore

/// Proves the two guarantees under every fault that can be scripted, and that the proof can fail.
@main struct Prove {
    static func main() {
        let program = Program(
            "prove",
            "proves that no order is charged twice, and that what is told agrees with the ledger",
            commands: [all, TillCommand.command]
        )
        let words = Array(CommandLine.arguments.dropFirst())
        let isBare = words.first.map {
            $0.hasPrefix("--") && !["--help", "--version"].contains($0)
        }
        exit(program.run((isBare ?? true ? ["all"] : []) + words).rawValue)
    }

    private static let all = Command(
        CommandSyntax(
            "all",
            "play every schedule, look for seeded bugs, kill real processes",
            options: [
                OptionSyntax("depth", "N", help: "attempts a schedule, 1 to 3 (default 3)"),
                OptionSyntax("no-processes", help: "kill no real processes"),
                OptionSyntax("help", help: "print this help"),
            ],
            details: """
                Two acquirers, two orders of one price, two tills, a clock that is wrong: each schedule
                is a list of attempts, each of which may be approved, declined, lost, left pending,
                cancelled at any step, or cut short by the end of the process. It is the default command.
                """
        )
    ) { arguments throws(UsageError) in
        let depth = try arguments.wholeNumber("depth", 1...3)
        return report(depth: depth ?? 3, killsProcesses: !arguments.has("no-processes"))
    }

    private static func report(depth: Int, killsProcesses: Bool) -> Report {
        let schedules = Schedule.all(depth: depth)
        var states: Set<Proof.Outcome> = []
        var violations: [String] = []
        for schedule in schedules {
            let outcome = Proof.play(schedule)
            states.insert(outcome)
            if let violation = outcome.violation {
                violations.append("\(schedule): \(violation)")
                if violations.count <= 5 {
                    Terminal.write("VIOLATION  \(violations.last ?? "")", to: 1)
                }
            }
        }
        let searched = Schedule.all(depth: 2).sorted { $0.moves.count < $1.moves.count }
        var found = 0
        for bug in Bug.allCases {
            let first = searched.lazy.map { ($0, Proof.play($0, bug: bug)) }
                .first { $0.1.violation != nil }
            guard let (schedule, outcome) = first, let violation = outcome.violation else {
                Terminal.write("NOT FOUND  \(bug.rawValue)", to: 1)
                continue
            }
            found += 1
            Terminal.write("found  \(bug.rawValue): \(schedule): \(violation)", to: 1)
        }
        var real: [String] = []
        var realViolations = 0
        if killsProcesses {
            let outcome = RealRun.play()
            for violation in outcome.violations { Terminal.write("VIOLATION  \(violation)", to: 1) }
            realViolations = outcome.violations.count
            real = ["SIGKILL points \(outcome.held) of \(outcome.points)"]
            if outcome.points == 0 { realViolations = 1 }
        }
        let isGood =
            violations.isEmpty && found == Bug.allCases.count && !schedules.isEmpty
            && realViolations == 0
        return Report(
            isGood ? .success : .checkFailed,
            lines: [
                "schedules \(schedules.count)", "states \(states.count)",
                "violations \(violations.count)",
                "seeded bugs found \(found) of \(Bug.allCases.count)",
            ] + real
        )
    }
}
