extension PaymentEngine {
    /// What performs an attempt in place of the provider, such as setting up with a test payment.
    typealias Performing = @Sendable (PaymentAttempt, AttemptContext) async -> ProviderAnswer

    /// Checks a request and starts it.
    ///
    /// - Parameters:
    ///   - request: What to take.
    ///   - isHeard: Whether somebody listens to more than its end.
    ///   - performing: What performs it in place of the provider, if anything.
    /// - Returns: Its events, which end with the outcome, or with why it did not begin.
    /// - Throws: ``PaymentRefusal`` when it cannot be taken, or the device is taken.
    func start(
        _ request: PaymentRequest,
        isHeard: Bool,
        by performing: Performing? = nil
    ) async throws(PaymentRefusal) -> PaymentWatch {
        let first = try choice(of: active, for: request)
        if let running { throw .busy(running.order) }
        // Nothing may be awaited between these two: the device is taken from here on.
        let provisional = AttemptID(from: environment)
        running = RunningPayment(id: provisional, order: request.order, acquirer: active)
        let id = await unused(provisional)
        running?.id = id
        if Task.isCancelled { running?.cancelRequested = true }
        let channel = EventChannel(isHeard: isHeard)
        // A payment goes on, whatever becomes of the task that asked for it.
        environment.start { await self.take(request, id, first, by: performing, channel) }
        return PaymentWatch(engine: self, attempt: id, events: channel)
    }

    // What is done here is cut into pieces that leave little behind while the vendor is waited for.

    private func take(
        _ request: PaymentRequest,
        _ id: AttemptID,
        _ first: Choice,
        by performing: Performing?,
        _ channel: EventChannel
    ) async {
        let run = await run(of: request, id, first, by: performing, channel)
        guard let run else { return }
        await shield.run(deadline: Self.smallAnswer) {
            await run.acquirer.provider.device()
        } then: { device in
            await self.begin(run, device ?? nil)
        }
    }

    /// Decides where a payment is taken; nil when it cannot begin there.
    private func run(
        of request: PaymentRequest,
        _ id: AttemptID,
        _ first: Choice,
        by performing: Performing?,
        _ channel: EventChannel
    ) async -> PaymentRun? {
        let mayMove = performing == nil && !failover.to.isEmpty
        let choice = mayMove ? await choose(first, for: request) : first
        let acquirer = choice.acquirer
        running?.acquirer = acquirer
        if acquirer.provider.capabilities.signsOut,
            await readiness(of: acquirer)?.isSignedOut == true
        {
            refuse(.signedOut(provider: acquirer.account.provider), channel)
            return nil
        }
        let attempt = PaymentAttempt(
            id: id,
            account: acquirer.account,
            operation: .take(choice.request),
            startedAt: environment.wallTime(),
            amount: choice.total
        )
        return PaymentRun(attempt, choice, by: performing, channel, feed)
    }

    private func begin(_ run: PaymentRun, _ device: String?) async {
        guard await writeDown(run, device) else { return }
        await perform(run)
    }

    /// Writes an attempt down, before anything of a vendor's is touched for it.
    ///
    /// - Returns: Whether it began.
    private func writeDown(_ run: PaymentRun, _ device: String?) async -> Bool {
        let entry = run.beginning(at: device)
        do throws(PaymentRefusal) {
            if claiming != nil { try await claim(entry.attempt, entry) }
            do throws(PaymentRefusal) {
                _ = try await journal.begin(entry)
            } catch {
                await releaseUnbegun(entry.attempt, entry)
                throw error
            }
        } catch {
            refuse(error, run.channel)
            return false
        }
        run.tellBeginning()
        return true
    }

    private func refuse(_ refusal: PaymentRefusal, _ channel: EventChannel) {
        running = nil
        channel.refuse(refusal)
    }

