import PaymentCore
import PaymentReceipts
import Testing

/// Receipts of a payment whose amount only the vendor's own screen has seen.
@Suite struct UnknownAmountTests {
    private static func documents() throws -> [ReceiptDocument] {
        let zero = Money.zero(.gbp)
        let receipt = try ReceiptSamples.receipt(approved: .unknown, asked: zero)
        let open = UnresolvedPayment(
            attempt: AttemptID("bcdf"),
            account: ReceiptSamples.account,
            order: "market-1",
            kind: .sale,
            amount: zero,
            startedAt: Date(timeIntervalSince1970: 0),
            reason: .ambiguous
        )
        let subject = try ReceiptSamples.subject(asked: zero)
        return [
            ReceiptDocument(receipt), ReceiptDocument(PaymentOutcome.unresolved(open), of: subject),
        ]
    }

    @Test func `N-006 no receipt says that nothing was paid where nobody knows how much`() throws {
        let check = try SchemaCheck(JSONReceipt.schema)
        for document in try Self.documents() {
            let text = TextReceipt().render(document)
            #expect(!text.contains("0.00"), "\(text)")
            #expect(!HTMLReceipt().render(document).contains("0.00"))
            let json = JSONReceipt().render(document)
            #expect(!json.contains("\"asked\"") && !json.contains("\"approved\" :"))
            #expect(try check.problems(json) == [])
        }
    }

    @Test func `N-006 the amount that was found is the one that was asked for`() throws {
        let found = try Money(minorUnits: 750, currency: .gbp)
        let receipt = try ReceiptSamples.receipt(approved: .confirmed(found), asked: .zero(.gbp))
        #expect(receipt.asked == found)
        #expect(TextReceipt().render(receipt).contains("7.50"))
    }
}
