import PaymentCore
import PaymentTransport
import Simulation
import Synchronization
import Testing

/// Gives out numbered tokens, each after a while, and counts.
private final class SlowTokens: TokenProvider {
    let time: SimulatedTime
    let delay: Duration
    private let fetched = Mutex(0)

    init(_ time: SimulatedTime, delay: Duration) {
        self.time = time
        self.delay = delay
    }

    var count: Int { fetched.withLock { $0 } }

    func token() async throws -> AccessToken {
        fetched.withLock { $0 += 1 }
        try? await time.clock.sleep(for: delay)
        return AccessToken("session-a")
    }
}

@Suite struct RemoteTokenTests {
    private static let reference = AcquirerReference(kind: "k", value: "v")

    private func phone(
        _ time: SimulatedTime,
        _ tokens: any TokenProvider,
        origin: String = RemotePair.origin,
        _ transport: any HTTPTransport
    ) -> RemoteBackOffice {
        RemoteBackOffice(
            account: RemotePair.account,
            origin: origin,
            capabilities: BackOfficeCapabilities(),
            transport: transport,
            tokenProvider: tokens,
            environment: time.environment
        )
    }

    private func served() -> FunctionTransport {
        let service = RemotePair.service(ScriptedBackOffice())
        return FunctionTransport { await service.answer($0) }
    }

    @Test
    func `N-050 concurrent needs for a token are one fetch, and cancelling one cancels no other`()
        throws
    {
        let time = SimulatedTime()
        let tokens = SlowTokens(time, delay: .seconds(2))
        let phone = phone(time, tokens, served())
        let answers = try time.run { () async -> [CloseAnswer] in
            await withTaskGroup(of: CloseAnswer.self) { group in
                for _ in 0..<3 { group.addTask { await phone.close(Self.reference) } }
                let cancelled = Task(executorPreference: time.executor) {
                    await phone.close(Self.reference)
                }
                cancelled.cancel()
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        #expect(answers.map(\.name) == ["unsupported", "unsupported", "unsupported"])
        #expect(tokens.count == 1)
    }

    @Test func `N-050 no token is kept for the next question`() throws {
        let time = SimulatedTime()
        let tokens = SlowTokens(time, delay: .zero)
        let phone = phone(time, tokens, served())
        for _ in 0..<2 { _ = try time.run { await phone.close(Self.reference) } }
        #expect(tokens.count == 2)
    }

    @Test func `N-035 a token that does not come in time ends the question, not sent`() throws {
        let time = SimulatedTime()
        let transport = served()
        let phone = phone(time, SlowTokens(time, delay: .seconds(3_600)), transport)
        let answer = try time.run { await phone.close(Self.reference) }
        #expect(
            answer.parts == [
                "notClosed", PaymentError(.tokenUnavailable, detail: "no token in time"),
            ]
        )
        #expect(time.clock.now.offset == .seconds(30))
        #expect(transport.requests.isEmpty)
    }

    @Test(arguments: [
        (TokenProviderError.appLoginExpired, PaymentError.Code.appLoginExpired),
        (.unauthorized, .signedOut), (.temporary, .tokenUnavailable),
        (.configuration, .tokenUnavailable),
    ])
    func `N-052 the app's own expired login is never the acquirer's refusal`(
        error: TokenProviderError,
        code: PaymentError.Code
    ) throws {
        let pair = RemotePair(tokens: FixedTokens(error: error))
        let told = try pair.run { phone in await phone.close(Self.reference) }
        #expect(told.parts == ["notClosed", PaymentError(code)])
        #expect(pair.transport.requests.isEmpty)
    }

    @Test func `N-052 a token that the back end refuses is the app's login, and nothing was done`()
        throws
    {
        let pair = RemotePair(tokens: FixedTokens(text: "session-b"))
        guard case .notClosed(let error) = try pair.run({ await $0.close(Self.reference) }) else {
            Issue.record("closed without a token")
            return
        }
        #expect(error.code == .appLoginExpired)
        #expect(pair.books.asked.count == 0)
    }

    @Test(arguments: ["", "  "])
    func `N-050 a blank token is none`(text: String) throws {
        let pair = RemotePair(tokens: FixedTokens(text: text))
        let told = try pair.run { await $0.close(Self.reference) }
        #expect((told.parts.last as? PaymentError)?.code == .tokenUnavailable)
    }

    @Test(arguments: [
        ("http://shop.example", false), ("shop.example", false), ("", false), ("ftp://x", false),
        ("http://127.0.0.1.evil.example", false), ("https://shop.example", true),
        ("http://127.0.0.1:8080", true), ("http://[::1]:8080", true), ("http://localhost:1", true),
    ])
    func `the token travels encrypted, or not beyond this machine`(
        origin: String,
        isSent: Bool
    ) throws {
        let pair = RemotePair(origin: origin)
        _ = try pair.run { await $0.close(Self.reference) }
        #expect(pair.transport.requests.isEmpty == !isSent)
    }

    @Test func `N-014 neither the phone's half nor its errors show the token`() throws {
        let pair = RemotePair(tokens: FixedTokens(text: "session-b\r\nX: y"))
        let told = try pair.run { await $0.close(Self.reference) }
        #expect(pair.transport.requests.isEmpty)
        #expect(!String(reflecting: told).contains("session-b"))
        #expect(!String(reflecting: pair.phone).contains("session-b"))
    }
}
