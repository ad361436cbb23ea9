import AcquirerSimulation
import FinixSimulation
import Foundation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import RevolutSimulation
import Simulation
import Testing

// What the articles show stands here or elsewhere in the tests and samples, line by line.

private func open(in world: SimulatedWorld) async throws -> PointOfSale {
    let pointOfSale = try await PointOfSale.open(
        PointOfSaleConfiguration(fileAt: "till.json"),
        providers: [.simulatedFinix(world: world), .simulatedRevolut(world: world)],
        environment: world.environment
    )
    return pointOfSale
}

private func take(
    _ total: Money,
    _ tip: Money,
    for order: Order,
    at pointOfSale: PointOfSale
) async throws -> PaymentOutcome {
    var request = PaymentRequest.sale(total, for: order)
    request.tip = tip
    request.language = "fr-CA"
    let outcome = try await pointOfSale.take(request) { event in
        show(event.messageKey.english)
    }
    return outcome
}

private func show(_ text: String) {}

private func reader() -> SimulatedReader {
    let time = SimulatedTime(seed: 7)
    let device = SimulatedDevice(time: time, configuration: .init(linkedMerchants: ["shop-1"]))
    let reader = SimulatedReader(device: device)
    device.control.alwaysThisCard = SimulatedCard.named("visa-credit")
    return reader
}

private func takeAnywhere(
    _ request: PaymentRequest,
    at pointOfSale: PointOfSale
) async throws -> PaymentOutcome? {
    do {
        return try await pointOfSale.take(request)
    } catch PaymentRefusal.missingCapability(let capability, let provider, let available) {
        show("\(provider) cannot take \(capability); these can: \(available)")
        return nil
    }
}

private func setUp(_ penny: Money, at pointOfSale: PointOfSale) async throws {
    let options = SetUpOptions(mayAcceptTerms: true, testPayment: .sale(penny, for: "set-up-1"))
    let result = try await pointOfSale.setUp(options)
    switch result.state {
    case .done: show("Ready to take payments.")
    case .notDone(let error): show(error.messageKey.english)
    case .unknown: show("Not known whether the device is set up; try again.")
    }
}

private func watch(_ pointOfSale: PointOfSale) async {
    for await state in pointOfSale.states {
        if state.readiness?.isSignedOut == true { show("Sign in again.") }
        if !state.alarms.isEmpty { show("Look at these payments: \(state.alarms)") }
    }
}

private struct AppTokens: TokenProvider {
    let login: @Sendable () async throws -> (status: Int, text: String)

    func token() async throws -> AccessToken {
        let answer = try await login()
        switch answer.status {
        case 200: return AccessToken(answer.text)
        case 401: throw TokenProviderError.appLoginExpired
        case 403: throw TokenProviderError.unauthorized
        default: throw TokenProviderError.temporary
        }
    }
}

private func phone(
    _ account: Account,
    _ capabilities: BackOfficeCapabilities,
    _ tokens: any TokenProvider,
    _ transport: any HTTPTransport
) -> RemoteBackOffice {
    let books = RemoteBackOffice(
        account: account,
        origin: "https://till.example",
        capabilities: capabilities,
        transport: transport,
        tokenProvider: tokens,
        environment: .live
    )
    return books
}

private func server(
    _ books: [Account: any BackOffice],
    _ sessions: @escaping @Sendable (AccessToken) async -> Set<Account>?,
    _ request: HTTPRequest
) async -> HTTPResponse {
    let service = RemoteBackOfficeService(books, accounts: sessions)
    let response = await service.answer(request)
    return response
}

@Suite struct ArticleCodeTests {
    @Test func `a payment in a simulated world ends at once, and the ledger has it`() throws {
        let world = SimulatedWorld(time: SimulatedTime(seed: 7))
        world.device.control.acceptTerms(merchant: "MU-demo")
        let outcome = try world.time.run { try? await Self.sale(in: world) }
        guard case .approved = outcome else {
            Issue.record("\(String(describing: outcome))")
            return
        }
        #expect(world.ledger.balance(.usd) == 1_250)
    }

