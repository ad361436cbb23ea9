import Simulation
import Testing

@testable import PaymentCore

/// Whose a record is where more than one attempt may have made it.
@Suite struct ContestTests {
    private static let reference = AcquirerReference(kind: "payment", value: "R1")
    private static let hold = AcquirerReference(kind: "hold", value: "H1")

    private func follow(
        _ sale: inout SettlingCase,
        _ kind: AttemptKind,
        at time: Date,
        of device: String? = "till"
    ) {
        let parent: AttemptKind = kind == .capture ? .authorization : .sale
        sale.begin("tab", order: "o9", 1_000, kind: parent, at: after(-3_600), device: device)
        let began = sale.book["tab"]?.began
        let receipt = began.map {
            Receipt(of: "tab", began: $0, approval: approval("H1"), now: after(-3_600))
        }
        if let receipt {
            sale.add(.ended(.approved(receipt), by: .vendor), to: "tab", at: after(-3_600))
        }
        let next = JournalEntry.Began(
            account: TestTill.account,
            order: "o9",
            kind: kind,
            amount: .usd(1_000),
            parent: "tab",
            ceiling: .usd(1_000),
            parentReferences: [Self.hold]
        )
        sale.add(.began(next), to: "next", at: time)
    }

    // When the follow-up began, where its payment was made, to which payment the record belongs.
    @Test(
        arguments: [
            (AttemptKind.sale, AttemptKind.capture, -20, "till", nil, "ambiguous 1"),
            (.sale, .capture, -20, nil, nil, "ambiguous 1"),
            (.sale, .capture, -20, "elsewhere", nil, "found R1"),
            (.sale, .capture, -7_200, "till", nil, "found R1"),
            (.sale, .capture, -20, "till", "H1", "ambiguous 1"),
            (.sale, .capture, -20, "till", "H2", "found R1"),
            (.refundToCard, .refund, -20, "till", nil, "ambiguous 1"),
            (.sale, .refund, -20, "till", nil, "found R1"),
        ] as [(AttemptKind, AttemptKind, Int, String?, String?, String)]
    )
    func `N-028 an open capture or refund contests a record that looks like one at the counter`(
        kind: AttemptKind,
        next: AttemptKind,
        began: Int,
        device: String?,
        parent: String?,
        verdict: String
    ) throws {
        var found = record(kind: kind, at: after(3))
        found.parent = parent.map { AcquirerReference(kind: "hold", value: $0) }
        var sale = SettlingCase(found, kind: kind)
        follow(&sale, next, at: after(began), of: device)
        #expect(try sale.verdict() == verdict)
    }

    @Test func `N-028 an open hold contests a sale's record`() throws {
        var sale = SettlingCase(record(at: after(3)))
        sale.begin("other", order: "o2", kind: .authorization, at: after(-20))
        #expect(try sale.verdict() == "ambiguous 1")
    }

    @Test(arguments: [
        (AttemptKind.authorization, AcquirerRecord.State.succeeded, "ambiguous 1"),
        (.authorization, .pending, "ambiguous 1"), (.authorization, .cancelled, "absent"),
        (.refundToCard, .succeeded, "absent"),
    ])
    func `N-028 a record of the device that was booked as another kind of payment is not absence`(
        kind: AttemptKind,
        state: AcquirerRecord.State,
        verdict: String
    ) throws {
        var sale = SettlingCase(record("R1", state, kind: kind, at: after(3)))
        sale.now = after(400)
        #expect(try sale.verdict() == verdict)
    }

    // How the other attempt got the record; whether the record carries that one's key.
    @Test(arguments: [
        ([JournalEntry.Fact.noted(reference)], false, "absent"),
        ([looked, .noted(reference)], false, "ambiguous 1"),
        ([looked, .noted(reference)], true, "absent"),
        (
            [.ended(.declined(Decline(.pin, references: [reference])), by: .books)], false,
            "ambiguous 1"
        ),
        (
            [.settled(PersonalVerdict(.moved(reference), name: "Ada", reason: "saw it"))], false,
            "ambiguous 1"
        ),
    ])
    func `N-028 a record that another attempt was only matched with is not absent here`(
        facts: [JournalEntry.Fact],
        isMarked: Bool,
        verdict: String
    ) throws {
        let found = record(at: after(3), marker: isMarked ? "other" : nil)
        var sale = SettlingCase(found)
        sale.now = after(400)
        sale.begin("other", order: "o2", at: after(-1))
        for fact in facts { sale.add(fact, to: "other", at: after(2)) }
        sale.add(.ended(.cancelled, by: .books), to: "other", at: after(2))
        #expect(try sale.verdict() == verdict)
    }

    private static let looked = JournalEntry.Fact.lookedUp(
        .init(
            found: 1,
            candidates: 1,
            complete: true,
            acquirerTime: nil,
            conclusion: "is it",
            provesAbsence: false
        )
    )

