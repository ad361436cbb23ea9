import Foundation
import PaymentCore

/// Money against Foundation's `Decimal`, with currencies of every count of digits.
enum MoneyBenchmark {
    static func run(_ options: BenchOptions) async throws -> [Finding] {
        let (rounds, count) = options.isQuick ? (2, 500) : (9, 50_000)
        let currencies = try ["JPY", "EUR", "KWD", "CLF"].map { code in
            guard let currency = Currency(code: code) else { throw Unexpected(code) }
            return currency
        }
        let texts = ["1250", "12.50", "12.505", "12.5051"]
        let amounts = try zip(texts, currencies).map { try Money.parse($0, currency: $1) }
        let decimals = try texts.map { text in
            guard let decimal = Decimal(string: text) else { throw Unexpected(text) }
            return decimal
        }
        let parse = try await faster(rounds, count) { index in
            keep(try Money.parse(texts[index & 3], currency: currencies[index & 3]))
        } than: { index in
            keep(Decimal(string: texts[index & 3]))
        }
        let format = try await faster(rounds, count) { index in
            keep(amounts[index & 3].amountText)
        } than: { index in
            keep(decimals[index & 3].description)
        }
        let add = try await faster(rounds, count) { index in
            keep(try amounts[index & 3].adding(amounts[index & 3]))
        } than: { index in
            keep(decimals[index & 3] + decimals[index & 3])
        }
        return [
            finding("money.parse", parse, 15), finding("money.format", format, 15),
            finding("money.add", add, 50),
        ]
    }

    private static func faster(
        _ rounds: Int,
        _ count: Int,
        _ subject: (Int) throws -> Void,
        than reference: (Int) throws -> Void
    ) async throws -> Pair {
        try await Measuring.alternate(rounds: rounds) {
            try Measuring.nanosecondsNow(each: count) {
                for index in 0..<count { try subject(index) }
            }
        } reference: {
            try Measuring.nanosecondsNow(each: count) {
                for index in 0..<count { try reference(index) }
            }
        }
    }

    private static func finding(_ name: String, _ pair: Pair, _ target: Double) -> Finding {
        Finding(
            name: name,
            kind: .time,
            subject: Unit.nanoseconds.text(pair.subject),
            reference: "\(Unit.nanoseconds.text(pair.reference)) Decimal",
            ratio: Ratio(
                median: 1 / pair.ratio.median,
                least: 1 / pair.ratio.most,
                most: 1 / pair.ratio.least
            ),
            target: target,
            isAtLeast: true
        )
    }
}
