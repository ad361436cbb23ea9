import Simulation
import Synchronization
import Testing

@testable import PaymentCore

/// A journal that a test can make fail.
final class FailingJournal: AttemptJournal {
    private let inner = MemoryAttemptJournal()
    private let failures = Mutex((begin: false, appendsLeft: Int.max))

    init(failsToBegin: Bool = false, appendsLeft: Int = .max) {
        failures.withLock { $0 = (failsToBegin, appendsLeft) }
    }

    func failToAppend() { failures.withLock { $0.appendsLeft = 0 } }

    func begin(_ entry: JournalEntry) async throws(PaymentRefusal) -> BeginAnswer {
        if failures.withLock({ $0.begin }) { throw .cannotRecord("the disk is full") }
        return try inner.begin(entry)
    }

    func append(_ entries: [JournalEntry]) async throws(JournalError) {
        let fails = failures.withLock { failures in
            failures.appendsLeft -= 1
            return failures.appendsLeft < 0
        }
        if fails { throw JournalError("the disk is full") }
        inner.append(entries)
    }

    func read<Answer: Sendable>(_ body: @Sendable (AttemptBook) -> Answer) async -> Answer {
        inner.read(body)
    }
}

/// A journal whose reading takes time, once a test wants it so.
final class SlowJournal: AttemptJournal {
    private let inner = MemoryAttemptJournal()
    private let pause = Mutex<(@Sendable () async -> Void)?>(nil)

    func slowDown(_ pause: @escaping @Sendable () async -> Void) {
        self.pause.withLock { $0 = pause }
    }

    func begin(_ entry: JournalEntry) async throws(PaymentRefusal) -> BeginAnswer {
        try inner.begin(entry)
    }

    func append(_ entries: [JournalEntry]) async { inner.append(entries) }

    func read<Answer: Sendable>(_ body: @Sendable (AttemptBook) -> Answer) async -> Answer {
        await pause.withLock { $0 }?()
        return inner.read(body)
    }
}

@Suite struct JournalTroubleTests {
    @Test func `N-020 what cannot be written is not charged, and the till stays usable`() throws {
        let till = TestTill(
            VendorScript(answer: .approved(approval())),
            journal: FailingJournal(failsToBegin: true)
        )
        let names = try till.run { [await till.take().name, await till.take().name] }
        #expect(names == ["refused cannotRecord", "refused cannotRecord"])
        #expect(till.provider.performed.isEmpty)
        #expect(till.now.running == nil)
    }

    @Test(arguments: 0..<4)
    func `N-020 an approval that cannot be written is told, blocks its order and shows`(
        appends: Int
    ) throws {
        let till = TestTill(
            VendorScript(
                notes: AcquirerReference(kind: "payment", value: "R1"),
                answer: .approved(approval("R1", .confirmed(.usd(1_000))))
            ),
            journal: FailingJournal(appendsLeft: appends)
        )
        let names = try till.run { [await till.take().name, await till.take().name] }
        #expect(names == ["approved", appends > 1 ? "refused alreadyPaid" : "refused open"])
        #expect((till.now.journalTrouble == nil) == (appends > 1))
    }

    @Test func `N-020 a noted reference that cannot be written shows in the states`() throws {
        let till = TestTill(
            VendorScript(
                notes: AcquirerReference(kind: "payment", value: "R1"),
                delay: .seconds(9),
                answer: .cancelled
            ),
            journal: FailingJournal(appendsLeft: 0)
        )
        let trouble = try till.run { () async -> JournalError? in
            async let sale = till.take()
            try? await till.time.clock.sleep(for: .seconds(1))
            let trouble = till.now.journalTrouble
            _ = await sale
            return trouble
        }
        #expect(trouble != nil)
    }
}
