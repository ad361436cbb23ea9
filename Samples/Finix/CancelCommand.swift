import CommandLineSupport
import PaymentCore
import ShopSupport

/// `finix cancel AMOUNT CURRENCY`: takes a sale and cancels it while it runs.
enum CancelCommand {
    static let command = Command(
        CommandSyntax(
            "cancel",
            "take a sale and cancel it while it runs",
            arguments: ["AMOUNT", "CURRENCY"],
            options: [
                OptionSyntax("late", help: "cancel only once the card is read, which is too late")
            ] + PayCommand.orderOption + ReceiptOptions.syntax(format: "receipt")
                + CommandWork.paying.options(of: Finix.program),
            details: """
                The customer presents no card, and the sale is cancelled two seconds after the sheet
                is up: it ends with 11. With --late the card is read first; then the real outcome
                is told, whatever was asked for.

                """ + PayCommand.details
        )
    ) { arguments throws(UsageError) in
        let isLate = arguments.has("late")
        guard isLate || !arguments.has("card") else {
            throw UsageError("cancel: --card goes with --late; without it no card is presented")
        }
        var payment = try PayCommand(
            arguments,
            of: Finix.program,
            "cancel",
            kind: .sale,
            work: isLate ? .paying : .preparing
        )
        if !isLate { payment.options.scripts.insert(.noCard) }
        let options = payment.options
        let moment = OneShot<Bool>()
        return payment.run { event in
            guard let event else {
                moment.resolve(false)
                return
            }
            switch event.kind {
            case .presentCard where !isLate, .cardRead where isLate: moment.resolve(true)
            default: break
            }
        } beside: { pointOfSale, order, shop in
            guard await moment.value() else { return nil }
            if !isLate { try? await shop.environment.clock.sleep(for: .seconds(2)) }
            let answer = await pointOfSale.cancel(order)
            options.terminal.progress("Cancel: \(answer.sentence)")
            return answer
        }
    }
}
