import Testing

@testable import PaymentCore

/// A book in which payments begin and end as a test says.
struct BookCase {
    var book = AttemptBook()
    var count = 0

    /// Begins an attempt if the book allows it; nil when it is a follow-up's repeat.
    @discardableResult
    mutating func begin(
        _ order: Order,
        kind: AttemptKind = .sale,
        _ minorUnits: Int64 = 1_000,
        parent: AttemptID? = nil,
        ceiling: Int64? = nil,
        id: FollowUpID? = nil
    ) throws(PaymentRefusal) -> AttemptID? {
        count += 1
        let attempt = AttemptID("attempt-\(count)")
        let began = JournalEntry.Began(
            account: TestTill.account,
            order: order,
            kind: kind,
            amount: .usd(minorUnits),
            followUp: id,
            parent: parent,
            ceiling: ceiling.map { .usd($0) }
        )
        let entry = JournalEntry(at: after(count), attempt: attempt, fact: .began(began))
        if try book.check(entry) != nil { return nil }
        book.apply(entry)
        return attempt
    }

    mutating func add(_ fact: JournalEntry.Fact, to attempt: AttemptID?) throws {
        count += 1
        let entry = JournalEntry(at: after(count), attempt: try #require(attempt), fact: fact)
        book.apply(entry)
    }

    /// Ends an attempt by the name of an ending.
    mutating func end(_ attempt: AttemptID?, _ name: String) throws {
        let began = try #require(attempt.flatMap { book[$0] }).began
        try add(.ended(try ending(name, of: attempt, began), by: .vendor), to: attempt)
    }

    func ending(_ name: String, of attempt: AttemptID?, _ began: JournalEntry.Began) throws
        -> Ending
    {
        let receipt = Receipt(
            of: try #require(attempt),
            began: began,
            approval: Approval(amount: .confirmed(began.amount)),
            now: after(0)
        )
        return switch name {
        case "approved": .approved(receipt)
        case "partlyApproved": .partlyApproved(receipt, remaining: .usd(1))
        case "authorized": .authorized(Authorization(receipt: receipt, expiresAt: nil))
        case "declined": .declined(Decline(.generic))
        case "cancelled": .cancelled
        case "done": .done(receipt)
        case "pending": .pending(receipt)
        default: .failed(PaymentError(.cardNotRead))
        }
    }

    /// The refusal's code, or `begun`.
    mutating func answer(_ order: Order, kind: AttemptKind = .sale) -> String {
        do throws(PaymentRefusal) {
            try begin(order, kind: kind)
            return "begun"
        } catch {
            return error.code
        }
    }
}

@Suite struct OrderRuleTests {
    // FC-041
    @Test(arguments: [
        ("declined", "begun"), ("cancelled", "begun"), ("failed", "begun"),
        ("approved", "alreadyPaid"), ("partlyApproved", "alreadyPaid"),
        ("authorized", "alreadyAuthorized"), ("open", "open"),
    ])
    func `N-022 a retry needs the last attempt ended without money`(
        first: String,
        second: String
    ) throws {
        var orders = BookCase()
        let attempt = try orders.begin("o1")
        if first != "open" { try orders.end(attempt, first) }
        #expect(orders.answer("o1") == second)
    }

    @Test(arguments: [
        ("o1", "o1", "alreadyPaid"), ("o1", "o2", "begun"), ("o1/1of2", "o1/2of2", "begun"),
        ("o1/1of2", "o1/1of2", "alreadyPaid"), ("o1/1of2", "o1", "alreadyPaid"),
        ("o1", "o1/1of2", "alreadyPaid"), ("o1/1of2", "o1/2of3", "alreadyPaid"),
    ])
    func `N-021 parts of one order are paid once each, and never beside the whole`(
        paid: Order,
        next: Order,
        answer: String
    ) throws {
        var orders = BookCase()
        try orders.end(try orders.begin(paid), "approved")
        #expect(orders.answer(next) == answer)
    }

    @Test(arguments: [
        (PersonalVerdict.Decision.moved(nil), "alreadyPaid"), (.notMoved, "begun"),
    ])
    func `N-019 a person's verdict counts as long as no evidence is there`(
        decision: PersonalVerdict.Decision,
        answer: String
    ) throws {
        var orders = BookCase()
        let attempt = try orders.begin("o1")
        try orders.add(.settled(.init(decision, name: "Kim", reason: "till roll")), to: attempt)
        #expect(orders.answer("o1") == answer)
    }

