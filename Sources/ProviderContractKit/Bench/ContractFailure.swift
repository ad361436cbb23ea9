/// A rule that was broken: what was expected, and what came instead.
public struct ContractFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What the expectation was about.
    public let subject: String
    /// What was expected.
    public let expected: String
    /// What came instead.
    public let got: String

    /// Creates a failure.
    public init(_ subject: String, expected: String, got: String) {
        self.subject = subject
        self.expected = expected
        self.got = got
    }

    /// All three in one line.
    public var description: String { "\(subject): expected \(expected), got \(got)" }
}
