import PaymentCore
import Testing

/// A small seeded generator, so that a failing run can be repeated.
struct SeededAmounts: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// Every length of amount is as likely as any other.
    mutating func minorUnits() -> Int64 {
        Int64.random(in: 0...(.max), using: &self) >> Int64.random(in: 0..<63, using: &self)
    }
}

/// Reads amount texts in tests of several suites.
protocol AmountReading {}

extension AmountReading {
    typealias Reason = AmountTextError.Reason
    typealias Convention = AmountText.Convention

    func units(
        _ text: String,
        _ currency: Currency = .eur,
        _ convention: Convention = .plain
    ) throws -> Int64 {
        try Money.parse(text, currency: currency, convention: convention).minorUnits
    }

    func refusal(
        of text: String,
        _ currency: Currency = .eur,
        _ convention: Convention = .plain
    ) -> AmountTextError? {
        #expect(throws: AmountTextError.self) { try units(text, currency, convention) }
    }

    /// Parsed, or the reason why not, so that two readings can be compared.
    func reading(
        _ text: String,
        _ currency: Currency,
        _ convention: Convention
    ) -> Result<Int64, AmountTextError> {
        do throws(AmountTextError) {
            return .success(
                try Money.parse(text, currency: currency, convention: convention).minorUnits
            )
        } catch {
            return .failure(error)
        }
    }
}
