import CommandLineSupport
import ShopSupport

/// Takes payments through Finix's adapter, its simulated kit and its emulator.
@main struct Finix {
    /// What the commands have to know of the program.
    static let program = SampleProgram("finix", lookUp: "status", provider: "finix")

    static func main() {
        let program = Program(
            "finix",
            "takes card payments with Finix's Tap to Pay, here in a simulated world",
            commands: ReaderCommands.all + PaymentCommands.all + BooksCommands.all
        )
        exit(program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }
}
