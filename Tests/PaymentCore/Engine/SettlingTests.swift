import Testing

@testable import PaymentCore

@Suite struct SettlingTests {
    private static let start = Date(timeIntervalSince1970: 1_767_603_600)
    private static let account = Account(provider: "p", merchant: "m", environment: .sandbox)

    private func began(
        _ id: String,
        at seconds: Double = 0,
        device: String? = "D",
        amount: Int64 = 1_250
    ) throws -> JournalEntry {
        JournalEntry(
            at: Self.start + seconds,
            attempt: AttemptID(id),
            fact: .began(
                JournalEntry.Began(
                    account: Self.account,
                    order: try Order(id: "order-\(id)"),
                    kind: .sale,
                    amount: try Money(minorUnits: amount, currency: .usd),
                    device: device
                )
            )
        )
    }

    private func leftOpen(_ id: String, at seconds: Double) -> JournalEntry {
        JournalEntry(
            at: Self.start + seconds,
            attempt: AttemptID(id),
            fact: .leftOpen(.init(error: nil))
        )
    }

    private func record(
        _ id: String,
        at seconds: Double = 10,
        device: String? = "D",
        amount: Int64 = 1_250,
        requested: Int64? = nil,
        marker: String? = nil
    ) throws -> AcquirerRecord {
        var record = AcquirerRecord(
            reference: AcquirerReference(kind: "transfer", value: id),
            kind: .sale,
            amount: try Money(minorUnits: amount, currency: .usd),
            state: .succeeded,
            createdAt: Self.start + seconds
        )
        record.device = device
        record.marker = marker
        record.amountRequested = try requested.map { try Money(minorUnits: $0, currency: .usd) }
        return record
    }

    /// The verdict about attempt `a`, with the acquirer's clock so far ahead.
    private func verdict(
        _ records: [AcquirerRecord],
        book entries: [JournalEntry] = [],
        at now: Double = 400,
        ahead: Double = 0,
        account: Account = account,
        complete: Bool = true,
        running: Bool = false
    ) throws -> String {
        var book = AttemptBook()
        for entry in [try began("a"), leftOpen("a", at: 20)] + entries { book.apply(entry) }
        let attempt = try #require(book[AttemptID("a")])
        let settling = Settling(
            attempt: attempt,
            capabilities: BackOfficeCapabilities(),
            now: Self.start + now,
            vendorRunning: running
        )
        let listing = RecordListing(
            records: records,
            isComplete: complete,
            account: account,
            acquirerTime: Self.start + now + ahead
        )
        switch settling.verdict(from: listing, in: book) {
        case .found(let record): return "found \(record.reference.value)"
        case .payable: return "payable"
        case .pending: return "pending"
        case .absent: return "absent"
        case .notYet: return "not yet"
        case .ambiguous(let records): return "ambiguous \(records.count)"
        }
    }

    @Test func `N-028 the sole unclaimed record of the device in its time is evidence`() throws {
        #expect(try verdict([record("T1")]) == "found T1")
        #expect(try verdict([record("T1", device: "E")]) == "absent")
        #expect(try verdict([record("T1"), record("T2")]) == "ambiguous 2")
        #expect(try verdict([record("T1", amount: 600, requested: 1_250)]) == "found T1")
    }

    @Test func `N-028 a record without device, of another amount or out of time is for a person`()
        throws
    {
        #expect(try verdict([record("T1", device: nil)]) == "ambiguous 1")
        #expect(try verdict([record("T1", amount: 900)]) == "ambiguous 1")
        #expect(try verdict([record("T1", at: -60)]) == "ambiguous 1")
        #expect(try verdict([record("T1", at: 380)]) == "ambiguous 1")
        #expect(try verdict([record("T1", at: -600)]) == "absent")
    }

    @Test func `N-028 the attempt's own marker settles whatever else there is`() throws {
        let own = try record("T1", device: nil, marker: "a")
        #expect(try verdict([own, record("T2")]) == "found T1")
        let theirs = try record("T3", marker: "b")
        #expect(try verdict([theirs], book: [began("b", at: 5)]) == "absent")
    }

    @Test func `N-028 what another attempt claimed or could claim settles nothing`() throws {
        let claimed = JournalEntry(
            at: Self.start,
            attempt: AttemptID("b"),
            fact: .noted(AcquirerReference(kind: "transfer", value: "T1"))
        )
        #expect(try verdict([record("T1")], book: [began("b"), claimed]) == "absent")
        #expect(try verdict([record("T1")], book: [began("b", at: -30)]) == "ambiguous 1")
        #expect(try verdict([record("T1")], book: [began("b", at: 900)]) == "found T1")
        #expect(try verdict([record("T1")], book: [began("b", amount: 99)]) == "found T1")
    }

    @Test func `N-029 absence needs a complete list, the own account, and time`() throws {
        #expect(try verdict([]) == "absent")
        #expect(try verdict([], at: 300) == "not yet")
        #expect(try verdict([], complete: false) == "not yet")
        #expect(try verdict([], running: true) == "not yet")
        let other = Account(provider: "p", merchant: "x", environment: .sandbox)
        #expect(try verdict([record("T1")], account: other) == "not yet")
    }

    @Test(arguments: [-7_200.0, -60, 60, 7_200])
    func `N-029 the acquirer's time counts, however wrong this device's is`(ahead: Double) throws {
        #expect(try verdict([record("T1", at: 10 + ahead)], ahead: ahead) == "found T1")
        #expect(try verdict([], at: 300, ahead: ahead) == "not yet")
        #expect(try verdict([], at: 330, ahead: ahead) == "absent")
    }
}
