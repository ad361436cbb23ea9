/// A program that serves this machine until it is asked to end.
public struct ServerProgram: Sendable {
    private let syntax: CommandSyntax
    private let help: String

    /// Creates a program.
    ///
    /// - Parameters:
    ///   - syntax: Its name, what it is for, and its options.
    ///   - details: More lines for its help, before the options.
    ///   - more: More lines behind them.
    public init(_ syntax: CommandSyntax, details: [String], more: [String]) {
        self.syntax = syntax
        let rows = syntax.options.map { ($0.heading, $0.help) }
        help =
            ([
                "usage: \(syntax.name) [OPTION…]", "", "\(syntax.name): \(syntax.summary)", "",
                "The first line on standard output is \"listening on ORIGIN\". SIGTERM and Ctrl-C",
                "finish the answers on their way and end the program with 0.", "",
            ] + details + ["", "Options:"] + Table.lines(rows) + [""] + more)
            .joined(separator: "\n")
    }

    /// Runs it with the process's arguments, and ends the process.
    public func main(_ serve: ([String]) throws(UsageError) -> ExitCode) -> Never {
        StandardStreams.hold()
        // A client that has gone away must not end the server.
        signal(SIGPIPE, SIG_IGN)
        exit(run(Array(CommandLine.arguments.dropFirst()), serve).rawValue)
    }

    private func run(
        _ words: [String],
        _ serve: ([String]) throws(UsageError) -> ExitCode
    ) -> ExitCode {
        let read = words.prefix { $0 != "--" }
        if read.contains("--help") || read.contains("-h") || words.first == "help" {
            return Terminal.finish([help], .success)
        }
        if read.contains("--version") {
            return Terminal.finish(["\(syntax.name) \(Program.version)"], .success)
        }
        do throws(UsageError) {
            return try serve(words)
        } catch {
            // A problem with a word names the command, which is the program here.
            let problem = error.description
            let own = "\(syntax.name): "
            let rest = problem.hasPrefix(own) ? String(problem.dropFirst(own.count)) : problem
            return fail(.usage, rest + "; \(syntax.name) --help tells more")
        }
    }

    /// Tells what went wrong, and how the program ends.
    public func fail(_ code: ExitCode, _ problem: String) -> ExitCode {
        Terminal.write("\(syntax.name): \(problem)", to: 2)
        return code
    }
}
