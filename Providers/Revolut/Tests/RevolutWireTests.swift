import PaymentCore
import PaymentTransport
import RevolutPayments
import Simulation
import Testing

@Suite struct RevolutWireTests {
    private static let account = Account(provider: "revolut", merchant: "c", environment: .sandbox)
    private static let marker = "bcdfghjkmnpqrstvwxyzbcdf"
    private static let other = "zyxwvtsrqpnmkjhgfdcbzyxw"

    private struct Answering: HTTPTransport {
        let answer: @Sendable (HTTPRequest) -> HTTPResponse

        func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
            answer(request)
        }
    }

    private func records(
        references: [AcquirerReference] = [],
        kind: AttemptKind = .sale,
        _ answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse
    ) throws -> Result<RecordListing, PaymentError> {
        let time = SimulatedTime()
        let office = RevolutBackOffice(
            account: Self.account,
            origin: "https://revolut.example",
            apiKey: Secret("sk-very-secret"),
            apiVersion: "2026-04-20",
            transport: Answering(answer: answer),
            environment: time.environment
        )
        let query = RecordQuery(
            account: Self.account,
            references: references,
            parents: [AcquirerReference(kind: "order", value: "paid")],
            marker: Self.marker,
            created: time.wallTime...time.wallTime,
            kind: kind
        )
        return try time.run { () async -> Result<RecordListing, PaymentError> in
            do throws(PaymentError) {
                return .success(try await office.records(query))
            } catch {
                return .failure(error)
            }
        }
    }

    private static func order(_ state: String, _ payments: String) -> String {
        """
        { "id": "abc", "type": "payment", "state": "\(state)", "amount": 1250, "currency": "EUR",
          "created_at": "2026-01-05T09:00:00.000001Z", "description": "Table 4 ~m:\(marker)",
          "payments": [\(payments)], "extra": { "x": 1 } }
        """
    }

    private static func payment(_ state: String, _ rest: String = "") -> String {
        #"{ "id": "p", "state": "\#(state)", "amount": 1250 \#(rest) }"#
    }

    // FC-073, FC-119, FC-122
    @Test(arguments: [
        ("completed", payment("captured"), "succeeded"), ("processing", "", "pending"),
        ("authorised", payment("authorised"), "pending"), ("pending", "", "payable"),
        ("pending", payment("declined", #", "decline_reason": "insufficient_funds""#), "payable"),
        ("pending", payment("authorisation_passed"), "pending"),
        ("pending", payment("completing"), "pending"), ("cancelled", "", "cancelled"),
        ("failed", "", "cancelled"), ("CANCELED", "", "cancelled"),
        ("cancelled", payment("declined", #", "decline_reason": "do_not_honour""#), "declined"),
        ("somethingNew", payment("captured"), "unknown"),
    ])
    func `R-244 an order's state decides, and an intermediate payment does not`(
        state: String,
        payments: String,
        expected: String
    ) throws {
        let body = Self.order(state, payments)
        let reference = AcquirerReference(kind: "order", value: "abc")
        let listing = try records(references: [reference]) { _ in
            HTTPResponse(status: 200, body: Data(body.utf8))
        }.get()
        let record = try #require(listing.records.first)
        let name = "\(record.state)".prefix { $0.isLetter }
        #expect(name == expected)
        #expect(record.marker == Self.marker)
    }

    // FC-077
    @Test(arguments: [
        #"{"code":1024,"message":"x"}"#, #"{"code":"not_found"}"#,
        #"{"errorId":"11111111-2222-4333-8444-555555555555","timestamp":1735689600}"#,
        #"{"code":null}"#, #"{"code":{"a":1}}"#, "[]", #""text""#, "null", "",
    ])
    func `R-283 every body of a refusal is one refusal`(body: String) throws {
        for (status, code) in [(404, nil), (403, PaymentError.Code.accessDenied)] {
            let reference = AcquirerReference(kind: "order", value: "abc")
            let result = try records(references: [reference]) { _ in
                HTTPResponse(status: status, body: Data(body.utf8))
            }
            switch result {
            case .success(let listing):
                #expect(code == nil && listing.records.isEmpty && !listing.isComplete)
            case .failure(let error): #expect(error.code == code)
            }
        }
    }

    @Test func `R-358 an order without any marker is for a person, and another's is not listed`()
        throws
    {
        let rows = [
            #"{"id":"a","state":"completed","amount":1250,"currency":"EUR","#
                + #""created_at":"2026-01-05T09:00:00Z"}"#,
            #"{"id":"b","state":"completed","amount":1250,"currency":"EUR","#
                + #""created_at":"2026-01-05T09:00:00Z","description":"x ~m:\#(Self.other)"}"#,
        ]
        let listing = try records { _ in
            HTTPResponse(
                status: 200,
                body: Data(#"{"orders":[\#(rows.joined(separator: ","))]}"#.utf8)
            )
        }.get()
        #expect(listing.records.map(\.reference.value) == ["a"])
        #expect(listing.isComplete)
    }

    /// A list of one order, which is read alone as it is listed.
    private func list(_ more: String, kind: AttemptKind = .sale) throws -> RecordListing {
        let row =
            #"{"id":"a","amount":1250,"currency":"EUR","created_at":"2026-01-05T09:00:00Z","#
            + (more.contains("state") ? "" : #""state":"completed","#) + "\(more)}"
        return try records(kind: kind) { request in
            let body = request.path == "/api/orders" ? #"{"orders":[\#(row)]}"# : row
            return HTTPResponse(status: 200, body: Data(body.utf8))
        }.get()
    }

    @Test(arguments: ["~m:", "~m:bcdfgh", "~m:bcdfgh…", "~m:9f3k2", "~m:\(other)x"])
    func `R-358 what is left of a mark that was cut is nobody's, so a person sees the order`(
        mark: String
    ) throws {
        let listing = try list(#""description":"Table 4 \#(mark)""#)
        #expect(listing.records.map(\.reference.value) == ["a"])
    }

    @Test(arguments: [
        ("payment", ["a"], true), ("payment_request", ["a"], true), ("refund", [], true),
        ("chargeback", [], true), ("chargeback_reversal", [], true),
        ("credit_reimbursement", [], true), ("somethingNew", [], false),
    ])
    func `R-358 only a payment is a candidate, and R-230 a type that is known hides nothing`(
        type: String,
        found: [String],
        isComplete: Bool
    ) throws {
        let listing = try list(#""type":"\#(type)""#)
        #expect(listing.records.map(\.reference.value) == found)
        #expect(listing.isComplete == isComplete)
    }

    @Test func `R-270 a refund is known by its order alone, whatever text it has from there`()
        throws
    {
        let paid = #""related_order_id":"paid","description":"Table 4 ~m:\#(Self.other)""#
        for listed in [#""type":"refund",\#(paid)"#, paid] {
            let listing = try list(listed, kind: .refund)
            #expect(listing.records.map(\.kind) == [.refund])
            #expect(listing.records.map(\.marker) == [nil])
        }
        // A refund on its way is nobody's to pay, and never closed for that.
        let begun = try list(#""type":"refund","state":"pending",\#(paid)"#, kind: .refund)
        #expect(begun.records.map(\.state) == [.pending])
        let chargeback = try list(#""type":"chargeback",\#(paid)"#, kind: .refund)
        #expect(chargeback.records.isEmpty && chargeback.isComplete)
    }

    // FC-075
    @Test func `R-209 one bad row leaves the list incomplete and no more`() throws {
        let body = #"{"orders":[{"id":"a","state":"completed","amount":12.5,"currency":"EUR"}]}"#
        let listing = try records { _ in HTTPResponse(status: 200, body: Data(body.utf8)) }.get()
        #expect(listing.records.isEmpty)
        #expect(!listing.isComplete)
    }
}