    @Test func `an app awaits a simulated payment while another task moves the world on`()
        async throws
    {
        let world = SimulatedWorld(time: SimulatedTime(seed: 7))
        world.device.control.acceptTerms(merchant: "MU-demo")
        async let _ = Self.move(world, by: AtOnce())
        let outcome = try await Self.sale(in: world)
        guard case .approved = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(world.ledger.balance(.usd) == 1_250)
    }

    private static func move(_ world: SimulatedWorld, by clock: any Clock<Duration>) async throws {
        while !Task.isCancelled {
            world.time.advance(by: .milliseconds(20))
            try await clock.sleep(for: .milliseconds(20))
        }
    }

    private static func configuration(_ provider: String) -> PointOfSaleConfiguration {
        PointOfSaleConfiguration(
            text: """
                { "provider": "\(provider)", "providers": {
                    "finix": { "environment": "simulated", "merchant": "MU-demo",
                               "merchantName": "Corner Shop", "device": null },
                    "revolut": { "environment": "simulated", "clientID": "demo",
                                 "merchantName": "Corner Shop" } } }
                """
        )
    }

    /// Opens a point of sale of the world, with the world's time unless another is given.
    private static func open(
        _ provider: String,
        in world: SimulatedWorld,
        journal: any AttemptJournal = MemoryAttemptJournal(),
        environment: PaymentEnvironment? = nil
    ) async throws -> PointOfSale {
        try await PointOfSale.open(
            configuration(provider),
            providers: [.simulatedFinix(world: world), .simulatedRevolut(world: world)],
            journal: journal,
            environment: environment ?? world.environment
        )
    }

