import AcquirerSimulation
import FinixPayments
import Foundation
import PaymentCore
import PaymentTransport
import Simulation
import Testing

/// Every field of every answer, spoiled in every way.
@Suite struct FinixBadInputTests {
    /// A way to spoil a field; nil leaves it out.
    static let spoiled: [String?] = [
        nil, "null", "{}", "[]", "true", "-1", "\"500\"", "\"\"", "10.5", "1e400",
        "99999999999999999999", "\"" + String(repeating: "x", count: 100_000) + "\"",
    ]

    /// A good refund, as Finix answers it.
    static let payment: [String: String] = [
        "id": #""TRa2""#, "type": #""REVERSAL""#, "subtype": #""API""#, "state": #""SUCCEEDED""#,
        "amount": "500", "amount_requested": "500", "currency": #""USD""#, "merchant": #""MUa""#,
        "device": #""DVa""#, "failure_code": "null", "failure_message": "null",
        "idempotency_id": #""x""#, "trace_id": #""t""#, "parent_transfer": #""TRa1""#,
        "created_at": #""2026-01-05T09:00:01.5Z""#, "updated_at": #""2026-01-05T09:00:02Z""#,
        "expires_at": #""2026-01-12T09:00:01Z""#, "transfer": #""TRa2""#, "is_void": "true",
        "void_state": #""SUCCEEDED""#, "fee": "0", "tags": "{}", "_links": "{}",
        "card_present_details": #"{ "brand": "VISA", "approval_code": "000123" }"#,
    ]
    /// Without these nobody knows what happened.
    static let needed: Set<String> = ["id", "state", "amount", "currency", "created_at"]

    static let cases = payment.keys.sorted().flatMap { field in
        // Any short text is an identifier: they are opaque.
        spoiled.indices.filter { field != "id" || spoiled[$0] != "\"500\"" }.map { (field, $0) }
    }