    private func perform(_ run: PaymentRun) async {
        let id = run.attempt.id
        run.reporter.send(.started)
        if let first = run.choice.movedFrom {
            let provider = run.acquirer.account.provider
            run.reporter.send(.switchingProvider(from: first, to: provider))
        }
        if !preparations.isEmpty { await awaitPreparation(of: run.acquirer, id, run.reporter) }
        guard running?.cancelRequested != true else {
            await finish(run, .ended(.cancelled, by: .engine))
            return
        }
        update(id) {
            $0.stage = .vendor
            $0.isVendorRunning = true
        }
        await shield.run(deadline: settling.vendorDeadline) {
            let context = AttemptContext(
                report: { run.reporter.send($0) },
                note: { await self.note($0, for: id) }
            )
            guard let performing = run.performing else {
                return await run.acquirer.provider.perform(run.attempt, context: context)
            }
            return await performing(run.attempt, context)
        } then: { answer in
            await self.finish(run, after: answer)
        } late: { answer in
            await self.lateAnswer(answer, to: run.attempt)
        }
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
            environment.start {
                _ = await preparation.value()
                over.resolve(())
            }
            await over.value()
            update(attempt) { $0.waiting = nil }
        }
    }

    private func finish(_ run: PaymentRun, after answer: ProviderAnswer?) async {
        update(run.attempt.id) {
            $0.stage = .settling
            if answer != nil { $0.isVendorRunning = false }
        }
        let end = await end(of: run.attempt, after: answer, with: run.acquirer, run.reporter)
        await finish(run, end)
    }

    private func finish(_ run: PaymentRun, _ settled: Settled) async {
        let attempt = run.attempt
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
        run.reporter.send(.finished(outcome))
    }

    /// Takes in the answer of a vendor's call that came after its deadline.
    private func lateAnswer(_ answer: ProviderAnswer, to attempt: PaymentAttempt) async {
        let belief = await answer.believed(for: attempt, in: journal)
        let now = environment.wallTime()
        await noteDoubted(belief, for: attempt.id)
        if let told = belief.answer.ending(of: attempt, now: now) {
            _ = await conclude(attempt.id, .ended(told, by: .vendor))
        } else if case .unknown(let error) = belief.answer {
            let stands = await journal.read { $0[attempt.id] }
            if stands?.isOpen == true {
                // Before the fact, so that nobody writes after it that the call still runs.
                update(attempt.id) { $0.isVendorRunning = false }
                let open = JournalEntry.LeftOpen(error: error, saidMoved: belief.saidMoved)
                await append([.leftOpen(open)], for: attempt.id)
            } else if stands?.mayHaveMovedMoney == false,
                let ending = belief.doubted.map({
                    attempt.ending(for: $0, expiresAt: nil, now: now)
                })
            {
                await contradict(attempt.id, with: ending)
            }
        }
        update(attempt.id) { $0.isVendorRunning = false }
        await tellOpenPayments()
    }
}

/// A payment on its way through the engine.
final class PaymentRun: Sendable {
    let attempt: PaymentAttempt
    let choice: PaymentEngine.Choice
    /// What performs it in place of the provider, if anything.
    let performing: PaymentEngine.Performing?
    let channel: EventChannel
    let reporter: Reporter
    private let feed: StateFeed

    init(
        _ attempt: PaymentAttempt,
        _ choice: PaymentEngine.Choice,
        by performing: PaymentEngine.Performing?,
        _ channel: EventChannel,
        _ feed: StateFeed
    ) {
        self.attempt = attempt
        self.choice = choice
        self.performing = performing
        self.channel = channel
        self.feed = feed
        reporter = Reporter(attempt: attempt.id, channel: channel, feed: feed)
    }

    var acquirer: Acquirer { choice.acquirer }

    /// The fact that it begins.
    func beginning(at device: String?) -> JournalEntry {
        var began = attempt.began(device: device, software: acquirer.software)
        began.choice = choice.reason
        return JournalEntry(at: attempt.startedAt, attempt: attempt.id, fact: .began(began))
    }

    /// Says in the states that it runs.
    func tellBeginning() {
        feed.update { $0.running = .init(attempt: attempt.id, order: attempt.order) }
    }
}
