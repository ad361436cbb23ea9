import CommandLineSupport
import PaymentCore
import ShopSupport

/// The commands that move money, and those that look at where it is.
enum PaymentCommands {
    static let all = [
        PayCommand.command(of: Finix.program, "sale", "take one payment", kind: .sale),
        PayCommand.command(of: Finix.program, "authorize", "hold money", kind: .authorization),
        FollowUpCommand.capture(of: Finix.program), FollowUpCommand.void(of: Finix.program),
        refund, ResolveCommand.command(of: Finix.program),
        SettleCommand.command(of: Finix.program), CancelCommand.command,
    ]

    /// Gives captured money back, or any money to the card that is tapped.
    private static let refund: Command = {
        let followUp = FollowUpCommand.refund(of: Finix.program)
        let paying = CommandWork.paying.options(of: Finix.program)
        let shared = Set(paying.map(\.name))
        let ofOrders = followUp.syntax.options.filter { !shared.contains($0.name) }
        let syntax = CommandSyntax(
            "refund",
            "give captured money back, or any money to a tapped card",
            arguments: ["ORDER[/PART]", "[AMOUNT]", "[CURRENCY]"],
            options: [
                OptionSyntax("tap", help: "refund AMOUNT CURRENCY to the card that is tapped")
            ] + PayCommand.orderOption + ofOrders + paying,
            details: """
                With --tap the words are AMOUNT and CURRENCY; such a refund names no earlier payment
                and is an order of its own. Without it they name the order, and --order has no use.

                """ + followUp.syntax.details
        )
        return Command(syntax) { arguments throws(UsageError) in
            guard arguments.has("tap") else {
                guard !arguments.has("order") else {
                    throw UsageError("refund: --order goes with --tap; name the order as ORDER")
                }
                guard !arguments.has("card") else {
                    throw UsageError("refund: --card goes with --tap; an order's card is known")
                }
                return try followUp.run(arguments)
            }
            guard arguments.words.count == 2 else {
                throw UsageError("refund: with --tap accepted is AMOUNT CURRENCY")
            }
            guard !arguments.has("id") else {
                throw UsageError("refund: --id names a refund of an order; with --tap use --order")
            }
            let command = try PayCommand(
                arguments,
                of: Finix.program,
                "refund",
                kind: .refundToCard
            )
            return command.run()
        }
    }()
}
