import PaymentCore
import PaymentReceipts
import Testing

@Suite struct HTMLReceiptTests {
    private static let tags = ReceiptLanguage.all.map(\.tag)

    private func page(_ name: String, _ tag: String, showsCode: Bool = true) throws -> String {
        let language = try ReceiptSamples.language(tag)
        return HTMLReceipt(style: ReceiptStyle(language: language, showsCode: showsCode))
            .render(try ReceiptSamples.document(name))
    }

    @Test(arguments: tags, ReceiptSamples.names)
    func `a page has no scripts, no styles or images from outside and no forms`(
        tag: String,
        name: String
    ) throws {
        let page = try page(name, tag)
        for word in ["<script", "<link", "<img", "<iframe", "<form", "@import", "url(", "src="] {
            #expect(!page.contains(word))
        }
        #expect(page.contains("default-src 'none'"))
    }

    @Test(arguments: tags, ReceiptSamples.names)
    func `F-271 every element that is opened is closed, in order`(tag: String, name: String) throws
    {
        let page = try page(name, tag)
        let empty: Set<Substring> = ["meta", "rect", "path"]
        var open: [Substring] = []
        for tag in page.matches(of: /<(\/?)([a-z0-9]+)[^>]*>/) {
            if tag.output.1 == "/" {
                #expect(open.popLast() == tag.output.2)
            } else if !empty.contains(tag.output.2) {
                open.append(tag.output.2)
            }
        }
        #expect(open == [])
    }

    @Test func `F-271 a page says its language and direction, and follows theme and paper`() throws
    {
        let page = try page("approved", "ar")
        #expect(page.contains("<html lang=\"ar\" dir=\"rtl\">"))
        #expect(page.contains("prefers-color-scheme: dark"))
        #expect(page.contains("@media print"))
        #expect(try self.page("approved", "de").contains("<html lang=\"de\" dir=\"ltr\">"))
    }

    @Test func `F-271 a screen reader finds one heading, rows in pairs and a named code`() throws {
        let page = try page("approved", "en")
        #expect(page.components(separatedBy: "<h1>").count == 2)
        #expect(
            page.components(separatedBy: "<dt>").count == page.components(separatedBy: "<dd>").count
        )
        #expect(page.contains("role=\"img\" aria-label=\"Scan for the receipt\""))
        #expect(page.contains("<time datetime=\"2026-07-20T17:18:10Z\">"))
    }

    @Test(arguments: [
        ("https://example.com/a?b=1&c=2", true), ("javascript:alert(1)", false),
        ("http://example.com/", false), ("data:text/html,x", false),
    ])
    func `only a safe page becomes a link`(address: String, isLink: Bool) throws {
        let receipt = Receipt(
            of: AttemptID("a"),
            began: JournalEntry.Began(
                account: ReceiptSamples.account,
                order: "o1",
                kind: .sale,
                amount: try ReceiptSamples.money(1_000)
            ),
            approval: Approval(url: URL(string: address)),
            now: Date(timeIntervalSince1970: 0)
        )
        let page = HTMLReceipt().render(receipt)
        #expect(page.contains("href=") == isLink)
        if isLink { #expect(page.contains("href=\"https://example.com/a?b=1&amp;c=2\"")) }
    }
}
