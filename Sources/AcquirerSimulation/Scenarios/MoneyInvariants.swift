import ReaderSimulation
import Simulation

/// What always holds about the money of a scenario.
struct MoneyInvariants {
    let violations: [String]

    init(_ stage: ScenarioStage) {
        var violations: [String] = []
        let charges = stage.desk.charges
        for (attempt, amounts) in charges.sorted(by: { $0.key < $1.key }) where amounts.count > 1 {
            violations.append("I-7 \(attempt) was charged \(amounts.count) times")
        }
        let told = stage.journal.lastTold
        for entry in stage.journal.entries {
            let charged = charges[entry.attempt]?.reduce(0, +) ?? 0
            let kept = stage.desk.isReversed(entry.attempt) ? 0 : charged
            guard let outcome = told[entry.attempt] else {
                if charged > 0 || stage.desk.knows(entry.attempt) {
                    violations.append("I-8 \(entry.attempt) arrived, and nobody was told")
                }
                continue
            }
            guard let moved = outcome.moved(of: stage.scenario.sale.minorUnits) else {
                violations.append("I-8 \(entry.attempt) was never resolved")
                continue
            }
            if moved != kept, stage.scenario.sale.kind == .purchase {
                violations.append(
                    "I-8 \(entry.attempt) was told as \(outcome), and \(kept) moved"
                )
            }
        }
        self.violations = violations
    }
}

/// That a trace shows nothing that must not be shown.
enum TextInvariant {
    static func violations(_ trace: [Trace.Line]) -> [String] {
        trace.lazy.filter { line in
            line.text.contains("SIM1.") || holdsCardNumber(line.text)
        }.prefix(1).map { "I-12 a line shows what it must not, at \($0.milliseconds)ms" }
    }

    /// Whether a text has a run of 12 to 19 digits that could be the number of a card.
    static func holdsCardNumber(_ text: String) -> Bool {
        var digits: [Int] = []
        for byte in text.utf8 {
            if 48...57 ~= byte {
                digits.append(Int(byte) - 48)
            } else if byte != 32 && byte != 45 {
                if isCardNumber(digits) { return true }
                digits = []
            }
        }
        return isCardNumber(digits)
    }

    private static func isCardNumber(_ digits: [Int]) -> Bool {
        guard 12...19 ~= digits.count else { return false }
        let sum = digits.reversed().enumerated().reduce(0) { sum, element in
            guard element.offset % 2 == 1 else { return sum + element.element }
            let doubled = element.element * 2
            return sum + (doubled > 9 ? doubled - 9 : doubled)
        }
        return sum % 10 == 0
    }
}
