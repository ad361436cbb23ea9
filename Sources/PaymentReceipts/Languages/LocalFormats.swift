import Foundation
import PaymentCore

/// Writes amounts and moments as a language does.
struct LocalFormats {
    private let locale: Locale
    private let timeZone: TimeZone

    init(_ style: ReceiptStyle) {
        locale = Locale(identifier: Self.identifier(style.language))
        timeZone = style.timeZone
    }

    /// Arabic without a region is written in its own digits; with one, as the region does.
    ///
    /// Extensions of a tag are left out: no request may turn an amount into Roman numerals.
    private static func identifier(_ language: ReceiptLanguage) -> String {
        let parts: [Substring] = language.tag.split { $0 == "-" }
        let tag = parts.prefix { $0.count > 1 }.joined(separator: "-")
        switch tag.lowercased() {
        case "ar": return "ar-u-nu-arab"
        // The wording is European Portuguese.
        case "pt": return "pt-PT"
        default: return tag
        }
    }

    /// An amount with the currency's code, which means one currency everywhere, and all the
    /// decimals of ISO 4217, whatever the platform's table says.
    func amount(_ money: Money) -> String {
        let digits = money.currency.minorUnitDigits
        let value = Decimal(
            sign: .plus,
            exponent: -digits,
            significand: Decimal(money.minorUnits)
        )
        return value.formatted(
            Decimal.FormatStyle.Currency(code: money.currency.code, locale: locale)
                .presentation(.isoCode)
                .precision(.fractionLength(digits))
        )
    }

    /// A moment with its month in letters, seconds, and the time zone's distance from UTC.
    func moment(_ date: Date) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let style = Date.FormatStyle(
            date: .abbreviated,
            time: .standard,
            locale: locale,
            calendar: calendar,
            timeZone: timeZone
        )
        return date.formatted(style) + " " + zone(at: date)
    }

    /// A moment for programs.
    func machineMoment(_ date: Date) -> String { Date.ISO8601FormatStyle().format(date) }

    private func zone(at date: Date) -> String {
        let minutes = timeZone.secondsFromGMT(for: date) / 60
        guard minutes != 0 else { return "UTC" }
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let distance = minutes.magnitude
        return "UTC\(minutes < 0 ? "-" : "+")\(two(Int(distance) / 60)):\(two(Int(distance) % 60))"
    }

    /// A count in the language's digits.
    func count(_ number: Int) -> String {
        number.formatted(IntegerFormatStyle<Int>(locale: locale).grouping(.never))
    }

    /// A text in capitals, as the language writes them.
    func capitals(_ text: String) -> String { text.uppercased(with: locale) }
}
