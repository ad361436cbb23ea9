import AcquirerSimulation
import PaymentCore
import PaymentTransport
import RevolutPayments
import RevolutSimulation
import Simulation
import Testing

@Suite struct RevolutGrantTests {
    @Test func `R-036 a merchant's consent becomes device tokens that the kit's service takes`()
        throws
    {
        let partner = RevolutPartner()
        let status = try partner.run { () async throws -> Int in
            try await partner.consent()
            return try await partner.kitStatus(try await partner.deviceToken().get())
        }
        #expect(status == 201)
        #expect(partner.emulator.authorization.consents.count == 1)
    }

    @Test(
        arguments: [
            (.none, nil), (.body(Secret(RevolutPartner.secret)), nil),
            (.basic(Secret(RevolutPartner.secret)), nil),
            (.body(Secret("wrong")), .configuration("invalid_client")),
            (.basic(Secret("wrong")), .configuration("invalid_client")),
        ] as [(RevolutAuthorizationProfile.ClientAuthentication, RevolutGrantError?)]
    )
    func `R-050 how the back end proves itself is configuration`(
        client: RevolutAuthorizationProfile.ClientAuthentication,
        expected: RevolutGrantError?
    ) throws {
        let partner = RevolutPartner(client: client)
        let error = try partner.run { () async -> RevolutGrantError? in
            do {
                try await partner.consent()
                _ = try await partner.deviceToken().get()
                return nil
            } catch {
                return error as? RevolutGrantError
            }
        }
        #expect(error == expected)
    }

    private struct Refusing: HTTPTransport {
        let asked: Shared<[String]>
        func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
            asked.value.append(request.origin + request.path)
            return HTTPResponse(
                status: 200,
                body: Data(#"{"access_token":"a","token_type":"bearer"}"#.utf8)
            )
        }
    }

    @Test func `R-050 every address is configuration, and so is a lifetime that nobody told`()
        throws
    {
        let time = SimulatedTime()
        let asked = Shared<[String]>([])
        var profile = RevolutAuthorizationProfile(
            authorize: .init(origin: "https://a.example", path: "/1"),
            token: .init(origin: "https://b.example", path: "/2"),
            clientID: "demo",
            client: .none,
            redirectURI: "https://shop.example"
        )
        profile.deviceToken = .init(origin: "https://c.example", path: "/3")
        profile.lifetimes.deviceToken = .seconds(77)
        let grants = RevolutGrants(
            profile,
            store: MemoryRevolutGrantStore(),
            transport: Refusing(asked: asked),
            environment: time.environment
        )
        let request = RevolutConsentRequest(profile, environment: time.environment)
        let lifetime = try time.run { () async -> Duration? in
            try? await grants.redeem(Secret("c"), of: request, for: "m")
            return try? await grants.deviceToken(for: "m").expiresIn
        }
        #expect(request.url?.absoluteString.hasPrefix("https://a.example/1?") == true)
        #expect(asked.value == ["https://b.example/2", "https://c.example/3"])
        #expect(lifetime == .seconds(77))
    }

    @Test func `R-055 a code works once, and R-056 by our rule its second use ends the first`()
        throws
    {
        let partner = RevolutPartner()
        let told = try partner.run { () async throws -> [RevolutGrantError?] in
            let request = RevolutConsentRequest(
                partner.profile,
                environment: partner.world.environment
            )
            let code = try request.code(from: try await partner.visit(request))
            try await partner.grants.redeem(code, of: request, for: "corner-shop")
            var errors: [RevolutGrantError?] = []
            do throws(RevolutGrantError) {
                try await partner.grants.redeem(code, of: request, for: "other-shop")
            } catch {
                errors.append(error)
            }
            errors.append(partner.error(await partner.deviceToken()))
            return errors
        }
        #expect(told == [.codeRefused, .needsConsent])
        #expect(partner.emulator.authorization.consents == [])
    }

