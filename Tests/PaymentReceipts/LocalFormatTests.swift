import Foundation
import PaymentCore
import Testing

@testable import PaymentReceipts

@Suite struct LocalFormatTests {
    private func amount(_ minorUnits: Int64, _ code: String, _ tag: String) throws -> String {
        let money = try Money(minorUnits: minorUnits, currency: Currency.parse(code))
        let style = ReceiptStyle(language: try ReceiptSamples.language(tag))
        return LocalFormats(style).amount(money)
    }

    /// The amount with every kind of blank and mark made plain.
    private func plain(_ text: String) -> String {
        text.replacing("\u{A0}", with: " ").replacing("\u{202F}", with: " ")
            .replacing("\u{200F}", with: "")
    }

    @Test(arguments: [
        (123_450, "EUR", "de", "1.234,50 EUR"), (123_450, "USD", "en", "USD 1,234.50"),
        (123_450, "EUR", "fr", "1 234,50 EUR"), (1_000, "JPY", "ja", "JPY 1,000"),
        (1_234_567, "KWD", "en", "KWD 1,234.567"), (12_345, "CLF", "en", "CLF 1.2345"),
        (12_345, "CLP", "es", "12.345 CLP"), (1_250, "HUF", "de", "12,50 HUF"),
        (1_250, "TWD", "en", "TWD 12.50"), (12, "ISK", "en", "ISK 12"),
        (1, "USD", "en", "USD 0.01"),
        (123_450, "EUR", "de-CH", "EUR 1’234.50"),
        (123_450, "EUR", "en-u-nu-roman", "EUR 1,234.50"),
        (1_234_567, "EUR", "pt", "12 345,67 EUR"), (1_234_567, "EUR", "pt-BR", "EUR 12.345,67"),
        (1_234_500, "KWD", "ar", "١٬٢٣٤٫٥٠٠ KWD"), (123_450, "EUR", "ar-EG", "١٬٢٣٤٫٥٠ EUR"),
        (Int64.max, "USD", "en", "USD 92,233,720,368,547,758.07"),
        (Int64.max, "JPY", "en", "JPY 9,223,372,036,854,775,807"),
        (Int64.max, "CLF", "de", "922.337.203.685.477,5807 CLF"),
    ])
    func `N-002 amounts have the decimals of ISO 4217 and the language's way to write`(
        minorUnits: Int64,
        code: String,
        tag: String,
        expected: String
    ) throws {
        #expect(plain(try amount(minorUnits, code, tag)) == expected)
    }

    /// Every currency in every language shows exactly the digits that are charged.
    @Test(arguments: ReceiptLanguage.all.map(\.tag))
    func `N-001 no digit is lost in any currency`(tag: String) throws {
        for currency in Currency.all {
            for minorUnits: Int64 in [1, 1_234_567_890_123_456_789, .max] {
                let text = try amount(minorUnits, currency.code, tag)
                let digits = text.compactMap { $0.wholeNumberValue }.map(String.init).joined()
                let padding = max(0, currency.minorUnitDigits + 1 - String(minorUnits).count)
                let expected = String(repeating: "0", count: padding) + String(minorUnits)
                #expect(digits == expected, "\(currency) \(tag): \(text)")
                #expect(text.contains(currency.code))
            }
        }
    }

    @Test(arguments: [
        ("en", "GMT", "Jul 20, 2026 at 5:18:10 PM UTC"),
        ("de", "GMT", "20. Juli 2026, 17:18:10 UTC"),
        ("de", "Europe/Berlin", "20. Juli 2026, 19:18:10 UTC+02:00"),
        ("en-GB", "America/New_York", "20 Jul 2026 at 13:18:10 UTC-04:00"),
        ("ja", "Asia/Kolkata", "2026年7月20日 22:48:10 UTC+05:30"),
    ])
    func `F-271 a moment names its distance from UTC`(
        tag: String,
        zone: String,
        expected: String
    ) throws {
        let style = ReceiptStyle(
            language: try ReceiptSamples.language(tag),
            timeZone: try #require(TimeZone(identifier: zone))
        )
        let text = LocalFormats(style).moment(Date(timeIntervalSince1970: 1_784_567_890))
        #expect(plain(text) == expected)
    }
}
