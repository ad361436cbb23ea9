/// Runs attempts one at a time: begin in the journal, act, settle, end in the journal.
actor PaymentEngine {
    let acquirers: [Acquirer]
    let journal: any AttemptJournal
    let settling: SettlingPolicy
    let failover: Failover
    let environment: PaymentEnvironment
    /// Whom to ask for an order before an attempt begins.
    let claiming: OrderClaiming?
    let feed: StateFeed
    /// When this process took the journal over; nothing of an earlier one runs since.
    let openedAt: Date
    var running: RunningPayment?
    /// How often there was a reason to prepare: a payment that ended, a return to the foreground.
    var occasions = 0
    /// The captures, voids and refunds that this process is sending.
    var sending: Set<AttemptID> = []
    /// The preparations that run.
    var preparations: [Account: OneShot<PaymentError?>] = [:]
    /// The acquirers whose reader's session may have gone while the app was off the screen.
    var doubtful: Set<Account> = []
    /// How often the open payments were looked up to be told.
    var tellings = 0
    /// Claims on orders that can be let go, and that the back end was not told of yet.
    var unreleased: [OrderClaim] = []
    /// Whether the back end was asked which claims of this till it still has.
    var hasCollectedClaims = false
    /// The end of what the back end is being told.
    var releasing: OneShot<Void>?

    /// The payment that occupies the device.
    struct RunningPayment {
        var id: AttemptID
        var order: Order
        var acquirer: Acquirer
        var stage = Stage.beginning
        var cancelRequested = false
        /// What it waits for before the vendor is called.
        var waiting: OneShot<Void>?
        /// Whether the vendor's call has not come back.
        var isVendorRunning = false
        /// Whether the outcome was told.
        var isTold = false

        enum Stage {
            /// Nothing was given to the vendor yet.
            case beginning
            /// The vendor's call is running.
            case vendor
            /// The vendor has answered, or has not in time; the books are asked.
            case settling
        }
    }

    init(
        acquirers: [Acquirer],
        journal: any AttemptJournal,
        settling: SettlingPolicy,
        failover: Failover = Failover(),
        claiming: OrderClaiming? = nil,
        environment: PaymentEnvironment
    ) {
        self.acquirers = acquirers
        self.journal = journal
        self.settling = settling
        self.failover = failover
        self.claiming = claiming
        self.environment = environment
        feed = StateFeed()
        openedAt = environment.wallTime()
    }

    var shield: Shield { Shield(environment: environment) }

    /// The acquirer of new payments.
    var active: Acquirer { acquirers[0] }

    func acquirer(of account: Account) -> Acquirer? {
        acquirers.first { $0.account == account }
    }

    // MARK: A payment at the counter

    /// What performs an attempt in place of the provider, such as setting up with a test payment.
    typealias Performing = @Sendable (PaymentAttempt, AttemptContext) async -> ProviderAnswer

    /// Checks a request, writes its attempt down and starts it.
    ///
    /// - Returns: The attempt, and its events, which end with the outcome.
    func start(
        _ request: PaymentRequest,
        by performing: Performing? = nil
    ) async throws(PaymentRefusal) -> (AttemptID, EventChannel) {
        let first = try choice(of: active, for: request)
        if let running { throw .busy(running.order) }
        // Nothing may be awaited between these two: the device is taken from here on.
        let provisional = AttemptID(from: environment)
        running = RunningPayment(id: provisional, order: request.order, acquirer: active)
        let choice: Choice
        let attempt: PaymentAttempt
        do throws(PaymentRefusal) {
            choice = performing == nil ? await choose(first, for: request) : first
            attempt = try await begin(choice, provisional)
        } catch {
            running = nil
            throw error
        }
        if Task.isCancelled { running?.cancelRequested = true }
        let channel = EventChannel()
        feed.update { $0.running = .init(attempt: attempt.id, order: request.order) }
        let provider = choice.acquirer.provider
        let performing = performing ?? { await provider.perform($0, context: $1) }
        shield.start { await self.perform(attempt, choice, by: performing, channel) }
        return (attempt.id, channel)
    }

    /// Writes an attempt down, before anything of a vendor's is touched for it.
    private func begin(
        _ choice: Choice,
        _ provisional: AttemptID
    ) async throws(PaymentRefusal) -> PaymentAttempt {
        let acquirer = choice.acquirer
        let attempt = PaymentAttempt(
            id: await unused(provisional),
            account: acquirer.account,
            operation: .take(choice.request),
            startedAt: environment.wallTime(),
            amount: choice.total
        )
        running?.id = attempt.id
        running?.acquirer = acquirer
        if acquirer.provider.capabilities.signsOut,
            await readiness(of: acquirer)?.isSignedOut == true
        {
            throw .signedOut(provider: acquirer.account.provider)
        }
        let device = await shield.run(deadline: Self.smallAnswer) {
            await acquirer.provider.device()
        }
        var began = attempt.began(device: device ?? nil, software: acquirer.software)
        began.choice = choice.reason
        let entry = JournalEntry(
            at: attempt.startedAt,
            attempt: attempt.id,
            fact: .began(began)
        )
        try await claim(attempt.id, entry)
        do throws(PaymentRefusal) {
            _ = try await journal.begin(entry)
        } catch {
            await releaseUnbegun(attempt.id, entry)
            throw error
        }
        return attempt
    }

    /// Changes the running payment, if it is this one, and lets go of the device once it is over.
    func update(_ id: AttemptID, _ change: (inout RunningPayment) -> Void) {
        guard var payment = running, payment.id == id else { return }
        change(&payment)
        running = payment.isTold && !payment.isVendorRunning ? nil : payment
    }

    /// The identifier, or the next one that no attempt of the journal has.
    func unused(_ id: AttemptID) async -> AttemptID {
        var id = id
        while await journal.read({ [id] book in book[id] != nil }) {
            id = AttemptID(from: environment)
        }
        return id
    }

    private func perform(
        _ attempt: PaymentAttempt,
        _ choice: Choice,
        by performing: @escaping Performing,
        _ channel: EventChannel
    ) async {
        let acquirer = choice.acquirer
        let reporter = Reporter(attempt: attempt.id, channel: channel, feed: feed)
        reporter.send(.started)
        if let first = choice.movedFrom {
            reporter.send(.switchingProvider(from: first, to: acquirer.account.provider))
        }
        await awaitPreparation(of: acquirer, attempt.id, reporter)
        guard running?.cancelRequested != true else {
            await finish(attempt, .ended(.cancelled, by: .engine), reporter)
            return
        }
        update(attempt.id) {
            $0.stage = .vendor
            $0.isVendorRunning = true
        }
        let context = AttemptContext(
            report: { reporter.send($0) },
            note: { await self.append([.noted($0)], for: attempt.id) }
        )
        let answer = await shield.run(deadline: settling.vendorDeadline) {
            await performing(attempt, context)
        } late: { answer in
            await self.lateAnswer(answer, to: attempt)
        }
        update(attempt.id) {
            $0.stage = .settling
            if answer != nil { $0.isVendorRunning = false }
        }
        let end = await end(of: attempt, after: answer, with: acquirer, reporter)
        await finish(attempt, end, reporter)
    }

    /// Waits until the reader that is being made ready is so, or the payment is cancelled.
    ///
    /// A preparation that failed ends nothing here: the vendor knows what stands in the way.
    func awaitPreparation(
        of acquirer: Acquirer,
        _ attempt: AttemptID,
        _ reporter: Reporter
    ) async {
        while let preparation = preparations[acquirer.account], running?.cancelRequested == false {
            reporter.send(AttemptProgress.preparing)
            let over = OneShot<Void>()
            update(attempt) { $0.waiting = over }
            shield.start {
                _ = await preparation.value()
                over.resolve(())
            }
            await over.value()
            update(attempt) { $0.waiting = nil }
        }
    }

    private func finish(
        _ attempt: PaymentAttempt,
        _ settled: Settled,
        _ reporter: Reporter
    ) async {
        let ending = await conclude(attempt.id, settled)
        let outcome =
            ending?.outcome
            ?? .unresolved(
                attempt.unresolved(because: settled.reason, candidates: settled.candidates)
            )
        update(attempt.id) { $0.isTold = true }
        occasions += 1
        // An attempt that ran and ended was never among the open ones.
        if await journal.read({ $0[attempt.id]?.isOpen != false }) { await tellOpenPayments() }
        feed.update { if $0.running?.attempt == attempt.id { $0.running = nil } }
        reporter.send(.finished(outcome))
    }

    /// Takes in the answer of a vendor's call that came after its deadline.
    private func lateAnswer(_ answer: ProviderAnswer, to attempt: PaymentAttempt) async {
        let answer = await answer.believed(for: attempt, in: journal)
        if let told = answer.ending(of: attempt, now: environment.wallTime()) {
            _ = await conclude(attempt.id, .ended(told, by: .vendor))
        } else if case .unknown(let error) = answer,
            await journal.read({ $0[attempt.id]?.isOpen == true })
        {
            await append([.leftOpen(.init(error: error))], for: attempt.id)
        }
        update(attempt.id) { $0.isVendorRunning = false }
        await tellOpenPayments()
    }

    /// The running attempt, as long as its outcome was not told.
    var runningUntold: AttemptID? { running.flatMap { $0.isTold ? nil : $0.id } }

    /// Whether the vendor's call for an attempt has not come back.
    func isRunning(_ id: AttemptID) -> Bool { running?.id == id }

    // MARK: Cancelling

    /// Asks for the cancellation of an order's running payment, and of no other.
    func cancel(_ order: Order) async -> Cancellation {
        guard let payment = running, payment.order == order else { return .nothingRunning }
        return await cancel(payment.id)
    }

    /// Asks for the cancellation of an attempt, if it is the running one.
    func cancel(_ id: AttemptID) async -> Cancellation {
        guard let payment = running, payment.id == id else { return .nothingRunning }
        switch payment.stage {
        case .beginning:
            running?.cancelRequested = true
            running?.waiting?.resolve(())
            return .asked
        case .vendor:
            guard payment.acquirer.provider.capabilities.cancelFromCode else { return .unsupported }
            let answer = await shield.run(deadline: Self.smallAnswer) {
                await payment.acquirer.provider.cancel(id)
            }
            return answer ?? .asked
        case .settling: return .tooLate
        }
    }
}