    @Test func `N-033 a simulated acquirer wants the time of its own world`() async throws {
        let world = SimulatedWorld(time: SimulatedTime())
        for environment in [PaymentEnvironment.live, SimulatedTime().environment] {
            let error = await #expect(throws: PointOfSaleError.self) {
                _ = try await Self.open("finix", in: world, environment: environment)
            }
            let problems = "\(try #require(error))".split(separator: "\n")
            #expect(problems.count == 2)
            #expect(problems.allSatisfy { $0.contains("environment: world.environment") })
        }
        let configuration = Self.configuration("revolut")
        let providers: [ProviderFactory] = [
            .simulatedFinix(world: world), .simulatedRevolut(world: world),
        ]
        #expect(configuration.problems(providers, environment: world.environment) == nil)
        #expect(configuration.problems(providers, environment: .live)?.problems.count == 2)
        // Whoever checks a file may not know yet what it will be opened with.
        #expect(configuration.problems(providers) == nil)
    }

    @Test func `N-021 two points of sale with one journal charge an order once`() throws {
        let world = SimulatedWorld(time: SimulatedTime(seed: 7))
        world.device.control.acceptTerms(merchant: "MU-demo")
        world.device.control.alwaysThisCard = SimulatedCard.catalogue[0]
        let second = try world.time.run {
            let journal = MemoryAttemptJournal()
            guard let total = try? Money.parse("12.50", currency: .usd) else { return "" }
            let request = PaymentRequest.sale(total, for: "o1")
            let finix = try? await Self.open("finix", in: world, journal: journal)
            try? await finix?.prepare()
            _ = try? await finix?.take(request)
            let revolut = try? await Self.open("revolut", in: world, journal: journal)
            do {
                _ = try await revolut?.take(request)
                return ""
            } catch {
                return "\(error)"
            }
        }
        #expect(second.hasPrefix("order o1 is already paid (12.50 USD"))
        #expect(world.ledger.balance(.usd) == 1_250)
    }

    @Test(arguments: ["finix", "revolut"])
    func `N-025 a point of sale that is opened again finds what the acquirer had booked`(
        provider: String
    ) throws {
        let world = SimulatedWorld(time: SimulatedTime(seed: 7))
        world.device.control.acceptTerms(merchant: "MU-demo")
        world.device.control.alwaysThisCard = SimulatedCard.catalogue[0]
        let money = try world.time.run { () async -> [MoneyPlace?] in
            let journal = MemoryAttemptJournal()
            guard let total = try? Money.parse("12.50", currency: .usd) else { return [] }
            let first = try? await Self.open(provider, in: world, journal: journal)
            try? await first?.prepare()
            let receipt = (try? await first?.take(.sale(total, for: "o1")))?.money
            let next = try? await Self.open(provider, in: world, journal: journal)
            guard let paid = await next?.receipt(for: "o1") else { return [receipt] }
            let refund = try? await next?.refund(paid, amount: total, id: "r1")
            switch refund {
            case .done, .pending: return [receipt, MoneyPlace.none]
            default: return [receipt, nil]
            }
        }
        #expect(money == [.moved, MoneyPlace.none])
    }

    @Test func `the acquirers that a world keeps do not keep the world`() {
        weak var gone: SimulatedWorld?
        do {
            let world = SimulatedWorld(time: SimulatedTime())
            gone = world
            let finix = world.acquirer("finix") {
                FinixEmulator(world: world, merchant: "MU-demo", devices: [:])
            }
            let revolut = world.acquirer("revolut") { RevolutEmulator(world: world) }
            #expect(finix.host !== revolut.host)
        }
        #expect(gone == nil)
    }

    @Test(arguments: ["finix", "revolut"])
    func `a world in which was paid is freed like any other`(provider: String) throws {
        weak var gone: SimulatedWorld?
        do {
            let world = SimulatedWorld(time: SimulatedTime(seed: 7))
            gone = world
            world.device.control.acceptTerms(merchant: "MU-demo")
            world.device.control.alwaysThisCard = SimulatedCard.catalogue[0]
            let money = try world.time.run { () async -> MoneyPlace? in
                let pointOfSale = try? await Self.open(provider, in: world)
                try? await pointOfSale?.prepare()
                guard let total = try? Money.parse("12.50", currency: .usd) else { return nil }
                return (try? await pointOfSale?.take(.sale(total, for: "o1")))?.money
            }
            #expect(money == .moved)
        }
        #expect(gone == nil)
    }

    private static func sale(in world: SimulatedWorld) async throws -> PaymentOutcome {
        let pointOfSale = try await open("finix", in: world)
        world.device.control.present(card: SimulatedCard.catalogue[0])
        try await pointOfSale.prepare()
        return try await pointOfSale.take(.sale(.parse("12.50", currency: .usd), for: "o1"))
    }

    /// The lines of a text, without their indentation.
    private static func lines(_ text: some StringProtocol) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
    }

    @Test func `all Swift in the articles is compiled somewhere in the tests and samples`() throws {
        let code = try Repository.files { path in
            path.hasSuffix(".swift")
                && ["Tests/", "Samples/", "Providers/"].contains(where: path.hasPrefix)
        }.map { try Self.lines(Repository.text($0)).joined(separator: "\n") }
        let articles = try Repository.files { $0.hasSuffix(".md") && $0.contains(".docc/") }
        #expect(articles.count >= 15)
        var count = 0
        for article in articles {
            let parts = try Repository.text(article).components(separatedBy: "```swift\n")
            for part in parts.dropFirst() {
                count += 1
                let block = part.components(separatedBy: "\n```")[0]
                let wanted = Self.lines(block).joined(separator: "\n")
                let isThere = code.contains { $0.contains(wanted) }
                #expect(isThere, "\(article) shows what nobody compiles:\n\(block)")
            }
        }
        #expect(count >= 10)
    }
}

/// A clock that lets others go first and waits for nothing.
private struct AtOnce: Clock {
    var now: ContinuousClock.Instant { ContinuousClock.now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        await Task.yield()
    }
}
