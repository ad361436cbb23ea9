public import CommandLineSupport
import PaymentCore
import PaymentReceipts

/// The commands that follow a payment: `capture`, `void` and `refund`.
public enum FollowUpCommand {
    /// All of them.
    public static func all(of program: SampleProgram) -> [Command] {
        [capture(of: program), void(of: program), refund(of: program)]
    }

    /// Takes held money.
    public static func capture(of program: SampleProgram) -> Command {
        let summary = "take held money, in full or in part"
        return command(
            of: program,
            "capture",
            summary,
            .endingHold,
            takesAmount: true,
            perform: capture
        )
    }

    /// Lets held money go.
    public static func void(of program: SampleProgram) -> Command {
        command(
            of: program,
            "void",
            "let held money go",
            .endingHold,
            takesAmount: false,
            perform: void
        )
    }

    /// Gives captured money back.
    public static func refund(of program: SampleProgram) -> Command {
        let summary = "give captured money back, in full or in part"
        return command(
            of: program,
            "refund",
            summary,
            .refunding,
            takesAmount: true,
            perform: refund
        )
    }

    private typealias Perform =
        @Sendable (
            PointOfSale, Order, Money?, FollowUpID
        ) async throws(PaymentRefusal) -> FollowUpOutcome?

    private static func command(
        of program: SampleProgram,
        _ name: String,
        _ summary: String,
        _ work: CommandWork,
        takesAmount: Bool,
        perform: @escaping Perform
    ) -> Command {
        let syntax = CommandSyntax(
            name,
            summary,
            arguments: ["ORDER[/PART]"] + (takesAmount ? ["[AMOUNT]", "[CURRENCY]"] : []),
            options: [
                OptionSyntax("id", "ID", help: "the follow-up's own name (default: a new one)")
            ] + ReceiptOptions.syntax(format: "receipt")
                + work.options(of: program),
            details: takesAmount
                ? """
                The same id gives the first answer again, so a repeat is safe. Without an amount
                all that is held or may be refunded is meant.
                """ : "The same id gives the first answer again, so a repeat is safe."
        )
        return Command(syntax) { arguments throws(UsageError) in
            let options = try CommonOptions(arguments, for: work, of: program)
            let receipts = try ReceiptOptions(arguments, format: "receipt")
            let order = try OrderWords.order(arguments.words[0], as: "\(name): ORDER")
            guard arguments.words.count != 2 else {
                throw UsageError("\(name): an AMOUNT needs its CURRENCY")
            }
            let amount =
                arguments.words.count == 3
                ? try OrderWords.money(arguments.words[1], arguments.words[2], of: name) : nil
            let shop = options.shop
            let id = try OrderWords.followUp(arguments) ?? FollowUpID(from: shop.environment)
            return Counter(options: options, shop: shop).run(order: order, amount: amount) {
                pointOfSale,
                subject in
                do throws(PaymentRefusal) {
                    guard let outcome = try await perform(pointOfSale, order, amount, id) else {
                        return .nothing("order \(order) has nothing to \(name)", subject.value)
                    }
                    let attempts = await pointOfSale.history(of: order)
                    return .followUp(
                        outcome,
                        subject.value,
                        id: id,
                        document: attempts.last { $0.began.followUp == id }
                            .map(ReceiptDocument.init),
                        quiet: options.terminal.isQuiet,
                        receipts: receipts
                    )
                } catch {
                    return .refusal(error, subject.value)
                }
            }
        }
    }

    /// The hold of an order, also one that is gone, so that a repeat finds its first answer.
    private static func hold(_ order: Order, _ pointOfSale: PointOfSale) async -> Authorization? {
        if let hold = await pointOfSale.authorization(for: order) { return hold }
        return await pointOfSale.history(of: order).reversed().lazy.compactMap { attempt in
            if case .authorized(let authorization) = attempt.ending { authorization } else { nil }
        }.first
    }

    private static let capture: Perform = {
        pointOfSale,
        order,
        amount,
        id throws(PaymentRefusal) in
        guard let hold = await hold(order, pointOfSale) else { return nil }
        return try await pointOfSale.capture(hold, amount: amount ?? hold.amount, id: id)
    }

    private static let void: Perform = { pointOfSale, order, _, id throws(PaymentRefusal) in
        guard let hold = await hold(order, pointOfSale) else { return nil }
        return try await pointOfSale.void(hold, id: id)
    }

    private static let refund: Perform = {
        pointOfSale,
        order,
        amount,
        id throws(PaymentRefusal) in
        guard let receipt = await pointOfSale.receipt(for: order) else { return nil }
        // A repeat means the amount of the first time, of which nothing may be left by now.
        let first = await pointOfSale.history(of: order).last { $0.began.followUp == id }
        if let amount = amount ?? first?.began.amount {
            return try await pointOfSale.refund(receipt, amount: amount, id: id)
        }
        let rest = await pointOfSale.refundable(of: receipt)
        guard !rest.isZero else { return nil }
        return try await pointOfSale.refund(receipt, amount: rest, id: id)
    }
}
