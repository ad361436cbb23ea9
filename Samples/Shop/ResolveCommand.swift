public import CommandLineSupport
import PaymentCore
import PaymentReceipts

/// The command that asks the acquirer about what is open.
public enum ResolveCommand {
    /// Creates the command.
    public static func command(of program: SampleProgram) -> Command {
        Command(
            CommandSyntax(
                program.lookUp,
                "ask the acquirer about what is open",
                arguments: ["[ORDER[/PART]]"],
                options: ReceiptOptions.syntax(format: "receipt")
                    + CommandWork.resolving.options(of: program),
                details:
                    "About one order it ends as a payment does; about all, with 20 if one stays open."
            )
        ) { arguments throws(UsageError) in
            let options = try CommonOptions(arguments, for: .resolving, of: program)
            let receipts = try ReceiptOptions(arguments, format: "receipt")
            let order = try arguments.words.first.map { word throws(UsageError) in
                try OrderWords.order(word, as: "\(program.lookUp): ORDER")
            }
            if order == nil {
                try ReceiptOptions.refuseAll(arguments, "only about one ORDER a receipt is printed")
            }
            return Counter(options: options, shop: options.shop).run(order: order) {
                pointOfSale,
                subject in
                guard let order else { return await resolveAll(pointOfSale, subject.value) }
                let asked = await pointOfSale.history(of: order).filter(\.isUnsettled).map(\.id)
                let resolutions = await pointOfSale.resolve(order)
                let attempts = await pointOfSale.history(of: order)
                // What is told is about the last attempt that was asked about, if any was.
                guard let last = attempts.last(where: { asked.contains($0.id) }) ?? attempts.last
                else {
                    return .noAttempt(of: order, subject.value)
                }
                let quiet = options.terminal.isQuiet
                let document = ReceiptDocument(last)
                switch resolutions.last ?? last.told {
                case .payment(let outcome):
                    return .payment(
                        outcome,
                        subject.value,
                        document: document,
                        quiet: quiet,
                        receipts: receipts
                    )
                case .followUp(let outcome):
                    return .followUp(
                        outcome,
                        subject.value,
                        id: last.began.followUp,
                        document: document,
                        quiet: quiet,
                        receipts: receipts
                    )
                case nil: return .attempts(attempts, subject.value, inFull: false)
                }
            }
        }
    }

    private static func resolveAll(
        _ pointOfSale: PointOfSale,
        _ subject: PaymentSubject
    ) async -> Report {
        let open = await pointOfSale.unresolved
        for payment in open { _ = await pointOfSale.resolve(payment) }
        let ids = Set(open.map(\.attempt))
        let left = await pointOfSale.unresolved.count
        let attempts = await pointOfSale.attempts.filter { ids.contains($0.id) }
        let report = Report.attempts(attempts, subject, inFull: false, none: "nothing is open")
        return left == 0 ? report : report.ending(as: .unresolved, "\(left) still open")
    }
}

extension AttemptBook.Attempt {
    /// Whether the acquirer is asked about it: it is open, or only accepted so far.
    fileprivate var isUnsettled: Bool {
        guard verdict == nil else { return false }
        return switch ending {
        case nil, .pending: true
        default: false
        }
    }
}
