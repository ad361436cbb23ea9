import CommandLineSupport
import Foundation
import PaymentCore
import ProviderContractKit

/// `contract run`.
enum RunCommand {
    static let command = Command(
        CommandSyntax(
            "run",
            "run the contract at an adapter",
            arguments: ["finix|revolut"],
            options: [
                OptionSyntax(
                    "rule",
                    "ID|FAMILY",
                    help: "only these rules; several with commas (default: all)"
                ),
                OptionSyntax("seed", "N", help: "what all chance follows from (default 1)"),
                OptionSyntax(
                    "report",
                    "FILE",
                    help: "where the report goes (default contract-report.json)"
                ),
                OptionSyntax("quiet", help: "failures and the closing line alone"), Contract.help,
            ],
            details: """
                Every rule runs in a world of its own, in virtual time. The exit code is 0 when
                every rule that is called for was kept, 1 when one was not or nothing ran.
                """
        )
    ) { arguments throws(UsageError) in
        let harness = try harness(arguments.words[0])
        let seed =
            try arguments.wholeNumber("seed", 0...UInt64.max) ?? 1
        let rules: [ContractRule]
        do throws(ContractSelectionError) {
            rules = try ProviderContract.rules(arguments["rule"])
        } catch {
            throw UsageError("--rule: \(error)")
        }
        let runner: ContractRunner
        do throws(ContractFailure) {
            runner = try ContractRunner(harness, seed: seed) { rule, seed in
                "swift run contract run \(harness.provider) --rule \(rule) --seed \(seed)"
            }
        } catch {
            return .problem(.checkFailed, ["\(harness.provider): \(error)"])
        }
        let report = ContractReport(runner, of: rules, results: rules.map { runner.run($0) })
        return tell(
            report,
            path: arguments["report"] ?? "contract-report.json",
            isQuiet: arguments.has("quiet")
        )
    }

    private static func harness(_ name: String) throws(UsageError) -> any ContractHarness {
        let names = Contract.harnesses.map(\.provider)
        guard let harness = Contract.harnesses.first(where: { $0.provider == name }) else {
            throw UsageError(
                "run: found \"\(name.prefix(40))\"; accepted is \(names.joined(separator: " or "))"
                    + UsageError.suggestion(for: name, among: names)
            )
        }
        return harness
    }

    private static func tell(_ report: ContractReport, path: String, isQuiet: Bool) -> Report {
        var lines: [String] = []
        for result in report.results where !isQuiet || result.status.isBad {
            guard let rule = ProviderContract.rule(result.rule) else { continue }
            let status = result.status.rawValue
            let mark = status + String(repeating: " ", count: max(9 - status.count, 1))
            lines.append("\(mark)\(result.text(for: rule))")
        }
        var diagnostics = report.problems
        do {
            try BoundedFile.write(report.json, to: path)
        } catch {
            diagnostics.append("\(path): the report cannot be written")
        }
        lines.append(report.closingLine)
        return Report(
            report.isGood && diagnostics.isEmpty ? .success : .checkFailed,
            lines: lines,
            diagnostics: diagnostics
        )
    }
}
