import Foundation
import PaymentCore
import PaymentReceipts
import Testing

/// Whole receipts as they were looked at: ten languages, seven kinds, three widths.
///
/// With `RECORD_RECEIPTS=1` in the environment the files are written anew; then look at each.
@Suite struct GoldenReceiptTests {
    /// Other systems format amounts by the tables that came with them.
    private static let isComparable: Bool = {
        #if os(Linux)
            true
        #else
            false
        #endif
    }()

    private static func currency(_ tag: String) -> Currency {
        switch tag {
        case "ja": .jpy
        case "pl": .pln
        case "ar": .kwd
        case "en": .usd
        default: .eur
        }
    }

    private func rendered(_ tag: String) throws -> String {
        let style = ReceiptStyle(language: try ReceiptSamples.language(tag))
        var parts: [String] = []
        for name in ReceiptSamples.names {
            let document = try ReceiptSamples.document(name, currency: Self.currency(tag))
            for (title, width) in [
                ("32", TextWidth.narrow), ("42", .standard), ("48", .wide),
            ] {
                parts.append("=== \(name), \(title) columns")
                parts.append(TextReceipt(width, style: style).render(document))
            }
        }
        return parts.joined(separator: "\n") + "\n"
    }

    @Test(
        .enabled(if: Self.isComparable),
        arguments: ["en", "fr", "es", "de", "it", "pt", "nl", "pl", "ja", "ar"]
    )
    func `F-271 receipts look as they did`(tag: String) throws {
        let file = ReceiptSamples.fixture("receipts/\(tag).txt")
        let text = try rendered(tag)
        if ProcessInfo.processInfo.environment["RECORD_RECEIPTS"] == "1" {
            try Data(text.utf8).write(to: file)
        }
        let expected = try String(contentsOf: file, encoding: .utf8)
        #expect(text.unicodeScalars.elementsEqual(expected.unicodeScalars), "\(tag) differs")
    }

    @Test(
        .enabled(if: Self.isComparable),
        arguments: [("html", "de"), ("json", "de"), ("html", "ar"), ("json", "ar")]
    )
    func `F-271 receipts for browsers and programs look as they did`(
        format: String,
        tag: String
    ) throws {
        let file = ReceiptSamples.fixture("receipts/approved-\(tag).\(format)")
        let style = ReceiptStyle(
            language: try ReceiptSamples.language(tag),
            copy: .merchant,
            showsCode: true
        )
        let document = try ReceiptSamples.document("approved")
        let text =
            format == "html"
            ? HTMLReceipt(style: style).render(document)
            : JSONReceipt(style: style).render(document)
        if ProcessInfo.processInfo.environment["RECORD_RECEIPTS"] == "1" {
            try Data(text.utf8).write(to: file)
        }
        let expected = try String(contentsOf: file, encoding: .utf8)
        #expect(text.unicodeScalars.elementsEqual(expected.unicodeScalars))
    }
}
