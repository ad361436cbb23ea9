import Simulation
import Testing

@testable import PaymentCore

@Suite struct OrderStoryTests {
    @Test func `N-025 a payment that was unresolved and is known by now reads as a story`() throws {
        let unknown = ProviderAnswer.unknown(PaymentError(.outcomeUnknown))
        let till = TestTill(
            VendorScript(notes: .init(kind: "payment", value: "R1"), answer: unknown)
        )
        till.books.change { $0.troubles = [.error(PaymentError(.acquirerUnavailable))] }
        let story = try till.run { () async -> OrderStory in
            _ = await till.take()
            let now = till.time.wallTime
            till.books.change { $0.troubles = [] }
            till.books.add(record(at: now))
            if let payment = await till.pointOfSale.unresolved.first {
                _ = await till.pointOfSale.resolve(payment)
            }
            return await till.pointOfSale.explain("o1")
        }
        let attempt = try #require(story.attempts.first)
        #expect(attempt.steps.first?.money == MoneyPlace.none)
        #expect(attempt.steps.contains { $0.what.contains("nobody knew") && $0.money == .unknown })
        #expect(attempt.steps.last?.money == .moved && attempt.money == .moved)
        #expect(attempt.steps.last?.what == "ended as approved, by the acquirer's books")
        #expect(attempt.identifiers["payment"] == "R1")
        #expect(attempt.identifiers["attempt"] == attempt.id.description)
        #expect(attempt.steps.map(\.at) == attempt.steps.map(\.at).sorted())
        #expect(story.lines.count > attempt.steps.count * 2)
    }

    @Test func `N-019 a person's decision and what contradicts it are told apart`() throws {
        let till = TestTill(VendorScript(answer: .unknown(PaymentError(.outcomeUnknown))))
        let story = try till.run { () async -> OrderStory in
            _ = await till.take()
            guard let payment = await till.pointOfSale.unresolved.first else {
                return await till.pointOfSale.explain("o1")
            }
            let verdict = PersonalVerdict(.notMoved, name: "Kim", reason: "the till roll is empty")
            try? await till.pointOfSale.settle(payment, as: verdict)
            till.books.add(record(at: till.time.wallTime))
            _ = await till.pointOfSale.resolve(payment)
            return await till.pointOfSale.explain("o1")
        }
        let steps = try #require(story.attempts.first).steps
        #expect(
            steps.contains { $0.what == "Kim decided: not paid" && $0.money == MoneyPlace.none }
        )
        #expect(steps.last?.what.hasPrefix("evidence says the opposite") == true)
        #expect(steps.last?.money == .unknown)
    }

    @Test
    func `N-022 what follows a payment leaves its money where it is, when it does not happen`() {
        let no = Ending.cancelled
        #expect(no.place(after: .sale) == MoneyPlace.none && no.place(after: .refund) == .moved)
        #expect(no.place(after: .capture) == .held && no.place(after: .void) == .held)
        let pending = Ending.pending(JournalSamples.receipt)
        for kind in [AttemptKind.capture, .refund] {
            #expect(pending.place(after: kind) == .unknown)
        }
    }

    @Test func `N-019 a person's decision about a refund says where the payment's money is`()
        throws
    {
        let began = JournalEntry.Began(
            account: TestTill.account,
            order: "o1",
            kind: .refund,
            amount: .usd(500),
            followUp: "r1",
            parent: AttemptID("p"),
            ceiling: .usd(500)
        )
        let endings: [(PersonalVerdict.Decision, MoneyPlace)] = [
            (.moved(nil), .none), (.notMoved, .moved),
        ]
        for (decision, place) in endings {
            let verdict = PersonalVerdict(decision, name: "Kim", reason: "asked")
            var book = AttemptBook()
            book.apply(JournalSamples.entry("r", .began(began)))
            book.apply(JournalSamples.entry("r", .settled(verdict)))
            let story = OrderStory("o1", book.all)
            #expect(story.attempts.map { $0.steps.map(\.money) } == [[.moved, place]])
            #expect(!story.lines.joined().contains("charging again"))
        }
    }
}
