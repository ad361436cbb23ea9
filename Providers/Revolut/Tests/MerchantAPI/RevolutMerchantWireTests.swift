import AcquirerSimulation
import PaymentCore
import PaymentTransport
import RevolutPayments
import RevolutSimulation
import Simulation
import Testing

@Suite struct RevolutMerchantWireTests {
    /// Keeps what was sent, and answers everything alike.
    private struct Watching: HTTPTransport {
        let sent = Shared<[HTTPRequest]>([])
        let answer: @Sendable (HTTPRequest) throws(TransportError) -> HTTPResponse

        func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
            sent.value.append(request)
            return try answer(request)
        }

        var told: [String] { sent.value.map { "\($0.method.rawValue) \($0.path)" } }
    }

    @Test
    func
        `R-201 every call carries the key, R-202 the version, and R-290 a refund alone its own key`()
        throws
    {
        let office = RevolutOffice()
        let wire = Watching { _ in HTTPResponse(status: 404) }
        let merchant = office.merchant(version: "2031-01-01", transport: wire)
        let amount = try Money(minorUnits: 1_250, currency: .eur)
        try office.run {
            _ = try? await merchant.create(RevolutNewOrder(amount))
            _ = try? await merchant.order("a-1")
            _ = try? await merchant.orders()
            _ = try? await merchant.update("a-1", RevolutOrderChange())
            _ = try? await merchant.capture("a-1", amount: amount)
            _ = try? await merchant.cancel("a-1")
            _ = try? await merchant.refund("a-1", amount, key: "k")
            _ = try? await merchant.payments(ofOrder: "a-1")
            _ = try? await merchant.payment("p-1")
            _ = try? await merchant.registerWebhook("https://a.example", events: [.orderCompleted])
            _ = try? await merchant.webhooks()
            _ = try? await merchant.webhook("w-1")
            _ = try? await merchant.updateWebhook("w-1", events: [.orderFailed])
            _ = try? await merchant.deleteWebhook("w-1")
            _ = try? await merchant.rotateSigningSecret(of: "w-1")
        }
        #expect(
            wire.told == [
                "POST /api/orders", "GET /api/orders/a-1", "GET /api/orders",
                "PATCH /api/orders/a-1", "POST /api/orders/a-1/capture",
                "POST /api/orders/a-1/cancel", "POST /api/orders/a-1/refund",
                "GET /api/orders/a-1/payments", "GET /api/payments/p-1", "POST /api/webhooks",
                "GET /api/webhooks", "GET /api/webhooks/w-1", "PATCH /api/webhooks/w-1",
                "DELETE /api/webhooks/w-1", "POST /api/webhooks/w-1/rotate-signing-secret",
            ]
        )
        for request in wire.sent.value {
            #expect(request.headers["Authorization"] == "Bearer " + RevolutEmulator.apiKey)
            #expect(request.headers["Revolut-Api-Version"] == "2031-01-01")
        }
        let keys = wire.sent.value.compactMap { $0.headers["Idempotency-Key"] }
        #expect(keys == ["k"], "only a refund takes a key")
    }

    @Test func `R-214 an order is written with what was said, durations as ISO 8601`() throws {
        let office = RevolutOffice()
        let wire = Watching { _ in HTTPResponse(status: 404) }
        let merchant = office.merchant(transport: wire)
        var new = RevolutNewOrder(try Money(minorUnits: 5, currency: .eur))
        new.expiresAfter = .seconds(90)
        new.releasesAfter = .seconds(7 * 86_400)
        new.capture = .preAuthorization
        new.reference = "till/7"
        let order = new
        _ = try office.run { try? await merchant.create(order) }
        _ = try office.run { try? await merchant.create(RevolutNewOrder(order.amount)) }
        let bodies = wire.sent.value.map { String(decoding: $0.body ?? Data(), as: UTF8.self) }
        #expect(
            bodies == [
                #"{"amount":5,"authorisation_type":"pre_authorisation","cancel_authorised_after":"#
                    + #""PT168H","capture_mode":"manual","currency":"EUR","expire_pending_after":"#
                    + #""PT1M30S","merchant_order_data":{"reference":"till/7"}}"#,
                #"{"amount":5,"capture_mode":"automatic","currency":"EUR"}"#,
            ]
        )
    }

    @Test(arguments: [
        "", "a/b", "..", "a?b", "a#b", "ä", "a b", "%2e", String(repeating: "a", count: 65),
    ])
    func `R-212 an identifier that is no part of a path is not sent`(id: String) throws {
        let office = RevolutOffice()
        let wire = Watching { _ in HTTPResponse(status: 200) }
        let merchant = office.merchant(transport: wire)
        let amount = try Money(minorUnits: 1, currency: .eur)
        for error in [
            try office.refusal { () async throws(WireError) in try await merchant.order(id) },
            try office.refusal { () async throws(WireError) in try await merchant.cancel(id) },
            try office.refusal { () async throws(WireError) in
                try await merchant.refund(id, amount, key: "k")
            },
            try office.refusal { () async throws(WireError) in try await merchant.deleteWebhook(id)
            },
        ] {
            #expect(error?.error.code == .requestRejected)
            #expect(error?.mayHaveActed == false)
        }
        #expect(wire.sent.value.isEmpty)
    }

    @Test(
        arguments: [
            (
                #"{"code":"order_invalid_state","message":"order is completed","timestamp":1}"#,
                "order_invalid_state", nil
            ),
            (#"{"code":2054,"timestamp":1}"#, "2054", nil),
            (#"{"errorId":"e-1","timestamp":1,"code":1024}"#, "1024", "e-1"),
            (#"{"errorId":"e-2","timestamp":1}"#, "HTTP 422", "e-2"), ("", "HTTP 422", nil),
            ("<html>", "HTTP 422", nil), ("null", "HTTP 422", nil), ("[1]", "HTTP 422", nil),
            (#"{"code":{"a":1},"message":7}"#, "HTTP 422", nil),
        ] as [(String, String, String?)]
    )
    func `R-280 every body of an error is read, and R-281 one without a message`(
        body: String,
        code: String,
        id: String?
    ) throws {
        let office = RevolutOffice()
        let merchant = office.merchant(
            transport: OneAnswer(HTTPResponse(status: 422, body: Data(body.utf8)))
        )
        let error = try office.refusal { () async throws(WireError) in
            try await merchant.capture("a")
        }
        #expect(error?.error.vendorCode == code)
        #expect(error?.error.supportIdentifiers["errorId"] == id)
        #expect(error?.error.code == .conflict && error?.mayHaveActed == false)
    }

    @Test(
        arguments: [
            (400, .requestRejected, false), (401, .invalidCredentials, false),
            (403, .accessDenied, false),
            (404, .notFound, false), (405, .requestRejected, false), (406, .requestRejected, false),
            (409, .conflict, true), (422, .conflict, false), (429, .rateLimited, false),
            (500, .acquirerUnavailable, true), (503, .acquirerUnavailable, true),
            (408, .timedOut, true), (402, .requestRejected, true), (425, .requestRejected, true),
            (499, .requestRejected, true),
            (302, .malformedAnswer, true), (200, .malformedAnswer, true),
            (0, .networkUnavailable, true),
            (-1, .networkUnavailable, false),
        ] as [(Int, PaymentError.Code, Bool)]
    )
    func `R-284 a write is sent once, and what may have been done is said to be unknown`(
        status: Int,
        code: PaymentError.Code,
        mayHaveActed: Bool
    ) throws {
        let office = RevolutOffice()
        let wire = Watching { (_) throws(TransportError) -> HTTPResponse in
            guard status > 0 else {
                throw TransportError(status == 0 ? .maybeReceived : .notSent, "no answer")
            }
            return HTTPResponse(status: status)
        }
        let merchant = office.merchant(transport: wire)
        let amount = try Money(minorUnits: 1, currency: .eur)
        for (isRefund, error) in [
            (
                false,
                try office.refusal { () async throws(WireError) in
                    try await merchant.create(RevolutNewOrder(amount))
                }
            ),
            (
                false,
                try office.refusal { () async throws(WireError) in try await merchant.capture("a") }
            ),
            (
                true,
                try office.refusal { () async throws(WireError) in
                    try await merchant.refund("a", amount, key: "k")
                }
            ),
        ] {
            #expect(error?.error.code == code)
            // A refusal of a refund by 400 does not prove that no refund order was made.
            #expect(error?.mayHaveActed == (mayHaveActed || isRefund && status == 400))
        }
        #expect(wire.sent.value.count == 3)
    }

    @Test func `R-285 a read is tried again, five times at most, with pauses`() throws {
        let office = RevolutOffice()
        let wire = Watching { _ in HTTPResponse(status: 503) }
        let merchant = office.merchant(transport: wire)
        let error = try office.refusal { () async throws(WireError) in try await merchant.order("a")
        }
        #expect(error?.error.code == .acquirerUnavailable)
        #expect(wire.sent.value.count == 5)
        #expect(office.world.time.clock.now.offset > .seconds(10))
    }

    @Test func `R-217 neither key nor signing secret is printed`() throws {
        let office = RevolutOffice()
        let hook = try office.run {
            try await office.merchant.registerWebhook(
                "https://shop.example/hook",
                events: [.orderCompleted]
            )
        }
        let secret = try #require(hook.signingSecret?.reveal())
        var printed = "\(office.merchant) \(hook) \(String(reflecting: hook))"
        dump(office.merchant, to: &printed)
        dump(hook, to: &printed)
        #expect(secret.hasPrefix("wsk_") && !printed.contains(secret))
        #expect(!printed.contains(RevolutEmulator.apiKey))
    }

    @Test(arguments: [
        ("GET", "/api/orders", 400), ("POST", "/api/orders", 400), ("GET", "/api/payments/x", 404),
        ("POST", "/api/orders/x/cancel", 404),
    ])
    func `R-205 without a version the answer is an error, where a version is required`(
        method: String,
        path: String,
        status: Int
    ) throws {
        let office = RevolutOffice()
        var request = HTTPRequest(
            HTTPRequest.Method(rawValue: method) ?? .put,
            RevolutEmulator.origin,
            path
        )
        request.headers["Authorization"] = "Bearer " + RevolutEmulator.apiKey
        request.body = Data("{}".utf8)
        let sent = request
        let answer = try office.run { try await office.emulator.host.send(sent) }
        let members = JSONTree.members(of: answer.body)
        #expect(answer.status == status)
        #expect(
            status != 400
                || members?["message"]?.text?.contains("Revolut-Api-Version") == true
                    && members?["code"]?.text == "bad_request"
        )
    }
}
