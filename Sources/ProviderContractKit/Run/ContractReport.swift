public import PaymentCore

/// What became of a run: the truth about it, whatever a test framework prints.
public struct ContractReport: Hashable, Sendable, Codable {
    /// The version of the catalogue.
    public let suiteVersion: String
    /// A fingerprint of the catalogue: ids, levels, capabilities and sentences.
    public let digest: String
    /// The adapter's name.
    public let adapter: String
    /// What the adapter declares and the harness can make happen, by name.
    public let capabilities: [String]
    /// The rules that the adapter is known to break.
    public let deviations: [ContractDeviation]
    /// What all chance followed from.
    public let seed: UInt64
    /// How many rules were selected.
    public let selected: Int
    /// What became of each, in the catalogue's order.
    public let results: [ContractResult]
    /// What is wrong with the run itself.
    public let problems: [String]

    /// Draws a run up.
    ///
    /// - Parameters:
    ///   - runner: What ran.
    ///   - rules: What was to be run.
    ///   - results: What became of them.
    public init(_ runner: ContractRunner, of rules: [ContractRule], results: [ContractResult]) {
        suiteVersion = ProviderContract.version
        digest = ProviderContract.digest
        adapter = runner.harness.provider
        capabilities = runner.capabilities.sorted().map(\.description)
        deviations = runner.harness.deviations
        seed = runner.seed
        selected = rules.count
        self.results = results
        problems = Self.problems(
            of: rules.map(\.id),
            results: results,
            deviations: deviations.map(\.rule)
        )
    }

    /// What makes a run worthless whatever its rules say.
    static func problems(
        of rules: [String],
        results: [ContractResult],
        deviations: [String]
    ) -> [String] {
        var problems: [String] = []
        let missing = rules.filter { id in !results.contains { $0.rule == id } }
        if !missing.isEmpty { problems.append("never ran: \(missing.joined(separator: ", "))") }
        if results.count != rules.count {
            problems.append("\(results.count) results for \(rules.count) rules")
        }
        if !results.contains(where: { $0.status != .skipped }) { problems.append("nothing ran") }
        for deviation in deviations where ProviderContract.rule(deviation) == nil {
            problems.append(
                "the deviation \(deviation) names no rule"
                    + ProviderContract.suggestion(for: deviation)
            )
        }
        let skipped = deviations.filter { id in
            results.contains { $0.rule == id && $0.status == .skipped }
        }
        for id in skipped { problems.append("the deviation \(id) is about a rule that is skipped") }
        return problems
    }

    /// How many rules ended so.
    public func count(_ status: ContractResult.Status) -> Int {
        results.count { $0.status == status }
    }

    /// Whether every rule that was called for was kept, and the run was whole.
    public var isGood: Bool { problems.isEmpty && !results.contains { $0.status.isBad } }

    /// One line that tells the whole run.
    public var closingLine: String {
        let failed = results.count { $0.status.isBad }
        let deviating = count(.deviates)
        let version = "contract \(suiteVersion) \(adapter) \(digest)"
        var line = "\(version): \(count(.passed)) passed, \(failed) failed"
        if deviating > 0 { line += ", \(deviating) deviating" }
        line += ", \(count(.skipped)) skipped"
        if count(.skipped) > 0 { line += " (\(skippedReasons))" }
        line += ", seed \(seed)"
        return problems.isEmpty ? line : line + "; INVALID: \(problems.joined(separator: "; "))"
    }

    private var skippedReasons: String {
        let reasons = results.filter { $0.status == .skipped }.compactMap(\.reason)
        return Dictionary(grouping: reasons) { $0 }.sorted { $0.key < $1.key }
            .map { "\($0.value.count) \($0.key)" }.joined(separator: ", ")
    }

    /// The texts of everything that spoils the run.
    public var failures: [String] {
        let broken = results.filter(\.status.isBad).map { result in
            ProviderContract.rule(result.rule).map { result.text(for: $0) } ?? result.rule
        }
        return broken + problems
    }
}

extension ContractReport {
    /// The report as JSON, the same for the same run.
    public var json: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(self)
        }
    }

    /// Reads a report.
    ///
    /// - Parameter json: What ``json`` gave.
    /// - Throws: `DecodingError` when it is no report.
    public init(json: Data) throws {
        self = try JSONDecoder().decode(Self.self, from: json)
    }

    /// Where two reports differ, one line each.
    public static func difference(_ old: ContractReport, _ new: ContractReport) -> [String] {
        var lines: [String] = []
        func compare(_ name: String, _ old: String, _ new: String) {
            if old != new { lines.append("\(name): \(old) -> \(new)") }
        }
        compare("adapter", old.adapter, new.adapter)
        compare("suite", old.suiteVersion, new.suiteVersion)
        compare("digest", old.digest, new.digest)
        compare("seed", "\(old.seed)", "\(new.seed)")
        for gone in Set(old.capabilities).subtracting(new.capabilities).sorted() {
            lines.append("capability: - \(gone)")
        }
        for added in Set(new.capabilities).subtracting(old.capabilities).sorted() {
            lines.append("capability: + \(added)")
        }
        let before = Dictionary(old.results.map { ($0.rule, $0) }) { first, _ in first }
        let after = Dictionary(new.results.map { ($0.rule, $0) }) { first, _ in first }
        for id in Set(before.keys).union(after.keys).sorted() {
            compare(
                id,
                before[id]?.status.rawValue ?? "not there",
                after[id]?.status.rawValue ?? "not there"
            )
        }
        return lines
    }
}
