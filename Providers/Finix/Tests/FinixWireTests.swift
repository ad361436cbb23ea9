import FinixPayments
import PaymentCore
import PaymentTransport
import Simulation
import Synchronization
import Testing

/// Gives its answers in order, the last one for ever, and keeps what was sent.
final class FixedTransport: HTTPTransport {
    private let answers: [HTTPResponse]
    private let sent = Mutex<[HTTPRequest]>([])

    init(_ answers: [HTTPResponse]) { self.answers = answers }

    convenience init(_ status: Int, _ body: String) {
        self.init([HTTPResponse(status: status, body: Data(body.utf8))])
    }

    var requests: [HTTPRequest] { sent.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let index = sent.withLock { sent in
            sent.append(request)
            return sent.count - 1
        }
        return answers[min(index, answers.count - 1)]
    }
}

@Suite struct FinixWireTests {
    private static let account = Account(provider: "finix", merchant: "MU", environment: .sandbox)

    private func listing(
        _ transport: FixedTransport,
        references: [AcquirerReference] = []
    ) throws -> Result<RecordListing, PaymentError> {
        let time = SimulatedTime()
        let office = FinixBackOffice(
            account: Self.account,
            origin: "https://finix.example",
            username: Secret("USuser"),
            password: Secret("hunter2-secret"),
            transport: transport,
            environment: time.environment
        )
        let query = RecordQuery(
            account: Self.account,
            references: references,
            created: time.wallTime...time.wallTime,
            kind: .sale
        )
        return try time.run { () async -> Result<RecordListing, PaymentError> in
            do throws(PaymentError) {
                return .success(try await office.records(query))
            } catch {
                return .failure(error)
            }
        }
    }

    private static func row(_ changes: String = "", amount: String = "1250") -> String {
        """
        { "id": "TRa1", "type": "DEBIT", "state": "SUCCEEDED", "amount": \(amount),
          "currency": "USD", "created_at": "2026-01-05T09:00:01.5Z", "device": "DV" \(changes) }
        """
    }

    private static func list(_ rows: [String], cursor: String = "null") -> String {
        """
        { "_embedded": { "transfers": [\(rows.joined(separator: ","))] },
          "page": { "limit": "100", "next_cursor": \(cursor) }, "_links": {} }
        """
    }

    // FC-073, FC-076, FC-079, FC-080
    @Test(arguments: [
        "", #", "card_present_details": null"#, #", "failure_code": 51, "fee": "0""#,
        #", "card_present_details": { "brand": "newbrand", "payment_type": "NONE" }"#,
        #", "unknown": { "a": [1, 2] }, "amount_requested": 1250"#,
    ])
    func `F-157 what is new or absent in a good answer changes nothing`(changes: String) throws {
        let body = "\u{FEFF}" + Self.list([Self.row(changes)]) + "\r\n"
        let listing = try listing(FixedTransport(200, body)).get()
        #expect(listing.records.map(\.amount.minorUnits) == [1_250])
        #expect(listing.records.first?.state == .succeeded)
        #expect(listing.isComplete)
    }

    // FC-075, FC-076
    @Test(arguments: ["10.5", "\"1250\"", "null", "1e400", "99999999999999999999", "-1"])
    func `F-157 a row that cannot be read is left out, the others survive`(amount: String) throws {
        let rows = [Self.row(), Self.row(amount: amount), Self.row()]
        let listing = try listing(FixedTransport(200, Self.list(rows))).get()
        #expect(listing.records.count == 2)
        #expect(!listing.isComplete)
    }

    @Test(arguments: ["FEE", "ADJUSTMENT", "DISPUTE", "RESERVE", "SETTLEMENT"])
    func `N-029 F-105 Finix's own bookings are no payments and leave a list complete`(
        type: String
    ) throws {
        let booking = Self.row().replacing("DEBIT", with: type)
        let listing = try listing(FixedTransport(200, Self.list([booking]))).get()
        #expect(listing.records.isEmpty)
        #expect(listing.isComplete)
    }

    @Test(arguments: ["\"UNKNOWN\"", "\"NEW\"", "null"])
    func `N-044 F-101 a transfer of a type that is not known is not taken for a sale`(
        type: String
    ) throws {
        let row = Self.row().replacing("\"DEBIT\"", with: type)
        let listing = try listing(FixedTransport(200, Self.list([row]))).get()
        guard case .unknown = listing.records.first?.state else {
            Issue.record("\(listing.records)")
            return
        }
    }

