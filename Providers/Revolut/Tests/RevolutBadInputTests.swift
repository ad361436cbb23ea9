import PaymentCore
import PaymentTransport
import RevolutPayments
import Simulation
import Testing

/// Every field of every answer, spoiled in every way; and names that are none.
@Suite struct RevolutBadInputTests {
    /// A way to spoil a field; nil leaves it out.
    private static let spoiled: [String?] = [
        nil, "null", "{}", "[]", "true", "-1", #""500""#, #""""#, "10.5", "1e400",
        "99999999999999999999", "\"" + String(repeating: "x", count: 100_000) + "\"",
    ]

    /// An order with everything that is read.
    private static func order(_ more: [String: String]) -> [String: String] {
        let members = [
            "id": #""o-1""#, "type": #""payment""#, "state": #""completed""#, "amount": "500",
            "currency": #""EUR""#, "created_at": #""2026-01-05T09:00:00Z""#,
            "updated_at": #""2026-01-05T09:00:01Z""#, "description": #""Table 4""#,
            "checkout_url": #""https://checkout.example/1""#, "location_id": "null",
            "metadata": "{}", "merchant_order_data": "{}", "payments": "[]",
        ]
        return members.merging(more) { _, new in new }
    }

    private static let refund = order([
        "id": #""r-1""#, "type": #""refund""#, "related_order_id": #""o-1""#,
    ])
    /// Without these nobody knows what happened.
    private static let needed: Set<String> = ["id", "state", "amount", "currency", "created_at"]

    static let cases = refund.keys.sorted().flatMap { field in
        // Any short text is an identifier: they are opaque.
        spoiled.indices.filter { field != "id" || spoiled[$0] != #""500""# }.map { (field, $0) }
    }

    private static func body(
        _ order: [String: String],
        _ field: String? = nil,
        _ index: Int = 0
    ) -> String {
        var members = order
        if let field { members[field] = spoiled[index] }
        let lines = members.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }
        return "{ \(lines.joined(separator: ", ")) }"
    }

    // MARK: Asking

    private static let account = Account(provider: "revolut", merchant: "c", environment: .sandbox)

    private struct Fixed: HTTPTransport {
        let status: Int
        let body: String
        let sent = Shared(0)

