import CommandLineSupport
import ReaderSimulation

/// `reader cards` and `reader amounts`.
enum TableCommands {
    static let all = [cards, amounts]

    private static let cards = Command(
        CommandSyntax(
            "cards",
            "print every simulated card, its id first",
            options: [RunOptions.help]
        )
    ) { _ in
        let lines = SimulatedCard.catalogue.map { card in
            let columns = [
                pad(card.id, 18), pad(card.brand, 17), pad(card.masked, 17),
                pad(card.entry.rawValue, 6), pad(card.verification.rawValue, 14), outcome(card),
            ]
            return columns.joined(separator: " ")
        }
        return Report(.success, lines: lines)
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(width - text.count, 0))
    }

    private static func outcome(_ card: SimulatedCard) -> String {
        let read =
            switch card.reading {
            case .reads: card.companion == nil ? nil : "two cards until one is taken out"
            case .stops(let code, _): "stops: \(code)"
            case .retriesOnce(let reason): "second tap needed: \(reason.rawValue)"
            case .takes(let duration): "takes \(ScenarioDuration.text(duration))"
            case .refusesOffline: "the card refuses"
            case .sheetClosesOnce: "the sheet closes by itself once"
            }
        if case .stops = card.reading { return read ?? "" }
        let issuer =
            switch card.outcome {
            case .approves: "approved"
            case .declines(let refusal): "declined: \(refusal.rawValue)"
            case .asksForPIN: "PIN asked after the tap, then approved"
            case .approvesWithoutRefunds: "approved, refunds fail later"
            case .approvesForHealthTrade: "approved for the health trade alone"
            }
        return [read, issuer].compactMap(\.self).joined(separator: ", ")
    }

    private static let amounts = Command(
        CommandSyntax(
            "amounts",
            "print the amounts that make a simulation behave in a certain way",
            arguments: ["[PROFILE]"],
            options: [RunOptions.help],
            details: "PROFILE is neutral, stripe, adyen or finix; all of them without one."
        )
    ) { arguments throws(UsageError) in
        let all = MagicAmounts.Profile.allCases.filter { $0 != .none }
        guard let word = arguments.words.first else {
            let lines = all.flatMap { ["\($0.rawValue):"] + table($0) + [""] }
            return Report(.success, lines: lines.dropLast())
        }
        guard let profile = all.first(where: { $0.rawValue == word }) else {
            let names = all.map(\.rawValue)
            throw UsageError(
                "amounts: found \"\(word.prefix(40))\"; accepted is one of "
                    + names.joined(separator: ", ")
                    + UsageError.suggestion(for: word, among: names)
            )
        }
        return Report(.success, lines: table(profile))
    }

    private static func table(_ profile: MagicAmounts.Profile) -> [String] {
        let amounts = MagicAmounts.table(profile)
        let digits = amounts.modulus.map { String($0).count - 1 }
        let rule =
            digits.map { "the last \($0) digits of the amount in minor units" }
            ?? "the whole amount in minor units"
        let from = amounts.smallest > 0 ? ", from \(amounts.smallest) upwards" : ""
        return ["  \(rule)\(from); others are approved"]
            + amounts.rows.map { row in
                let text = String(row.digits)
                let zeros = String(repeating: "0", count: max((digits ?? 0) - text.count, 0))
                return "  \(pad(zeros + text, 8))\(row.effect)"
            }
    }
}