    // FC-074
    @Test(arguments: [
        ("SUCCEEDED", AcquirerRecord.State.succeeded), ("CANCELED", .cancelled),
        ("PENDING", .pending), ("UNKNOWN", .unknown("UNKNOWN")), ("NEW", .unknown("NEW")),
    ])
    func `F-176 states are told apart, and a new one is not known`(
        state: String,
        expected: AcquirerRecord.State
    ) throws {
        let row = Self.row().replacing("SUCCEEDED", with: state)
        let listing = try listing(FixedTransport(200, Self.list([row]))).get()
        #expect(listing.records.first?.state == expected)
    }

    @Test(arguments: ["{}", #"{ "_embedded": {} }"#, #"{ "_embedded": { "transfers": [] } }"#])
    func `F-170 an empty list has several shapes`(body: String) throws {
        let listing = try listing(FixedTransport(200, body)).get()
        #expect(listing.records.isEmpty)
        #expect(listing.isComplete)
    }

    // FC-114
    @Test func `F-165 a repeating cursor ends with an error`() throws {
        let transport = FixedTransport(200, Self.list([Self.row()], cursor: #""c1""#))
        guard case .failure(let error) = try listing(transport) else {
            Issue.record("no error")
            return
        }
        #expect(error.code == .malformedAnswer)
        #expect(transport.requests.count == 2)
    }

    // FC-081, FC-082, FC-083
    @Test(arguments: [
        (200, "<html>log in</html>", PaymentError.Code.malformedAnswer),
        (200, "", .malformedAnswer),
        (502, "<html>bad gateway</html>", .acquirerUnavailable), (401, "{}", .invalidCredentials),
        (403, "", .accessDenied), (302, "", .malformedAnswer), (429, "x", .rateLimited),
        (500, #"{ "total": 1, "_embedded": { "errors": [] } }"#, .acquirerUnavailable),
    ])
    func `F-209 any body keeps its status and shows nothing of itself`(
        status: Int,
        body: String,
        code: PaymentError.Code
    ) throws {
        guard case .failure(let error) = try listing(FixedTransport(status, body)) else {
            Issue.record("no error")
            return
        }
        #expect(error.code == code)
        #expect(!error.debugDescription.contains("html"))
    }

    // FC-087
    @Test func `F-208 every entry of an error is kept, and the request's identifier`() throws {
        let body = """
            { "total": 2, "_embedded": { "errors": [
              { "code": "INVALID_FIELD", "field": "limit", "message": "bad", "logref": "req-9" },
              { "code": "INVALID_FIELD", "field": "sort", "message": "worse", "logref": "req-9" } ] } }
            """
        guard case .failure(let error) = try listing(FixedTransport(422, body)) else {
            Issue.record("no error")
            return
        }
        #expect(error.vendorCode == "INVALID_FIELD")
        #expect(error.detail?.contains("limit") == true && error.detail?.contains("sort") == true)
        #expect(error.supportIdentifiers["logref"] == "req-9")
    }

    @Test func `F-153 each request carries version and key, and prints as neither`() throws {
        let transport = FixedTransport(200, "{}")
        _ = try listing(transport)
        let request = try #require(transport.requests.first)
        #expect(request.headers["Finix-Version"] == "2022-02-01")
        #expect(request.headers["Authorization"]?.hasPrefix("Basic ") == true)
        var text = "\(request) \(String(reflecting: request))"
        dump(request, to: &text)
        #expect(!text.contains("hunter2") && !text.contains("Basic"))
    }

    // FC-097
    @Test func `N-014 a card number in an answer reaches no error and no record`() throws {
        let number = "4" + String(repeating: "1", count: 15)
        let details = """
            , "card_present_details": { "brand": "VISA", "masked_account_number": "\(number)",
              "approval_code": "\(number)" }, "failure_message": "card \(number)", "state": "FAILED"
            """
        let row = Self.row(details).replacing(#""state": "SUCCEEDED", "#, with: "")
        let listing = try listing(FixedTransport(200, Self.list([row]))).get()
        var text = ""
        dump(listing, to: &text)
        #expect(listing.records.first?.card?.lastFour == "1111")
        #expect(!text.contains(number))
    }
}
