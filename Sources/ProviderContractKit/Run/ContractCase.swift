import PaymentCore
import Synchronization

/// One case for a test framework: a rule that is called for, or the drawing up of the whole run.
///
/// With Swift Testing, one line a package:
///
/// ```swift
/// @Test(arguments: ProviderContract.cases(of: AcmeHarness()))
/// func `keeps the provider contract`(_ rule: ContractCase) throws { try rule.check() }
/// ```
public struct ContractCase: Sendable, CustomStringConvertible {
    private let session: ContractSession
    private let rule: ContractRule?

    init(_ session: ContractSession, _ rule: ContractRule?) {
        self.session = session
        self.rule = rule
    }

    /// The rule's id and sentence.
    public var description: String {
        rule?.description ?? "CONTRACT executed and skipped rules are the whole catalogue"
    }

    /// Runs it.
    ///
    /// - Throws: ``ContractBroken`` with the whole text of what went wrong.
    public func check() throws { try session.check(rule) }
}

/// A case that failed; prints as the whole text.
public struct ContractBroken: Error, CustomStringConvertible {
    /// The whole text.
    public let description: String
}

extension ProviderContract {
    /// The cases of an adapter: every rule that its capabilities call for, and the drawing up.
    ///
    /// The environment may narrow them: `CONTRACT_RULE` names rules or families, `CONTRACT_SEED`
    /// the seed.
    ///
    /// - Parameter harness: The adapter.
    /// - Returns: At least one case; a set-up that is wrong is a case that fails.
    public static func cases(of harness: any ContractHarness) -> [ContractCase] {
        let session = ContractSession(harness)
        return session.called.map { ContractCase(session, $0) } + [ContractCase(session, nil)]
    }

    /// Runs an adapter's rules and hands each failure over.
    ///
    /// For XCTest, one line a package:
    ///
    /// ```swift
    /// func testContract() { ProviderContract.verify(AcmeHarness()) { XCTFail($0) } }
    /// ```
    ///
    /// XCTest on Linux finds no inherited test methods, so this is a function and no base class.
    ///
    /// - Parameters:
    ///   - harness: The adapter.
    ///   - fail: Takes the whole text of each failure.
    public static func verify(_ harness: any ContractHarness, fail: (String) -> Void) {
        verify(ContractSession(harness), fail: fail)
    }

    static func verify(_ session: ContractSession, fail: (String) -> Void) {
        for rule in session.called + [nil] {
            do {
                try session.check(rule)
            } catch {
                fail("\(error)")
            }
        }
    }
}

/// One run that a test framework divides among its cases.
final class ContractSession: Sendable {
    private let runner: Result<ContractRunner, ContractBroken>
    private let rules: [ContractRule]
    private let reportPath: String?
    private let results = Mutex<[String: ContractResult]>([:])

    init(_ harness: any ContractHarness, environment: (String) -> String? = ContractFiles.variable)
    {
        reportPath = environment("CONTRACT_REPORT")
        let seed = environment("CONTRACT_SEED")
        var selected: [ContractRule] = []
        do {
            selected = try ProviderContract.rules(environment("CONTRACT_RULE"))
            guard let number = seed.map({ UInt64($0) }) ?? 1 else {
                throw ContractBroken(
                    description: "CONTRACT_SEED is \"\(seed ?? "")\"; accepted is a whole number"
                )
            }
            runner = .success(try ContractRunner(harness, seed: number))
        } catch {
            runner = .failure(ContractBroken(description: "the contract cannot run: \(error)"))
        }
        rules = selected
    }

    /// The rules that the adapter's capabilities call for.
    var called: [ContractRule?] {
        guard case .success(let runner) = runner else { return [] }
        return rules.filter { $0.reasonToSkip(with: runner.capabilities) == nil }
    }

    func check(_ rule: ContractRule?) throws {
        let runner = try runner.get()
        guard let rule else { return try close(runner) }
        let result = runner.run(rule)
        results.withLock { $0[rule.id] = result }
        if result.status.isBad { throw ContractBroken(description: result.text(for: rule)) }
    }

    /// Runs what no case has run so far, and draws the run up.
    private func close(_ runner: ContractRunner) throws {
        let done = results.withLock { $0 }
        let all = rules.map { done[$0.id] ?? runner.run($0) }
        let report = ContractReport(runner, of: rules, results: all)
        print(report.closingLine)
        let trouble = ContractFiles.write(report, to: reportPath)
        if let trouble { print(trouble) }
        if let trouble, reportPath != nil { throw ContractBroken(description: trouble) }
        guard report.isGood else {
            throw ContractBroken(
                description: ([report.closingLine] + report.problems).joined(separator: "\n")
            )
        }
    }
}

/// Where reports are kept.
enum ContractFiles {
    static func variable(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name]
    }

    /// Writes a report to the place that was named, or beside the build.
    ///
    /// - Returns: What went wrong, if something did.
    static func write(_ report: ContractReport, to named: String?) -> String? {
        let files = FileManager.default
        let path: String
        if let named {
            path = named
        } else {
            guard files.fileExists(atPath: ".build") else { return nil }
            path = ".build/contract/\(report.adapter)/contract-report.json"
        }
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        do {
            if !folder.isEmpty {
                try files.createDirectory(
                    atPath: folder.joined(separator: "/"),
                    withIntermediateDirectories: true
                )
            }
            try report.json.write(to: URL(fileURLWithPath: path))
            return nil
        } catch {
            return "the report cannot be written to \(path)"
        }
    }
}
