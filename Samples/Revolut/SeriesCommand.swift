import CommandLineSupport
import PaymentCore
import ShopSupport
import Synchronization

/// `revolut series CURRENCY [AMOUNT[:METHOD]…]`.
struct SeriesCommand: Sendable {
    static let all = [
        Command(syntax) { arguments throws(UsageError) in try SeriesCommand(arguments).run() }
    ]

    private static let syntax = CommandSyntax(
        "series",
        "take payments one after another, with amounts typed at the kit",
        arguments: ["CURRENCY", "[AMOUNT[:METHOD]…]"],
        options: [
            OptionSyntax("id", "ID", help: "what the series is for; its orders are ID-1, ID-2 …"),
            OptionSyntax("quiet", help: "print the closing lines alone"),
        ] + CommandWork.paying.options(of: Revolut.program),
        details: """
            METHOD is tap or code (default tap). Without amounts they are read from standard input,
            a payment a line such as "12.50 code"; an empty line at a terminal closes the kit, as
            Ctrl-C does after the payment that runs. The kit tells no amount: `identify` finds it in
            the books. It ends as its worst payment: 20 not known yet (the kit tells a decline and
            a lost answer alike, so `identify` or `settle` it), 12 failed, else 0.
            """
    )

    private let options: CommonOptions
    private let currency: Currency
    private let id: Order?
    /// What is typed; nil when a person does it at a terminal.
    private let payments: [TypedPayment]?

    private init(_ arguments: Arguments) throws(UsageError) {
        options = try CommonOptions(arguments, for: .paying, of: Revolut.program)
        let currency = try OrderWords.currency(arguments.words[0], of: "series")
        self.currency = currency
        id = try arguments["id"].map { text throws(UsageError) in
            let order = try OrderWords.order(text, as: "--id")
            guard order.part == nil else { throw UsageError("--id: a series has no part") }
            return order
        }
        let words = arguments.words.dropFirst()
        if words.isEmpty {
            payments = StandardInput.isTerminal ? nil : try Self.piped(currency)
        } else {
            payments = try words.map { word throws(UsageError) in
                try TypedPayment(word, in: currency)
            }
        }
    }

    /// Reads all that is piped before anything begins, so that a slip costs nothing.
    private static func piped(_ currency: Currency) throws(UsageError) -> [TypedPayment] {
        let bytes = try StandardInput.bytes(limit: largest)
        var payments: [TypedPayment] = []
        let lines = String(decoding: bytes, as: UTF8.self)
            .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() where !line.allSatisfy(\.isWhitespace) {
            do throws(UsageError) {
                payments.append(try TypedPayment(line, in: currency))
            } catch {
                throw UsageError("line \(index + 1): \(error)")
            }
        }
        return payments
    }

    private static let largest = 1 << 20

    private func run() -> Report {
        let shop = options.shop
        let id = id ?? Order(newIn: shop.environment)
        let rest = Rest(payments ?? [])
        let isTyped = payments == nil
        shop.type { [currency, weak shop] in
            isTyped ? shop.flatMap { Self.typed(currency, $0) } : rest.next()
        }
        return Counter(options: options, shop: shop).run(order: nil, begins: true) {
            pointOfSale,
            subject in
            options.terminal.progress("Series \(id), \(currency), \(pointOfSale.account)")
            options.terminal.progress("Seed \(options.seed)")
            do throws(PaymentRefusal) {
                let series = try await pointOfSale.takeSeries(
                    SeriesRequest(id, currency: currency)
                )
                await note(subject, pointOfSale)
                var told: [SeriesPayment] = []
                for await payment in series {
                    options.terminal.progress(SeriesObject(payment).line)
                    told.append(payment)
                    await note(subject, pointOfSale)
                }
                return .series(
                    told,
                    subject.value,
                    later: "revolut identify",
                    needsPerson: series.needsPerson
                )
            } catch {
                return .refusal(error, subject.value)
            }
        }
    }

    /// Remembers which attempt is open, for whoever gives up on the series.
    private func note(_ subject: OpenSubject, _ pointOfSale: PointOfSale) async {
        if let open = await pointOfSale.attempts.last(where: \.isOpen) { subject.note(open.id) }
    }

    /// Asks the merchant at the terminal, until an amount is right or the kit is closed.
    private static func typed(
        _ currency: Currency,
        _ shop: SimulatedShop
    ) -> TypedPayment? {
        while true {
            Terminal.write(
                "On the kit's screen: amount in \(currency), and tap or code (nothing closes it)",
                to: 2
            )
            guard let line = StandardInput.line(unless: { shop.isInterrupted }),
                !line.allSatisfy(\.isWhitespace)
            else { return nil }
            do throws(UsageError) {
                return try TypedPayment(line, in: currency)
            } catch {
                Terminal.write("\(error)", to: 2)
            }
        }
    }

    /// What is still to be typed.
    private final class Rest: Sendable {
        private let payments: Mutex<[TypedPayment]>

        init(_ payments: [TypedPayment]) { self.payments = Mutex(payments) }

        func next() -> TypedPayment? {
            payments.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        }
    }
}
