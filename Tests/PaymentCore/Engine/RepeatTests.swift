import Foundation
import Simulation
import Testing

@testable import PaymentCore

/// When a follow-up whose answer was lost goes out again, and under which key.
@Suite struct RepeatTests {
    private static let lost = BackOfficeAnswer.unknown(PaymentError(.networkUnavailable))
    private static let done = BackOfficeAnswer.done(approval("F1"))
    private static let sale = VendorScript(
        answer: .approved(approval("R1", .confirmed(.usd(1_000))))
    )

    private func till(
        _ protection: RepeatProtection?,
        _ answers: [BackOfficeAnswer],
        journal: any AttemptJournal = MemoryAttemptJournal(),
        seed: UInt64 = 3
    ) -> TestTill {
        let till = TestTill(
            Self.sale,
            repeats: protection ?? .lookUpOnly,
            journal: journal,
            seed: seed
        )
        till.books.change { $0.answers = answers }
        return till
    }

    private func refund(_ till: TestTill, id: FollowUpID = "r1") async -> String {
        guard let receipt = await till.pointOfSale.receipt(for: "o1") else { return "no receipt" }
        do throws(PaymentRefusal) {
            return try await till.pointOfSale.refund(receipt, amount: .usd(400), id: id).told
        } catch {
            return "refused \(error.code)"
        }
    }

    @Test(arguments: [
        "", " ", "r\n1", "r\u{7}", "r\u{202E}1", String(repeating: "r", count: 129),
    ])
    func `N-022 a refund whose name nobody could see or tell apart is not begun`(
        name: String
    ) throws {
        let till = till(nil, [Self.done])
        let told = try till.run { () async -> String in
            _ = await till.take()
            return await refund(till, id: FollowUpID(name))
        }
        #expect(told == "refused invalidRequest")
        #expect(till.books.performed.isEmpty)
    }

    // What the acquirer answers to one request after another; how often it is asked, what is told.
    @Test(arguments: [
        (RepeatProtection.idempotencyKey(keptFor: .seconds(60)), [lost, done], 2, "done"),
        (.uniqueReference, [lost, done], 2, "done"),
        (.lookUpOnly, [lost, done], 1, "unresolved"),
        (.idempotencyKey(keptFor: .seconds(60)), [lost, lost, done], 3, "done"),
        (.idempotencyKey(keptFor: .seconds(60)), [lost], 3, "unresolved"),
        (.idempotencyKey(keptFor: .seconds(60)), [done], 1, "done"),
        // It is no longer known by the time at which it would go out again.
        (.idempotencyKey(keptFor: .zero), [lost, lost, done], 1, "unresolved"),
        (.idempotencyKey(keptFor: .seconds(2)), [lost, lost, done], 2, "unresolved"),
        // What a repeat is refused says nothing of the request before it.
        (
            .idempotencyKey(keptFor: .seconds(60)),
            [lost, .notDone(PaymentError(.requestRejected))], 2, "unresolved"
        ),
        (.uniqueReference, [lost, .notDone(PaymentError(.conflict))], 2, "unresolved"),
        (
            .idempotencyKey(keptFor: .seconds(60)),
            [lost, .declined(Decline(.issuerRefused))], 2, "declined"
        ),
        // Where no key brings the first answer back, it may say that all was given back already.
        (.uniqueReference, [lost, .declined(Decline(.generic))], 2, "unresolved"),
        (.uniqueReference, [.declined(Decline(.generic))], 1, "declined"),
        (
            .idempotencyKey(keptFor: .seconds(60)), [.notDone(PaymentError(.requestRejected))], 1,
            "failed requestRejected"
        ),
    ])
    func `N-011 a request goes out again only where its key keeps it from acting twice`(
        protection: RepeatProtection,
        answers: [BackOfficeAnswer],
        asked: Int,
        told: String
    ) throws {
        let till = till(protection, answers)
        let name = try till.run { () async -> String in
            _ = await till.take()
            return await refund(till)
        }
        #expect(name == told)
        #expect(till.books.performed.count == asked)
        #expect(Set(till.books.performed.map(\.id)).count == 1)
    }

    private func hanging(
        _ answers: [BackOfficeAnswer],
        deadline: Duration,
        _ protection: RepeatProtection = .idempotencyKey(keptFor: .seconds(3_600))
    ) -> TestTill {
        var settling = SettlingPolicy()
        settling.vendorDeadline = deadline
        let till = TestTill(
            Self.sale,
            repeats: protection,
            settling: settling
        )
        till.books.change { $0.answers = answers }
        return till
    }

