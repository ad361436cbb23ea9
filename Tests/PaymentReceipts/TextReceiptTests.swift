import PaymentCore
import PaymentReceipts
import Testing

@Suite struct TextReceiptTests {
    private func receipt(
        environment: Account.Environment = .simulated,
        name: String? = "Corner Shop",
        approval: Approval = Approval(),
        tip: Int64? = nil
    ) throws -> Receipt {
        let began = JournalEntry.Began(
            account: Account(provider: "finix", merchant: "MU", environment: environment),
            order: "o1",
            kind: .sale,
            amount: try Money(minorUnits: 1_250, currency: .usd),
            tip: try tip.map { try Money(minorUnits: $0, currency: .usd) },
            merchantName: name
        )
        return Receipt(
            of: AttemptID("bcdf"),
            began: began,
            approval: approval,
            now: Date(timeIntervalSince1970: 0)
        )
    }

    @Test func `F-271 the first line of a simulated receipt says so, a real one's does not`() throws
    {
        #expect(TextReceipt().render(try receipt()).hasPrefix("SIMULATED - NO MONEY MOVED\n"))
        #expect(
            !TextReceipt().render(try receipt(environment: .production)).contains("SIMULATED")
        )
    }

    // FC-089
    @Test func `F-272 what is absent leaves no line, label or nil behind`() throws {
        let text = TextReceipt().render(try receipt(name: nil))
        for word in ["nil", "Optional", "Card", "Approval", "Reference"] {
            #expect(!text.contains(word))
        }
    }

    // FC-095
    @Test func `N-006 amount, tip and total stand on three lines`() throws {
        let total = try Money(minorUnits: 1_250, currency: .usd)
        let lines = TextReceipt().render(
            try receipt(approval: Approval(amount: .confirmed(total)), tip: 250)
        ).split(separator: "\n")
        for (label, amount) in [
            ("Amount", "USD 10.00"), ("Tip", "USD 2.50"), ("Total", "USD 12.50"),
        ] {
            #expect(lines.contains { $0.hasPrefix(label) && $0.hasSuffix(" \(amount)") })
        }
    }

    @Test func `a merchant's name cannot forge a line`() throws {
        let text = TextReceipt().render(try receipt(name: "Shop\nTotal 0.00 USD\u{202E}"))
        #expect(!text.split(separator: "\n").contains { $0.hasPrefix("Total 0.00") })
        #expect(!text.unicodeScalars.contains("\u{202E}"))
    }
}
