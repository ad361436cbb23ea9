import CommandLineSupport
import PaymentCore
import PaymentReceipts
import ShopSupport

/// `revolut setup CURRENCY`.
struct SetUpCommand: Sendable {
    static let command = Command(
        CommandSyntax(
            "setup",
            "set the device up, and try a payment of one minor unit",
            arguments: ["CURRENCY"],
            options: [
                OptionSyntax("order", "ID", help: "what the test payment is for"),
                OptionSyntax("skip-test", help: "the merchant declines to try a payment"),
            ] + ReceiptOptions.syntax(format: "receipt")
                + CommandWork.trying.options(of: Revolut.program),
            details: """
                The kit shows the reader's terms, its introduction once, and an offer to try a
                payment, which with the vendor's kit is real money. It ends as that payment does,
                and with 0 when the device was set up without one.
                """
        )
    ) { arguments throws(UsageError) in
        try SetUpCommand(arguments).run()
    }

    private let options: CommonOptions
    private let receipts: ReceiptOptions
    private let money: Money
    private let order: Order?
    private let skipsTest: Bool

    private init(_ arguments: Arguments) throws(UsageError) {
        skipsTest = arguments.has("skip-test")
        if skipsTest, arguments.has("card") {
            throw UsageError("setup: --card is for the test payment that --skip-test declines")
        }
        let work: CommandWork = skipsTest ? .preparing : .trying
        options = try CommonOptions(arguments, for: work, of: Revolut.program)
        receipts = try ReceiptOptions(arguments, format: "receipt")
        let currency = try OrderWords.currency(arguments.words[0], of: "setup")
        do {
            money = try Money(minorUnits: 1, currency: currency)
        } catch {
            throw UsageError("setup: CURRENCY: \(currency) has no minor unit to try")
        }
        order = try arguments["order"].map { text throws(UsageError) in
            try OrderWords.order(text, as: "--order")
        }
    }

    private func run() -> Report {
        let shop = options.shop
        shop.takesTestPayment = !skipsTest
        let order = order ?? Order(newIn: shop.environment)
        return Counter(options: options, shop: shop).run(order: order, amount: money, begins: true)
        {
            pointOfSale,
            subject in
            options.terminal.progress("Order \(order), \(money), \(pointOfSale.account)")
            do throws(PaymentRefusal) {
                var test = PaymentRequest(.sale, money, for: order)
                test.language = receipts.requestedLanguage
                let result = try await pointOfSale.setUp(
                    SetUpOptions(mayAcceptTerms: true, testPayment: test)
                )
                options.terminal.progress("Set-up: \(result.state.sentence)")
                let ready = "Set up; no payment was tried"
                guard let outcome = result.testPayment, result.triedPayment else {
                    var report = Report.setUp(result.state, subject.value, ready: ready)
                    report.diagnostics += receipts.notes
                    return report
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
}

extension SetUpResult {
    /// Whether there was a payment that could move money.
    fileprivate var triedPayment: Bool {
        if case .done = state, case .cancelled? = testPayment { false } else { true }
    }
}

extension SetUpState {
    /// The state in a sentence.
    fileprivate var sentence: String {
        switch self {
        case .done: "the device is set up"
        case .notDone(let error): "the device is not set up (\(error.code))"
        case .unknown(let error): "nobody can say whether the device is set up (\(error.code))"
        }
    }
}