    @Test(arguments: [true, false])
    func `N-035 a request that hangs is not sent beside itself, whatever the books say`(
        reachable: Bool
    ) throws {
        let till = hanging([], deadline: .seconds(10))
        till.books.change {
            $0.hangsFollowUps = true
            $0.troubles = reachable ? [] : [.error(PaymentError(.networkUnavailable))]
        }
        let names = try till.run { () async -> [String] in
            _ = await till.take()
            return [await refund(till), await refund(till)]
        }
        #expect(names == ["unresolved", "unresolved"])
        #expect(till.books.performed.count == 1)
    }

    @Test(arguments: Array(0..<60) as [UInt64])
    func `N-035 a refund left unknown in the instant of the deadline does not count as running`(
        schedule: UInt64
    ) throws {
        var settling = SettlingPolicy()
        settling.vendorDeadline = .seconds(10)
        let till = TestTill(
            Self.sale,
            repeats: .lookUpOnly,
            settling: settling,
            schedule: schedule,
            journal: schedule.isMultiple(of: 2) ? RestlessJournal() : MemoryAttemptJournal()
        )
        till.books.change {
            $0.answers = [Self.lost]
            $0.slowFollowUps = [.seconds(10)]
        }
        let isRunning = try till.run { () async -> Bool? in
            _ = await till.take()
            _ = await refund(till)
            try? await till.time.clock.sleep(for: .seconds(300))
            return await till.journal.read { book in
                till.books.performed.last.flatMap { book[$0.id]?.leftOpen?.vendorRunning }
            }
        }
        #expect(isRunning == false)
    }

    @Test(arguments: [
        (
            RepeatProtection.idempotencyKey(keptFor: .seconds(3_600)),
            BackOfficeAnswer.notDone(PaymentError(.invalidCredentials))
        ),
        (.uniqueReference, .notDone(PaymentError(.invalidCredentials))),
        (.uniqueReference, .declined(Decline(.generic))),
    ])
    func `N-011 the late refusal of a repeat says nothing of the request before it`(
        protection: RepeatProtection,
        refused: BackOfficeAnswer
    ) throws {
        let till = hanging([Self.lost, refused], deadline: .seconds(10), protection)
        till.books.change {
            $0.slowFollowUps = [.zero, .seconds(60)]
            $0.troubles = [.error(PaymentError(.networkUnavailable))]
        }
        let isOpen = try till.run { () async -> Bool? in
            _ = await till.take()
            _ = await refund(till)
            try? await till.time.clock.sleep(for: .seconds(120))
            return await till.journal.read { book in
                till.books.performed.last.flatMap { book[$0.id]?.isOpen }
            }
        }
        #expect(till.books.performed.count == 2)
        #expect(isOpen == true)
    }

    @Test func `N-029 a refund that is on its way is not taken for absent`() throws {
        let till = hanging([Self.done], deadline: .seconds(900))
        till.books.change { $0.slowFollowUps = [.seconds(800)] }
        let (told, looked) = try till.run { () async -> (String, Bool) in
            _ = await till.take()
            async let told = refund(till)
            try? await till.time.clock.sleep(for: .seconds(700))
            let open = await till.pointOfSale.unresolved
            var isOpen = open.count == 1
            for payment in open {
                guard case .followUp(.unresolved) = await till.pointOfSale.resolve(payment) else {
                    isOpen = false
                    continue
                }
            }
            return (await told, isOpen)
        }
        #expect(told == "done")
        #expect(looked)
    }

    @Test func `N-019 what a person settled between two sends is not sent again`() throws {
        let till = till(.uniqueReference, [Self.lost, Self.done])
        till.books.change { $0.troubles = [.error(PaymentError(.networkUnavailable))] }
        let settled = try till.run { () async -> String in
            _ = await till.take()
            async let told = refund(till)
            try? await till.time.clock.sleep(for: .milliseconds(500))
            var settled = "nobody"
            for payment in await till.pointOfSale.unresolved {
                let verdict = PersonalVerdict(.notMoved, name: "Ada", reason: "asked")
                do throws(PaymentRefusal) {
                    try await till.pointOfSale.settle(payment, as: verdict)
                    settled = "settled"
                } catch {
                    settled = error.code
                }
            }
            return settled + ", " + (await told)
        }
        // Nobody can settle what is being sent.
        #expect(settled == "invalidRequest, done")
        #expect(till.books.performed.count == 2)
    }

