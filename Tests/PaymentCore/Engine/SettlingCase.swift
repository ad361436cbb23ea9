import Testing

@testable import PaymentCore

/// One open attempt, what else the journal holds, and a listing: all that settling decides from.
struct SettlingCase {
    static let start = Date(timeIntervalSince1970: 1_800_000_000)
    static let id = AttemptID("bcdfg")
    var book = AttemptBook()
    var listing = RecordListing(
        records: [],
        isComplete: true,
        account: TestTill.account,
        acquirerTime: nil
    )
    var now = start.advanced(by: .seconds(60))
    var vendorRunning = false
    var capabilities = BackOfficeCapabilities()
    /// How far the acquirer's clock is ahead.
    var skew = Duration.zero

    init(_ records: AcquirerRecord..., device: String? = "till", kind: AttemptKind = .sale) {
        listing.records = records
        begin(Self.id, kind: kind, device: device)
    }

    mutating func begin(
        _ id: AttemptID,
        order: Order = "o1",
        _ minorUnits: Int64 = 1_000,
        kind: AttemptKind = .sale,
        at time: Date = start,
        device: String? = "till"
    ) {
        let began = JournalEntry.Began(
            account: TestTill.account,
            order: order,
            kind: kind,
            amount: .usd(minorUnits),
            device: device
        )
        add(.began(began), to: id, at: time)
    }

    mutating func add(_ fact: JournalEntry.Fact, to id: AttemptID = id, at time: Date = start) {
        book.apply(JournalEntry(at: time, attempt: id, fact: fact))
    }

    func settling() throws -> (Settling, RecordListing) {
        var listing = listing
        listing.acquirerTime = now.advanced(by: skew)
        let attempt = try #require(book[Self.id])
        let settling = Settling(
            attempt: attempt,
            capabilities: capabilities,
            now: now,
            vendorRunning: vendorRunning
        )
        return (settling, listing)
    }

    func verdict() throws -> String {
        let (settling, listing) = try settling()
        return settling.verdict(from: listing, in: book).name
    }
}

extension Settling.Verdict {
    var name: String {
        switch self {
        case .found(let record): "found \(record.reference.value)"
        case .payable(let record, _): "payable \(record.reference.value)"
        case .pending(let record): "pending \(record.reference.value)"
        case .absent: "absent"
        case .notYet: "notYet"
        case .ambiguous(let records): "ambiguous \(records.count)"
        }
    }
}

/// A moment so many seconds after the attempt's start.
func after(_ seconds: Int) -> Date { SettlingCase.start.advanced(by: .seconds(seconds)) }

extension AttemptID: ExpressibleByStringLiteral {
    init(stringLiteral value: String) { self.init(value) }
}
