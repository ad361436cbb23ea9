/// What an app calls: takes card payments through the configured acquirer and always knows where
/// the money is.
///
/// Every payment that starts ends in exactly one ``PaymentOutcome``. One order is charged at most
/// once, as long as every till that may take it uses the same journal, or asks the same back end
/// (``OrderClaims``).
public final class PointOfSale: Sendable {
    let engine: PaymentEngine
    private let environment: PaymentEnvironment

    init(engine: PaymentEngine, environment: PaymentEnvironment) {
        self.engine = engine
        self.environment = environment
    }

    /// Opens a point of sale as the configuration says.
    ///
    /// Attempts that an earlier process left without an end are unresolved from here on.
    ///
    /// - Parameters:
    ///   - configuration: Which acquirer, and everything that may differ from till to till.
    ///   - providers: The acquirers that the app was built with.
    ///   - journal: The record of attempts; the configured file, or the default one, when nil.
    ///   - claiming: Whom to ask for each order, where several tills may take it.
    ///   - environment: Where time, randomness and threads come from.
    /// - Returns: The point of sale.
    /// - Throws: ``PointOfSaleError`` with everything that is wrong.
    public static func open(
        _ configuration: PointOfSaleConfiguration,
        providers: [ProviderFactory],
        journal: (any AttemptJournal)? = nil,
        claiming: OrderClaiming? = nil,
        environment: PaymentEnvironment = .live
    ) async throws(PointOfSaleError) -> PointOfSale {
        let content: PointOfSaleConfiguration.Content
        do throws(ConfigurationProblems) {
            content = try configuration.read(providers, environment: environment)
        } catch {
            throw .configuration(error)
        }
        let opened: any AttemptJournal
        do throws(JournalError) {
            if let journal {
                opened = journal
            } else {
                opened = try await FileAttemptJournal.open(
                    path: configuration.journal
                        ?? FileAttemptJournal.defaultPath(program: "swift-in-person-payments"),
                    environment: environment
                )
            }
        } catch {
            throw .journal(error)
        }
        let dropped = await opened.read { book in
            Set(book.open.map(\.began.account)).subtracting(content.acquirers.map(\.account))
        }
        guard dropped.isEmpty else {
            throw .configuration(configuration.problems(withDropped: dropped))
        }
        let engine = PaymentEngine(
            acquirers: content.acquirers,
            journal: opened,
            settling: content.settling,
            failover: content.failover,
            claiming: claiming,
            environment: environment
        )
        await engine.recover()
        return PointOfSale(engine: engine, environment: environment)
    }

    /// Every configured acquirer; the one of new payments comes first.
    public var acquirers: [Acquirer] { engine.acquirers }

    /// The account of new payments.
    public var account: Account { engine.acquirers[0].account }

    /// How the point of sale stands, from now on.
    public var states: PointOfSaleStates { PointOfSaleStates(feed: engine.feed) }

    /// Does what has to be done in the background, until its task is cancelled.
    ///
    /// It prepares the reader at once, after each payment and on each return to the foreground, and
    /// asks the acquirer now and then about payments whose end nobody knows.
    public func run() async { await engine.run() }

    /// Says that the app is on the screen again; the reader has to be prepared anew.
    public func foreground() async { await engine.foreground() }

    /// Says that the app leaves the screen; nothing is prepared until it returns.
    public func background() async { await engine.background() }

    /// Sets the device up for the merchant, where the acquirer wants that once.
    ///
    /// - Parameter options: What may be done here, and the test payment where one is made.
    /// - Returns: Whether it is set up, and where the money of the test payment is.
    /// - Throws: ``PaymentRefusal`` when it did not start; nothing was written or sent.
    public func setUp(_ options: SetUpOptions) async throws(PaymentRefusal) -> SetUpResult {
        try await engine.setUp(options)
    }

    /// Makes the reader ready, so that the next customer need not wait.
    ///
    /// Concurrent calls are one. Call it at launch, on the return to the foreground and after each
    /// payment.
    ///
    /// - Throws: ``PaymentError``; no money is concerned.
    public func prepare() async throws(PaymentError) { try await engine.prepare() }

    /// Takes one payment at the counter and waits for its end.
    ///
    /// Cancelling the task that awaits it asks for the payment's cancellation and still awaits the
    /// real outcome.
    ///
    /// - Parameters:
    ///   - request: What to take; amounts are in minor units of their currency.
    ///   - onEvent: Called on the caller's own actor, in order; `finished` is the last.
    /// - Returns: How it ended, and with it where the money is.
    /// - Throws: ``PaymentRefusal`` when it did not start: nothing was written or sent.
    public nonisolated(nonsending) func take(
        _ request: PaymentRequest,
        onEvent: (PaymentEvent) -> Void
    ) async throws(PaymentRefusal) -> PaymentOutcome {
        let watch = try await engine.start(request, isHeard: true)
        while true {
            for event in try await watch.next() {
                onEvent(event)
                if case .finished(let outcome) = event.kind { return outcome }
            }
        }
    }

    /// Takes one payment at the counter and waits for its end; the same as ``take(_:onEvent:)`` for
    /// somebody who does not listen, or to ``states`` alone.
    ///
    /// - Parameter request: What to take; amounts are in minor units of their currency.
    /// - Returns: How it ended, and with it where the money is.
    /// - Throws: ``PaymentRefusal`` when it did not start: nothing was written or sent.
    public func take(
        _ request: PaymentRequest
    ) async throws(PaymentRefusal) -> PaymentOutcome {
        try await engine.start(request, isHeard: false).outcome()
    }

    /// Asks for the cancellation of an order's running payment, and of no other.
    ///
    /// - Parameter order: The order of the payment.
    /// - Returns: Whether it was asked for; the payment's outcome tells whether it came in time.
    public func cancel(_ order: Order) async -> Cancellation { await engine.cancel(order) }

    /// The payments whose end nobody knows, oldest first; charging their orders is refused.
    public var unresolved: [UnresolvedPayment] {
        get async { await engine.unresolved() }
    }

    /// Asks the acquirer how an unresolved payment ended; never guesses.
    ///
    /// - Parameter payment: One of ``unresolved``, or one that an outcome carried.
    /// - Returns: Its end on evidence, or still unresolved with the reason and all candidates.
    public func resolve(_ payment: UnresolvedPayment) async -> Resolution {
        await engine.resolve(payment.attempt) ?? .payment(.unresolved(payment))
    }
}