    @Test func `R-055 a code that waited too long is refused`() throws {
        let partner = RevolutPartner()
        let request = RevolutConsentRequest(partner.profile, environment: partner.world.environment)
        let back = try partner.run { try await partner.visit(request) }
        partner.world.time.advance(by: .seconds(60))
        #expect(throws: RevolutGrantError.codeRefused) {
            try partner.run {
                try await partner.grants.redeem(try request.code(from: back), of: request, for: "m")
            }
        }
    }

    @Test func `R-052 a code is worth nothing without its verifier`() throws {
        let partner = RevolutPartner()
        let request = RevolutConsentRequest(partner.profile, environment: partner.world.environment)
        let other = RevolutConsentRequest(partner.profile, environment: partner.world.environment)
        #expect(throws: RevolutGrantError.codeRefused) {
            try partner.run {
                let code = try request.code(from: try await partner.visit(request))
                try await partner.grants.redeem(code, of: other, for: "m")
            }
        }
    }

    @Test func `R-060 concurrent needs after the end of an access token are one refresh`() throws {
        let partner = RevolutPartner()
        try partner.run { try await partner.consent() }
        partner.world.time.advance(by: .seconds(3_600))
        let got = try partner.run { () async -> Int in
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<10 {
                    group.addTask { partner.error(await partner.deviceToken()) == nil }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
        }
        #expect(got == 10)
        #expect(partner.emulator.authorization.granted["refresh_token"] == 1)
        #expect(partner.emulator.authorization.replays == 0)
    }

    @Test func `R-060 concurrent needs share a refresh that fails, too`() throws {
        let partner = RevolutPartner()
        try partner.run { try await partner.consent() }
        partner.world.time.advance(by: .seconds(3_600))
        partner.emulator.host.faults.add(.answer(HTTPResponse(status: 503)), times: 1) { _ in true }
        let failures = try partner.run { () async -> Int in
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        partner.error(await partner.deviceToken()) == .temporary(pause: nil)
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
        }
        #expect(failures == 10)
        #expect(partner.wire.count("grant_type=refresh_token") == 1)
    }

    @Test func `R-060 phones that are refused at once share the refresh that mends it`() throws {
        let partner = RevolutPartner()
        try partner.run { try await partner.consent() }
        let refused = HTTPResponse(status: 400, body: Data(#"{"error":"invalid_grant"}"#.utf8))
        partner.emulator.host.faults.add(.answer(refused), times: 2) { request in
            String(decoding: request.body ?? Data(), as: UTF8.self).contains("token-exchange")
        }
        let errors = try partner.run { () async -> [RevolutGrantError?] in
            async let first = partner.deviceToken()
            async let second = partner.deviceToken()
            return [partner.error(await first), partner.error(await second)]
        }
        #expect(errors == [nil, nil])
        #expect(partner.emulator.authorization.granted["refresh_token"] == 1)
    }

    @Test func `R-060 whoever stops waiting ends no refresh of the others`() throws {
        let partner = RevolutPartner()
        try partner.run { try await partner.consent() }
        partner.world.time.advance(by: .seconds(3_600))
        let error = try partner.run { () async -> RevolutGrantError? in
            let first = Task(executorPreference: partner.world.environment.executor) {
                await partner.deviceToken()
            }
            try? await partner.world.time.clock.sleep(for: .milliseconds(10))
            first.cancel()
            return partner.error(await partner.deviceToken())
        }
        #expect(error == nil)
        #expect(partner.emulator.authorization.granted["refresh_token"] == 1)
        #expect(partner.emulator.authorization.replays == 0)
    }

    @Test func `R-060 over a year every refresh presents the newest token alone`() throws {
        let partner = RevolutPartner()
        try partner.run { try await partner.consent() }
        for _ in 0..<40 {
            partner.world.time.advance(by: .seconds(9 * 86_400))
            #expect(try partner.run { partner.error(await partner.deviceToken()) } == nil)
        }
        #expect(partner.emulator.authorization.granted["refresh_token"] == 40)
        #expect(partner.emulator.authorization.replays == 0)
    }

    @Test func `R-059 the new refresh token is kept before the new access token is used`() throws {
        let partner = RevolutPartner()
        let log = try partner.run { () async throws -> [String] in
            try await partner.consent()
            try await partner.world.time.clock.sleep(for: .seconds(3_600))
            _ = try await partner.deviceToken().get()
            return await partner.store.log
        }
        #expect(log == ["other", "keep", "refresh", "keep", "other"])
    }

    @Test func `R-059 a grant that could not be kept is kept later and not asked for again`() throws
    {
        let partner = RevolutPartner()
        let told = try partner.run { () async throws -> [RevolutGrantError?] in
            try await partner.consent()
            try await partner.world.time.clock.sleep(for: .seconds(3_600))
            await partner.store.fail(times: 2)
            var told: [RevolutGrantError?] = []
            for _ in 0..<3 { told.append(partner.error(await partner.deviceToken())) }
            return told
        }
        #expect(told == [.temporary(pause: nil), .temporary(pause: nil), nil])
        #expect(partner.wire.count("grant_type=refresh_token") == 1)
        #expect(partner.emulator.authorization.replays == 0)
    }

    @Test func `R-061 a withdrawn consent is found out once, and only a new one helps`() throws {
        let partner = RevolutPartner()
        let told = try partner.run { () async throws -> [RevolutGrantError?] in
            try await partner.consent()
            for consent in partner.emulator.authorization.consents {
                partner.emulator.authorization.revoke(consent)
            }
            var told = [partner.error(await partner.deviceToken())]
            let asked = partner.wire.requests.count
            told.append(partner.error(await partner.deviceToken()))
            #expect(partner.wire.requests.count == asked)
            try await partner.consent()
            told.append(partner.error(await partner.deviceToken()))
            return told
        }
        #expect(told == [.needsConsent, .needsConsent, nil])
    }

    @Test func `R-061 a refresh token that ended needs a new consent`() throws {
        let partner = RevolutPartner()
        try partner.run { try await partner.consent() }
        partner.world.time.advance(by: .seconds(90 * 86_400))
        #expect(try partner.run { partner.error(await partner.deviceToken()) } == .needsConsent)
    }

    @Test func `R-061 a token that ended by the other clock alone signs nobody out`() throws {
        let partner = RevolutPartner()
        try partner.run { try await partner.consent() }
        partner.emulator.host.faults.add(.delay(.seconds(60)), times: 1) { request in
            String(decoding: request.body ?? Data(), as: UTF8.self).contains("refresh_token")
        }
        partner.emulator.authorization.lifetimes.accessToken = 100
        partner.world.time.advance(by: .seconds(2_400))
        // The answer told 100 seconds and took 60 of them, which the back end cannot know.
        let told = try partner.run { () async throws -> [RevolutGrantError?] in
            let first = partner.error(await partner.deviceToken())
            try await partner.world.time.clock.sleep(for: .seconds(45))
            return [first, partner.error(await partner.deviceToken())]
        }
        #expect(told == [nil, nil])
        #expect(partner.emulator.authorization.granted["refresh_token"] == 2)
        #expect(partner.emulator.authorization.replays == 0)
    }

    @Test func `R-061 a merchant of whom nobody heard does not count as signed out`() throws {
        let partner = RevolutPartner()
        #expect(try partner.run { partner.error(await partner.deviceToken()) } == .merchantUnknown)
        #expect(partner.wire.requests.isEmpty)
    }

    @Test(
        arguments: [
            (429, "", .temporary(pause: nil)), (500, "", .temporary(pause: nil)),
            (503, #"{"error":"invalid_grant"}"#, .temporary(pause: nil)),
            (302, "", .temporary(pause: nil)),
            (200, "", .temporary(pause: nil)), (200, "{}", .temporary(pause: nil)),
            (200, #"{"access_token":" "}"#, .temporary(pause: nil)),
            (200, #"{"access_token":"a","token_type":"mac"}"#, .temporary(pause: nil)),
            (400, #"{"error":"invalid_grant"}"#, .needsConsent),
            (400, #"{"error":"invalid_scope"}"#, .configuration("invalid_scope")),
            (400, #"{"error":"temporarily_unavailable"}"#, .temporary(pause: nil)),
            (401, #"{"error":"invalid_client"}"#, .configuration("invalid_client")),
            (403, #"{"error":"access_denied"}"#, .needsConsent),
            (403, "", .configuration("HTTP 403")),
            (404, "<html>", .configuration("HTTP 404")), (0, "", .temporary(pause: nil)),
        ] as [(Int, String, RevolutGrantError)]
    )
    func `R-062 by our table only a grant that is gone is told as unauthorized`(
        status: Int,
        body: String,
        expected: RevolutGrantError
    ) throws {
        let partner = RevolutPartner()
        try partner.run { try await partner.consent() }
        let answer = HTTPResponse(status: status, body: Data(body.utf8))
        partner.emulator.host.faults.add(status == 0 ? .loseAnswer : .answer(answer)) { request in
            String(decoding: request.body ?? Data(), as: UTF8.self).contains("token-exchange")
        }
        #expect(try partner.run { partner.error(await partner.deviceToken()) } == expected)
    }

    @Test func `R-062 a pause that the server asks for is passed on`() throws {
        let partner = RevolutPartner()
        try partner.run { try await partner.consent() }
        var answer = HTTPResponse(status: 429)
        answer.headers["Retry-After"] = "17"
        partner.emulator.host.faults.add(.answer(answer), times: 1) { _ in true }
        #expect(
            try partner.run { partner.error(await partner.deviceToken()) }
                == .temporary(pause: .seconds(17))
        )
    }

    @Test func `R-058 no description or dump holds a token, and R-072 no device token`() throws {
        let partner = RevolutPartner(client: .basic(Secret(RevolutPartner.secret)))
        let (token, standing) = try partner.run {
            () async throws -> (RevolutDeviceToken, RevolutMerchantStanding) in
            try await partner.consent()
            let token = try await partner.grants.deviceToken(for: "corner-shop")
            return (token, await partner.store.standing(of: "corner-shop"))
        }
        guard case .granted(let grant) = standing else { throw RevolutGrantError.needsConsent }
        let secrets = [
            token.token.reveal(), grant.accessToken.reveal(), grant.refreshToken?.reveal() ?? "-",
            RevolutPartner.secret,
        ]
        var printed = ""
        dump(token, to: &printed)
        dump(standing, to: &printed)
        dump(partner.profile, to: &printed)
        dump(partner.wire.requests, to: &printed)
        printed += "\(token) \(standing) \(grant) \(partner.profile) \(String(reflecting: grant))"
        printed += partner.world.time.trace.text
        for secret in secrets { #expect(secret.count > 9 && !printed.contains(secret)) }
    }
}

extension RevolutPartner {
    func error(_ result: Result<AccessToken, RevolutGrantError>) -> RevolutGrantError? {
        if case .failure(let error) = result { error } else { nil }
    }
}
