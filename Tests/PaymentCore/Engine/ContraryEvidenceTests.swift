import Simulation
import Synchronization
import Testing

@testable import PaymentCore

/// A journal in which somebody else writes first, once.
private final class OvertakenJournal: AttemptJournal {
    private let inner = MemoryAttemptJournal()
    private let first = Mutex<JournalEntry.Fact?>(nil)

    /// Has a fact written before the next end.
    func overtake(with fact: JournalEntry.Fact) { first.withLock { $0 = fact } }

    func begin(_ entry: JournalEntry) async throws(PaymentRefusal) -> BeginAnswer {
        try inner.begin(entry)
    }

    func append(_ entries: [JournalEntry]) async {
        let isEnd = entries.contains { entry in
            switch entry.fact {
            case .ended, .settled: true
            default: false
            }
        }
        if isEnd, let entry = entries.last,
            let fact = first.withLock({ fact in
                defer { fact = nil }
                return fact
            })
        {
            inner.append([JournalEntry(at: entry.at, attempt: entry.attempt, fact: fact)])
        }
        inner.append(entries)
    }

    func read<Answer: Sendable>(_ body: @Sendable (AttemptBook) -> Answer) async -> Answer {
        inner.read(body)
    }
}

/// Money that shows up once an attempt was told as one without any.
@Suite struct ContraryEvidenceTests {
    private static let unknown = ProviderAnswer.unknown(PaymentError(.outcomeUnknown))
    private static let reference = AcquirerReference(kind: "payment", value: "R1")

    // What the books hold by then; whether they are there; the alarms, and what a second take is told.
    @Test(
        arguments: [
            (AcquirerRecord.State.succeeded, true, ["approved"], "refused alreadyPaid"),
            (.cancelled, true, [], "cancelled"), (.declined(Decline(.pin)), true, [], "cancelled"),
            (.pending, true, ["approved"], "refused alreadyPaid"),
            (nil, true, ["approved"], "refused alreadyPaid"),
            (nil, false, ["approved"], "refused alreadyPaid"),
        ] as [(AcquirerRecord.State?, Bool, [String], String)]
    )
    func `N-019 a reference that comes once nothing was to have moved is looked into`(
        state: AcquirerRecord.State?,
        hasBooks: Bool,
        alarms: [String],
        told: String
    ) throws {
        let till = TestTill(VendorScript(answer: .cancelled), hasBooks: hasBooks)
        let names = try till.run { () async -> [String] in
            let first = await till.take().name
            if let state { till.books.add(record("R1", state, at: till.time.wallTime)) }
            if let attempt = await till.attempt() {
                await till.engine.note(Self.reference, for: attempt.id)
            }
            return [first, await till.take().name]
        }
        #expect(names == ["cancelled", told])
        #expect(till.now.alarms.map(\.told) == alarms)
        let isBlocked = try till.run { await till.attempt()?.mayHaveMovedMoney }
        #expect(isBlocked == !alarms.isEmpty)
    }

    @Test func `N-019 the vendor's own late reference reaches the same look`() throws {
        let till = TestTill(
            VendorScript(notes: Self.reference, answer: .cancelled),
            hasBooks: false
        )
        // It comes while the payment runs, and is nothing new afterwards.
        let alarms = try till.run { () async -> Int in
            _ = await till.take()
            if let attempt = await till.attempt() {
                await till.engine.note(Self.reference, for: attempt.id)
            }
            return till.now.alarms.count
        }
        #expect(alarms == 0)
    }

    @Test func `N-019 an end that another one overtook in the journal is an alarm at once`() throws
    {
        let journal = OvertakenJournal()
        let confirmed = ProviderAnswer.approved(approval("R1", .confirmed(.usd(1_000))))
        let till = TestTill(VendorScript(answer: confirmed), journal: journal)
        journal.overtake(with: .ended(.failed(PaymentError(.notBooked)), by: .books))
        let told = try till.run { await till.take().name }
        #expect(told == "failed notBooked")
        #expect(till.now.alarms.map(\.told) == ["approved"])
    }

