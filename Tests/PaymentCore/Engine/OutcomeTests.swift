import Simulation
import Testing

@testable import PaymentCore

/// What the books hold when they are asked about a payment, and what they answer with.
enum BooksState: String, CaseIterable, Sendable {
    case none, approved, declined, cancelled, pending, payable, ambiguous, absent, error, hang

    func prepare(_ books: ScriptedBooks) {
        switch self {
        case .error:
            books.change { $0.troubles = [.error(PaymentError(.acquirerUnavailable))] }
        case .hang: books.change { $0.troubles = [.hangs] }
        default: break
        }
    }

    var states: [AcquirerRecord.State] {
        switch self {
        case .none, .absent, .error, .hang: []
        case .approved: [.succeeded]
        case .declined: [.declined(Decline(.insufficientFunds))]
        case .cancelled: [.cancelled]
        case .pending: [.pending]
        case .payable: [.payable(lastDecline: nil)]
        case .ambiguous: [.succeeded, .succeeded]
        }
    }

    func run(_ answer: ProviderAnswer?, after delay: Duration = .zero) throws -> (Told, TestTill) {
        let till = TestTill(
            VendorScript(delay: delay, answer: answer),
            hasBooks: self != .none
        )
        prepare(till.books)
        for (index, state) in states.enumerated() {
            till.books.add(record("R\(index + 1)", state, at: till.time.wallTime))
        }
        return (try till.run { await till.take() }, till)
    }
}

@Suite struct OutcomeTests {
    static let unknown = ProviderAnswer.unknown(PaymentError(.outcomeUnknown))

    // FC-119, FC-120
    @Test(arguments: [
        (BooksState.none, "unresolved noAnswer"), (.approved, "approved"),
        (.declined, "declined"), (.cancelled, "cancelled"),
        (.pending, "unresolved pendingAtAcquirer"), (.payable, "unresolved stillPayable"),
        (.ambiguous, "unresolved ambiguous"), (.absent, "unresolved mayStillAppear"),
        (.error, "unresolved cannotAsk"), (.hang, "unresolved cannotAsk"),
    ])
    func `N-011 what nobody could classify is what the books say`(
        books: BooksState,
        told: String
    ) throws {
        let (result, till) = try books.run(Self.unknown)
        #expect(result.name == told)
        #expect(result.ends == 1 && result.endedLast)
        #expect(result.phases.contains("checking") == (books != .none))
        let isOpen = try till.run { await till.attempt()?.isOpen }
        #expect(isOpen == told.hasPrefix("unresolved"))
    }

    @Test(arguments: [
        (BooksState.none, "approved"), (.approved, "approved"),
        (.declined, "unresolved ambiguous"), (.cancelled, "unresolved ambiguous"),
        (.pending, "unresolved pendingAtAcquirer"),
        (.payable, "unresolved stillPayable"), (.absent, "approved"), (.error, "approved"),
        (.hang, "approved"),
    ])
    func `N-006 an approval that the vendor reports is read again where that can be done`(
        books: BooksState,
        told: String
    ) throws {
        let (result, till) = try books.run(.approved(approval()))
        #expect(result.name == told)
        #expect(result.ends == 1 && result.endedLast)
        let attempt = try #require(try till.run { await till.attempt() })
        #expect(attempt.isOpen == told.hasPrefix("unresolved"))
        if attempt.isOpen { #expect(attempt.leftOpen != nil) }
    }

    @Test(arguments: BooksState.allCases)
    func `N-010 a vendor's own no is told as it is, whatever the books hold`(
        books: BooksState
    ) throws {
        let answers: [(ProviderAnswer, String)] = [
            (.declined(Decline(.pin)), "declined"), (.cancelled, "cancelled"),
            (.notCharged(PaymentError(.cardNotRead)), "failed cardNotRead"),
            (.approved(approval("R1", .confirmed(.usd(1_000)))), "approved"),
            (.partlyApproved(approval("R1", .confirmed(.usd(400)))), "partlyApproved"),
        ]
        for (answer, name) in answers {
            let (told, till) = try books.run(answer)
            #expect(told.name == name)
            #expect(told.ends == 1 && told.endedLast)
            #expect(till.books.queries.isEmpty)
        }
    }

    @Test func `N-017 an approval that is pending in the books is asked for with all patience`()
        throws
    {
        let till = TestTill(VendorScript(answer: .approved(approval())))
        till.books.add(record("R1", .pending, at: till.time.wallTime))
        till.time.clock.schedule(after: .seconds(8)) {
            till.books.change { $0.records[0].state = .succeeded }
        }
        let told = try till.run { await till.take() }
        #expect(told.name == "approved")
        #expect(told.phases.contains("checking"))
    }

    @Test(arguments: [ApprovedAmount.unknown, .reported(.usd(1_000))])
    func `N-006 an approval in part without its amount is never told as one in full`(
        amount: ApprovedAmount
    ) throws {
        let till = TestTill(
            VendorScript(answer: .partlyApproved(approval("R1", amount))),
            hasBooks: false
        )
        #expect(try till.run { await till.take() }.name == "unresolved noAnswer")
    }

    // FC-131
    @Test(arguments: [
        (400, "partlyApproved"), (0, "partlyApproved"), (1_000, "approved"), (1_200, "approved"),
    ])
    func `N-006 the amount is what the acquirer says`(approved: Int64, told: String) throws {
        let till = TestTill(VendorScript(answer: .approved(approval())))
        var found = record("R1", .succeeded, approved, at: till.time.wallTime)
        found.amountRequested = .usd(1_000)
        till.books.add(found)
        let result = try till.run { await till.take() }
        #expect(result.name == told)
        let receipt = try till.run { await till.attempt()?.ending?.receipt }
        #expect(receipt?.approved == .confirmed(.usd(approved)))
    }

    @Test func `N-018 confirming an approval closes nothing`() throws {
        let till = TestTill(VendorScript(answer: .approved(approval())), canClose: true)
        till.books.change { $0.closing = .cancels }
        till.books.add(record("R1", .payable(lastDecline: nil), at: till.time.wallTime))
        #expect(try till.run { await till.take() }.name == "unresolved stillPayable")
        #expect(till.books.closed.isEmpty)
    }

    // FC-045
    @Test(arguments: [
        (ScriptedBooks.Closing.cancels, "cancelled"), (.findsPaid, "approved"),
        (.refused, "unresolved stillPayable"), (.hangs, "unresolved stillPayable"),
    ])
    func `N-018 what can still be paid is closed before the end is told`(
        closing: ScriptedBooks.Closing,
        told: String
    ) throws {
        let till = TestTill(VendorScript(answer: Self.unknown), canClose: true)
        till.books.change { $0.closing = closing }
        till.books.add(record("R1", .payable(lastDecline: nil), at: till.time.wallTime))
        let result = try till.run { await till.take() }
        #expect(result.name == told)
        #expect(result.at <= .seconds(20))
    }
}
