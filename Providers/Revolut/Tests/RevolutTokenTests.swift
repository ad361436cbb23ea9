import PaymentCore
import PaymentTransport
import RevolutPayments
import Simulation
import Testing

@Suite struct RevolutTokenTests {
    // FC-053
    @Test(
        arguments: [
            ("A", nil), ("SS", 2), ("SA", nil), ("SASA", nil), ("SISS", 4), ("III", nil),
            ("SSS", 2), ("SCS", 3), ("PS", 2), ("SP", 2),
        ] as [(String, Int?)]
    )
    func `R-091 two strikes in a row sign out, once`(ends: String, signedOutAfter: Int?) {
        var rounds = RevolutTokenRounds()
        var signOuts: [Int] = []
        for (index, letter) in ends.enumerated() {
            let end: RevolutTokenRounds.End =
                switch letter {
                case "A": .accepted
                case "S": .refusedByProvider
                case "P": .refusedByService
                case "I": .inconclusive
                default: .cancelled
                }
            if rounds.ended(end) { signOuts.append(index + 1) }
        }
        #expect(signOuts == (signedOutAfter.map { [$0] } ?? []))
    }

    /// Counts how often it is asked, and takes a while to answer.
    private struct CountingProvider: TokenProvider {
        let calls = Shared(0)
        let environment: PaymentEnvironment
        var answer: Result<String, TokenProviderError> = .success("token")
        var delay = Duration.seconds(1)

        func token() async throws -> AccessToken {
            calls.value += 1
            try await environment.clock.sleep(for: delay)
            return AccessToken(try answer.get())
        }
    }

    // FC-049, FC-051
    @Test func `N-050 concurrent needs are one fetch, and later needs are another`() throws {
        let time = SimulatedTime()
        let provider = CountingProvider(environment: time.environment)
        let source = RevolutTokenSource(provider, environment: time.environment)
        let count = try time.run { () async -> Int in
            let got = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<10 { group.addTask { (try? await source.token()) != nil } }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            _ = try? await source.token()
            return got
        }
        #expect(count == 10)
        #expect(provider.calls.value == 2)
    }

    // FC-052
    @Test func `R-106 after the sign-out nobody is asked any more`() throws {
        let time = SimulatedTime()
        var provider = CountingProvider(environment: time.environment)
        provider.answer = .failure(.unauthorized)
        let asked = provider
        let source = RevolutTokenSource(asked, environment: time.environment)
        try time.run { for _ in 0..<4 { _ = try? await source.token() } }
        #expect(asked.calls.value == 2)
    }

    @Test func `R-074 a provider that hangs is given up after thirty seconds`() throws {
        let time = SimulatedTime()
        var provider = CountingProvider(environment: time.environment)
        provider.delay = .seconds(9_999)
        let source = RevolutTokenSource(provider, environment: time.environment)
        let gaveUp = try time.run { () async -> Duration? in
            (try? await source.token()) == nil ? time.clock.now.offset : nil
        }
        #expect(gaveUp == .seconds(30))
    }

    private struct FixedTransport: HTTPTransport {
        let status: Int
        let body: String

