import CommandLineSupport
import ShopSupport

/// Takes payments through Revolut alone, with all that a merchant does there beside it.
@main struct Revolut {
    /// What the commands have to know of the program.
    static let program = SampleProgram("revolut", lookUp: "status", provider: "revolut")

    static func main() {
        let program = Program(
            "revolut",
            "takes payments through Revolut's Tap to Pay, here in a simulated world",
            commands: [PayCommand.command(of: program)] + SeriesCommand.all
                + [
                    IdentifyCommand.command, SettleCommand.command(of: Revolut.program),
                    SetUpCommand.command,
                ]
                + ConsentCommands.all
                + BookCommands.all + [FollowUpCommand.refund(of: program)]
                + [WebhookCommand.command]
        )
        exit(program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    /// A command that opens the shop's point of sale, and does something at the merchant's desk.
    static func command(
        _ name: String,
        _ summary: String,
        arguments words: [String] = [],
        details: String = "",
        work: CommandWork = .asking,
        _ body: @escaping @Sendable (RevolutVisit) async -> Report
    ) -> Command {
        let syntax = CommandSyntax(
            name,
            summary,
            arguments: words,
            options: work.options(of: program),
            details: details
        )
        return Command(syntax) { arguments throws(UsageError) in
            let options = try CommonOptions(arguments, for: work, of: program)
            let order = try arguments.words.first.map { word throws(UsageError) in
                try OrderWords.order(word, as: "\(name): ORDER")
            }
            let shop = options.shop
            return Counter(options: options, shop: shop).run(order: order, begins: order == nil) {
                pointOfSale,
                subject in
                guard let desk = shop.revolutDesk else {
                    return .problem(.configuration, ["the configuration names no Revolut"])
                }
                return await body(
                    RevolutVisit(
                        pointOfSale: pointOfSale,
                        desk: desk,
                        subject: subject.value,
                        order: order
                    )
                )
            }
        }
    }
}
