import CommandLineSupport
import PaymentCore
import ShopSupport

/// `checkout config check FILE`.
enum ConfigCommand {
    static let command = Command(
        CommandSyntax(
            "config",
            "check a configuration file",
            arguments: ["check", "FILE"],
            options: CommandWork.closing,
            details: "Every problem is one line, FILE:LINE:COLUMN: path: what; the exit code is 78."
        )
    ) { arguments throws(UsageError) in
        guard arguments.words[0] == "check" else {
            throw UsageError("config: found \"\(arguments.words[0])\"; accepted is check FILE")
        }
        let options = try CommonOptions(arguments, for: .reading)
        let file = arguments.words[1]
        do throws(ConfigurationProblems) {
            let configuration = try PointOfSaleConfiguration(fileAt: file)
            let shop = options.shop
            if let problems = configuration.problems(
                shop.providers,
                environment: shop.environment
            ) {
                throw problems
            }
            return Report(.success, lines: ["\(file): no problems"])
        } catch {
            return .problem(
                .configuration,
                error.description.split(separator: "\n").map(String.init)
            )
        }
    }
}
