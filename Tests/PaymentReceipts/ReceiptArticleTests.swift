import Foundation
import PaymentCore
import PaymentReceipts
import Testing

/// The article's code, compiled, and compared with the article.
@Suite struct ReceiptArticleTests {
    private func code(_ outcome: PaymentOutcome, _ subject: ReceiptDocument.Subject) -> [String] {
        // article
        let document = ReceiptDocument(outcome, of: subject)
        let style = ReceiptStyle(language: ReceiptLanguage.closest(to: "de-AT").language)
        let paper = TextReceipt(.narrow, style: style).render(document)
        let page = HTMLReceipt(style: style).render(document)
        let object = JSONReceipt(style: style).render(document)
        // end of article
        return [paper, page, object]
    }

    @Test func `F-269 the article's code does what it says`() throws {
        let texts = code(.cancelled, try ReceiptSamples.subject())
        #expect(texts.allSatisfy { $0.contains("Abgebrochen") || $0.contains("ABGEBROCHEN") })
    }

    @Test func `F-269 the article shows the code that is compiled`() throws {
        let own = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        let parts = own.components(separatedBy: "// article\n")
        let body = try #require(parts.dropFirst().first?.components(separatedBy: "// end of").first)
        let lines = body.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
        let article = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(
                path: "../../Sources/PaymentReceipts/PaymentReceipts.docc/Receipts.md"
            ).standardized,
            encoding: .utf8
        )
        #expect(lines.count == 5)
        #expect(article.contains("```swift\n" + lines.joined(separator: "\n") + "\n```"))
    }
}