    @Test func `N-019 evidence and a person's verdict that cross each other are an alarm`() throws {
        let journal = OvertakenJournal()
        let till = TestTill(VendorScript(answer: Self.unknown), hasBooks: false, journal: journal)
        let alarms = try till.run { () async -> [String] in
            guard case .unresolved(let payment)? = await till.take().outcome,
                let attempt = await till.attempt()
            else { return ["?"] }
            let receipt = Receipt(
                of: attempt.id,
                began: attempt.began,
                approval: approval(),
                now: attempt.startedAt
            )
            journal.overtake(with: .ended(.approved(receipt), by: .vendor))
            let verdict = PersonalVerdict(.notMoved, name: "Ada", reason: "nothing on the roll")
            try? await till.pointOfSale.settle(payment, as: verdict)
            return till.now.alarms.map(\.told)
        }
        #expect(alarms == ["approved"])
    }

    @Test func `N-019 a verdict that overtakes the evidence is an alarm as well`() throws {
        let journal = OvertakenJournal()
        let till = TestTill(VendorScript(answer: Self.unknown), journal: journal)
        let alarms = try till.run { () async -> [String] in
            guard case .unresolved(let payment)? = await till.take().outcome else { return ["?"] }
            let verdict = PersonalVerdict(.notMoved, name: "Ada", reason: "nothing on the roll")
            journal.overtake(with: .settled(verdict))
            till.books.add(record(at: till.time.wallTime.advanced(by: .seconds(-1))))
            _ = await till.pointOfSale.resolve(payment)
            return till.now.alarms.map(\.told)
        }
        #expect(alarms == ["approved"])
    }

    @Test func `N-019 the paid record of one told as not charged is an alarm for whoever sees it`()
        throws
    {
        let till = TestTill(
            VendorScript(answer: .notCharged(PaymentError(.cardNotRead))),
            VendorScript(answer: Self.unknown)
        )
        let result = try till.run { () async -> ([String], [String]) in
            _ = await till.take()
            guard let attempt = await till.attempt() else { return ([], []) }
            let marker = attempt.id.description
            till.books.add(record(at: till.time.wallTime, marker: marker))
            let told = await till.take(500, "o2").name
            return ([told, await till.take().name], till.now.alarms.map(\.told))
        }
        #expect(result.0 == ["unresolved mayStillAppear", "refused alreadyPaid"])
        #expect(result.1 == ["approved"])
    }

    @Test func `N-019 what is adopted includes money of attempts told as ones without`() throws {
        let till = TestTill(VendorScript(answer: .cancelled))
        let result = try till.run { () async -> (Int?, [String]) in
            let start = till.time.wallTime
            _ = await till.take()
            guard let attempt = await till.attempt() else { return (nil, []) }
            till.books.add(record(at: start, marker: attempt.id.description))
            let adoption = try? await till.pointOfSale.adopt(since: start)
            return (adoption?.strangers.count, till.now.alarms.map(\.told))
        }
        #expect(result.0 == 0)
        #expect(result.1 == ["approved"])
    }

    @Test func `N-019 a late approval that cannot be believed is not dropped`() throws {
        var settling = SettlingPolicy()
        settling.vendorDeadline = .seconds(60)
        let partly = ProviderAnswer.partlyApproved(approval("R1", .unknown))
        let till = TestTill(
            VendorScript(delay: .seconds(500), answer: partly),
            hasBooks: false,
            settling: settling
        )
        let alarms = try till.run { () async -> [String] in
            guard case .unresolved(let payment)? = await till.take().outcome else { return ["?"] }
            let error = PaymentError(.notBooked)
            await till.engine.append([.ended(.failed(error), by: .books)], for: payment.attempt)
            try? await till.time.clock.sleep(for: .seconds(600))
            return till.now.alarms.map(\.told)
        }
        #expect(alarms == ["approved"])
    }

    @Test func `N-028 a person cannot name the record of another payment`() throws {
        let confirmed = ProviderAnswer.approved(approval("R1", .confirmed(.usd(1_000))))
        let till = TestTill(
            VendorScript(answer: confirmed),
            VendorScript(answer: Self.unknown),
            hasBooks: false
        )
        let told = try till.run { () async -> String in
            _ = await till.take()
            guard case .unresolved(let payment)? = await till.take(1_000, "o2").outcome else {
                return "?"
            }
            let verdict = PersonalVerdict(.moved(Self.reference), name: "Ada", reason: "saw it")
            do throws(PaymentRefusal) {
                try await till.pointOfSale.settle(payment, as: verdict)
                return "settled"
            } catch {
                return error.code
            }
        }
        #expect(told == "invalidRequest")
    }
}
