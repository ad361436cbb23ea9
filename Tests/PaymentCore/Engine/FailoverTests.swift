import Simulation
import Synchronization
import Testing

@testable import PaymentCore

/// A vendor with a readiness that a test wrote down, and a count of its payments.
private final class Standing: PaymentProvider {
    let capabilities: ProviderCapabilities
    private let standing: ProviderReadiness?
    private let preparation: PaymentError?
    private let count = Mutex(0)

    init(
        _ standing: ProviderReadiness?,
        preparation: PaymentError? = nil,
        kinds: Set<PaymentRequest.Kind> = [.sale]
    ) {
        var capabilities = ProviderCapabilities()
        capabilities.kinds = kinds
        self.capabilities = capabilities
        self.standing = standing
        self.preparation = preparation
    }

    var performed: Int { count.withLock { $0 } }

    func readiness() async -> ProviderReadiness {
        guard let standing else {
            _ = await OneShot<Bool>().value()
            return ProviderReadiness(isSupported: false, link: .unknown, isPrepared: false)
        }
        return standing
    }

    func device() async -> String? { nil }
    func cancel(_ attempt: AttemptID) async -> Cancellation { .unsupported }
    func prepare() async throws(PaymentError) { if let preparation { throw preparation } }

    func perform(_ attempt: PaymentAttempt, context: AttemptContext) async -> ProviderAnswer {
        count.withLock { $0 += 1 }
        return .approved(Approval(amount: .confirmed(attempt.amount)))
    }
}

private let ready = ProviderReadiness(isSupported: true, link: .notNeeded, isPrepared: true)
private let unprepared = ProviderReadiness(isSupported: true, link: .notNeeded, isPrepared: false)
private let unsupported = ProviderReadiness(isSupported: false, link: .unknown, isPrepared: false)
private let unlinked = ProviderReadiness(isSupported: true, link: .notLinked, isPrepared: false)
private let signedOut = ProviderReadiness(
    isSupported: true,
    link: .notNeeded,
    isPrepared: true,
    isSignedOut: true
)

@Suite struct FailoverTests {
    private func take(
        _ first: Standing,
        _ second: Standing,
        on codes: Set<PaymentError.Code> = [.deviceUnsupported, .signedOut, .timedOut]
    ) throws -> (told: String, events: [String], story: String, account: String?, merchant: String?)
    {
        let time = SimulatedTime()
        let acquirers = [("one", first), ("two", second)].map { name, provider in
            Acquirer(
                account: Account(provider: name, merchant: "m", environment: .simulated),
                provider: provider,
                backOffice: nil,
                merchantName: "shop of \(name)"
            )
        }
        let engine = PaymentEngine(
            acquirers: acquirers,
            journal: MemoryAttemptJournal(),
            settling: SettlingPolicy(),
            failover: Failover(to: codes.isEmpty ? [] : ["two"], on: codes),
            environment: time.environment
        )
        let pointOfSale = PointOfSale(engine: engine, environment: time.environment)
        return try time.run {
            var events: [String] = []
            do throws(PaymentRefusal) {
                let outcome = try await pointOfSale.take(.sale(.usd(500), for: "o1")) {
                    events.append($0.messageKey.description)
                }
                let story = await pointOfSale.explain("o1")
                let account = story.attempts.first?.account.provider
                let merchant = await pointOfSale.receipt(for: "o1")?.merchantName
                return (
                    outcome.name, events, story.lines.joined(separator: "\n"), account, merchant
                )
            } catch {
                return ("refused \(error.code)", events, "", nil, nil)
            }
        }
    }

    @Test func `N-031 a payment that cannot begin moves to the next that is ready`() throws {
        for standing in [unsupported, signedOut] {
            let (first, second) = (Standing(standing), Standing(ready))
            let told = try take(first, second)
            #expect(told.told == "approved" && told.account == "two")
            #expect(told.events.prefix(2) == ["event.started", "event.switchingProvider"])
            #expect(told.story.contains("moved from one"))
            #expect(first.performed == 0 && second.performed == 1)
        }
    }

    @Test func `N-031 without the configuration, or on another error, it stays`() throws {
        let (first, second) = (Standing(unsupported), Standing(ready))
        let off = try take(first, second, on: [])
        #expect(off.account == "one" && !off.story.contains("moved from"))
        let other = try take(Standing(unlinked), second)
        #expect(other.account == "one")
        #expect(other.story.contains("moving on accountNotLinked is not configured"))
        #expect(second.performed == 0 && first.performed == 1)
    }

    @Test func `N-031 it stays when the next cannot take it or is not ready, and says why`() throws
    {
        let cannot = try take(Standing(unsupported), Standing(ready, kinds: [.authorization]))
        #expect(cannot.account == "one" && cannot.story.contains("two cannot take it"))
        let unready = try take(Standing(unsupported), Standing(unlinked))
        #expect(unready.story.contains("two is not ready (accountNotLinked)"))
        let failing = Standing(unprepared, preparation: PaymentError(.tokenUnavailable))
        let unable = try take(Standing(unsupported), failing)
        #expect(unable.story.contains("two is not ready (tokenUnavailable)"))
        #expect(try take(Standing(unsupported), Standing(unprepared)).account == "two")
    }

    @Test func `N-031 a payment that moves carries the next acquirer's merchant name`() throws {
        let told = try take(Standing(unsupported), Standing(ready))
        #expect(told.merchant == "shop of two")
        #expect(try take(Standing(ready), Standing(ready)).merchant == "shop of one")
    }

    @Test func `N-035 a vendor that does not say how it stands is left after its deadline`() throws
    {
        #expect(try take(Standing(nil), Standing(ready)).account == "two")
    }

    private func problems(_ failover: String) -> [String] {
        let text = #"""
            { "provider": "one", "failover": \#(failover), "providers": { "one": {}, "two": {} } }
            """#
        let factories = ["one", "two"].map { name in
            ProviderFactory(name: name) { section, _ in
                section.finish()
                return Acquirer(
                    account: Account(provider: name, merchant: "m", environment: .simulated),
                    provider: Standing(ready),
                    backOffice: nil
                )
            }
        }
        let found = PointOfSaleConfiguration(text: text).problems(factories)
        return found?.problems.map { "\($0.path): \($0.text)" } ?? []
    }

    @Test(
        arguments: [
            (#"{ "to": ["two"], "on": ["signedOut"] }"#, nil),
            (#"{ "to": ["three"], "on": [] }"#, "failover.to[0]: "),
            (#"{ "to": ["one"], "on": [] }"#, "takes the payments already"),
            (#"{ "to": ["two"], "on": ["signdOut"] }"#, "\"signedOut\"?"),
            (#"{ "to": ["two"], "on": ["outcomeUnknown"] }"#, "failover.on[0]: "),
            (#"{ "to": ["two"] }"#, "failover.on: missing"),
        ] as [(String, String?)]
    )
    func `N-033 a failover is checked as everything else is`(text: String, problem: String?) {
        let found = problems(text)
        #expect(found.isEmpty == (problem == nil), "\(found)")
        if let problem { #expect(found.joined().contains(problem), "\(found)") }
    }
}
