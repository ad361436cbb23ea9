import PaymentCore
import Testing

@Suite struct AmountTextTests: AmountReading {
    // FC-005, FC-008, FC-024 (zero is an amount; charging it is refused elsewhere)
    @Test(arguments: [
        ("12.50", Currency.usd, 1_250), ("12.5", .usd, 1_250), ("12", .usd, 1_200),
        ("0", .usd, 0), ("0.00", .usd, 0), ("0.5", .usd, 50), ("100", .jpy, 100),
        ("18.600", .kwd, 18_600), ("0.001", .bhd, 1), ("1.5", .tnd, 1_500), ("1", .clf, 10_000),
        ("0.14", .usd, 14), ("9223372036854775807", .jpy, .max),
        ("92233720368547758.07", .usd, .max), ("922337203685477.5807", .clf, .max),
    ])
    func `N-004 reads plain amounts`(text: String, currency: Currency, expected: Int64) throws {
        #expect(try units(text, currency) == expected)
    }

    // FC-020, FC-021, FC-023, FC-024, FC-029
    @Test(arguments: [
        ("", Currency.eur, Reason.empty, 0), ("  \t\n", .eur, .empty, 0),
        ("nan", .eur, .notANumber, 0), ("inf", .eur, .notANumber, 0),
        ("99999999999999999999", .eur, .tooLarge, 0), ("9223372036854775808", .jpy, .tooLarge, 0),
        ("92233720368547758.08", .eur, .tooLarge, 0), ("92233720368547759", .eur, .tooLarge, 0),
        ("18446744073709551617", .jpy, .tooLarge, 0), ("-5", .eur, .signNotAllowed, 0),
        ("(5.00)", .eur, .signNotAllowed, 0), ("+5", .eur, .signNotAllowed, 0),
        ("\u{2212}5", .eur, .signNotAllowed, 0), ("5-", .eur, .signNotAllowed, 1),
        ("-0", .eur, .signNotAllowed, 0), ("1e5", .eur, .exponentNotAllowed, 1),
        ("1E2", .eur, .exponentNotAllowed, 1), ("5e-1", .eur, .exponentNotAllowed, 1),
        ("1.5e3", .eur, .exponentNotAllowed, 3), ("4.1K", .eur, .notANumber, 3),
        ("5k", .eur, .notANumber, 1), ("2M", .eur, .notANumber, 1), ("1½", .eur, .notANumber, 1),
        ("50%", .eur, .notANumber, 2), ("5e", .eur, .notANumber, 1), ("0x10", .eur, .notANumber, 1),
        ("$5", .eur, .notANumber, 0), ("5\u{301}", .eur, .notANumber, 0),
        ("1\05", .eur, .notANumber, 1),
        ("１２３", .jpy, .unsupportedDigits, 0), ("१२३", .jpy, .unsupportedDigits, 0),
        ("১২৩", .jpy, .unsupportedDigits, 0), ("๑๒๓", .jpy, .unsupportedDigits, 0),
        ("1٢", .jpy, .unsupportedDigits, 1), (".5", .eur, .missingDigits, 0),
        ("5.", .eur, .missingDigits, 1), (".", .eur, .missingDigits, 0),
        ("100.", .jpy, .missingDigits, 3), ("00012.50", .eur, .leadingZero, 0),
        ("00", .eur, .leadingZero, 0), (" 5", .eur, .spaceNotAllowed, 0),
        ("5 ", .eur, .spaceNotAllowed, 1), ("5\n", .eur, .spaceNotAllowed, 1),
        ("1 000", .eur, .spaceNotAllowed, 1), ("1,234.56", .eur, .ambiguousSeparator, 1),
        ("12,5", .eur, .ambiguousSeparator, 2), ("1.2.3", .eur, .ambiguousSeparator, 3),
        ("1'000", .eur, .ambiguousSeparator, 1),
        ("12.505", .usd, .tooManyFractionDigits(found: 3, allowed: 2), 3),
        ("12.500", .usd, .tooManyFractionDigits(found: 3, allowed: 2), 3),
        ("64615.90", .jpy, .tooManyFractionDigits(found: 2, allowed: 0), 6),
        ("100.0", .jpy, .tooManyFractionDigits(found: 1, allowed: 0), 4),
        ("0.0001", .kwd, .tooManyFractionDigits(found: 4, allowed: 3), 2),
    ])
    func `N-004 says what is wrong and where`(
        text: String,
        currency: Currency,
        reason: Reason,
        offset: Int
    ) {
        let error = refusal(of: text, currency)
        #expect(error?.reason == reason)
        #expect(error?.offset == offset)
    }

