/// What became of one rule.
public struct ContractResult: Hashable, Sendable, Codable {
    /// The rule's id.
    public let rule: String
    /// What became of it.
    public let status: Status
    /// Why it was skipped, or how it deviates; nil for a rule that passed or failed.
    public let reason: String?
    /// Everything about a failure; nil for a rule that kept.
    public let failure: Failure?

    /// What can become of a rule.
    public enum Status: String, Hashable, Sendable, Codable, CaseIterable {
        /// It was kept.
        case passed
        /// It was broken.
        case failed
        /// The adapter's capabilities do not call for it.
        case skipped
        /// It was broken, and declared to be.
        case deviates
        /// It was declared to be broken, and is kept.
        case deviationPasses

        /// Whether it spoils the run.
        public var isBad: Bool { self == .failed || self == .deviationPasses }
    }

    /// Everything about a rule that was broken.
    public struct Failure: Hashable, Sendable, Codable {
        /// What the expectation was about.
        public let subject: String
        /// What was expected.
        public let expected: String
        /// What came instead.
        public let got: String
        /// What was done until then.
        public let steps: [String]
        /// What went over the wire, without headers and bodies.
        public let wire: [String]
        /// What is likely wrong with the adapter.
        public let likelyCause: String
        /// What all chance followed from.
        public let seed: UInt64
        /// The one command that runs just this again.
        public let command: String
    }

    /// The whole text of a failure; one line for everything else.
    ///
    /// - Parameter rule: The rule that it is about.
    /// - Returns: The text.
    public func text(for rule: ContractRule) -> String {
        guard let failure else {
            return rule.description + (reason.map { " (\($0))" } ?? "")
        }
        func block(_ name: String, _ lines: [String]) -> [String] {
            let lines = lines.isEmpty ? ["nothing"] : lines
            return lines.enumerated().map { index, line in
                (index == 0 ? "  \(name):" : "").padding(to: 13) + line
            }
        }
        var lines = ["\(rule.id) \(rule.sentence)"]
        if status == .deviates { lines.append("  declared: \(reason ?? "")") }
        lines += block("steps", failure.steps)
        lines += block("wire", failure.wire)
        lines += block("about", [failure.subject])
        lines += block("expected", [failure.expected])
        lines += block("got", [failure.got])
        lines += block("likely", [failure.likelyCause])
        lines += block("seed", ["\(failure.seed)"])
        lines += block("again", [failure.command])
        return lines.joined(separator: "\n")
    }
}

extension String {
    /// The text, filled with blanks at its end.
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(width - count, 1))
    }
}
