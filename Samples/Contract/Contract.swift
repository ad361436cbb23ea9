import CommandLineSupport
import FinixContract
import ProviderContractKit
import RevolutContract

/// Has an adapter prove that it keeps the contract, and starts a new one.
@main struct Contract {
    static func main() {
        let program = Program(
            "contract",
            "proves that an adapter keeps the provider contract, and starts new adapters",
            commands: [RunCommand.command] + LookCommands.all + [NewCommand.command]
        )
        exit(program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    /// The adapters that this program knows.
    static let harnesses: [any ContractHarness] = [FinixHarness(), RevolutHarness()]

    static let help = OptionSyntax("help", help: "this text")
}