    private static func body(_ field: String, _ index: Int) -> String {
        var members = payment
        members[field] = spoiled[index]
        let lines = members.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }
        return "{ \(lines.joined(separator: ", ")) }"
    }

    /// A receipt and a hold of a real sale and a real authorization.
    private static let paid: (receipt: Receipt, hold: Authorization)? = {
        let shop = FinixShop()
        return try? shop.run { () async throws -> (Receipt, Authorization)? in
            let pointOfSale = try await shop.open()
            try await pointOfSale.prepare()
            _ = try await shop.take(1_000, "o1", with: pointOfSale)
            try await pointOfSale.prepare()
            let money = try Money(minorUnits: 500, currency: .usd)
            let outcome = try await pointOfSale.take(.authorization(money, for: "tab"))
            guard case .authorized(let hold) = outcome,
                let receipt = await pointOfSale.receipt(for: "o1")
            else { return nil }
            return (receipt, hold)
        }
    }()

    private static func office(
        _ transport: any HTTPTransport,
        _ time: SimulatedTime
    ) -> FinixBackOffice {
        FinixBackOffice(
            account: FinixShop.account,
            origin: "https://finix.example",
            username: Secret("USuser"),
            password: Secret("hunter2-secret"),
            transport: transport,
            environment: time.environment
        )
    }

    private func isVoid(_ operation: PaymentAttempt.Operation) -> Bool {
        if case .void = operation { true } else { false }
    }

    private func answer(
        _ operation: PaymentAttempt.Operation,
        _ transport: any HTTPTransport
    ) throws -> BackOfficeAnswer {
        let time = SimulatedTime()
        let office = Self.office(transport, time)
        let attempt = PaymentAttempt(
            id: AttemptID("attempt-a"),
            account: FinixShop.account,
            operation: operation,
            startedAt: time.wallTime,
            amount: try Money(minorUnits: 500, currency: .usd)
        )
        return try time.run { await office.perform(attempt) }
    }

    @Test(arguments: cases)
    func `F-209 a refund whose answer is spoiled is never told as done`(
        field: String,
        index: Int
    ) throws {
        let paid = try #require(Self.paid)
        let transport = FixedTransport(201, Self.body(field, index))
        let answer = try answer(.refund(paid.receipt), transport)
        switch answer {
        case .unknown, .pending: break
        case .done(let approval):
            #expect(!Self.needed.contains(field))
            #expect(approval.amount.money?.minorUnits == 500)
            #expect(approval.references.map(\.value) == ["TRa2"])
        case .declined, .notDone: Issue.record("\(answer): the money may have moved")
        }
    }

    @Test(arguments: cases)
    func `F-209 a capture or void whose answer is spoiled is never told as failed`(
        field: String,
        index: Int
    ) throws {
        let hold = try #require(Self.paid).hold
        for operation in [PaymentAttempt.Operation.capture(hold), .void(hold)] {
            let transport = FixedTransport(200, Self.body(field, index))
            switch try answer(operation, transport) {
            case .unknown, .pending: break
            case .done(let approval):
                // What became of a void stands in a field of its own.
                #expect(!Self.needed.contains(field) || isVoid(operation) && field == "state")
                #expect(approval.amount.money?.minorUnits == 500)
            case .declined, .notDone: Issue.record("the money may have moved")
            }
        }
    }

    @Test(arguments: [
        (#""transfer": null, "is_void": false"#, true),
        (#""transfer": "TR1", "is_void": false"#, false),
        (#""transfer": null, "is_void": true"#, false),
    ])
    func `F-185 N-011 a hold that is gone has lapsed only if nobody captured or released it`(
        members: String,
        hasLapsed: Bool
    ) throws {
        let hold = try #require(Self.paid).hold
        let refusal =
            #"{ "_embedded": { "errors": [ { "code": "PAYMENT_DECLINED","#
            + #" "failure_code": "AUTHORIZATION_EXPIRED_OR_ALREADY_CAPTURED" } ] } }"#
        let gone = """
            { "id": "AU1", "state": "SUCCEEDED", "amount": 500, "currency": "USD",
              "created_at": "2026-01-05T09:00:01Z", \(members) }
            """
        let answers = [(402, refusal), (200, gone)].map { status, body in
            HTTPResponse(status: status, body: Data(body.utf8))
        }
        switch try answer(.capture(hold), FixedTransport(answers)) {
        case .notDone(let error): #expect(hasLapsed && error.code == .expired)
        case .unknown: #expect(!hasLapsed)
        case let answer: Issue.record("\(answer)")
        }
    }

    @Test(arguments: cases)
    func `F-157 a spoiled row of a list is read as it is or makes the list incomplete`(
        field: String,
        index: Int
    ) throws {
        let body = """
            { "_embedded": { "transfers": [\(Self.body(field, index))] },
              "page": { "next_cursor": null } }
            """
        let time = SimulatedTime()
        let office = Self.office(FixedTransport(200, body), time)
        for kind in [AttemptKind.sale, .authorization] {
            let query = RecordQuery(
                account: FinixShop.account,
                created: time.wallTime...time.wallTime,
                kind: kind
            )
            let listing = try time.run { try? await office.records(query) }
            let records = try #require(listing).records
            #expect(!records.isEmpty || listing?.isComplete == false)
            for record in records where record.state == .succeeded {
                #expect(field != "state")
                #expect(record.amount.minorUnits == 500)
                #expect(record.amount.currency == .usd)
            }
        }
    }

    @Test(arguments: ["_embedded", "page", "page.next_cursor", "_embedded.transfers"])
    func `F-164 a spoiled list is an error or an incomplete one, never an endless one`(
        field: String
    ) throws {
        for value in Self.spoiled {
            let text = value ?? "null"
            let body =
                switch field {
                case "_embedded": #"{ "_embedded": \#(text), "page": { "next_cursor": null } }"#
                case "page": #"{ "_embedded": { "transfers": [] }, "page": \#(text) }"#
                case "page.next_cursor":
                    #"{ "_embedded": { "transfers": [] }, "page": { "next_cursor": \#(text) } }"#
                default: #"{ "_embedded": { "transfers": \#(text) }, "page": {} }"#
                }
            let time = SimulatedTime()
            let transport = FixedTransport(200, body)
            let office = Self.office(transport, time)
            let query = RecordQuery(
                account: FinixShop.account,
                created: time.wallTime...time.wallTime,
                kind: .sale
            )
            let listing = try time.run { try? await office.records(query) }
            #expect(listing?.records.isEmpty ?? true)
            // These are good: an empty list, and an end without a cursor.
            let good = [
                "_embedded": ["{}"], "page": ["null", "{}"], "page.next_cursor": ["null"],
                "_embedded.transfers": ["[]"],
            ]
            #expect(listing?.isComplete != true || good[field]?.contains(text) == true, "\(text)")
            #expect(transport.requests.count < 4)
        }
    }

    @Test(arguments: ["", "<html>moved</html>", "null", "[]", "\"text\"", "{", "\u{0}\u{1}"])
    func `F-156 an answer that is none leaves a follow-up open`(body: String) throws {
        let paid = try #require(Self.paid)
        let operations: [PaymentAttempt.Operation] = [
            .refund(paid.receipt), .capture(paid.hold), .void(paid.hold),
        ]
        for operation in operations {
            for status in [200, 201, 204, 301, 302, 307, 500, 502] {
                guard case .unknown = try answer(operation, FixedTransport(status, body)) else {
                    Issue.record("\(status) with \(body.count) bytes")
                    continue
                }
            }
        }
    }
}
