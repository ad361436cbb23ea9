public import CommandLineSupport
public import PaymentCore
import PaymentReceipts

/// The command that takes one payment at the counter.
public struct PayCommand: Sendable {
    /// `checkout pay`, or a program's own name for a kind of payment.
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - name: What the command is called.
    ///   - summary: One line about it.
    ///   - kind: What it takes; nil for an option that says so.
    /// - Returns: The command.
    public static func command(
        of program: SampleProgram,
        _ name: String = "pay",
        _ summary: String = "take one payment",
        kind: PaymentRequest.Kind? = nil
    ) -> Command {
        let syntax = CommandSyntax(
            name,
            summary,
            arguments: ["AMOUNT", "CURRENCY"],
            options: orderOption + (kind == nil ? kindOption : [])
                + ReceiptOptions.syntax(format: "receipt")
                + CommandWork.paying.options(of: program),
            details: details
        )
        return Command(syntax) { arguments throws(UsageError) in
            try PayCommand(arguments, of: program, name, kind: kind).run()
        }
    }

    /// The option that names what is paid.
    public static let orderOption = [
        OptionSyntax("order", "ID[/PART]", help: "what is paid, such as table-4/2of3")
    ]

    private static let kindOption = [
        OptionSyntax("kind", "KIND", help: "sale or authorization (default sale)")
    ]

    /// What a payment's amount and exit code mean.
    public static let details = """
        AMOUNT is written with a point and no grouping, such as 12.50; CURRENCY is an ISO 4217
        code such as USD. Exit codes: 0 approved or held, 10 declined, 11 cancelled, 12 failed,
        13 refused, 14 approved in part, 20 not known yet, 64 usage, 73 cannot record,
        78 configuration. Ctrl-C asks for cancellation; a second one leaves the payment open.
        With --receipt html or json standard output holds the receipt alone.
        """

    /// The options that every command has; scripts may be added to them.
    public var options: CommonOptions
    private let receipts: ReceiptOptions
    private let money: Money
    private let order: Order?
    private let kind: PaymentRequest.Kind

    /// Reads a command line.
    ///
    /// - Parameters:
    ///   - arguments: The words: amount and currency.
    ///   - program: The program.
    ///   - name: What the command is called.
    ///   - kind: What it takes; nil for what the option says.
    ///   - work: How far it gets.
    /// - Throws: ``UsageError`` that names the word and what is accepted.
    public init(
        _ arguments: Arguments,
        of program: SampleProgram,
        _ name: String,
        kind: PaymentRequest.Kind?,
        work: CommandWork = .paying
    ) throws(UsageError) {
        options = try CommonOptions(arguments, for: work, of: program)
        options.interruption = .cancels
        receipts = try ReceiptOptions(arguments, format: "receipt")
        money = try OrderWords.money(arguments.words[0], arguments.words[1], of: name)
        order = try arguments["order"].map { text throws(UsageError) in
            try OrderWords.order(text, as: "--order")
        }
        let asked = try arguments.value("kind", accepted: "sale or authorization") { text in
            ["sale": PaymentRequest.Kind.sale, "authorization": .authorization][text]
        }
        self.kind = kind ?? asked ?? .sale
    }

    /// Who watches a payment: gets each event, and nil once there will be no more.
    public typealias Watcher = @Sendable (PaymentEvent?) -> Void

    /// Who may cancel a payment while it runs, and tells what came of it; nil where nobody did.
    public typealias Companion =
        @Sendable (PointOfSale, Order, SimulatedShop) async -> Cancellation?

    /// Takes the payment.
    ///
    /// - Parameters:
    ///   - watcher: Hears what happens.
    ///   - companion: Runs beside the payment, and must end once the watcher has heard the end.
    /// - Returns: The report.
    public func run(
        watcher: @escaping Watcher = { _ in },
        beside companion: @escaping Companion = { _, _, _ in nil }
    ) -> Report {
        let shop = options.shop
        let order = order ?? Order(newIn: shop.environment)
        let counter = Counter(options: options, shop: shop)
        let (receipts, money) = (receipts, money)
        shop.drawCodes { page in receipts.codeScreen(page, amount: money) }
        return counter.run(order: order, amount: money, begins: true) { pointOfSale, subject in
            async let cancellation = companion(pointOfSale, order, shop)
            let report = await take(order, with: pointOfSale, subject, shop, watcher)
            watcher(nil)
            return report.telling(await cancellation)
        }
    }

    private func take(
        _ order: Order,
        with pointOfSale: PointOfSale,
        _ subject: OpenSubject,
        _ shop: SimulatedShop,
        _ watcher: Watcher
    ) async -> Report {
        options.terminal.progress("Order \(order), \(money), \(pointOfSale.account)")
        options.terminal.progress("Seed \(options.seed)")
        do throws(PaymentError) {
            try await pointOfSale.prepare()
        } catch {
            options.terminal.progress("Not ready: \(receipts.text(error.messageKey))")
        }
        if subject.isCancelled {
            return .notBegun("cancelled before the payment began", subject.value)
        }
        var request = PaymentRequest(kind, money, for: order)
        request.language = receipts.requestedLanguage
        do throws(PaymentRefusal) {
            let outcome = try await pointOfSale.take(request) { event in
                subject.note(event.attempt)
                shop.show(event)
                watcher(event)
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
