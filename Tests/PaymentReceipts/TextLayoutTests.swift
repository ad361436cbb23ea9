import PaymentCore
import Testing

@testable import PaymentReceipts

@Suite struct TextLayoutTests {
    private static let tags = ReceiptLanguage.all.map(\.tag)

    private func widths(_ text: String) -> [Int] {
        text.split(separator: "\n").map { DisplayWidth.of($0) }
    }

    @Test(arguments: tags, ReceiptSamples.names)
    func `F-271 no line is wider than the paper, in any language`(
        tag: String,
        name: String
    ) throws {
        let document = try ReceiptSamples.document(name)
        let language = try ReceiptSamples.language(tag)
        for copy in ReceiptStyle.Copy.allCases {
            for width in [TextWidth.narrow, .standard, .wide, try TextWidth(columns: 26)] {
                let style = ReceiptStyle(language: language, copy: copy)
                let text = TextReceipt(width, style: style).render(document)
                let columns = try #require(width.columns)
                #expect(widths(text).allSatisfy { $0 <= columns }, "\(text)")
            }
        }
    }

    @Test(arguments: tags, ReceiptSamples.names)
    func `F-271 the first line says that no money moved, in every language and format`(
        tag: String,
        name: String
    ) throws {
        let document = try ReceiptSamples.document(name)
        let style = ReceiptStyle(language: try ReceiptSamples.language(tag))
        let text = TextReceipt(style: style).render(document)
        #expect(text.split(separator: "\n").first == "SIMULATED - NO MONEY MOVED")
        let page = HTMLReceipt(style: style).render(document)
        let body = try #require(page.firstRange(of: "<main>")).upperBound
        #expect(
            page[body...].hasPrefix(
                "\n<p class=\"notice\" lang=\"en\" dir=\"ltr\"><strong>SIMULATED - NO MONEY MOVED"
            )
        )
        let object = JSONReceipt(style: style).render(document)
        #expect(object.hasPrefix("{\n  \"simulated\": \"SIMULATED - NO MONEY MOVED\","))
    }

    @Test func `F-271 a real receipt never says simulated`() throws {
        let document = ReceiptDocument(
            .cancelled,
            of: try ReceiptSamples.subject(environment: .production)
        )
        for text in [
            TextReceipt().render(document), HTMLReceipt().render(document),
            JSONReceipt().render(document),
        ] {
            #expect(!text.lowercased().contains("simulat"))
        }
    }

    @Test(arguments: [0, -1, 25, 401, Int.max, Int.min])
    func `a width that no receipt can have is an error that says what is accepted`(
        columns: Int
    ) throws {
        let error = #expect(throws: TextWidthError.self) { try TextWidth(columns: columns) }
        #expect(error?.description == "\(columns) columns; accepted is 26 to 400")
    }

    @Test func `F-271 free width keeps each row on one line`() throws {
        let text = TextReceipt(.free).render(try ReceiptSamples.document("approved"))
        #expect(text.contains("\nTotal: EUR 1,234.50\n"))
        #expect(text.contains("\nAttempt: bcdfghjkmnpqrstvwxyzbcdf\n"))
    }

    @Test(arguments: [
        ("a", 1), ("\u{E9}", 1), ("e\u{301}", 1), ("カ", 2), ("ｶ", 1), ("漢字", 4), ("한", 2),
        ("\u{1112}\u{1161}\u{11AB}", 2), ("👩‍👩‍👧‍👦", 2), ("🇩🇪", 2), ("☕️", 2), ("☕", 2), ("ก็", 1),
        ("Ａ", 2), ("\u{200F}", 0), ("e\u{301}\u{302}\u{303}", 1), ("１２", 4), ("(", 1), ("€", 1),
    ])
    func `F-271 width is what a screen shows`(text: String, columns: Int) {
        #expect(DisplayWidth.of(text) == columns)
    }

    @Test func `F-271 nothing is cut inside a character`() {
        let family = "👩‍👩‍👧‍👦"
        let text = String(repeating: family + "e\u{301}漢", count: 20)
        let lines = LineFilling.lines(text, columns: 7)
        #expect(lines.joined() == text)
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= 7 })
        #expect(lines.flatMap { Array($0) } == Array(text))
    }

    @Test func `F-271 words stay whole where they fit`() {
        #expect(
            LineFilling.lines("one two three fourteen-letters", columns: 9)
                == ["one two", "three", "fourteen-", "letters"]
        )
    }

    @Test func `F-271 a value too wide for its row stands under its label`() throws {
        let text = TextReceipt(.narrow).render(try ReceiptSamples.document("approved"))
        #expect(text.contains("\nAttempt\n  bcdfghjkmnpqrstvwxyzbcdf\n"))
    }

    @Test func `F-271 right-to-left rows name their direction and isolate their values`() throws {
        let style = ReceiptStyle(language: try ReceiptSamples.language("ar"))
        let text = TextReceipt(style: style).render(try ReceiptSamples.document("approved"))
        let rows = text.split(separator: "\n").dropFirst()
        #expect(rows.allSatisfy { $0.hasPrefix("\u{200F}") })
        for row in rows {
            let opened = row.unicodeScalars.count { $0 == "\u{2068}" }
            #expect(opened == row.unicodeScalars.count { $0 == "\u{2069}" })
        }
        #expect(text.contains("\u{2068}table-4 ("))
    }

    @Test func `F-271 a name of the other direction is isolated in a left-to-right receipt`() throws
    {
        let document = ReceiptDocument(.cancelled, of: try ReceiptSamples.subject(name: "مقهى 12"))
        #expect(TextReceipt().render(document).contains("\u{2068}مقهى 12\u{2069}"))
    }
}
