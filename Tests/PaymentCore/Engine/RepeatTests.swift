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

    // What the acquirer answers to one request after another; how often it is asked, what is told.
    @Test(arguments: [
        (RepeatProtection.idempotencyKey(keptFor: .seconds(60)), [lost, done], 2, "done"),
        (.uniqueReference, [lost, done], 2, "done"),
        (.lookUpOnly, [lost, done], 1, "unresolved"),
        (.idempotencyKey(keptFor: .seconds(60)), [lost, lost, done], 3, "done"),
        (.idempotencyKey(keptFor: .seconds(60)), [lost], 3, "unresolved"),
        (.idempotencyKey(keptFor: .seconds(60)), [done], 1, "done"),
        // It is no longer known after a second.
        (.idempotencyKey(keptFor: .zero), [lost, lost, done], 2, "unresolved"),
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

    @Test func `N-035 a request that hangs is not sent beside itself`() throws {
        var settling = SettlingPolicy()
        settling.vendorDeadline = .seconds(10)
        let till = TestTill(
            Self.sale,
            repeats: .idempotencyKey(keptFor: .seconds(3_600)),
            settling: settling
        )
        till.books.change { $0.hangsFollowUps = true }
        let name = try till.run { () async -> String in
            _ = await till.take()
            return await refund(till)
        }
        #expect(name == "unresolved")
        #expect(till.books.performed.count == 1)
    }

    @Test(arguments: [
        (RepeatProtection.idempotencyKey(keptFor: .seconds(3_600)), 60, 1, "done"),
        (.idempotencyKey(keptFor: .seconds(3_600)), 3_601, 0, "unresolved"),
        (.uniqueReference, 86_400, 1, "done"),
        (.lookUpOnly, 60, 0, "unresolved"),
    ])
    func `N-020 after a restart the same refund goes out under the same key, or not at all`(
        protection: RepeatProtection,
        seconds: Int,
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
        // Whatever the books are asked, they cannot be reached.
        second.books.change { $0.troubles = [.error(PaymentError(.networkUnavailable))] }
        let after = try second.run { () async -> String in
            await second.engine.recover()
            let elapsed = first.elapsed + .seconds(seconds)
            try? await second.time.clock.sleep(for: elapsed)
            return await refund(second)
        }
        #expect(after == told)
        #expect(second.books.performed.count == asked)
        #expect(second.books.performed.allSatisfy { $0.id == first.books.performed.first?.id })
    }

    @Test func `N-020 a repeat is written down before it is sent, and told in the story`() throws {
        let till = till(.uniqueReference, [Self.lost, Self.done])
        let whys = try till.run { () async -> [String] in
            _ = await till.take()
            _ = await refund(till)
            return await till.pointOfSale.explain("o1").attempts
                .flatMap(\.steps).compactMap(\.why)
        }
        #expect(whys.contains { $0.hasPrefix("the same request went out again under its key") })
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
