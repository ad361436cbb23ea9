import AcquirerSimulation
import PaymentCore
import PaymentTransport
import RevolutPayments
import RevolutSimulation
import Simulation
import Testing

@Suite struct RevolutConsentTests {
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

    @Test func `R-052 the challenge is that of RFC 7636 appendix B`() throws {
        let verifier = try #require(RevolutCodeVerifier(Self.verifier))
        #expect(verifier.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test(arguments: [
        (String(repeating: "a", count: 42), false), (String(repeating: "a", count: 43), true),
        (String(repeating: "Z", count: 128), true), (String(repeating: "9", count: 129), false),
        (String(repeating: "-._~", count: 11), true),
        (String(repeating: "a", count: 42) + "+", false),
        (String(repeating: "a", count: 42) + "/", false),
        (String(repeating: "é", count: 43), false),
        (String(repeating: "a", count: 42) + "\n", false), ("", false),
    ])
    func `R-051 a verifier has 43 to 128 of the characters that are allowed`(
        text: String,
        isAccepted: Bool
    ) {
        #expect((RevolutCodeVerifier(text) != nil) == isAccepted)
    }

    @Test func `R-051 a new verifier is one that would be accepted, and never the same`() {
        let environment = SimulatedTime(seed: 3).environment
        let made = (0..<20).map { _ in RevolutCodeVerifier(environment) }
        #expect(made.allSatisfy { RevolutCodeVerifier($0.text.reveal()) == $0 })
        #expect(Set(made).count == 20)
    }

    @Test
    func `R-032 the browser is sent with the code flow, an S256 challenge, and R-033 the scope`()
        throws
    {
        let partner = RevolutPartner()
        let request = RevolutConsentRequest(partner.profile, environment: partner.world.environment)
        let url = try #require(request.url)
        let parts = try #require(URLComponents(url: url, resolvingAgainstBaseURL: false))
        let items = (parts.queryItems ?? []).map { "\($0.name)=\($0.value ?? "")" }
        #expect(
            items == [
                "response_type=code", "client_id=demo", "redirect_uri=https://shop.example/back",
                "scope=tap_to_pay_sdk", "state=\(request.state.reveal())",
                "code_challenge=\(request.verifier.challenge)", "code_challenge_method=S256",
            ]
        )
        #expect(!url.absoluteString.contains(request.verifier.text.reveal()))
    }

    @Test func `R-054 the state comes back unchanged, and another one aborts`() throws {
        let partner = RevolutPartner()
        let request = RevolutConsentRequest(partner.profile, environment: partner.world.environment)
        let back = try partner.run { try await partner.visit(request) }
        _ = try request.code(from: back)
        let other = RevolutConsentRequest(partner.profile, environment: partner.world.environment)
        #expect(throws: RevolutConsentError.stateMismatch) { try other.code(from: back) }
    }

    @Test(
        arguments: [
            ([("code", "c")], .stateMismatch),
            ([("state", "s"), ("state", "s"), ("code", "c")], .stateMismatch),
            ([("state", "S"), ("code", "c")], .stateMismatch),
            ([("state", ""), ("code", "c")], .stateMismatch),
            ([("state", "s")], .malformed), ([("state", "s"), ("code", "")], .malformed),
            ([("state", "s"), ("code", "a"), ("code", "b")], .malformed),
            ([("state", "s"), ("error", "access_denied")], .refused("access_denied")),
            ([("state", "s"), ("error", "new_word"), ("code", "c")], .refused("new_word")),
            ([("error", "access_denied")], .stateMismatch),
        ] as [([(String, String)], RevolutConsentError)]
    )
    func `R-054 nothing is redeemed from a redirect that is no answer`(
        query: [(String, String)],
        expected: RevolutConsentError
    ) throws {
        let partner = RevolutPartner()
        let request = RevolutConsentRequest(
            partner.profile,
            state: Secret("s"),
            verifier: RevolutCodeVerifier(partner.world.environment)
        )
        #expect(throws: expected) {
            try request.code(from: query.map { (name: $0.0, value: $0.1) })
        }
    }

    @Test func `R-057 a merchant who refuses comes back with the protocol's word`() throws {
        let partner = RevolutPartner()
        partner.emulator.authorization.merchantsConsent = false
        let request = RevolutConsentRequest(partner.profile, environment: partner.world.environment)
        let back = try partner.run { try await partner.visit(request) }
        #expect(throws: RevolutConsentError.refused("access_denied")) {
            try request.code(from: back)
        }
    }

    @Test(
        arguments: [
            ("code_challenge_method", "plain", "invalid_request"),
            ("code_challenge_method", nil, "invalid_request"),
            ("code_challenge", nil, "invalid_request"), ("scope", "everything", "invalid_scope"),
            ("response_type", "token", "unsupported_response_type"),
        ] as [(String, String?, String)]
    )
    func `R-053 our emulator refuses a plain challenge, and whatever else is not asked for`(
        name: String,
        value: String?,
        error: String
    ) throws {
        let partner = RevolutPartner()
        let request = RevolutConsentRequest(partner.profile, environment: partner.world.environment)
        let url = try #require(request.url)
        let parts = try #require(URLComponents(url: url, resolvingAgainstBaseURL: false))
        var query = (parts.queryItems ?? []).map { (name: $0.name, value: $0.value ?? "") }
        query.removeAll { $0.name == name }
        if let value { query.append((name, value)) }
        let sent = query
        let answer = try partner.run {
            try await partner.emulator.host.send(
                HTTPRequest(.get, RevolutEmulator.origin, parts.path, query: sent)
            )
        }
        #expect(answer.headers["Location"]?.contains("error=\(error)") == true)
    }

    @Test func `R-054 our emulator redirects to no address that nobody registered`() throws {
        let partner = RevolutPartner()
        var profile = partner.profile
        profile.redirectURI = "https://thief.example/"
        let request = RevolutConsentRequest(profile, environment: partner.world.environment)
        #expect(throws: TransportError(.notSent, "no redirect but HTTP 400")) {
            try partner.run { try await partner.visit(request) }
        }
    }

    @Test(
        arguments: [
            ("https://auth.example/a/b", "https://auth.example", "/a/b"),
            ("http://localhost:8080", "http://localhost:8080", "/"), ("auth.example/a", nil, nil),
            ("ftp://auth.example/", nil, nil), ("https://auth.example/?a=b", nil, nil),
            ("https://me:pw@auth.example/", nil, nil), ("https:///a", nil, nil), ("", nil, nil),
        ] as [(String, String?, String?)]
    )
    func `R-050 an address is read from configuration, or is none`(
        text: String,
        origin: String?,
        path: String?
    ) {
        let address = RevolutAuthorizationProfile.Address(text)
        #expect(address?.origin == origin)
        #expect(address?.path == path)
    }
}
