import CommandLineSupport
import ShopSupport

/// Takes payments at a simulated counter, from configuration to receipt.
@main struct Checkout {
    static func main() {
        let program = Program(
            "checkout",
            "takes card payments through any configured acquirer, here in a simulated world",
            commands: [PayCommand.command(of: .checkout)] + JournalCommands.all + LookCommands.all
                + FollowUpCommand.all(of: .checkout)
                + [CodeCommand.command, ConfigCommand.command]
        )
        exit(program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }
}
