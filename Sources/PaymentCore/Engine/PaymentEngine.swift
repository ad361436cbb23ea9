/// Runs attempts one at a time: begin in the journal, act, settle, end in the journal.
actor PaymentEngine {
    let acquirers: [Acquirer]
    let journal: any AttemptJournal
    let settling: SettlingPolicy
    let environment: PaymentEnvironment
    let feed: StateFeed
    /// When this process took the journal over; nothing of an earlier one runs since.
    let openedAt: Date
    private var running: RunningPayment?
    /// The preparation that runs, if one does.
    var preparation: OneShot<PaymentError?>?

    /// The payment that occupies the device.
    private struct RunningPayment {
        var id: AttemptID
        let order: Order
        let acquirer: Acquirer
        var stage = Stage.beginning
        var cancelRequested = false

        enum Stage {
            /// Nothing was given to the vendor yet.
            case beginning
            /// The vendor's call is running.
            case vendor
            /// The vendor has answered; the books are asked.
            case settling
            /// The outcome was told, but the vendor's call has not come back.
            case late
        }
    }

    init(
        acquirers: [Acquirer],
        journal: any AttemptJournal,
        settling: SettlingPolicy,
        environment: PaymentEnvironment
    ) {
        self.acquirers = acquirers
        self.journal = journal
        self.settling = settling
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

    /// Checks a request, writes its attempt down and starts it.
    ///
    /// - Returns: The events, which end with the outcome.
    func start(_ request: PaymentRequest) async throws(PaymentRefusal) -> (Order, EventChannel) {
        let acquirer = active
        var request = request
        request.merchantName = request.merchantName ?? acquirer.merchantName
        let total = try RequestCheck(acquirers: acquirers).check(request, for: acquirer)
        if let running { throw .busy(running.order) }
        // Nothing may be awaited between these two: the device is taken from here on.
        let provisional = AttemptID(from: environment)
        running = RunningPayment(id: provisional, order: request.order, acquirer: acquirer)
        let attempt = PaymentAttempt(
            id: await unused(provisional),
            account: acquirer.account,
            operation: .take(request),
            startedAt: environment.wallTime(),
            amount: total
        )
        running?.id = attempt.id
        do throws(PaymentRefusal) {
            if acquirer.provider.capabilities.signsOut,
                await acquirer.provider.readiness().isSignedOut
            {
                throw PaymentRefusal.signedOut(provider: acquirer.account.provider)
            }
            let device = await acquirer.provider.device()
            let entry = JournalEntry(
                at: attempt.startedAt,
                attempt: attempt.id,
                fact: .began(attempt.began(device: device, software: acquirer.software))
            )
            _ = try await journal.begin(entry)
        } catch {
            running = nil
            throw error
        }
        let channel = EventChannel()
        feed.update { $0.running = .init(attempt: attempt.id, order: request.order) }
        shield.start { await self.perform(attempt, with: acquirer, channel) }
        return (request.order, channel)
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
        with acquirer: Acquirer,
        _ channel: EventChannel
    ) async {
        let reporter = Reporter(attempt: attempt.id, channel: channel, feed: feed)
        reporter.send(.started)
        guard running?.cancelRequested != true else {
            await finish(attempt, .ended(.cancelled, by: .engine), reporter)
            return
        }
        running?.stage = .vendor
        let context = AttemptContext(
            report: { reporter.send($0) },
            note: { await self.append([.noted($0)], for: attempt.id) }
        )
        let answer = await shield.run(deadline: settling.vendorDeadline) {
            await acquirer.provider.perform(attempt, context: context)
        } late: { answer in
            await self.lateAnswer(answer, to: attempt)
        }
        // A late answer may have come already, and the next payment with it.
        if isRunning(attempt.id) { running?.stage = answer == nil ? .late : .settling }
        let end = await end(of: attempt, after: answer, with: acquirer, reporter)
        await finish(attempt, end, reporter)
    }

    /// How an attempt stands once the vendor has answered, or has not in time.
    private func end(
        of attempt: PaymentAttempt,
        after answer: ProviderAnswer?,
        with acquirer: Acquirer,
        _ reporter: Reporter
    ) async -> Settled {
        if let problem = await problem(with: answer, to: attempt) {
            return await settle(
                attempt,
                after: PaymentError(.outcomeUnknown, detail: problem),
                vendorRunning: false,
                with: acquirer,
                reporter
            )
        }
        return switch answer {
        case .approved(let approval), .partlyApproved(let approval):
            await confirm(attempt, approval, expiresAt: nil, with: acquirer)
        case .authorized(let approval, let expiresAt):
            await confirm(attempt, approval, expiresAt: expiresAt, with: acquirer)
        case .declined(let decline): .ended(.declined(decline), by: .vendor)
        case .cancelled: .ended(.cancelled, by: .vendor)
        case .notCharged(let error): .ended(.failed(error), by: .vendor)
        case .unknown(let error):
            await settle(attempt, after: error, vendorRunning: false, with: acquirer, reporter)
        case nil:
            await settle(
                attempt,
                after: PaymentError(.timedOut, detail: "the vendor's call did not come back"),
                vendorRunning: isRunning(attempt.id),
                with: acquirer,
                reporter
            )
        }
    }

    private func finish(
        _ attempt: PaymentAttempt,
        _ settled: Settled,
        _ reporter: Reporter
    ) async {
        await append(settled.allFacts, for: attempt.id)
        let outcome: PaymentOutcome
        switch settled.end {
        case .ended(let ending, _):
            outcome = (await standing(ending, for: attempt.id)).outcome
        case .open(let reason, let candidates):
            let late = await journal.read { $0[attempt.id]?.ending }
            outcome =
                late?.outcome
                ?? .unresolved(attempt.unresolved(because: reason, candidates: candidates))
        }
        if isRunning(attempt.id), running?.stage != .late { running = nil }
        await tellOpenPayments()
        // The next payment may have begun meanwhile.
        feed.update { if $0.running?.attempt == attempt.id { $0.running = nil } }
        reporter.send(.finished(outcome))
    }

    /// The ending that stands for an attempt: the first one, whose contradiction is an alarm.
    private func standing(_ ending: Ending, for id: AttemptID) async -> Ending {
        guard let first = await journal.read({ $0[id]?.ending }) else { return ending }
        if first.contradicts(ending) {
            feed.update { $0.alarms.append(.init(attempt: id, told: ending.name)) }
        }
        return first
    }

    /// What keeps an approval from being taken at its word; nil when nothing does.
    private func problem(
        with answer: ProviderAnswer?,
        to attempt: PaymentAttempt
    ) async -> String? {
        let approval: Approval
        switch answer {
        case .partlyApproved(let partial):
            guard partial.amount.money != nil else { return "part of an unknown amount" }
            approval = partial
        case .approved(let whole), .authorized(let whole, _): approval = whole
        default: return nil
        }
        let isAnothers = await journal.read { book in
            approval.references.contains { reference in
                book.claimant(of: reference).map { $0 != attempt.id } ?? false
            }
        }
        return isAnothers ? "the vendor named the record of another payment" : nil
    }

    /// Takes in the answer of a vendor's call that came after its deadline.
    private func lateAnswer(_ answer: ProviderAnswer, to attempt: PaymentAttempt) async {
        if let told = answer.ending(of: attempt, now: environment.wallTime()) {
            await append([.ended(told, by: .vendor)], for: attempt.id)
            _ = await standing(told, for: attempt.id)
        } else if case .unknown(let error) = answer,
            await journal.read({ $0[attempt.id]?.isOpen == true })
        {
            await append([.leftOpen(.init(error: error))], for: attempt.id)
        }
        if running?.id == attempt.id { running = nil }
        await tellOpenPayments()
    }

    /// The running attempt, as long as its outcome was not told.
    var runningUntold: AttemptID? { running.flatMap { $0.stage == .late ? nil : $0.id } }

    /// Whether the vendor's call for an attempt has not come back.
    func isRunning(_ id: AttemptID) -> Bool { running?.id == id }

    // MARK: Cancelling

    /// Asks for the cancellation of an order's running payment, and of no other.
    func cancel(_ order: Order) async -> Cancellation {
        guard let payment = running, payment.order == order else { return .nothingRunning }
        switch payment.stage {
        case .beginning:
            running?.cancelRequested = true
            return .asked
        case .vendor:
            guard payment.acquirer.provider.capabilities.cancelFromCode else { return .unsupported }
            return await payment.acquirer.provider.cancel(payment.id)
        case .settling, .late: return .tooLate
        }
    }
}
