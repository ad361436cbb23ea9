/// What a command has to say in the end: one object for programs, or lines for a person.
public struct Report: Sendable {
    /// How the program ends.
    public let exitCode: ExitCode
    /// The object that `--json` prints.
    public let object: any Encodable & Sendable
    /// The lines for a person, on standard output.
    public let lines: [String]
    /// The lines that say what went wrong, on standard error.
    public var diagnostics: [String]
    /// Whether the program ends so also when the output cannot be written, as with money that moved.
    public var standsUnread = false

    /// Creates a report; one without an object is for commands that know no `--json`.
    public init(
        _ exitCode: ExitCode,
        _ object: any Encodable & Sendable = NoMembers(),
        lines: [String] = [],
        diagnostics: [String] = []
    ) {
        self.exitCode = exitCode
        self.object = object
        self.lines = lines
        self.diagnostics = diagnostics
    }

    /// A problem that kept the command from doing anything.
    public static func problem(_ exitCode: ExitCode, _ problems: [String]) -> Report {
        let object = Problem(problem: problems.joined(separator: "\n"))
        return Report(exitCode, object, diagnostics: problems)
    }

    /// An object that tells nothing.
    public struct NoMembers: Encodable, Sendable {
        /// Creates it.
        public init() {}
    }

    private struct Problem: Encodable {
        let problem: String
    }
}
