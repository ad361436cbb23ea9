import PaymentCore
import Testing

@Suite struct MoneyTests {
    private func money(_ minorUnits: Int64, _ currency: Currency = .eur) throws -> Money {
        try Money(minorUnits: minorUnits, currency: currency)
    }

    @Test func `N-001 keeps whole minor units and refuses a negative count`() throws {
        #expect(try money(1_250).minorUnits == 1_250)
        #expect(try money(.max).minorUnits == .max)
        for negative in [-1, Int64.min] {
            let error = #expect(throws: PaymentError.self) { try money(negative) }
            #expect(error?.code == .amountNegative)
        }
    }

    // FC-026: an amount cannot be written as a literal that goes through binary first.
    @Test func `N-001 takes no floating-point literal`() {
        #expect(!((Money.self as Any) is any ExpressibleByFloatLiteral.Type))
        #expect(!((Money.self as Any) is any ExpressibleByIntegerLiteral.Type))
    }

    @Test func `N-003 adds, subtracts and multiplies exactly`() throws {
        #expect(try money(1_050).adding(money(950)) == money(2_000))
        #expect(try money(1_050).subtracting(money(1_049)) == money(1))
        #expect(try money(1_050).multiplied(by: 3) == money(3_150))
        #expect(try money(5).subtracting(money(5)) == .zero(.eur))
        #expect(try money(5).multiplied(by: 0).isZero)
        #expect(try !money(1).isZero)
    }

    // FC-034
    @Test func `N-003 answers at the limit with an error instead of a trap`() throws {
        let largest = try money(.max)
        #expect(try largest.multiplied(by: 1) == largest)
        #expect(try largest.adding(.zero(.eur)) == largest)
        let failures: [(PaymentError.Code, () throws -> Money)] = [
            (.amountOverflow, { try largest.adding(money(1)) }),
            (.amountOverflow, { try largest.adding(largest) }),
            (.amountOverflow, { try largest.multiplied(by: 2) }),
            (.amountNegative, { try money(1).subtracting(money(2)) }),
            (.amountNegative, { try Money.zero(.eur).subtracting(largest) }),
            (.amountNegative, { try largest.multiplied(by: -1) }),
            (.amountNegative, { try largest.multiplied(by: .min) }),
        ]
        for (code, failure) in failures {
            let error = #expect(throws: PaymentError.self) { _ = try failure() }
            #expect(error?.code == code)
        }
    }

    @Test func `N-003 refuses to mix two currencies`() throws {
        let (euros, yen) = (try money(1_000), try money(1_000, .jpy))
        let mixtures: [() throws -> Void] = [
            { _ = try euros.adding(yen) }, { _ = try euros.subtracting(yen) },
            { _ = try euros.isLess(than: yen) },
            { _ = try Money.zero(.eur).adding(.zero(.jpy)) },
        ]
        for mixture in mixtures {
            let error = #expect(throws: PaymentError.self) { try mixture() }
            #expect(error?.code == .currencyMismatch)
        }
        #expect(euros != yen)
    }

    @Test func `N-003 compares amounts of one currency`() throws {
        #expect(try money(9).isLess(than: money(10)))
        #expect(try !money(10).isLess(than: money(10)))
        #expect(try !money(11).isLess(than: money(10)))
    }

    // FC-001, FC-002, FC-005, FC-030, FC-032
    @Test(arguments: [
        (100, Currency.jpy, "100"), (0, .jpy, "0"), (0, .eur, "0.00"), (5, .eur, "0.05"),
        (50, .eur, "0.50"), (99, .eur, "0.99"), (100, .eur, "1.00"), (1_250, .usd, "12.50"),
        (123_450, .usd, "1234.50"), (5, .kwd, "0.005"), (18_600, .kwd, "18.600"),
        (1, .bhd, "0.001"), (1_500, .tnd, "1.500"), (1, .clf, "0.0001"), (10_000, .clf, "1.0000"),
    ])
    func `N-001 prints every digit`(minorUnits: Int64, currency: Currency, text: String) throws {
        let amount = try money(minorUnits, currency)
        #expect(amount.amountText == text)
        #expect("\(amount)" == "\(text) \(currency.code)")
    }

    // FC-033
    @Test(arguments: [
        (Currency.jpy, "9223372036854775807 JPY"), (.usd, "92233720368547758.07 USD"),
        (.kwd, "9223372036854775.807 KWD"), (.clf, "922337203685477.5807 CLF"),
    ])
    func `N-001 prints the largest amount exactly`(currency: Currency, text: String) throws {
        #expect(try money(.max, currency).description == text)
        #expect(try String(reflecting: money(.max, currency)) == text)
    }

    @Test func `N-001 has a stable JSON shape`() throws {
        let amount = try money(1_250, .usd)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = try encoder.encode(amount)
        #expect(String(decoding: json, as: UTF8.self) == #"{"currency":"USD","minorUnits":1250}"#)
        #expect(try JSONDecoder().decode(Money.self, from: json) == amount)
    }

    @Test func `N-001 reads the largest amount from JSON exactly`() throws {
        let json = Data(#"{"minorUnits":9223372036854775807,"currency":"JPY"}"#.utf8)
        #expect(try JSONDecoder().decode(Money.self, from: json).minorUnits == .max)
    }

    // FC-011, FC-012, FC-013, FC-028
    @Test(arguments: [
        ("12.5", "USD"), ("2100.5", "JPY"), ("\"1250\"", "USD"), ("-1", "USD"), ("null", "USD"),
        ("true", "USD"), ("9223372036854775808", "USD"), ("-9223372036854775809", "USD"),
        ("99999999999999999999", "USD"), ("1e19", "USD"), ("1e400", "USD"), ("1e-5", "USD"),
        ("9223372036854775807.5", "USD"), ("1", "usd"), ("1", "ZZZ"), ("1", "HRK"), ("1", "XAU"),
        ("1", ""), ("1", "EURO"),
    ])
    func `N-001 refuses JSON that is no exact amount`(minorUnits: String, code: String) {
        let json = Data(#"{"minorUnits":\#(minorUnits),"currency":"\#(code)"}"#.utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Money.self, from: json) }
    }

    // JSON has one kind of number, so 2^53 + 1 may also be spelled with a point; it stays exact.
    @Test func `N-001 never rounds a JSON number`() {
        let json = Data(#"{"minorUnits":9007199254740993.0,"currency":"JPY"}"#.utf8)
        let decoded = try? JSONDecoder().decode(Money.self, from: json)
        #expect(decoded == nil || decoded?.minorUnits == 9_007_199_254_740_993)
    }

    @Test(arguments: [#"{"minorUnits":1}"#, #"{"currency":"USD"}"#, "1250", "[]"])
    func `N-001 refuses JSON of another shape`(json: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Money.self, from: Data(json.utf8))
        }
    }
}
