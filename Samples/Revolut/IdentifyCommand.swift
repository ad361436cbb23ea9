import CommandLineSupport
import PaymentCore
import ShopSupport

/// `revolut identify ORDER [REVOLUT-ORDER]`.
struct IdentifyCommand: Sendable {
    static let command = Command(
        CommandSyntax(
            "identify",
            "say which order of Revolut's books a series' payment is",
            arguments: ["ORDER", "[REVOLUT-ORDER]"],
            options: [
                OptionSyntax("by", "NAME", help: "who found out"),
                OptionSyntax("reason", "TEXT", help: "how (default: compared with the books)"),
            ] + CommandWork.resolving.options(of: Revolut.program),
            details: """
                Without REVOLUT-ORDER it lists what could be it: the orders of that currency and
                time that no other payment claims. The choice is a person's, and is kept with the
                name. Then it ends as the payment does.
                """
        )
    ) { arguments throws(UsageError) in
        try IdentifyCommand(arguments).run()
    }

    private let options: CommonOptions
    private let order: Order
    private let verdict: PersonalVerdict?

    private init(_ arguments: Arguments) throws(UsageError) {
        options = try CommonOptions(arguments, for: .resolving, of: Revolut.program)
        order = try OrderWords.order(arguments.words[0], as: "identify: ORDER")
        guard arguments.words.count > 1 else {
            if let idle = ["by", "reason"].first(where: arguments.has) {
                throw UsageError("identify: --\(idle) goes with a REVOLUT-ORDER")
            }
            verdict = nil
            return
        }
        guard let name = arguments["by"] else {
            throw UsageError("identify: needs --by NAME, since the choice is a person's")
        }
        verdict = PersonalVerdict(
            .moved(AcquirerReference(kind: "order", value: arguments.words[1])),
            name: name,
            reason: arguments["reason"] ?? "compared with the books"
        )
    }

    private func run() -> Report {
        Counter(options: options, shop: options.shop).run(order: order) { pointOfSale, subject in
            guard let verdict else { return await list(pointOfSale, subject.value) }
            do throws(PaymentRefusal) {
                let outcome = try await pointOfSale.identify(order, as: verdict)
                let attempts = await pointOfSale.history(of: order)
                let report = Report.attempts(attempts, subject.value, inFull: false)
                return Report(ExitCode(outcome), report.object, lines: report.lines)
            } catch {
                return .refusal(error, subject.value)
            }
        }
    }

    private func list(_ pointOfSale: PointOfSale, _ subject: PaymentSubject) async -> Report {
        do throws(PaymentError) {
            return .candidates(try await pointOfSale.candidates(for: order), subject)
        } catch {
            guard error.code == .notFound else {
                return .problem(.failed, ["the books could not be asked (\(error.code))"])
            }
            return .nothing(error.detail ?? "there is no such payment", subject)
        }
    }
}
