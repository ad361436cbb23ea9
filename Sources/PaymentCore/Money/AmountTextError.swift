/// Why a text is not an amount in a currency, and where the fault is.
public struct AmountTextError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with the text.
    public enum Reason: Hashable, Sendable {
        /// Nothing, or nothing but spaces.
        case empty
        /// Letters, symbols or anything else that no amount contains.
        case notANumber
        /// A plus, a minus or a parenthesis.
        case signNotAllowed
        /// Scientific notation, such as `1e5`.
        case exponentNotAllowed
        /// More decimals than the currency has.
        case tooManyFractionDigits(found: Int, allowed: Int)
        /// A separator that the convention does not know, or one where it would mean something else.
        case ambiguousSeparator
        /// Groups that are not of three digits each, or that follow a lone zero.
        case wrongGrouping
        /// A space before or after the amount, or inside it where no group ends.
        case spaceNotAllowed
        /// More than can be counted in minor units.
        case tooLarge
        /// Digits of a script other than 0 to 9.
        case unsupportedDigits
        /// No digit on one side of the decimal sign.
        case missingDigits
        /// A zero before the first digit of the whole units.
        case leadingZero
    }

    /// What was read, shortened; its digits are masked if they are enough for a card number.
    public let text: String
    /// What is wrong with it.
    public let reason: Reason
    /// Where the fault is, in characters, the first one being 0.
    public let offset: Int
    /// The currency the amount should be in.
    public let currency: Currency
    /// The convention the text should follow.
    public let convention: AmountText.Convention

    init(
        text: String,
        reason: Reason,
        offset: Int,
        currency: Currency,
        convention: AmountText.Convention
    ) {
        self.text = Self.masked(text.prefix(64))
        self.reason = reason
        self.offset = offset
        self.currency = currency
        self.convention = convention
    }

    /// One sentence: what was wrong, at which character, and what is accepted.
    public var description: String {
        "amount \(text.debugDescription): \(fault) at character \(offset + 1); \(accepted)"
    }

    private var fault: String {
        switch reason {
        case .empty: "nothing to read"
        case .notANumber: "not a number"
        case .signNotAllowed: "a sign"
        case .exponentNotAllowed: "an exponent"
        case .tooManyFractionDigits(let found, _): found == 1 ? "1 decimal" : "\(found) decimals"
        case .ambiguousSeparator: "a separator of unclear meaning"
        case .wrongGrouping: "groups that are not of three digits"
        case .spaceNotAllowed: "a space"
        case .tooLarge: "an amount too large to count"
        case .unsupportedDigits: "digits other than 0 to 9"
        case .missingDigits: "a digit is missing"
        case .leadingZero: "a leading zero"
        }
    }

    private var accepted: String {
        let digits = currency.minorUnitDigits
        let sign = convention.decimalSign
        let example = digits == 0 ? "12" : "12\(sign)5" + String(repeating: "0", count: digits - 1)
        let rule =
            switch (reason, digits) {
            case (.tooManyFractionDigits, 0): "has none"
            case (.tooManyFractionDigits, _): "has \(digits)"
            case (_, 0): "takes digits without decimals"
            default: "takes digits with at most \(digits) decimals after a \"\(sign)\""
            }
        return "\(currency) \(rule), for example \(example)"
    }

    /// Masking leaves each character where it is, so that the offset stays true.
    private static func masked(_ text: Substring) -> String {
        guard text.count(where: \.isNumber) >= 12 else { return String(text) }
        return String(text.map { $0.isNumber ? "*" : $0 })
    }
}