        func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
            sent.value += 1
            return HTTPResponse(status: status, body: Data(body.utf8))
        }
    }

    private static func ask<Answer: Sendable>(
        _ transport: Fixed,
        _ question: @escaping @Sendable (RevolutBackOffice, SimulatedTime) async throws -> Answer
    ) throws -> Answer {
        let time = SimulatedTime()
        let office = RevolutBackOffice(
            account: account,
            origin: "https://revolut.example",
            apiKey: Secret("sk-very-secret"),
            apiVersion: "2026-04-20",
            transport: transport,
            environment: time.environment
        )
        return try time.run { () async -> Result<Answer, any Error> in
            do { return .success(try await question(office, time)) } catch {
                return .failure(error)
            }
        }.get()
    }

    private static func reference(_ id: String = "o-1") -> AcquirerReference {
        AcquirerReference(kind: "order", value: id)
    }

    private static func money(_ currency: Currency = .eur) throws -> Money {
        try Money(minorUnits: 500, currency: currency)
    }

    private static func refunded(
        _ transport: Fixed,
        order: String = "o-1"
    ) throws -> BackOfficeAnswer {
        let began = JournalEntry.Began(
            account: account,
            order: "o1",
            kind: .sale,
            amount: try money()
        )
        let receipt = Receipt(
            of: AttemptID("a"),
            began: began,
            approval: Approval(references: [reference(order)], amount: .confirmed(try money())),
            now: .distantPast
        )
        return try attempted(.refund(receipt), transport) { await $0.perform($1) }
    }

    private static func linked(_ transport: Fixed) throws -> LinkAnswer {
        let request = PaymentRequest.sale(try money(), for: "o1")
        return try attempted(.take(request), transport) { await $0.link(for: $1) }
    }

    private static func attempted<Answer: Sendable>(
        _ operation: PaymentAttempt.Operation,
        _ transport: Fixed,
        _ question: @escaping @Sendable (RevolutBackOffice, PaymentAttempt) async -> Answer
    ) throws -> Answer {
        let money = try money()
        return try ask(transport) { office, time in
            let attempt = PaymentAttempt(
                id: AttemptID("b"),
                account: account,
                operation: operation,
                startedAt: time.wallTime,
                amount: money
            )
            return await question(office, attempt)
        }
    }

    // MARK: Answers

    @Test(arguments: cases)
    func `R-209 a refund whose answer is spoiled is never told as failed, nor as done in vain`(
        field: String,
        index: Int
    ) throws {
        let answer = try Self.refunded(
            Fixed(status: 201, body: Self.body(Self.refund, field, index))
        )
        switch answer {
        case .unknown: break
        case .done(let approval):
            #expect(!Self.needed.contains(field))
            #expect(approval.amount == .confirmed(try Self.money()))
            #expect(approval.references == [Self.reference("r-1")])
        case .pending, .declined, .notDone: Issue.record("\(answer)")
        }
    }

    @Test(arguments: [
        [:], ["id": #""r-1""#], ["type": #""refund""#, "related_order_id": #""o-2""#],
        ["type": #""refund""#, "related_order_id": #""o-1""#],
    ])
    func `R-270 a refund is a new order of that type of the paid one, R-277 and no other is done`(
        more: [String: String]
    ) throws {
        let body = Self.body(Self.order(more))
        guard case .unknown = try Self.refunded(Fixed(status: 201, body: body)) else {
            Issue.record("\(body)")
            return
        }
    }

    @Test(arguments: cases)
    func `R-183 an order whose answer is spoiled is not closed, R-395 nor shown as a code`(
        field: String,
        index: Int
    ) throws {
        let cancelled = Self.body(Self.order(["state": #""cancelled""#]), field, index)
        switch try Self.ask(
            Fixed(status: 200, body: cancelled),
            { office, _ in
                await office.close(Self.reference())
            }
        ) {
        case .closed(let record):
            #expect(!Self.needed.contains(field))
            #expect(record.reference == Self.reference())
        case .notClosed: break
        case .alreadyFinal, .unsupported: Issue.record("\(field)")
        }
        let pending = Self.body(Self.order(["state": #""pending""#]), field, index)
        switch try Self.linked(Fixed(status: 201, body: pending)) {
        case .link(let url, let reference, _):
            #expect(!["id", "amount", "currency", "checkout_url"].contains(field))
            #expect(url.absoluteString == "https://checkout.example/1")
            #expect(reference == Self.reference())
        case .unknown: break
        case .notMade, .unsupported: Issue.record("\(field): an order may have been made")
        }
    }

    @Test(arguments: ["501", "50000"])
    func `R-395 a page that asks for another amount is not shown`(amount: String) throws {
        let body = Self.body(Self.order(["state": #""pending""#, "amount": amount]))
        guard case .unknown = try Self.linked(Fixed(status: 201, body: body)) else {
            Issue.record("shown")
            return
        }
    }

    @Test(arguments: cases)
    func `R-209 a spoiled row of a list is read as it is or makes the list incomplete`(
        field: String,
        index: Int
    ) throws {
        let row = Self.body(Self.order([:]), field, index)
        let listing = try Self.ask(Fixed(status: 200, body: #"{"orders":[\#(row)]}"#)) {
            office,
            time in
            try await office.records(
                RecordQuery(
                    account: Self.account,
                    marker: "m",
                    created: time.wallTime...time.wallTime,
                    kind: .sale
                )
            )
        }
        // An order that belongs to another one is a refund.
        #expect(!listing.records.isEmpty || !listing.isComplete)
        for record in listing.records {
            #expect(record.amount == (try Self.money()))
            #expect(record.state == .succeeded || field == "state")
        }
    }

    // FC-012
    @Test(arguments: [("usd", true), ("Usd", true), ("u\u{17F}d", false), ("us", false)])
    func `R-211 a currency is read whatever its case, and only from its own letters`(
        code: String,
        isRead: Bool
    ) throws {
        let body = Self.body(Self.order(["currency": "\"\(code)\""]))
        let records = try Self.ask(Fixed(status: 200, body: body)) { office, time in
            try await office.records(
                RecordQuery(
                    account: Self.account,
                    references: [Self.reference()],
                    created: time.wallTime...time.wallTime,
                    kind: .sale
                )
            ).records
        }
        #expect(records.map(\.amount.currency) == (isRead ? [.usd] : []))
    }

    @Test(arguments: ["", "<html>moved</html>", "null", "[]", "\"text\"", "{", "\u{0}\u{1}"])
    func `R-284 an answer that is none leaves what was asked for open`(body: String) throws {
        for status in [200, 201, 204, 301, 302, 307, 408, 500, 502] {
            let transport = Fixed(status: status, body: body)
            guard case .unknown = try Self.refunded(transport) else {
                Issue.record("refund \(status)")
                continue
            }
            guard case .unknown = try Self.linked(transport) else {
                Issue.record("link \(status)")
                continue
            }
            guard
                case .notClosed = try Self.ask(
                    transport,
                    { office, _ in await office.close(Self.reference()) }
                )
            else {
                Issue.record("close \(status)")
                continue
            }
        }
    }

    // MARK: Names

    @Test(arguments: [
        "", "a/b", "..", "../webhooks/w", "a?b", "a#b", "ä", "a b", "%2e",
        String(repeating: "a", count: 65),
    ])
    func `R-212 the back office sends no identifier that is no part of a path`(id: String) throws {
        let transport = Fixed(status: 200, body: Self.body(Self.order([:])))
        let (listing, close) = try Self.ask(transport) { office, time in
            let query = RecordQuery(
                account: Self.account,
                references: [Self.reference(id)],
                created: time.wallTime...time.wallTime,
                kind: .sale
            )
            return (try await office.records(query), await office.close(Self.reference(id)))
        }
        #expect(listing.records.isEmpty && !listing.isComplete)
        if case .notClosed(let error) = close {
            #expect(error.code == .notFound)
        } else {
            Issue.record("\(close)")
        }
        guard case .notDone = try Self.refunded(transport, order: id) else {
            Issue.record("refunded")
            return
        }
        #expect(transport.sent.value == 0)
    }

    @Test func `N-029 another account's books are not asked, and absence there proves nothing`()
        throws
    {
        let transport = Fixed(status: 200, body: #"{"orders":[]}"#)
        let listing = try Self.ask(transport) { office, time in
            try await office.records(
                RecordQuery(
                    account: Account(provider: "revolut", merchant: "d", environment: .sandbox),
                    marker: "m",
                    created: time.wallTime...time.wallTime,
                    kind: .sale
                )
            )
        }
        #expect(transport.sent.value == 0 && !listing.isComplete)
    }

    @Test func `N-028 an order that was not asked for is no evidence`() throws {
        let transport = Fixed(status: 200, body: Self.body(Self.order(["id": #""o-2""#])))
        let told = try Self.ask(transport) { office, time in
            let query = RecordQuery(
                account: Self.account,
                references: [Self.reference()],
                created: time.wallTime...time.wallTime,
                kind: .sale
            )
            let records = try? await office.records(query).records
            guard case .notClosed = await office.close(Self.reference()) else { return "closed" }
            return records.map { "\($0.count)" } ?? "error"
        }
        #expect(told == "error")
    }
}
