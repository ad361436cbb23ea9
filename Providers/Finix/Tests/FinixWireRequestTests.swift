import AcquirerSimulation
import FinixSimulation
import Foundation
import PaymentCore
import PaymentTransport
import Simulation
import Testing

@testable import FinixPayments

/// What the client sends, how often, and what it makes of each refusal.
@Suite struct FinixWireRequestTests {
    private struct Nothing: Codable, Sendable {}

    private func api(
        _ transport: any HTTPTransport,
        _ time: SimulatedTime = SimulatedTime()
    ) -> FinixAPI {
        FinixAPI(
            origin: "https://finix.example",
            credentials: .init(username: Secret("US"), password: Secret("hunter2-secret")),
            transport: transport,
            environment: time.environment
        )
    }

    private static func response(_ status: Int, _ body: String = "") -> HTTPResponse {
        HTTPResponse(status: status, body: Data(body.utf8))
    }

    private static func error(_ code: String, _ more: String = "") -> String {
        """
        { "total": 1, "_embedded": { "errors": [ { "code": "\(code)", "message": "text",
          "logref": "req-1" \(more) } ] } }
        """
    }

    private func send(
        _ transport: FixedTransport
    ) throws -> (error: WireError?, seconds: Double) {
        let time = SimulatedTime()
        let api = api(transport, time)
        let error = try time.run { () async -> WireError? in
            do throws(WireError) {
                _ = try await api.send(.put, "/x", Nothing(), as: Nothing.self)
                return nil
            } catch {
                return error
            }
        }
        return (error, time.clock.now.offset / .seconds(1))
    }

    // One row each of the table of errors: status, code, neutral code, declined, may have acted.
    private static let rows: [(Int, String, PaymentError.Code, Bool, Bool)] = [
        (400, "BAD_REQUEST", .requestRejected, false, false),
        (401, "UNKNOWN", .invalidCredentials, false, false),
        (402, "DECLINED", .requestRejected, true, false),
        (402, "PAYMENT_DECLINED", .requestRejected, true, false),
        (402, "CALL_ISSUER", .requestRejected, true, false),
        (402, "UPSTREAM_PROCESSOR_ERROR", .requestRejected, false, true),
        (403, "FORBIDDEN", .accessDenied, false, false),
        (404, "NOT_FOUND", .notFound, false, false),
        (405, "METHOD_NOT_ALLOWED", .requestRejected, false, false),
        (406, "NOT_ACCEPTABLE", .requestRejected, false, false),
        // Whoever waited on the way says nothing of whoever was asked.
        (408, "REQUEST_TIMEOUT", .timedOut, false, true),
        (409, "CONFLICT", .conflict, false, true),
        (422, "UNPROCESSABLE_ENTITY", .requestRejected, false, true),
        (422, "INVALID_FIELD", .requestRejected, false, false),
        (429, "TOO_MANY_REQUESTS", .rateLimited, false, false),
        (500, "SERVER_ERROR", .acquirerUnavailable, false, true),
        (418, "SOMETHING_NEW", .requestRejected, false, false),
    ]

    @Test(arguments: rows)
    func `F-210 F-212 F-213 each row of the table of errors says what became of the money`(
        row: (status: Int, code: String, neutral: PaymentError.Code, isDecline: Bool, acted: Bool)
    ) throws {
        let transport = FixedTransport(row.status, Self.error(row.code))
        let error = try #require(try send(transport).error)
        #expect(error.error.code == row.neutral)
        #expect(error.error.vendorCode == row.code)
        #expect(error.error.supportIdentifiers["logref"] == "req-1")
        #expect((error.decline != nil) == row.isDecline)
        #expect(error.mayHaveActed == row.acted)
    }

