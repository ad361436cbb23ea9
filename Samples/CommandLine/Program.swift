/// One command of a program.
public struct Command: Sendable {
    /// What it accepts.
    public let syntax: CommandSyntax
    /// Carries it out.
    public let run: @Sendable (Arguments) throws(UsageError) -> Report

    /// Creates a command.
    public init(
        _ syntax: CommandSyntax,
        run: @escaping @Sendable (Arguments) throws(UsageError) -> Report
    ) {
        self.syntax = syntax
        self.run = run
    }
}

/// A program with commands, help and a version.
public struct Program: Sendable {
    /// The version that every sample prints.
    public static let version = "0.1.0"
    private let name: String
    private let summary: String
    private let commands: [Command]

    /// Creates a program.
    public init(_ name: String, _ summary: String, commands: [Command]) {
        self.name = name
        self.summary = summary
        self.commands = commands
    }

    /// Carries out a command line.
    ///
    /// - Parameter words: The words after the program's name.
    /// - Returns: How the program ends.
    public func run(_ words: [String]) -> ExitCode {
        StandardStreams.hold()
        // A reader that has gone away must not end a payment in the middle.
        signal(SIGPIPE, SIG_IGN)
        guard let first = words.first else {
            Terminal.write(help, to: 2)
            return .usage
        }
        if ["--help", "-h", "help"].contains(first) {
            let command = words.dropFirst().first.flatMap(command(named:))
            return Terminal.finish([command?.syntax.help(program: name) ?? help], .success)
        }
        if first == "--version" { return Terminal.finish(["\(name) \(Self.version)"], .success) }
        let terminal = Terminal(
            isJSON: words.prefix { $0 != "--" }.contains("--json"),
            isQuiet: false
        )
        guard let command = command(named: first) else {
            let names = commands.map(\.syntax.name)
            return terminal.finish(
                usage(
                    "unknown command \"\(first.prefix(40))\"; accepted is one of "
                        + names.joined(separator: ", ")
                        + UsageError.suggestion(for: first, among: names)
                )
            )
        }
        return run(command, Array(words.dropFirst()), terminal)
    }

    private func run(_ command: Command, _ words: [String], _ terminal: Terminal) -> ExitCode {
        if words.prefix(while: { $0 != "--" }).contains(where: { ["--help", "-h"].contains($0) }) {
            return Terminal.finish([command.syntax.help(program: name)], .success)
        }
        do throws(UsageError) {
            let arguments = try Arguments(words, command.syntax)
            let report = try command.run(arguments)
            return Terminal(isJSON: arguments.has("json"), isQuiet: arguments.has("quiet"))
                .finish(report)
        } catch {
            return terminal.finish(usage(error.description))
        }
    }

    private func usage(_ problem: String) -> Report {
        .problem(.usage, ["\(name): \(problem)"])
    }

    private func command(named name: String) -> Command? {
        commands.first { $0.syntax.name == name }
    }

    private var help: String {
        let rows = commands.map { command in
            (
                ([command.syntax.name] + command.syntax.arguments).joined(separator: " "),
                command.syntax.summary
            )
        }
        return
            (["\(name): \(summary)", "", "Commands:"] + Table.lines(rows)
            + ["", "\(name) COMMAND --help tells more; \(name) --version prints the version."])
            .joined(separator: "\n")
    }
}
