import PaymentCore
import Testing

@MainActor @Suite struct CounterScreenRunTests {
    /// Approves at once, after two steps of progress.
    private struct Instant: PaymentProvider {
        var capabilities: ProviderCapabilities {
            var capabilities = ProviderCapabilities()
            capabilities.kinds = [.sale]
            return capabilities
        }

        func readiness() async -> ProviderReadiness {
            ProviderReadiness(isSupported: true, link: .notNeeded, isPrepared: true)
        }

        func device() async -> String? { nil }
        func prepare() async throws(PaymentError) {}

        func perform(_ attempt: PaymentAttempt, context: AttemptContext) async -> ProviderAnswer {
            context.report(.presentCard)
            context.report(.cardRead)
            return .approved(Approval(amount: .confirmed(attempt.amount), method: .tap))
        }

        func cancel(_ attempt: AttemptID) async -> Cancellation { .unsupported }
    }

    private func open() async throws -> PointOfSale {
        try await PointOfSale.open(
            PointOfSaleConfiguration(
                text: #"{ "provider": "instant", "providers": { "instant": {} } }"#
            ),
            providers: [
                ProviderFactory(name: "instant") { _, _ in
                    Acquirer(
                        account: Account(provider: "instant", merchant: "m", environment: .sandbox),
                        provider: Instant(),
                        backOffice: nil
                    )
                }
            ],
            journal: MemoryAttemptJournal()
        )
    }

    @Test func `N-010 a screen on the main actor changes its own state with each event`()
        async throws
    {
        let screen = CounterScreen(pointOfSale: try await open())
        await screen.charge(try Money(minorUnits: 1_250, currency: .eur), for: "o1")
        #expect(screen.status == "Paid. Give the goods.")
        await screen.charge(try Money(minorUnits: 1_250, currency: .eur), for: "o1")
        #expect(screen.status == "This order is already paid")
    }

    @Test func `N-042 a late watcher sees the present state, and nothing of an earlier payment`()
        async throws
    {
        let pointOfSale = try await open()
        let money = try Money(minorUnits: 1_250, currency: .eur)
        _ = try await pointOfSale.take(.sale(money, for: "o1"))
        var states = pointOfSale.states.makeAsyncIterator()
        let state = try #require(await states.next())
        #expect(state.running == nil)
        #expect(state.open.isEmpty)
    }
}
