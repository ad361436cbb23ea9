import PaymentCore
import PaymentReceipts
import Testing

@Suite struct ReceiptDocumentTests {
    private static let statuses: [(String, ReceiptDocument.Status)] = [
        ("approved", .approved), ("held", .held), ("declined", .declined),
        ("cancelled", .cancelled), ("refunded", .refunded), ("partly approved", .partlyApproved),
        ("unresolved", .unresolved),
    ]

    @Test(arguments: statuses)
    func `F-269 every outcome has a receipt`(name: String, status: ReceiptDocument.Status) throws {
        #expect(try ReceiptSamples.document(name).status == status)
    }

    @Test func `F-269 what follows a payment has a receipt too`() throws {
        let subject = try ReceiptSamples.subject(.refund)
        let receipt = try ReceiptSamples.receipt(.refund)
        #expect(ReceiptDocument(FollowUpOutcome.done(receipt), of: subject).status == .refunded)
        #expect(ReceiptDocument(FollowUpOutcome.pending(receipt), of: subject).status == .pending)
        #expect(ReceiptDocument(try ReceiptSamples.receipt(.capture)).status == .captured)
        #expect(ReceiptDocument(try ReceiptSamples.receipt(.void)).status == .released)
        let error = PaymentError(.networkUnavailable)
        #expect(ReceiptDocument(FollowUpOutcome.failed(error), of: subject).status == .failed)
    }

    @Test func `N-006 a difference between asked and approved is visible`() throws {
        let text = TextReceipt(.free).render(try ReceiptSamples.document("partly approved"))
        #expect(text.contains("\nAsked for: EUR 1,234.50\nTotal: EUR 617.25\n"))
        #expect(text.contains("\nStill to pay: EUR 617.25"))
    }

    @Test func `N-006 a sale without the surcharge that was asked is one in full, and adds up`()
        throws
    {
        let receipt = try ReceiptSamples.receipt(
            approved: .confirmed(ReceiptSamples.money(120_000)),
            tip: ReceiptSamples.money(20_000),
            surcharge: ReceiptSamples.money(3_450)
        )
        let subject = try ReceiptSamples.subject()
        let document = ReceiptDocument(PaymentOutcome.approved(receipt), of: subject)
        #expect(document.status == .approved)
        let text = TextReceipt(.free).render(document)
        #expect(text.contains("Amount: EUR 1,000.00\nTip: EUR 200.00\nAsked for: EUR 1,234.50\n"))
        #expect(text.contains("\nTotal: EUR 1,200.00\n"))
    }

    // FC-096
    @Test(arguments: ["javascript:alert(1)", "http://example.com/r/1"])
    func `N-014 a page that is no link is no code either`(address: String) throws {
        var approval = Approval(amount: .confirmed(try ReceiptSamples.money(123_450)))
        approval.url = URL(string: address)
        let receipt = Receipt(
            of: AttemptID("bcdfghjkmnpqrstvwxyzbcdf"),
            began: JournalEntry.Began(
                account: ReceiptSamples.account,
                order: "o1",
                kind: .sale,
                amount: try ReceiptSamples.money(123_450)
            ),
            approval: approval,
            now: Date(timeIntervalSince1970: 0)
        )
        let style = ReceiptStyle(showsCode: true)
        #expect(!HTMLReceipt(style: style).render(receipt).contains("<svg"))
        #expect(!TextReceipt(.free, style: style).render(receipt).contains("\u{2580}"))
    }

    @Test func `N-006 an amount that nobody said is never made up`() throws {
        let text = TextReceipt(.free).render(
            ReceiptDocument(try ReceiptSamples.receipt(approved: .unknown))
        )
        #expect(!text.contains("Total"))
        #expect(text.contains("Asked for: EUR 1,234.50"))
        #expect(text.contains("did not say how much"))
    }

    @Test(arguments: ["declined", "cancelled", "unresolved"])
    func `N-006 no total and no approval code where nothing was approved`(name: String) throws {
        for copy in ReceiptStyle.Copy.allCases {
            let style = ReceiptStyle(copy: copy)
            let text = TextReceipt(.free, style: style).render(try ReceiptSamples.document(name))
            #expect(!text.contains("Total"))
            #expect(!text.contains("Approval code"))
        }
    }

    @Test(arguments: ReceiptLanguage.all.map(\.tag))
    func `N-012 a declined receipt never says why it must not`(tag: String) throws {
        let document = try ReceiptSamples.document("declined")
        for copy in ReceiptStyle.Copy.allCases {
            let style = ReceiptStyle(language: try ReceiptSamples.language(tag), copy: copy)
            for text in [
                TextReceipt(style: style).render(document),
                HTMLReceipt(style: style).render(document),
                JSONReceipt(style: style).render(document),
            ] {
                #expect(!text.contains("stolen"))
                #expect(!text.contains("Response code") && !text.contains("responseCode"))
                #expect(!text.lowercased().contains("security\""))
            }
        }
    }

    @Test func `F-271 the chip's diagnostics are on the merchant's copy alone`() throws {
        let document = try ReceiptSamples.document("approved")
        let customer = TextReceipt(.free).render(document)
        let merchant = TextReceipt(.free, style: ReceiptStyle(copy: .merchant)).render(document)
        #expect(customer.contains("Application ID: A0000000031010"))
        #expect(customer.contains("Verified by: Customer's device"))
        for label in ["TVR: 0000008000", "TSI: E800", "Cryptogram: ", "Response code: 00"] {
            #expect(merchant.contains(label))
            #expect(!customer.contains(label))
        }
        #expect(merchant.contains("Merchant number: MU-demo"))
        #expect(!customer.contains("MU-demo"))
    }

    @Test func `F-272 a receipt without anything optional has no empty row`() throws {
        var subject = try ReceiptSamples.subject(name: nil)
        subject.attempt = nil
        subject.order = "o1"
        let document = ReceiptDocument(PaymentOutcome.declined(Decline(.generic)), of: subject)
        let text = TextReceipt(.free).render(document)
        for line in text.split(separator: "\n") { #expect(!line.hasSuffix(": ")) }
        for word in ["nil", "Optional", "Card:", "Approval", "Reference", "Attempt"] {
            #expect(!text.contains(word), "\(text)")
        }
    }

    @Test func `N-019 an attempt about whose end the evidence differs is unresolved`() throws {
        var book = AttemptBook()
        let id = AttemptID("a")
        let began = JournalEntry.Began(
            account: ReceiptSamples.account,
            order: "o1",
            kind: .sale,
            amount: try ReceiptSamples.money(1_000)
        )
        let now = Date(timeIntervalSince1970: 0)
        book.apply(JournalEntry(at: now, attempt: id, fact: .began(began)))
        #expect(ReceiptDocument(try #require(book[id])).status == .unresolved)
        book.apply(JournalEntry(at: now, attempt: id, fact: .ended(.cancelled, by: .vendor)))
        #expect(ReceiptDocument(try #require(book[id])).status == .cancelled)
        let receipt = try ReceiptSamples.receipt()
        book.apply(JournalEntry(at: now, attempt: id, fact: .contradicted(.approved(receipt))))
        #expect(ReceiptDocument(try #require(book[id])).status == .unresolved)
    }
}
