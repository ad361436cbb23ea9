import CommandLineSupport
import PaymentCore
import PaymentReceipts
import Synchronization

/// `checkout pay AMOUNT CURRENCY`.
struct PayCommand: Sendable {
    static let command = Command(
        CommandSyntax(
            "pay",
            "take one payment",
            arguments: ["AMOUNT", "CURRENCY"],
            options: [
                OptionSyntax("order", "ID[/PART]", help: "what is paid, such as table-4/2of3"),
                OptionSyntax("kind", "KIND", help: "sale or authorization (default sale)"),
            ] + ReceiptOptions.syntax(format: "receipt") + CommonOptions.syntax,
            details: """
                AMOUNT is written with a point and no grouping, such as 12.50; CURRENCY is an ISO 4217
                code such as USD. Exit codes: 0 approved or held, 10 declined, 11 cancelled, 12 failed,
                13 refused, 14 approved in part, 20 not known yet, 64 usage, 73 cannot record,
                78 configuration. Ctrl-C asks for cancellation; a second one leaves the payment open.
                With --receipt html or json standard output holds the receipt alone.
                """
        )
    ) { arguments throws(UsageError) in
        try PayCommand(arguments).run()
    }

    private let options: CommonOptions
    private let receipts: ReceiptOptions
    private let money: Money
    private let order: Order?
    private let kind: PaymentRequest.Kind

    private init(_ arguments: Arguments) throws(UsageError) {
        options = try CommonOptions(arguments)
        receipts = try ReceiptOptions(arguments, format: "receipt")
        money = try OrderWords.money(arguments.words[0], arguments.words[1], of: "pay")
        order = try arguments["order"].map { text throws(UsageError) in
            try OrderWords.order(text, as: "--order")
        }
        kind =
            try arguments.value("kind", accepted: "sale or authorization") { text in
                ["sale": PaymentRequest.Kind.sale, "authorization": .authorization][text]
            } ?? .sale
    }

    private func run() -> Report {
        let shop = options.shop
        let order = order ?? Order(newIn: shop.environment)
        let counter = Counter(options: options, shop: shop)
        let (receipts, money) = (receipts, money)
        shop.drawCodes { page in receipts.codeScreen(page, amount: money) }
        return counter.run(order: order, amount: money) { pointOfSale, subject in
            options.terminal.progress("Order \(order), \(money), \(pointOfSale.account)")
            options.terminal.progress("Seed \(options.seed)")
            do throws(PaymentError) {
                try await pointOfSale.prepare()
            } catch {
                options.terminal.progress("Not ready: \(receipts.text(error.messageKey))")
            }
            var request = PaymentRequest(kind, money, for: order)
            request.language = receipts.requestedLanguage
            do throws(PaymentRefusal) {
                let outcome = try await pointOfSale.take(request) { event in
                    subject.note(event.attempt)
                    shop.show(event)
                    show(event)
                }
                return .payment(
                    outcome,
                    subject.value,
                    document: await pointOfSale.history(of: order).last.map(ReceiptDocument.init),
                    quiet: options.terminal.isQuiet,
                    receipts: receipts
                )
            } catch {
                return .refusal(error, subject.value)
            }
        }
    }

    /// Tells what happens; a code is drawn with all that belongs to it.
    private func show(_ event: PaymentEvent) {
        switch event.kind {
        case .finished: break
        case .showQRCode(let url, let expiresAt):
            let lines = receipts.codeScreen(
                url.absoluteString,
                amount: money,
                expiresAt: expiresAt
            )
            for line in lines { options.terminal.progress(line) }
        default: options.terminal.progress(receipts.text(event.messageKey))
        }
    }
}
