import PaymentCore

/// The contract that any adapter can prove to keep.
public enum ProviderContract {
    /// The version of the catalogue.
    public static let version = "1.0.0"

    /// Every rule, family by family.
    public static let catalogue: [ContractRule] = [
        Amounts.rules, Sales.rules, Holds.rules, Refunds.rules, Declines.rules, Unknowns.rules,
        Idempotency.rules, Cancelling.rules, Timeouts.rules, Tokens.rules, Readiness.rules,
        Events.rules, LookUps.rules, Codes.rules, Receipts.rules, Redaction.rules,
        Concurrency.rules, Capabilities.rules, Configuration.rules, Journaling.rules,
    ].flatMap(\.self)

    /// A fingerprint of the catalogue: ids, levels, capabilities and sentences.
    public static let digest: String = {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for rule in catalogue {
            let needs = rule.needs.sorted().map(\.description)
            let absent = rule.absent.sorted().map(\.description)
            let text = [[rule.id, rule.since, rule.level.rawValue, rule.sentence], needs, absent]
            for byte in text.flatMap(\.self).joined(separator: "|").utf8 {
                hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
            }
        }
        // Letters alone, so that a fingerprint never looks like a number of anything.
        let letters = Array("bcdfghjkmnpqrstvwxyz")
        return String(
            (0..<10).map { index in letters[Int(hash >> (index * 6) & 0xFFFF) % letters.count] }
        )
    }()

    private static let byID = Dictionary(catalogue.map { ($0.id, $0) }) { first, _ in first }

    /// The rule with an id; nil when there is none.
    public static func rule(_ id: String) -> ContractRule? { byID[id] }

    /// The rules that a selection names.
    ///
    /// - Parameter selection: An id, a family's name or letters, or several with commas; all when
    ///   nil.
    /// - Returns: The rules, in the catalogue's order.
    /// - Throws: ``ContractSelectionError`` for a word that names none.
    public static func rules(
        _ selection: String?
    ) throws(ContractSelectionError) -> [ContractRule] {
        guard let selection else { return catalogue }
        var chosen: Set<String> = []
        for word in selection.split(separator: ",", omittingEmptySubsequences: false) {
            let word = word.trimmed
            let found = catalogue.filter { rule in
                rule.id.lowercased() == word.lowercased()
                    || rule.family.map { family in
                        [family.description, family.rawValue].contains {
                            $0.lowercased() == word.lowercased()
                        }
                    } ?? false
            }
            guard !found.isEmpty else { throw ContractSelectionError(word: word) }
            chosen.formUnion(found.map(\.id))
        }
        return catalogue.filter { chosen.contains($0.id) }
    }

    /// What somebody may have meant, as the end of a sentence.
    static func suggestion(for word: String) -> String {
        let families = ContractRule.Family.allCases
        let names = catalogue.map(\.id) + families.map(\.description) + families.map(\.rawValue)
        guard let near = NearestName.nearest(to: word, among: names) else { return "" }
        return "; did you mean \(near)?"
    }

    /// Runs rules at an adapter.
    ///
    /// - Parameters:
    ///   - harness: The adapter.
    ///   - selection: Which rules; all when nil.
    ///   - seed: What all chance follows from.
    /// - Returns: What became of them.
    /// - Throws: ``ContractSelectionError`` or ``ContractFailure`` when nothing can be run.
    public static func run(
        _ harness: any ContractHarness,
        rules selection: String? = nil,
        seed: UInt64 = 1
    ) throws -> ContractReport {
        let rules = try rules(selection)
        let runner = try ContractRunner(harness, seed: seed)
        return ContractReport(runner, of: rules, results: rules.map { runner.run($0) })
    }
}

/// A word that names no rule and no family.
public struct ContractSelectionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The word.
    public let word: String

    /// What was found and what is accepted.
    public var description: String {
        let families = ContractRule.Family.allCases.map(\.description).joined(separator: ", ")
        return """
            "\(word.prefix(40))" names no rule; accepted are ids such as SALE-01 and the families \
            \(families)\(ProviderContract.suggestion(for: word))
            """
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