    @Test func `N-028 a record claimed by another of its names is that attempt's`() throws {
        var found = record("R9", at: after(3))
        found.otherReferences = [Self.reference]
        var sale = SettlingCase(found)
        sale.begin("other", order: "o2", at: after(-400))
        sale.add(.noted(Self.reference), to: "other", at: after(-399))
        sale.add(.ended(.cancelled, by: .engine), to: "other", at: after(-399))
        #expect(try sale.verdict() == "notYet")
    }

    @Test func `N-028 the attempt's own record is put to a person where it is another's as well`()
        throws
    {
        var byMarker = SettlingCase(record(at: after(3), marker: SettlingRuleTests.mine))
        byMarker.begin("other", order: "o2")
        byMarker.add(.noted(Self.reference), to: "other")
        #expect(try byMarker.verdict() == "ambiguous 1")
        var byName = SettlingCase(record(at: after(3), marker: "other"))
        byName.add(.noted(Self.reference))
        byName.begin("other", order: "o2")
        #expect(try byName.verdict() == "ambiguous 1")
    }

    @Test func `N-006 the attempt's own record in another currency is put to a person`() throws {
        var found = AcquirerRecord(
            reference: Self.reference,
            kind: .sale,
            amount: Money(checked: 1_000, currency: .eur),
            state: .succeeded,
            createdAt: after(3)
        )
        found.marker = SettlingRuleTests.mine
        #expect(try SettlingCase(found).verdict() == "ambiguous 1")
    }

    // MARK: Identifiers that tell nothing apart

    @Test(arguments: ["123456789012", "", " "])
    func `N-028 an identifier that is hidden or blank claims, binds and disproves nothing`(
        value: String
    ) throws {
        let nobody = AcquirerReference(kind: "payment", value: value)
        var found = record(at: after(3))
        found.reference = nobody
        // Not even the sole record of the device can be told from another one.
        #expect(try SettlingCase(found).verdict() == "ambiguous 1")
        var sale = SettlingCase(found)
        sale.begin("other", order: "o2", at: after(-400))
        sale.add(.noted(nobody), to: "other", at: after(-399))
        sale.add(.ended(.cancelled, by: .engine), to: "other", at: after(-399))
        sale.add(.noted(nobody))
        #expect(try sale.verdict() == "ambiguous 1")
        #expect(sale.book.claimant(of: nobody) == nil)
        #expect(sale.book[SettlingCase.id]?.references == [])
    }

    @Test(arguments: ["123456789012", ""])
    func `N-028 a device that is hidden or blank is none`(device: String) throws {
        let found = record(at: after(3), device: device).scrubbed
        var sale = SettlingCase(found, device: device)
        sale.now = after(400)
        #expect(try sale.verdict() == "ambiguous 1")
    }

    /// A capture of a hold, and a record that may be its own.
    private func capture(_ found: AcquirerRecord, of hold: AcquirerReference) -> SettlingCase {
        var capture = SettlingCase(found)
        capture.book = AttemptBook()
        let began = JournalEntry.Began(
            account: TestTill.account,
            order: "o9",
            kind: .capture,
            amount: .usd(1_000),
            parent: "tab",
            ceiling: .usd(1_000),
            parentReferences: [hold]
        )
        capture.add(.began(began))
        return capture
    }

    @Test(arguments: ["123456789012", ""])
    func `N-028 a payment whose name is hidden or blank binds nothing that follows it`(
        value: String
    ) throws {
        let parent = AcquirerReference(kind: "hold", value: value)
        var found = record(kind: .capture, at: after(3), device: nil)
        found.parent = parent
        let capture = capture(found, of: parent)
        #expect(try capture.verdict() == "ambiguous 1")
    }

    @Test func `N-028 two payments under one hidden identifier are both believed`() throws {
        let hidden = ProviderAnswer.approved(
            approval("123456789012", .confirmed(.usd(1_000)))
        )
        let till = TestTill(VendorScript(answer: hidden))
        let names = try till.run { [await till.take().name, await till.take(1_000, "o2").name] }
        #expect(names == ["approved", "approved"])
    }

    // MARK: What follows

    @Test func `N-028 a capture's record that a sale was matched with is not absent`() throws {
        var found = record(kind: .capture, at: after(3), device: nil)
        found.parent = Self.hold
        var capture = capture(found, of: Self.hold)
        capture.begin("other", order: "o2", at: after(1))
        capture.add(Self.looked, to: "other", at: after(5))
        capture.add(.noted(Self.reference), to: "other", at: after(5))
        capture.now = after(400)
        #expect(try capture.verdict() == "ambiguous 1")
    }

    @Test func `N-028 a record without money that settled one attempt settles no other one`() throws
    {
        let unknown = ProviderAnswer.unknown(PaymentError(.outcomeUnknown))
        let till = TestTill(VendorScript(answer: unknown))
        till.books.add(record("R1", .declined(Decline(.pin)), at: till.time.wallTime))
        let names = try till.run {
            [await till.take().name, await till.take(1_000, "o2").name]
        }
        #expect(names[0] == "declined")
        #expect(names[1].hasPrefix("unresolved"))
    }
}
