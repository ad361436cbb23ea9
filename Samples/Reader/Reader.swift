import CommandLineSupport

/// Operates the simulated card reader by hand, and runs scenarios at it.
@main struct Reader {
    static func main() {
        let program = Program(
            "reader",
            "operates a simulated card reader: scenarios, sweeps, schedules, or by hand",
            commands: RunCommand.all + ExploreCommands.all + TableCommands.all + [
                PlayCommand.command
            ]
        )
        exit(program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }
}
