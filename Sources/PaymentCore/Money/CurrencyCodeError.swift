/// Why a text is not the code of a currency that can be charged.
public struct CurrencyCodeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with the code.
    public enum Reason: Hashable, Sendable {
        /// Three letters that ISO 4217 does not list.
        case unknown
        /// A good code that is not in capital letters.
        case lowerCase
        /// A code no longer in force, with the month it was withdrawn, such as `2023-01`.
        case withdrawn(since: String)
        /// A code for metals, units of account or tests, which no amount can be in.
        case noMinorUnit
        /// Anything but three letters.
        case malformed
    }

    /// What was found, shortened, and free of anything that may be card data.
    public let text: String
    /// What is wrong with it.
    public let reason: Reason
    /// The code that was probably meant, if one is near.
    public var nearest: Currency? {
        switch reason {
        case .lowerCase: Currency(answeredCode: text)
        case .unknown, .malformed: Self.nearest(to: Currency.uppercased(text))
        case .withdrawn, .noMinorUnit: nil
        }
    }

    /// Finds out why a code is refused.
    init(refused text: String) {
        self.text = String(Scrubbing.scrub(text).prefix(12))
        guard let letters = Currency.letters(of: Currency.uppercased(text)) else {
            reason = .malformed
            return
        }
        if Currency.chargeable[letters] != nil {
            reason = .lowerCase
        } else if let month = Currency.withdrawn[letters] {
            reason = .withdrawn(since: month)
        } else if Currency.withoutMinorUnit[letters] != nil {
            reason = .noMinorUnit
        } else {
            reason = .unknown
        }
    }

    /// One sentence: what was found, and what is accepted.
    public var description: String {
        "currency code \(text.debugDescription) \(fault)"
    }

    private var fault: String {
        switch reason {
        case .unknown: "is not in ISO 4217; \(example)"
        case .lowerCase: "must be in capital letters: \(nearest?.code ?? "EUR")"
        case .withdrawn(let month):
            "was withdrawn (\(month)) and cannot be charged; use a code in force"
        case .noMinorUnit:
            "has no minor unit and cannot be charged; use a currency's code, such as EUR"
        case .malformed: "is not three capital letters; \(example)"
        }
    }

    private var example: String {
        nearest.map { "the nearest is \($0)" } ?? "use a code such as EUR"
    }
}

extension CurrencyCodeError {
    /// The code one slip away; where several are, one that is common, else the first by alphabet.
    private static func nearest(to code: String) -> Currency? {
        let found = Array(code.utf8.prefix(5))
        let common: [Currency] = [.usd, .eur, .gbp, .jpy, .cad, .aud, .chf]
        return (common + Currency.all).first { isOneSlip(from: found, to: Array($0.code.utf8)) }
    }

    /// True when one letter is missing, added or different, or two neighbors are swapped.
    private static func isOneSlip(from found: [UInt8], to code: [UInt8]) -> Bool {
        let head = zip(found, code).prefix { $0 == $1 }.count
        let (found, code) = (found.dropFirst(head), code.dropFirst(head))
        let tail = zip(found.reversed(), code.reversed()).prefix { $0 == $1 }.count
        let (left, right) = (Array(found.dropLast(tail)), Array(code.dropLast(tail)))
        if left.count == 2, right.count == 2 { return left == right.reversed() }
        return left.count <= 1 && right.count <= 1
    }
}
