import Testing

@testable import PaymentCore

@Suite struct FollowUpRuleTests {
    /// A payment of ten dollars that ended, and the book it is in.
    private func paid(_ kind: AttemptKind = .sale) throws -> (BookCase, AttemptID) {
        var orders = BookCase()
        let attempt = try #require(try orders.begin("o1", kind: kind))
        try orders.end(attempt, kind == .authorization ? "authorized" : "approved")
        return (orders, attempt)
    }

    private func follow(
        _ orders: inout BookCase,
        _ parent: AttemptID,
        _ kind: AttemptKind,
        _ minorUnits: Int64,
        _ id: FollowUpID
    ) -> String {
        do throws(PaymentRefusal) {
            let begun = try orders.begin(
                "o1",
                kind: kind,
                minorUnits,
                parent: parent,
                ceiling: 1_000,
                id: id
            )
            return begun?.description ?? "repeated"
        } catch {
            guard case .invalidRequest(let problem) = error else { return error.code }
            return problem.description
        }
    }

    // FC-104
    @Test(arguments: ["done", "pending", "open"])
    func `N-022 refunds never exceed what was captured, pending and unknown ones counted`(
        end: String
    ) throws {
        var (orders, sale) = try paid()
        let first = follow(&orders, sale, .refund, 600, "a")
        if end != "open" { try orders.end(AttemptID(first), end) }
        let second = follow(&orders, sale, .refund, 500, "b")
        #expect(second == "open" || second.contains("4.00"))
        #expect(orders.book.refundable(sale, of: "o1", captured: .usd(1_000)) == .usd(400))
    }

    @Test func `N-022 no receipt that is shown makes more refundable than the journal knows of`()
        throws
    {
        var orders = BookCase()
        let sale = try #require(try orders.begin("o1", 400))
        try orders.end(sale, "approved")
        #expect(follow(&orders, sale, .refund, 500, "a").contains("4.00"))
        var failed = BookCase()
        let nothing = try #require(try failed.begin("o1"))
        try failed.end(nothing, "failed")
        #expect(follow(&failed, nothing, .refund, 500, "a").contains("without money"))
    }

    // FC-107
    @Test func `N-022 a refund that fails after it was accepted can be made again`() throws {
        var (orders, sale) = try paid()
        let first = AttemptID(follow(&orders, sale, .refund, 1_000, "a"))
        try orders.end(first, "pending")
        #expect(follow(&orders, sale, .refund, 1, "b").contains("0.00"))
        try orders.end(first, "failed")
        #expect(follow(&orders, sale, .refund, 1_000, "c").hasPrefix("attempt"))
    }

    // FC-063
    @Test func `N-022 the same id gives the first answer, with another amount it is refused`()
        throws
    {
        var (orders, sale) = try paid()
        let first = AttemptID(follow(&orders, sale, .refund, 500, "k"))
        #expect(follow(&orders, sale, .refund, 500, "k") == "repeated")
        #expect(follow(&orders, sale, .refund, 700, "k").contains("already names a refund of"))
        try orders.end(first, "done")
        #expect(follow(&orders, sale, .refund, 500, "k") == "repeated")
        #expect(follow(&orders, sale, .capture, 500, "k").contains("already names"))
    }

    // FC-105
    @Test(arguments: [AttemptKind.refund, .capture])
    func `N-022 nothing is refunded or captured for an amount of zero`(kind: AttemptKind) throws {
        var (orders, payment) = try paid(kind == .refund ? .sale : .authorization)
        #expect(follow(&orders, payment, kind, 0, "z").contains("zero"))
    }

    // FC-106
    @Test func `N-022 a hold is captured once, and for no more than is held`() throws {
        var (orders, hold) = try paid(.authorization)
        #expect(follow(&orders, hold, .capture, 1_001, "a").contains("more than"))
        let first = AttemptID(follow(&orders, hold, .capture, 600, "b"))
        #expect(follow(&orders, hold, .capture, 400, "c") == "open")
        try orders.end(first, "done")
        #expect(follow(&orders, hold, .capture, 400, "c").contains("already captured"))
        #expect(follow(&orders, hold, .void, 1_000, "d").contains("already captured"))
        #expect(orders.book.authorization(for: "o1") == nil)
    }

    @Test func `N-022 a capture that was refused leaves the hold to capture or void`() throws {
        var (orders, hold) = try paid(.authorization)
        try orders.end(AttemptID(follow(&orders, hold, .capture, 1_000, "a")), "declined")
        #expect(orders.book.authorization(for: "o1") != nil)
        try orders.end(AttemptID(follow(&orders, hold, .void, 1_000, "b")), "done")
        #expect(follow(&orders, hold, .capture, 1_000, "c").contains("released"))
    }

    @Test func `N-022 a follow-up in another currency is refused`() throws {
        var (orders, sale) = try paid()
        let began = JournalEntry.Began(
            account: TestTill.account,
            order: "o1",
            kind: .refund,
            amount: Money(checked: 100, currency: .jpy),
            followUp: "y",
            parent: sale,
            ceiling: .usd(1_000)
        )
        let entry = JournalEntry(at: after(9), attempt: "yen", fact: .began(began))
        #expect(throws: PaymentRefusal.self) { try orders.book.check(entry) }
        orders.count += 1
    }
}
