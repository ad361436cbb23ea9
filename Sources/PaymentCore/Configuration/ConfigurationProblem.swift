/// One thing that is wrong with a configuration, and where.
public struct ConfigurationProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file as it was named, or a name for text that came from elsewhere.
    public var file: String
    /// The line, counted from one.
    public var line: Int
    /// The character in the line, counted from one.
    public var column: Int
    /// The way to the value, such as `providers.finix.credentials.username`; empty at the root.
    public var path: String
    /// What was found, what is accepted, and the nearest valid name; never a credential.
    public var text: String

    /// Creates a problem.
    public init(file: String, line: Int = 1, column: Int = 1, path: String = "", text: String) {
        self.file = file
        self.line = line
        self.column = column
        self.path = path
        self.text = text
    }

    /// The problem in one line: `FILE:LINE:COLUMN: path: what`.
    public var description: String {
        "\(file):\(line):\(column): \(path.isEmpty ? "" : "\(path): ")\(text)"
    }
}

/// Everything that is wrong with a configuration, in the order it stands in the file.
public struct ConfigurationProblems: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problems, sorted by place.
    public let problems: [ConfigurationProblem]

    /// Sorts problems by place; those at one place keep their order.
    public init(_ problems: [ConfigurationProblem]) {
        self.problems = problems.enumerated()
            .sorted {
                ($0.element.line, $0.element.column, $0.offset)
                    < ($1.element.line, $1.element.column, $1.offset)
            }
            .map(\.element)
    }

    /// One problem a line.
    public var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}
