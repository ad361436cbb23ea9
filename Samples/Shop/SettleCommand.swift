public import CommandLineSupport
import PaymentCore

/// `settle ORDER paid|not-paid`: what a person found out where the books cannot tell.
public struct SettleCommand: Sendable {
    /// Creates the command.
    public static func command(of program: SampleProgram) -> Command {
        Command(
            CommandSyntax(
                "settle",
                "note what a person found out about an order whose end nobody knows",
                arguments: ["ORDER[/PART]", "paid|not-paid"],
                options: [
                    OptionSyntax("by", "NAME", help: "who found out"),
                    OptionSyntax(
                        "reason",
                        "TEXT",
                        help: "how, such as \"on the acquirer's statement\""
                    ),
                ] + CommandWork.settling.options(of: program),
                details: """
                    First look into the acquirer's books: `\(program.name) \(program.lookUp) ORDER`.
                    What is noted here counts from then on: not-paid frees the order for another
                    payment. Evidence to the contrary that comes later stands in the order's history.
                    """
            )
        ) { arguments throws(UsageError) in
            try SettleCommand(arguments, of: program).run()
        }
    }

    private let options: CommonOptions
    private let order: Order
    private let verdict: PersonalVerdict

    private init(_ arguments: Arguments, of program: SampleProgram) throws(UsageError) {
        options = try CommonOptions(arguments, for: .settling, of: program)
        order = try OrderWords.order(arguments.words[0], as: "settle: ORDER")
        let decisions: [String: PersonalVerdict.Decision] = [
            "paid": .moved(nil), "not-paid": .notMoved,
        ]
        guard let decision = decisions[arguments.words[1]] else {
            throw UsageError(
                "settle: found \"\(arguments.words[1].prefix(40))\"; accepted is paid or not-paid"
            )
        }
        guard let name = arguments["by"], let reason = arguments["reason"] else {
            throw UsageError("settle: needs --by NAME and --reason TEXT, since a person decides")
        }
        verdict = PersonalVerdict(decision, name: name, reason: reason)
    }

    private func run() -> Report {
        Counter(options: options, shop: options.shop).run(order: order) { pointOfSale, subject in
            let open = await pointOfSale.unresolved.filter { $0.order == order }
            guard !open.isEmpty else {
                return .nothing("nothing about \(order) is open", subject.value)
            }
            do throws(PaymentRefusal) {
                for payment in open { try await pointOfSale.settle(payment, as: verdict) }
            } catch {
                return .refusal(error, subject.value)
            }
            let attempts = await pointOfSale.history(of: order)
            let report = Report.attempts(attempts, subject.value, inFull: false)
            return Report(.success, report.object, lines: report.lines)
        }
    }
}