    // What the capture and the void ended as, which of both was contradicted and how.
    @Test(
        arguments: [
            ("failed", "done", nil, "", "begun"), ("failed", "done", 0, "done", "alreadyPaid"),
            ("failed", "done", 1, "failed", "alreadyAuthorized"),
        ] as [(String, String, Int?, String, String)]
    )
    func `N-021 a hold is free once its release is certain, and no capture came to light`(
        capture: String,
        void: String,
        contradicted: Int?,
        by evidence: String,
        answer: String
    ) throws {
        var orders = BookCase()
        let hold = try orders.begin("o1", kind: .authorization)
        try orders.end(hold, "authorized")
        var followUps: [AttemptID?] = []
        for (kind, end) in [(AttemptKind.capture, capture), (.void, void)] {
            let next = try orders.begin("o1", kind: kind, parent: hold, ceiling: 1_000)
            try orders.end(next, end)
            followUps.append(next)
        }
        if let contradicted, let followUp = followUps[contradicted] {
            let began = try #require(orders.book[followUp]).began
            let ending = try orders.ending(evidence, of: followUp, began)
            try orders.add(.contradicted(ending), to: followUp)
        }
        #expect(orders.answer("o1") == answer)
    }

    @Test func `N-019 evidence of money outweighs a person who said there was none`() throws {
        var orders = BookCase()
        let attempt = try orders.begin("o1")
        let verdict = PersonalVerdict(.notMoved, name: "Kim", reason: "none on the till roll")
        try orders.add(.settled(verdict), to: attempt)
        try orders.end(attempt, "approved")
        #expect(orders.answer("o1") == "alreadyPaid")
    }

    @Test(arguments: ["declined", "cancelled", "failed"])
    func `N-021 an order whose end was contradicted by an approval is not charged again`(
        told: String
    ) throws {
        var orders = BookCase()
        let attempt = try #require(try orders.begin("o1"))
        try orders.end(attempt, told)
        let began = try #require(orders.book[attempt]).began
        let late = try orders.ending("approved", of: attempt, began)
        try orders.add(.contradicted(late), to: attempt)
        #expect(orders.answer("o1") == "alreadyPaid")
        #expect(orders.book[attempt]?.mayHaveMovedMoney == true)
    }

    @Test func `N-021 the first evidence stays, whatever is written after it`() throws {
        var orders = BookCase()
        let attempt = try orders.begin("o1")
        try orders.end(attempt, "approved")
        try orders.end(attempt, "declined")
        #expect(orders.answer("o1") == "alreadyPaid")
    }

    @Test func `N-021 an attempt that exists already does not begin again unseen`() throws {
        var orders = BookCase()
        let attempt = try orders.begin("o1")
        try orders.end(attempt, "approved")
        orders.count = 0
        #expect(orders.answer("o2") == "cannotRecord")
    }

    @Test func `N-021 money given to a card neither pays an order nor is given twice`() throws {
        var orders = BookCase()
        try orders.end(try orders.begin("o1", kind: .refundToCard), "approved")
        #expect(orders.answer("o1") == "begun")
        #expect(orders.answer("o1", kind: .refundToCard) == "alreadyPaid")
    }

    @Test(arguments: [
        (AttemptKind.void, "done", "begun"), (.void, "open", "open"),
        (.void, "failed", "alreadyAuthorized"), (.void, "pending", "alreadyAuthorized"),
        (.capture, "done", "alreadyPaid"), (.capture, "pending", "alreadyPaid"),
        (.capture, "open", "open"), (.capture, "declined", "alreadyAuthorized"),
    ])
    func `N-021 a held order is free again once the hold is certainly released`(
        followUp: AttemptKind,
        end: String,
        answer: String
    ) throws {
        var orders = BookCase()
        let hold = try orders.begin("o1", kind: .authorization)
        try orders.end(hold, "authorized")
        let follow = try orders.begin("o1", kind: followUp, parent: hold, ceiling: 1_000, id: "f")
        if end != "open" { try orders.end(follow, end) }
        #expect(orders.answer("o1") == answer)
    }
}