        func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
            guard status > 0 else { throw TransportError(.maybeReceived, "lost") }
            return HTTPResponse(status: status, body: Data(body.utf8))
        }
    }

    @Test(
        arguments: [
            (200, #"{"access_token":"t","expires_in":600}"#, nil), (200, "{}", .temporary),
            (401, #"{"error":"app_login_expired"}"#, .appLoginExpired), (401, "", .unauthorized),
            (403, #"{"error":"merchant_not_authorised"}"#, .unauthorized),
            (409, #"{"error":"merchant_unknown"}"#, .configuration), (429, "", .temporary),
            (503, "<html>", .temporary), (0, "", .temporary),
        ] as [(Int, String, TokenProviderError?)]
    )
    func `R-070 the back end's answers are told apart`(
        status: Int,
        body: String,
        expected: TokenProviderError?
    ) throws {
        let provider = RevolutBackEndTokenProvider(
            transport: FixedTransport(status: status, body: body),
            origin: "https://shop.example"
        ) { AccessToken("session") }
        #expect(try Self.error(of: provider) == expected)
    }

    /// What an app's own client throws when its own login has ended.
    private struct Status401: UnauthorizedSignaling {
        var isUnauthorized: Bool { true }
    }

    @Test(arguments: [TokenProviderError.unauthorized, Status401()] as [any UnauthorizedSignaling])
    func `N-052 a login of the app's own that is refused is no refusal of Revolut's`(
        refusal: any UnauthorizedSignaling
    ) throws {
        let provider = RevolutBackEndTokenProvider(
            transport: FixedTransport(status: 200, body: "{}"),
            origin: "https://shop.example"
        ) { throw refusal }
        #expect(try Self.error(of: provider) == .appLoginExpired)
    }

    @Test(arguments: [
        ("http://shop.example", TokenProviderError.configuration), ("https://shop.example", nil),
        ("http://127.0.0.1:8080", nil), ("shop.example", .configuration),
    ])
    func `login and device token travel encrypted, or not beyond this machine`(
        origin: String,
        expected: TokenProviderError?
    ) throws {
        let asked = Shared(0)
        let provider = RevolutBackEndTokenProvider(
            transport: FixedTransport(status: 200, body: #"{"access_token":"t"}"#),
            origin: origin
        ) {
            asked.value += 1
            return AccessToken("session")
        }
        #expect(try Self.error(of: provider) == expected)
        #expect(asked.value == (expected == nil ? 1 : 0))
    }

    private static func error(
        of provider: RevolutBackEndTokenProvider
    ) throws -> TokenProviderError? {
        try SimulatedTime().run { () async -> TokenProviderError? in
            do {
                _ = try await provider.token()
                return nil
            } catch {
                return error as? TokenProviderError
            }
        }
    }

    @Test(arguments: ["", " ", #"\n\t"#])
    func `R-071 by our contract a blank token is no token, and nobody is signed out`(
        token: String
    ) throws {
        let provider = RevolutBackEndTokenProvider(
            transport: FixedTransport(status: 200, body: #"{"access_token":"\#(token)"}"#),
            origin: "https://shop.example"
        ) { AccessToken("session") }
        #expect(try Self.error(of: provider) == .temporary)
    }

    @Test func `R-184 the table falls back for each cause that is marked, and for no other`() {
        #expect(RevolutQRFallback.decisions.count == 36)
        #expect(RevolutQRFallback(condition: "nfcDisabled") == .fallBack)
        #expect(RevolutQRFallback(condition: "readCancelled") == .cancel)
        #expect(RevolutQRFallback(condition: "somethingNew") == .fail)
    }

    /// Refuses, hands out, and refuses again.
    private struct Wavering: TokenProvider {
        let calls = Shared(0)

        func token() async throws -> AccessToken {
            calls.value += 1
            guard calls.value == 2 else { throw TokenProviderError.unauthorized }
            return AccessToken("token")
        }
    }

    // FC-053
    @Test func `R-092 a token between two refusals breaks the row`() throws {
        let time = SimulatedTime()
        let provider = Wavering()
        let source = RevolutTokenSource(provider, environment: time.environment)
        try time.run { for _ in 0..<4 { _ = try? await source.token() } }
        #expect(provider.calls.value == 4)
    }

    /// Finds the back end out of reach, and hands out a token later.
    private struct LateProvider: TokenProvider {
        let environment: PaymentEnvironment
        let delay: Duration
        let calls = Shared(0)

        func token() async throws -> AccessToken {
            calls.value += 1
            guard calls.value > 1 || delay > .zero else { throw TokenProviderError.temporary }
            try await environment.clock.sleep(for: delay)
            return AccessToken("token")
        }
    }

    @Test(arguments: [(Duration.zero, "tokenUnavailable", 1), (.seconds(5), "signedOut", 1)])
    func `R-112 a kit that signed out is handed no token any more, so that none stays none`(
        delay: Duration,
        code: String,
        calls: Int
    ) throws {
        let time = SimulatedTime()
        let provider = LateProvider(environment: time.environment, delay: delay)
        let handed = Shared(0)
        let shop = ScriptedShop(hasBooks: false, tokens: provider, time: time) {
            _,
            context,
            tell,
            end in
            Task(executorPreference: time.executor) {
                async let first = context.tokens.token()
                try? await time.clock.sleep(for: .seconds(1))
                context.onLogout()
                if (try? await first) != nil { handed.value += 1 }
                // The adapter has given the flow up by then.
                try? await time.clock.sleep(for: .seconds(90))
                if (try? await context.tokens.token()) != nil { handed.value += 1 }
            }
        }
        #expect(try shop.sale().name == "failed \(code)")
        time.advance(by: .seconds(200))
        #expect(handed.value == 0 && provider.calls.value == calls)
    }

    @Test func `R-212 a reference that is a UUID stays whole, whatever its digits`() {
        let id = "0a000000-0000-4000-8000-" + String(repeating: "0", count: 11) + "1"
        #expect(AcquirerReference(kind: "order", value: id).value == id)
    }
}
