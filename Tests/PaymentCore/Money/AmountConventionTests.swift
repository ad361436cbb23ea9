import PaymentCore
import Testing

@Suite struct AmountConventionTests: AmountReading {
    // FC-015, FC-016, FC-018, FC-022
    @Test(arguments: [
        ("1.234,56", Currency.eur, Convention.commaDecimal, 123_456),
        ("12,5", .eur, .commaDecimal, 1_250), ("0,075", .tnd, .commaDecimal, 75),
        ("1,234.56", .usd, .pointDecimal, 123_456), ("1234.56", .usd, .pointDecimal, 123_456),
        ("12,345,678", .jpy, .pointDecimal, 12_345_678), ("0.05", .usd, .pointDecimal, 5),
        ("14 000,12", .eur, .french, 1_400_012), ("14\u{A0}000,12", .eur, .french, 1_400_012),
        ("14\u{202F}000,12", .eur, .french, 1_400_012), ("999 000", .eur, .french, 99_900_000),
        ("9,223,372,036,854,775,807", .jpy, .pointDecimal, .max),
        ("EUR 1.234,56", .eur, .commaDecimal, 123_456), ("12,50\u{A0}EUR", .eur, .french, 1_250),
    ])
    func `N-004 reads amounts in the convention that is named`(
        text: String,
        currency: Currency,
        convention: Convention,
        expected: Int64
    ) throws {
        #expect(try units(text, currency, convention) == expected)
    }

    // FC-015, FC-016, FC-017, FC-018, FC-022
    @Test(arguments: [
        ("1.234,56", Currency.eur, Convention.pointDecimal, Reason.ambiguousSeparator, 5),
        ("12,5", .eur, .pointDecimal, .wrongGrouping, 3),
        ("1.5", .dkk, .commaDecimal, .wrongGrouping, 2),
        ("14 00,12", .eur, .french, .wrongGrouping, 3),
        ("1 4 000,12", .eur, .french, .wrongGrouping, 2),
        ("14\u{2009}000,12", .eur, .french, .spaceNotAllowed, 2),
        ("0,075", .eur, .pointDecimal, .wrongGrouping, 0),
        ("0,075", .eur, .commaDecimal, .tooManyFractionDigits(found: 3, allowed: 2), 2),
        ("012,345", .eur, .pointDecimal, .leadingZero, 0),
        ("1234,567", .eur, .pointDecimal, .wrongGrouping, 0),
        ("1,2345", .eur, .pointDecimal, .wrongGrouping, 2),
        ("1,234,", .eur, .pointDecimal, .wrongGrouping, 6),
        (",234", .eur, .pointDecimal, .wrongGrouping, 0),
        ("1,,234", .eur, .pointDecimal, .wrongGrouping, 2),
        ("1,234.5,6", .eur, .pointDecimal, .ambiguousSeparator, 7),
        ("1 234\u{A0}567", .eur, .french, .wrongGrouping, 5),
        (" 1 234", .eur, .french, .spaceNotAllowed, 0),
        ("1 234 ", .eur, .french, .spaceNotAllowed, 5),
        ("9,223,372,036,854,775,808", .jpy, .pointDecimal, .tooLarge, 0),
        ("USD 5", .eur, .pointDecimal, .notANumber, 0),
        ("EUR5", .eur, .pointDecimal, .notANumber, 0),
        ("EUR  5", .eur, .pointDecimal, .spaceNotAllowed, 4),
        ("EUR 5 EUR", .eur, .pointDecimal, .spaceNotAllowed, 5),
        ("EUR", .eur, .pointDecimal, .notANumber, 0),
    ])
    func `N-004 never guesses what a separator means`(
        text: String,
        currency: Currency,
        convention: Convention,
        reason: Reason,
        offset: Int
    ) {
        let error = refusal(of: text, currency, convention)
        #expect(error?.reason == reason)
        #expect(error?.offset == offset)
    }

    // FC-019
    @Test(arguments: [Convention.plain, .pointDecimal, .commaDecimal, .french])
    func `N-004 reads the same with and without the currency in front`(convention: Convention) {
        switch (reading("2,600", .eur, convention), reading("EUR 2,600", .eur, convention)) {
        case (.success(let bare), .success(let named)): #expect(bare == named)
        case (.failure(let bare), .failure(let named)): #expect(bare.reason == named.reason)
        default: Issue.record("read in one form only")
        }
    }

    @Test func `N-004 takes no currency code in a plain amount`() {
        #expect(refusal(of: "EUR 5")?.offset == 0)
        #expect(refusal(of: "5 EUR")?.offset == 2)
    }

    // FC-028
    @Test(arguments: [
        ("2100.5", Convention.plain), ("2100.5", .pointDecimal), ("2,100.5", .pointDecimal),
        ("2.100,5", .commaDecimal), ("2 100,5", .french),
    ])
    func `N-001 gives the same precision error in every convention`(
        text: String,
        convention: Convention
    ) {
        let reason = refusal(of: text, .jpy, convention)?.reason
        #expect(reason == .tooManyFractionDigits(found: 1, allowed: 0))
    }

    // The code in front takes the text past the short way through the parser.
    @Test(arguments: [Currency.jpy, .usd, .kwd, .clf])
    func `N-004 judges a text alike on both ways through the parser`(currency: Currency) {
        var random = SeededAmounts(state: 4)
        for _ in 0..<3_000 {
            let length = Int.random(in: 1...22, using: &random)
            let text = String(
                (0..<length).map { _ in "0123456789012345678.".randomElement(using: &random) ?? "0"
                }
            )
            switch (
                reading(text, currency, .pointDecimal),
                reading("\(currency) \(text)", currency, .pointDecimal)
            ) {
            case (.success(let short), .success(let long)): #expect(short == long)
            case (.failure(let short), .failure(let long)):
                #expect(short.reason == long.reason)
                #expect(short.offset + 4 == long.offset)
            default: Issue.record("\(text) is read on one way only")
            }
        }
    }

    @Test(arguments: [
        (Character(","), ","), (" ", ""), ("5", ""), (".", "0"), (".", "-"), ("e", ""), (".", "\n"),
    ])
    func `N-004 refuses a convention in which a sign means two things`(
        decimalSign: Character,
        groupingSigns: String
    ) {
        #expect(Convention(decimalSign: decimalSign, groupingSigns: Set(groupingSigns)) == nil)
    }

    @Test func `N-004 takes a convention of the caller's own`() throws {
        let swiss = try #require(Convention(decimalSign: ".", groupingSigns: ["'", "’"]))
        #expect(try units("1’234’567.05", .chf, swiss) == 123_456_705)
        let arabic = try #require(Convention(decimalSign: "٫", groupingSigns: []))
        #expect(try units("12٫5", .chf, arabic) == 1_250)
        #expect(refusal(of: "12.5", .chf, arabic)?.reason == .ambiguousSeparator)
    }
}