    // What the books say after the restart; how often the acquirer is asked then, what is told.
    @Test(arguments: [
        (
            RepeatProtection.idempotencyKey(keptFor: .seconds(3_600)), ScriptedBooks.Trouble.none,
            1, "done"
        ),
        (.uniqueReference, .none, 1, "done"),
        (.lookUpOnly, .none, 0, "unresolved"),
        // The key may be forgotten before the books would show what it did.
        (.idempotencyKey(keptFor: .seconds(60)), .none, 0, "unresolved"),
        // Books that cannot be asked cannot say that the key is still known.
        (
            .idempotencyKey(keptFor: .seconds(3_600)),
            .error(PaymentError(.networkUnavailable)), 0, "unresolved"
        ),
    ])
    func `N-020 after a restart the same refund goes out under the same key, or not at all`(
        protection: RepeatProtection,
        trouble: ScriptedBooks.Trouble,
        asked: Int,
        told: String
    ) throws {
        let journal = MemoryAttemptJournal()
        let first = till(.lookUpOnly, [Self.lost], journal: journal)
        let before = try first.run { () async -> String in
            _ = await first.take()
            return await refund(first)
        }
        #expect(before == "unresolved")
        let second = till(protection, [Self.done], journal: journal, seed: 4)
        second.books.change { $0.troubles = [trouble] }
        let after = try second.run { () async -> String in
            try? await second.time.clock.sleep(for: first.elapsed + .seconds(5))
            await second.engine.recover()
            return await refund(second)
        }
        #expect(after == told)
        #expect(second.books.performed.count == asked)
        #expect(second.books.performed.allSatisfy { $0.id == first.books.performed.first?.id })
    }

    @Test(arguments: Array(0..<20) as [UInt64])
    func `N-022 two callers of one lost refund send it once more, not twice`(
        schedule: UInt64
    ) throws {
        let journal = MemoryAttemptJournal()
        let first = till(.lookUpOnly, [Self.lost], journal: journal)
        _ = try first.run { () async -> String in
            _ = await first.take()
            return await refund(first)
        }
        let second = TestTill(
            Self.sale,
            repeats: .uniqueReference,
            schedule: schedule,
            journal: journal,
            seed: 4
        )
        second.books.change { $0.answers = [Self.done] }
        let names = try second.run { () async -> [String] in
            try? await second.time.clock.sleep(for: first.elapsed + .seconds(5))
            await second.engine.recover()
            async let one = refund(second)
            async let other = refund(second)
            return await [one, other]
        }
        #expect(names.contains("done"))
        #expect(second.books.performed.count == 1)
    }

    @Test func `N-020 a repeat is told in the story, with what makes it safe`() throws {
        let till = till(.uniqueReference, [Self.lost, Self.done])
        let whys = try till.run { () async -> [String] in
            _ = await till.take()
            _ = await refund(till)
            return await till.pointOfSale.explain("o1").attempts
                .flatMap(\.steps).compactMap(\.why)
        }
        #expect(whys.contains { $0.hasPrefix("the same request went out again under its key") })
    }

    @Test func `N-020 what cannot be written down is not sent again`() throws {
        let journal = FailingJournal()
        let till = till(.uniqueReference, [Self.lost, Self.done], journal: journal)
        till.books.change { $0.whenAsked = { journal.failToAppend() } }
        _ = try till.run { () async -> String in
            _ = await till.take()
            return await refund(till)
        }
        #expect(till.books.performed.count == 1)
    }

    @Test func `N-020 the fact of a repeat is read as it was written, and may be missing`() throws {
        let fact = JournalEntry.LeftOpen(error: nil, vendorRunning: true, isSentAgain: true)
        let data = try JSONEncoder().encode(fact)
        #expect(try JSONDecoder().decode(JournalEntry.LeftOpen.self, from: data) == fact)
        let old = Data(#"{"phases":[],"vendorRunning":true}"#.utf8)
        let read = try JSONDecoder().decode(JournalEntry.LeftOpen.self, from: old)
        #expect(!read.isSentAgain && read.vendorRunning)
    }
}

extension FollowUpOutcome {
    fileprivate var told: String {
        switch self {
        case .done: "done"
        case .pending: "pending"
        case .declined: "declined"
        case .failed(let error): "failed \(error.code)"
        case .unresolved: "unresolved"
        }
    }
}
