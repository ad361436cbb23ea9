import PaymentCore
import Testing

@testable import PaymentReceipts

@Suite struct OutsideTextTests {
    @Test(arguments: [
        ("Shop\nTotal  0.00", "Shop Total 0.00"), ("a\r\nb", "a b"),
        ("a\u{2028}b\u{2029}c", "a b c"),
        ("\u{202E}moc.elpmaxe", "moc.elpmaxe"), ("a\u{2066}b\u{2069}", "a b"),
        ("a\u{7}\u{1B}[31mb", "a [31mb"),
        ("a\u{3000}\u{A0}\u{2800}\u{3164}b", "a b"), ("  a  ", "a"), ("\u{FEFF}a", "a"),
        ("\u{200D}a", "a"),
        ("\u{E000}a\u{E0041}", "a"), ("", ""), ("\n\n", ""), ("👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦"), ("می‌خواهم", "می‌خواهم"),
    ])
    func `text from outside is one line without power`(text: String, plain: String) {
        #expect(OutsideText.plain(text).unicodeScalars.elementsEqual(plain.unicodeScalars))
    }

    @Test func `huge text is cut between characters`() {
        let text = OutsideText.plain(String(repeating: "👩‍👩‍👧‍👦", count: 100_000), longest: 20)
        #expect(text == String(repeating: "👩‍👩‍👧‍👦", count: 20) + "…")
    }

    @Test func `a tower of marks is cut down`() {
        let text = OutsideText.plain("a" + String(repeating: "\u{301}", count: 100_000) + "b")
        #expect(text.unicodeScalars.count <= 17)
    }

    private static let names = [
        "Total: EUR 0.00",
        "Total                     EUR 0.00", "Shop\nTotal            EUR 0.00",
        "x x x x x x x x x x x x x x x x x x x Total \u{2003}\u{2003}\u{2003} EUR 0.00",
        "SIMULATED\u{2028}Approval code     FORGED", "\u{202E}00.0 RUE        latoT",
        String(repeating: "w", count: 40) + " Approval code FORGED",
    ]

    @Test(arguments: names)
    func `no merchant's name looks like a row`(name: String) throws {
        let document = ReceiptDocument(
            .cancelled,
            of: try ReceiptSamples.subject(environment: .production, name: name)
        )
        for width in [TextWidth.narrow, .standard, .wide, .free] {
            let text = TextReceipt(width).render(document)
            for line in text.split(separator: "\n") {
                #expect(!line.hasPrefix("Total"), "\(text)")
                #expect(!line.hasPrefix("Approval code"), "\(text)")
            }
            #expect(!text.unicodeScalars.contains("\u{202E}"))
        }
    }

    @Test func `markup in a name is text in a page`() throws {
        let name = "<script>alert(1)</script>\"' onload=\"x\" & Sons</bdi></p><h1>Approved"
        let document = ReceiptDocument(.cancelled, of: try ReceiptSamples.subject(name: name))
        let page = HTMLReceipt().render(document)
        #expect(!page.contains("<script"))
        #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39; onload=&quot;x"))
        #expect(page.components(separatedBy: "<h1>").count == 2)
    }

    @Test func `a card's brand and a reference are text too`() throws {
        let receipt = Receipt(
            of: AttemptID("a"),
            began: JournalEntry.Began(
                account: ReceiptSamples.account,
                order: "o1",
                kind: .sale,
                amount: try ReceiptSamples.money(1_000)
            ),
            approval: Approval(
                references: [AcquirerReference(kind: "t", value: "1\nTotal  EUR 9.99")],
                card: CardSummary(brand: "<b>\u{202E}Visa\n", lastFour: "4242"),
                approvalCode: "1\n2"
            ),
            now: Date(timeIntervalSince1970: 0)
        )
        #expect(!TextReceipt().render(receipt).contains("\nTotal"))
        #expect(!HTMLReceipt().render(receipt).contains("<b>"))
        #expect(TextReceipt(.free).render(receipt).contains("Approval code: 1 2\n"))
    }

    @Test(arguments: [
        ("A0000000031010", "A0000000031010"), ("a0000000031010", "A0000000031010"), ("A00", nil),
        ("A000000003101G", nil), ("", nil), ("A0", nil),
    ])
    func `an application identifier that is none is dropped`(text: String, kept: String?) {
        #expect(EMVData(applicationIdentifier: text).applicationIdentifier == kept)
    }

    @Test func `N-014 an application's name cannot smuggle a card number`() {
        let number = "4" + String(repeating: "1", count: 15)
        let emv = EMVData(
            applicationName: "VISA \(number)",
            applicationIdentifier: number,
            accountType: number,
            responseCode: number,
            cryptogram: number,
            verificationResults: number
        )
        for text in [
            emv.applicationName, emv.applicationIdentifier, emv.accountType, emv.responseCode,
            emv.cryptogram,
            emv.verificationResults,
        ] {
            #expect(text?.contains("1111") != true)
        }
    }
}