    // FC-025, FC-026
    @Test func `N-001 reads every hundredth from 0.01 to 100.00 exactly`() throws {
        for expected in Int64(1)...10_000 {
            let hundredths = String(expected % 100 + 100).dropFirst()
            #expect(try units("\(expected / 100).\(hundredths)") == expected)
        }
        #expect(
            try ["19.99", "8.20", "17.08", "37.80"].map { try units($0) } == [
                1_999, 820, 1_708, 3_780,
            ]
        )
    }

    @Test(arguments: [Currency.jpy, .usd, .kwd, .clf])
    func `N-004 reads back what is printed, grouped or not`(currency: Currency) throws {
        var random = SeededAmounts(state: 20_261_130)
        let corners: [Int64] = [0, 1, 9, 10, 99, 100, 9_999, 10_000, .max - 1, .max]
        for minorUnits in corners + (0..<2_000).map({ _ in random.minorUnits() }) {
            let amount = try Money(minorUnits: minorUnits, currency: currency)
            let plain = amount.amountText
            #expect(try Money.parse(plain, currency: currency) == amount)
            let parts = plain.split(separator: ".")
            var whole = ""
            for (index, digit) in parts[0].enumerated() {
                if index > 0, (parts[0].count - index).isMultiple(of: 3) { whole += "," }
                whole.append(digit)
            }
            let grouped = ([Substring(whole)] + parts.dropFirst()).joined(separator: ".")
            #expect(try units(grouped, currency, .pointDecimal) == minorUnits)
            #expect(try units(amount.description, currency, .pointDecimal) == minorUnits)
        }
    }

    @Test(arguments: [
        (
            "12.505", Currency.usd, Convention.plain,
            "amount \"12.505\": 3 decimals at character 4; USD has 2, for example 12.50"
        ),
        (
            "64615.90", .jpy, .plain,
            "amount \"64615.90\": 2 decimals at character 7; JPY has none, for example 12"
        ),
        (
            "1,5K", .kwd, .commaDecimal,
            "amount \"1,5K\": not a number at character 4; "
                + "KWD takes digits with at most 3 decimals after a \",\", for example 12,500"
        ),
        (
            "5\n", .jpy, .plain,
            "amount \"5\\n\": a space at character 2; JPY takes digits without decimals, for example 12"
        ),
    ])
    func `N-004 says in one sentence what was found and what is accepted`(
        text: String,
        currency: Currency,
        convention: Convention,
        sentence: String
    ) {
        #expect(refusal(of: text, currency, convention)?.description == sentence)
    }

    // Assembled here, since no full number may stand anywhere.
    @Test(arguments: [
        "4" + String(repeating: "1", count: 15), "４" + String(repeating: "１", count: 15),
        "4111" + String(repeating: " 1111", count: 3),
        "4111" + String(repeating: "-1111", count: 3),
    ])
    func `N-014 keeps a card number typed as an amount out of the error`(text: String) throws {
        let error = try #require(refusal(of: text + "000.000"))
        var everything = error.description
        dump(error, to: &everything)
        #expect(!everything.contains("111") && !everything.contains("１１１"))
    }

    @Test func `N-004 is not impressed by a very long text`() {
        #expect(refusal(of: String(repeating: "9", count: 100_000))?.reason == .tooLarge)
        #expect(refusal(of: String(repeating: "0", count: 100_000))?.reason == .leadingZero)
        #expect(refusal(of: String(repeating: "x", count: 100_000))?.text.count == 64)
    }
}
