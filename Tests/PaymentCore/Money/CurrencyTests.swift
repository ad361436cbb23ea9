import PaymentCore
import Testing

@Suite struct CurrencyTests {
    private static func rows(_ file: String) throws -> [[String]] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/iso4217")
        let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        return text.split(whereSeparator: \.isNewline).dropFirst().map { line in
            line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
    }

    private func refusal(of text: String) -> CurrencyCodeError? {
        #expect(throws: CurrencyCodeError.self) { try Currency.parse(text) }
    }

    @Test func `N-002 lists the currencies of ISO 4217 with their numbers and digits`() throws {
        let rows = try Self.rows("active-codes.csv")
        let expected = rows.filter { $0[2] != "" }.map { ($0[0], Int($0[1]), Int($0[2])) }
        #expect(expected.count == 165)
        #expect(Currency.all.map(\.code) == expected.map(\.0).sorted())
        for (code, number, digits) in expected {
            let currency = try #require(Currency(code: code))
            #expect(currency.numericCode == number)
            #expect(currency.minorUnitDigits == digits)
        }
    }

    @Test func `N-002 lists the codes of ISO 4217 that have no minor unit`() throws {
        let rows = try Self.rows("active-codes.csv").filter { $0[2] == "" }
        let expected = Dictionary(uniqueKeysWithValues: rows.map { ($0[0], UInt16($0[1])) })
        let listed = Currency.withoutMinorUnit.map { (Currency.text(of: $0.key), $0.value) }
        #expect(Dictionary(uniqueKeysWithValues: listed) == expected)
    }

    @Test func `N-002 knows each of the 17576 codes for what it is`() throws {
        var reasons: [String: CurrencyCodeError.Reason] = [:]
        for row in try Self.rows("withdrawn-codes.csv") {
            reasons[row[0]] = .withdrawn(since: row[1])
        }
        for row in try Self.rows("active-codes.csv") where row[2] == "" {
            reasons[row[0]] = .noMinorUnit
        }
        let charged = Set(try Self.rows("active-codes.csv").filter { $0[2] != "" }.map { $0[0] })
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        var wrong: [String] = []
        for first in alphabet {
            for second in alphabet {
                for third in alphabet {
                    let code = String([first, second, third])
                    do throws(CurrencyCodeError) {
                        let currency = try Currency.parse(code)
                        if !charged.contains(code) || currency.code != code { wrong.append(code) }
                    } catch {
                        let reason = reasons[code] ?? .unknown
                        if charged.contains(code) || error.reason != reason { wrong.append(code) }
                    }
                }
            }
        }
        #expect(wrong == [])
    }

