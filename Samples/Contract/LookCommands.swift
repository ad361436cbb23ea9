import CommandLineSupport
import Foundation
import ProviderContractKit

/// `contract list`, `contract explain` and `contract diff`.
enum LookCommands {
    static let all = [list, explain, diff]

    private static let list = Command(
        CommandSyntax(
            "list",
            "print every rule, one a line, its id first",
            options: [Contract.help]
        )
    ) { _ in
        let lines = ProviderContract.catalogue.map { rule in
            let id = rule.id.padding(toLength: 8, withPad: " ", startingAt: 0)
            let level = rule.level.rawValue.padding(toLength: 7, withPad: " ", startingAt: 0)
            return id + level + rule.sentence
        }
        return Report(.success, lines: lines)
    }

    private static let explain = Command(
        CommandSyntax(
            "explain",
            "tell everything about one rule",
            arguments: ["ID"],
            options: [Contract.help]
        )
    ) { arguments throws(UsageError) in
        let rules: [ContractRule]
        do throws(ContractSelectionError) {
            rules = try ProviderContract.rules(arguments.words[0])
        } catch {
            throw UsageError("explain: \(error)")
        }
        return Report(.success, lines: rules.flatMap(lines))
    }

    private static func lines(_ rule: ContractRule) -> [String] {
        func names(_ capabilities: Set<ContractCapability>) -> String {
            let names = capabilities.sorted().map(\.description)
            return names.isEmpty ? "nothing" : names.joined(separator: ", ")
        }
        return [rule.description]
            + Table.lines([
                ("level", rule.level.rawValue), ("since", rule.since),
                ("family", rule.family?.description ?? "none"), ("needs", names(rule.needs)),
                ("not with", names(rule.absent)), ("likely", rule.likelyCause),
            ])
    }

    private static let diff = Command(
        CommandSyntax(
            "diff",
            "tell where two reports differ",
            arguments: ["REPORT", "REPORT"],
            options: [Contract.help],
            details: "The exit code is 0 when they do not, 1 when they do."
        )
    ) { arguments throws(UsageError) in
        let old = try read(arguments.words[0])
        let new = try read(arguments.words[1])
        let lines = ContractReport.difference(old, new)
        return Report(
            lines.isEmpty ? .success : .checkFailed,
            lines: lines.isEmpty ? ["no difference"] : lines
        )
    }

    private static func read(_ path: String) throws(UsageError) -> ContractReport {
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
            throw UsageError("diff: \(path) cannot be read")
        }
        guard let report = try? ContractReport(json: data) else {
            throw UsageError("diff: \(path) is no report of `contract run`")
        }
        return report
    }
}
