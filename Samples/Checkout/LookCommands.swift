import CommandLineSupport
import PaymentCore
import PaymentReceipts
import ShopSupport

/// The commands that look at what the journal holds.
enum LookCommands {
    static let all = [
        ResolveCommand.command(of: .checkout), history, explain, receipt, providers,
        SettleCommand.command(of: .checkout),
    ]

    private static let history = Command(
        CommandSyntax(
            "history",
            "tell everything about an order",
            arguments: ["ORDER[/PART]"],
            options: CommandWork.reading.options()
        )
    ) { arguments throws(UsageError) in
        let options = try CommonOptions(arguments, for: .reading)
        let order = try OrderWords.order(arguments.words[0], as: "history: ORDER")
        return Counter(options: options, shop: options.shop).run(order: order) {
            pointOfSale,
            subject in
            let attempts = await pointOfSale.history(of: order)
            guard !attempts.isEmpty else { return .noAttempt(of: order, subject.value) }
            return .attempts(attempts, subject.value, inFull: true)
        }
    }

    private static let explain = Command(
        CommandSyntax(
            "explain",
            "tell an order's life step by step, for support",
            arguments: ["ORDER[/PART]"],
            options: CommandWork.reading.options(),
            details: "Each step says where the money was for certain then, and why it went on so."
        )
    ) { arguments throws(UsageError) in
        let options = try CommonOptions(arguments, for: .reading)
        let order = try OrderWords.order(arguments.words[0], as: "explain: ORDER")
        return Counter(options: options, shop: options.shop).run(order: order) {
            pointOfSale,
            subject in
            let story = await pointOfSale.explain(order)
            guard !story.attempts.isEmpty else { return .noAttempt(of: order, subject.value) }
            return .story(story, subject.value)
        }
    }

    private static let receipt = Command(
        CommandSyntax(
            "receipt",
            "print an order's receipt again",
            arguments: ["ORDER[/PART]"],
            options: [
                OptionSyntax("id", "ID", help: "the receipt of the follow-up with this name")
            ] + ReceiptOptions.syntax(format: "format") + CommandWork.reading.options(),
            details: """
                Without money moved or held it is the last attempt's, which says how that ended.
                With --format html or json standard output holds the receipt alone.
                """
        )
    ) { arguments throws(UsageError) in
        let options = try CommonOptions(arguments, for: .reading)
        let receipts = try ReceiptOptions(arguments, format: "format")
        let id = try OrderWords.followUp(arguments)
        let order = try OrderWords.order(arguments.words[0], as: "receipt: ORDER")
        return Counter(options: options, shop: options.shop).run(order: order) {
            pointOfSale,
            subject in
            let attempts = await pointOfSale.history(of: order)
            let paid = await pointOfSale.receipt(for: order)?.attempt
            let wanted =
                if let id {
                    attempts.last { $0.began.followUp == id }
                } else {
                    attempts.last { $0.id == paid } ?? attempts.last
                }
            guard let wanted else {
                return .nothing("order \(order) has no receipt", subject.value)
            }
            return .receipt(wanted, subject.value, receipts)
        }
    }

    private static let providers = Command(
        CommandSyntax(
            "providers",
            "show what each configured acquirer can do",
            options: CommandWork.reading.options()
        )
    ) { arguments throws(UsageError) in
        let options = try CommonOptions(arguments, for: .reading)
        return Counter(options: options, shop: options.shop).run(order: nil, begins: true) {
            pointOfSale,
            subject in
            .providers(pointOfSale.acquirers.map(ProviderObject.init), subject.value)
        }
    }
}
