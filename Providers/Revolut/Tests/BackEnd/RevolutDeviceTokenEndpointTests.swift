import AcquirerSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import RevolutPayments
import RevolutSimulation
import Simulation
import Testing

@Suite struct RevolutDeviceTokenEndpointTests {
    private static func endpoint(
        _ partner: RevolutPartner,
        _ login: RevolutAppLogin = .valid(merchants: ["corner-shop"])
    ) -> RevolutDeviceTokenEndpoint {
        RevolutDeviceTokenEndpoint(partner.grants) { request in
            request.headers["Authorization"] == "Bearer session" ? login : .expired
        }
    }

    private static func request(
        _ body: String? = nil,
        login: String = "session",
        _ method: HTTPRequest.Method = .post
    ) -> HTTPRequest {
        var request = HTTPRequest(method, "https://shop.example", "/tap-to-pay/device-token")
        request.headers["Authorization"] = "Bearer " + login
        request.body = body.map { Data($0.utf8) }
        return request
    }

    private static func told(_ response: HTTPResponse) -> String {
        let body = try? JSONBody.decode([String: String].self, from: response.body)
        return "\(response.status) \(body?["error"] ?? "")"
    }

    @Test(arguments: [
        ("", "200 "), (#"{"merchant":"corner-shop","device":"till-1"}"#, "200 "),
        (#"{"merchant":"somebody"}"#, "409 merchant_unknown"), ("[]", "400 invalid_request"),
        (#"{"merchant":7}"#, "400 invalid_request"), ("{", "400 invalid_request"),
    ])
    func `R-070 by our contract a merchant may be named, and only one that the login may use`(
        body: String,
        expected: String
    ) throws {
        let partner = RevolutPartner()
        let response = try partner.run { () async throws -> HTTPResponse in
            try await partner.consent()
            // Another merchant's consent is none of this login's.
            try await partner.consent("somebody")
            return await Self.endpoint(partner).answer(Self.request(body))
        }
        #expect(Self.told(response) == expected)
        #expect(response.headers["Cache-Control"] == "no-store")
    }

    @Test func `R-070 a login that ended is told as such, and Revolut is not asked`() throws {
        let partner = RevolutPartner()
        let response = try partner.run {
            await Self.endpoint(partner).answer(Self.request(login: "old"))
        }
        #expect(Self.told(response) == "401 app_login_expired")
        #expect(partner.wire.requests.isEmpty)
    }

    @Test func `R-070 two merchants have to be told apart, and reading gives no token`() throws {
        let partner = RevolutPartner()
        let told = try partner.run { () async throws -> [String] in
            try await partner.consent()
            let both = Self.endpoint(partner, .valid(merchants: ["corner-shop", "b"]))
            return [
                Self.told(await both.answer(Self.request())),
                Self.told(await both.answer(Self.request(#"{"merchant":"corner-shop"}"#))),
                Self.told(await both.answer(Self.request(#"{"merchant":"b"}"#))),
                Self.told(await both.answer(Self.request(nil, .get))),
            ]
        }
        #expect(
            told == [
                "409 merchant_unknown", "200 ", "409 merchant_unknown", "405 method_not_allowed",
            ]
        )
    }

    /// What the app's ready-made provider makes of the endpoint's answer.
    private static func provider(_ partner: RevolutPartner, login: String) async -> String {
        let provider = RevolutBackEndTokenProvider(
            transport: EndpointTransport(endpoint: endpoint(partner)),
            origin: "https://shop.example"
        ) { AccessToken(login) }
        do {
            return "\(try await partner.kitStatus(try await provider.token()))"
        } catch {
            return "\(error)"
        }
    }

    @Test func `R-061 of all refusals the phone is told only a consent that is gone`() throws {
        let partner = RevolutPartner()
        let told = try partner.run { () async throws -> [String] in
            var told = [await Self.provider(partner, login: "session")]
            try await partner.consent()
            told.append(await Self.provider(partner, login: "session"))
            told.append(await Self.provider(partner, login: "old"))
            partner.emulator.host.faults.add(.answer(HTTPResponse(status: 503)), times: 1) {
                $0.path.hasSuffix("/token")
            }
            told.append(await Self.provider(partner, login: "session"))
            partner.emulator.authorization.register(
                clientID: "demo",
                secret: Secret("changed"),
                redirectURI: RevolutPartner.redirectURI
            )
            told.append(await Self.provider(partner, login: "session"))
            partner.emulator.authorization.register(
                clientID: "demo",
                redirectURI: RevolutPartner.redirectURI
            )
            partner.emulator.authorization.consents.forEach {
                partner.emulator.authorization.revoke($0)
            }
            told.append(await Self.provider(partner, login: "session"))
            return told
        }
        #expect(
            told == [
                "configuration", "201", "appLoginExpired", "temporary", "temporary", "unauthorized",
            ]
        )
    }

    @Test func `R-073 each call of the phone obtains a fresh token`() throws {
        let partner = RevolutPartner()
        try partner.run { () async throws in
            try await partner.consent()
            for _ in 0..<3 { #expect(await Self.provider(partner, login: "session") == "201") }
        }
        #expect(partner.emulator.authorization.granted["token_exchange"] == 3)
    }

    @Test func `R-341 our emulator takes each credential in its own place, while it lives`() throws
    {
        let partner = RevolutPartner()
        let told = try partner.run { () async throws -> [Int] in
            try await partner.consent()
            let token = try await partner.deviceToken().get()
            var told = [
                try await partner.kitStatus(token),
                try await partner.kitStatus(AccessToken(RevolutEmulator.apiKey)),
            ]
            var request = HTTPRequest(.get, RevolutEmulator.origin, "/api/orders")
            request.headers["Revolut-Api-Version"] = "2026-04-20"
            request.headers["Authorization"] = "Bearer " + token.reveal()
            told.append(try await partner.emulator.host.send(request).status)
            try await partner.world.time.clock.sleep(for: .seconds(600))
            told.append(try await partner.kitStatus(token))
            return told
        }
        #expect(told == [201, 401, 401, 401])
    }

    @Test func `R-039 a withdrawn consent takes the device tokens with it`() throws {
        let partner = RevolutPartner()
        let told = try partner.run { () async throws -> [Int] in
            try await partner.consent()
            let token = try await partner.deviceToken().get()
            let consent = partner.emulator.authorization.consents.first ?? "none"
            let path = "/_emu/consents/\(consent)/revoke"
            let answer = try await partner.emulator.host.send(
                HTTPRequest(.post, RevolutEmulator.origin, path)
            )
            return [answer.status, try await partner.kitStatus(token)]
        }
        #expect(told == [204, 401])
    }

    @Test func `R-040 a sale needs the merchant's consent, and after its end a new one`() throws {
        let partner = RevolutPartner()
        var shop = RevolutShop(world: partner.world, emulator: partner.emulator)
        shop.stage.tokenProvider = RevolutBackEndTokenProvider(
            transport: EndpointTransport(endpoint: Self.endpoint(partner)),
            origin: "https://shop.example"
        ) { AccessToken("session") }
        partner.world.device.control.alwaysThisCard = SimulatedCard.named("visa-credit")
        let till = shop
        func sale(_ order: Order) throws -> String {
            try till.run { try await till.take(order, with: try await till.open()).0 }
        }
        // R-034: nothing is charged before the merchant has consented for the first time.
        #expect(try sale("o0") == "failed tokenUnavailable")
        try partner.run { try await partner.consent() }
        var told = [try sale("o1")]
        for consent in partner.emulator.authorization.consents {
            partner.emulator.authorization.revoke(consent)
        }
        told.append(try sale("o2"))
        try partner.run { try await partner.consent() }
        told.append(try sale("o3"))
        #expect(told == ["approved", "failed signedOut", "approved"])
        #expect(till.charged == 2_000)
    }

    @Test func `what the authorization server knows outlives the program`() throws {
        let partner = RevolutPartner()
        let token = try partner.run { () async throws -> AccessToken in
            try await partner.consent()
            return try await partner.deviceToken().get()
        }
        let next = RevolutPartner()
        next.emulator.restore(partner.emulator.snapshot)
        #expect(try next.run { try await next.kitStatus(token) } == 201)
        #expect(next.emulator.authorization.consents.count == 1)
    }
}
