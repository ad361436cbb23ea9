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

/// A journal at each of whose steps everything else may run, in any order.
final class RestlessJournal: AttemptJournal {
    private let inner = MemoryAttemptJournal()

    func begin(_ entry: JournalEntry) async throws(PaymentRefusal) -> BeginAnswer {
        await Task.yield()
        let answer = try inner.begin(entry)
        await Task.yield()
        return answer
    }

    func append(_ entries: [JournalEntry]) async {
        await Task.yield()
        inner.append(entries)
        await Task.yield()
    }

    func read<Answer: Sendable>(_ body: @Sendable (AttemptBook) -> Answer) async -> Answer {
        await Task.yield()
        let answer = inner.read(body)
        await Task.yield()
        return answer
    }
}

/// A journal in which nothing begins before it is let go on.
final class WaitingJournal: AttemptJournal {
    let goOn = OneShot<Void>()
    private let inner = MemoryAttemptJournal()

    func begin(_ entry: JournalEntry) async throws(PaymentRefusal) -> BeginAnswer {
        await goOn.value()
        return try inner.begin(entry)
    }

    func append(_ entries: [JournalEntry]) async { inner.append(entries) }

    func read<Answer: Sendable>(_ body: @Sendable (AttemptBook) -> Answer) async -> Answer {
        inner.read(body)
    }
}

@Suite struct JournalTroubleTests {
    @Test(arguments: [nil, 1, 2, 3, 4, 5, 6, 7, 8] as [UInt64?], [false, true])
    func `N-015 a cancel while the attempt is being written is remembered`(
        schedule: UInt64?,
        byTask: Bool
    ) throws {
        let journal = WaitingJournal()
        let till = TestTill(
            VendorScript(answer: .approved(approval())),
            schedule: schedule,
            journal: journal
        )
        let names = try till.run { () async -> [String] in
            let sale = Task(executorPreference: till.time.executor) { await till.take().name }
            try? await till.time.clock.sleep(for: .seconds(1))
            if byTask { sale.cancel() } else { _ = await till.pointOfSale.cancel("o1") }
            try? await till.time.clock.sleep(for: .seconds(1))
            let other = await till.take(500, "o2").name
            journal.goOn.resolve(())
            return [other, await sale.value]
        }
        #expect(names == ["refused busy", "cancelled"])
        #expect(till.provider.performed.isEmpty)
    }

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
