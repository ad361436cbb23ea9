import Foundation
import PaymentCore
import PaymentReceipts
import Testing

@Suite struct JSONReceiptTests {
    private func text(_ name: String, _ style: ReceiptStyle = ReceiptStyle()) throws -> String {
        JSONReceipt(style: style).render(try ReceiptSamples.document(name))
    }

    @Test(arguments: ReceiptLanguage.all.map(\.tag), ReceiptSamples.names)
    func `F-271 every receipt follows the published schema`(tag: String, name: String) throws {
        let check = try SchemaCheck(JSONReceipt.schema)
        for copy in ReceiptStyle.Copy.allCases {
            let style = ReceiptStyle(language: try ReceiptSamples.language(tag), copy: copy)
            #expect(try check.problems(text(name, style)) == [])
        }
    }

    @Test func `F-271 the schema refuses what is no receipt`() throws {
        let check = try SchemaCheck(JSONReceipt.schema)
        #expect(try check.problems("{}").count == 9)
        let text = try text("approved")
        for (found, replacement) in [
            ("\"status\": \"approved\"", "\"status\": \"paid\""), ("\"4242\"", "\"42424\""),
            ("\"minorUnits\": 123450", "\"minorUnits\": \"123450\""), ("\"title\"", "\"titel\""),
            ("SIMULATED - NO", "NO"), ("A0000000031010", "visa"),
        ] {
            #expect(text.contains(found))
            #expect(try check.problems(text.replacing(found, with: replacement)) != [])
        }
    }

    @Test func `N-001 amounts are whole minor units, also at the limit`() throws {
        let largest = try Money(minorUnits: .max, currency: .usd)
        let document = ReceiptDocument(
            PaymentOutcome.cancelled,
            of: try ReceiptSamples.subject(asked: largest)
        )
        let text = JSONReceipt().render(document)
        #expect(text.contains("\"minorUnits\": \(Int64.max),"))
        #expect(text.contains("\"text\": \"USD\u{A0}92,233,720,368,547,758.07\""))
    }

    @Test func `a name with quotes, breaks and slashes stays one string`() throws {
        let name = "\"a\\ \u{8}\n</script>\u{2028}b"
        let document = ReceiptDocument(.cancelled, of: try ReceiptSamples.subject(name: name))
        let object = try JSONSerialization.jsonObject(
            with: Data(JSONReceipt().render(document).utf8)
        )
        let members = try #require(object as? [String: Any])
        #expect(members["merchantName"] as? String == "\"a\\ </script> b")
    }

    @Test func `F-271 the account is on the merchant's copy alone`() throws {
        #expect(try !text("approved").contains("\"account\""))
        #expect(try text("approved", ReceiptStyle(copy: .merchant)).contains("\"MU-demo\""))
    }
}