    @Test func `N-002 gives its named currencies the numbers and digits of the table`() {
        let named: [(Currency, String)] = [
            (.aed, "AED"), (.aud, "AUD"), (.bhd, "BHD"), (.brl, "BRL"), (.cad, "CAD"),
            (.chf, "CHF"), (.clf, "CLF"), (.clp, "CLP"), (.czk, "CZK"), (.dkk, "DKK"),
            (.eur, "EUR"), (.gbp, "GBP"), (.hkd, "HKD"), (.huf, "HUF"), (.ils, "ILS"),
            (.inr, "INR"), (.isk, "ISK"), (.jpy, "JPY"), (.krw, "KRW"), (.kwd, "KWD"),
            (.mxn, "MXN"), (.nok, "NOK"), (.nzd, "NZD"), (.pln, "PLN"), (.ron, "RON"),
            (.sek, "SEK"), (.sgd, "SGD"), (.tnd, "TND"), (.twd, "TWD"), (.usd, "USD"),
            (.zar, "ZAR"),
        ]
        for (currency, code) in named { #expect(Currency(code: code) == currency) }
    }

    // FC-007, FC-008, FC-009; the five new codes of FC-010
    @Test(arguments: [
        ("HUF", 2), ("KPW", 2), ("MGA", 2), ("MRU", 2), ("CLF", 4), ("UYW", 4), ("UYI", 0),
        ("IQD", 3), ("VND", 0), ("ISK", 0), ("UGX", 0), ("LYD", 3), ("RSD", 2), ("COP", 2),
        ("SLE", 2), ("VED", 2), ("XCG", 2), ("ZWG", 2), ("XAD", 2),
    ])
    func `N-002 knows the minor unit digits`(code: String, digits: Int) throws {
        let currency = try #require(Currency(code: code))
        let one = (0..<digits).reduce(Int64(1)) { power, _ in power * 10 }
        #expect(currency.minorUnitDigits == digits)
        #expect(try Money.parse("1", currency: currency).minorUnits == one)
    }

    // FC-010
    @Test(arguments: [
        ("HRK", "2023-01"), ("SLL", "2023-12"), ("CUC", "2021-06"), ("ANG", "2025-03"),
        ("ZWL", "2024-09"), ("BGN", "2026-01"), ("ARY", "1989 to 1990"),
    ])
    func `N-002 says since when a code is withdrawn`(code: String, month: String) {
        let error = refusal(of: code)
        #expect(error?.reason == .withdrawn(since: month))
        #expect(error?.description.contains("was withdrawn (\(month))") == true)
        #expect(refusal(of: code.lowercased())?.reason == .withdrawn(since: month))
    }

    // FC-010
    @Test func `N-002 keeps the number of the guilder that was renamed`() {
        #expect(Currency(code: "XCG")?.numericCode == 532)
    }

    // FC-013
    @Test(arguments: ["XAU", "XDR", "XXX", "XTS", "xau"])
    func `N-002 refuses a code without a minor unit`(code: String) {
        #expect(Currency(code: code) == nil)
        let error = refusal(of: code)
        #expect(error?.reason == .noMinorUnit)
        #expect(error?.description.contains("has no minor unit and cannot be charged") == true)
    }

    // FC-011
    @Test(arguments: [
        ("ZZZ", CurrencyCodeError.Reason.unknown, nil), ("EUX", .unknown, "EUR"),
        ("UDS", .unknown, "USD"), ("zzz", .unknown, nil), ("", .malformed, nil),
        ("EU", .malformed, "EUR"), ("EURO", .malformed, "EUR"), ("€", .malformed, nil),
        ("US$", .malformed, "USD"), (" USD", .malformed, "USD"), ("USD\0", .malformed, "USD"),
        ("U\u{301}SD", .malformed, nil), ("ＵＳＤ", .malformed, nil), ("uſd", .malformed, nil),
        ("840", .malformed, nil),
    ])
    func `N-002 refuses what is no code and names a near one`(
        text: String,
        reason: CurrencyCodeError.Reason,
        nearest: String?
    ) {
        #expect(Currency(code: text) == nil)
        let error = refusal(of: text)
        #expect(error?.reason == reason)
        #expect(error?.nearest?.code == nearest)
        #expect(error?.description.contains(nearest ?? "use a code such as EUR") == true)
    }

    // FC-012: a request or configuration is never corrected silently.
    @Test(arguments: ["usd", "Usd", "uSD"])
    func `N-002 refuses a code in lower case and names the right one`(text: String) {
        #expect(Currency(code: text) == nil)
        #expect(
            refusal(of: text)?.description
                == "currency code \"\(text)\" must be in capital letters: USD"
        )
    }

    // FC-012: an acquirer's answer matches in either case.
    @Test func `N-044 reads an acquirer's code in either case`() {
        #expect(Currency(answeredCode: "usd") == .usd)
        #expect(Currency(answeredCode: "USD") == .usd)
        #expect(Currency(answeredCode: "uſd") == nil)
        #expect(Currency(answeredCode: "hrk") == nil)
    }

    @Test func `N-002 is written as its code`() throws {
        #expect("\(Currency.kwd)" == "KWD")
        let json = try JSONEncoder().encode([Currency.kwd])
        #expect(String(decoding: json, as: UTF8.self) == #"["KWD"]"#)
        #expect(try JSONDecoder().decode([Currency].self, from: json) == [.kwd])
    }

    @Test(arguments: ["\"usd\"", "\"XAU\"", "\"HRK\"", "\"ZZZ\"", "\"\"", "840", "null"])
    func `N-002 decodes a code strictly`(json: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Currency].self, from: Data("[\(json)]".utf8))
        }
    }

    @Test func `N-014 keeps a card number out of the error`() {
        let part = "1111"
        let number = ["4" + part.dropFirst(), part, part, part]
        for text in [
            number.joined(), number.joined(separator: " "), "USD " + number.joined(separator: "-"),
        ] {
            let error = refusal(of: text)
            #expect(error.map { String(reflecting: $0) + $0.text }?.contains("1111") == false)
        }
    }
}