    @Test(arguments: [(400, "BAD_REQUEST"), (422, "INVALID_FIELD"), (409, "CONFLICT")])
    func `F-203 F-204 a refusal of the idempotency id itself may follow what was done`(
        status: Int,
        code: String
    ) throws {
        let body = Self.error(code, #", "field": "idempotency_id""#)
        #expect(try send(FixedTransport(status, body)).error?.mayHaveActed == true)
    }

    @Test(arguments: ["", "<html>"])
    func `F-155 an answer that cannot be read keeps the request's identifier`(body: String) throws {
        var response = Self.response(201, body)
        response.headers["x-request-id"] = "req-7"
        let error = try #require(try send(FixedTransport([response])).error)
        #expect(error.error.supportIdentifiers == ["logref": "req-7"])
        #expect(error.error.code == .malformedAnswer && error.mayHaveActed)
    }

    @Test func `F-210 a decline carries its code and the object that it left behind`() throws {
        let more = #", "failure_code": "INSUFFICIENT_FUNDS", "transfer": "TRa2""#
        let transport = FixedTransport(402, Self.error("PAYMENT_DECLINED", more))
        let decline = try #require(try send(transport).error?.decline)
        #expect(decline.code == "INSUFFICIENT_FUNDS")
        #expect(decline.references == [FinixReference.transfer("TRa2")])
    }

    @Test(arguments: [
        "", "<html>busy</html>", "null", "[]", "{}", #"{ "_embedded": 7 }"#,
        #"{ "_embedded": { "errors": {} } }"#, #"{ "_embedded": { "errors": [7, null] } }"#,
        #"{ "_embedded": { "errors": [ { "code": {}, "message": [], "field": null } ] } }"#,
        #"{ "total": "many", "_embedded": { "errors": [ { } ] } }"#,
        #"{ "message": "not the shape" }"#, "{ \"_embedded\": { \"errors\": [",
    ])
    func `F-155 F-209 any error body keeps its status and the request's identifier`(
        body: String
    ) throws {
        for status in [400, 401, 402, 404, 409, 422, 500, 503] {
            var response = Self.response(status, body)
            response.headers["x-request-id"] = "req-7"
            let error = try #require(try send(FixedTransport([response])).error)
            #expect(error.status == status)
            #expect(error.error.supportIdentifiers["logref"] == "req-7")
            #expect(error.decline == nil)
            #expect(!error.error.debugDescription.contains("html"))
        }
    }

    @Test func `F-162 too many requests are repeated with growing pauses, and then told`() throws {
        let transport = FixedTransport(429, "")
        let (error, seconds) = try send(transport)
        #expect(error?.error.code == .rateLimited && error?.mayHaveActed == false)
        #expect(transport.requests.count == 4)
        #expect(7...9 ~= seconds)
        let bodies = Set(transport.requests.map(\.body))
        #expect(bodies.count == 1)
    }

    @Test func `F-162 the pause that Finix asks for is kept, and an endless one is not waited`()
        throws
    {
        for (asked, count, least) in [("5", 4, 15.0), ("3600", 1, 0)] {
            var response = Self.response(429)
            response.headers["Retry-After"] = asked
            let transport = FixedTransport([response])
            let (error, seconds) = try send(transport)
            #expect(error?.error.code == .rateLimited)
            #expect(transport.requests.count == count)
            #expect(seconds >= least)
        }
    }

    @Test(arguments: 0...9)
    func `F-159 times have any number of fraction digits`(digits: Int) throws {
        let fraction = digits == 0 ? "" : "." + String("123456789".prefix(digits))
        let time = try #require(WireDate.parse("2026-01-02T03:04:05\(fraction)Z"))
        let whole = try #require(WireDate.parse("2026-01-02T03:04:05Z"))
        let difference = time.timeIntervalSince(whole)
        let expected = digits == 0 ? 0 : Double("0.123456789".prefix(digits + 2)) ?? -1
        #expect(abs(difference - expected) < 1e-6)
    }

    @Test func `F-200 F-207 an idempotency id is on what creates, and nowhere else`() throws {
        let shop = FinixShop()
        let sent = Shared<[HTTPRequest]>([])
        shop.emulator.host.faults.add(.loseRequest) { request in
            sent.value.append(request)
            return false
        }
        _ = try shop.run { () async throws -> Bool in
            let pointOfSale = try await shop.open()
            try await pointOfSale.prepare()
            _ = try await shop.take(1_000, "o1", with: pointOfSale)
            let receipt = try #require(await pointOfSale.receipt(for: "o1"))
            let money = try Money(minorUnits: 400, currency: .usd)
            _ = try await pointOfSale.refund(receipt, amount: money, id: "r")
            for (order, id) in [(Order("t1"), "c"), ("t2", "v")] {
                try await pointOfSale.prepare()
                let outcome = try await pointOfSale.take(.authorization(money, for: order))
                guard case .authorized(let hold) = outcome else { return false }
                if id == "c" {
                    _ = try await pointOfSale.capture(hold, amount: money, id: "c")
                } else {
                    _ = try await pointOfSale.void(hold, id: "v")
                }
            }
            return true
        }
        let changes = sent.value.filter { $0.method != .get && !$0.path.contains("card_reader") }
        #expect(changes.count == 3)
        for request in changes {
            let hasID = JSONTree.members(of: request.body)?["idempotency_id"] != nil
            #expect(hasID == request.path.hasSuffix("/reversals"), "\(request)")
            #expect(!request.headers.list.contains { $0.name.lowercased().contains("idempot") })
        }
    }

    @Test(arguments: [true, false])
    func `F-205 F-207 a lost refund goes out again with its id and bytes, nothing else does`(
        booked: Bool
    ) throws {
        let shop = FinixShop()
        let sent = Shared<[HTTPRequest]>([])
        shop.emulator.host.faults.add(booked ? .loseAnswer : .loseRequest) { request in
            guard request.method != .get, !request.path.contains("card_reader") else {
                return false
            }
            sent.value.append(request)
            return true
        }
        _ = try shop.run { () async throws -> Bool in
            let pointOfSale = try await shop.open()
            try await pointOfSale.prepare()
            _ = try await shop.take(1_000, "o1", with: pointOfSale)
            let receipt = try #require(await pointOfSale.receipt(for: "o1"))
            let money = try Money(minorUnits: 400, currency: .usd)
            _ = try await pointOfSale.refund(receipt, amount: money, id: "r")
            try await pointOfSale.prepare()
            let outcome = try await pointOfSale.take(.authorization(money, for: "t1"))
            guard case .authorized(let hold) = outcome else { return false }
            _ = try await pointOfSale.capture(hold, amount: money, id: "c")
            return true
        }
        let reversals = sent.value.filter { $0.path.hasSuffix("/reversals") }
        #expect(reversals.count == 3)
        #expect(Set(reversals.map(\.body)).count == 1)
        #expect(sent.value.filter { $0.method == .put }.count == 1)
        #expect(shop.world.ledger.entries(.refund).count == (booked ? 1 : 0))
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `F-161 a redirect is an answer, and no key goes elsewhere`(status: Int) throws {
        var response = Self.response(status)
        response.headers["Location"] = "https://elsewhere.example/x"
        let transport = FixedTransport([response])
        let error = try #require(try send(transport).error)
        #expect(error.error.code == .malformedAnswer && error.mayHaveActed)
        #expect(transport.requests.allSatisfy { $0.origin == "https://finix.example" })
    }
}
