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

    /// Decides where a payment is taken, and has it begin there.
    private func take(
        _ request: PaymentRequest,
        _ id: AttemptID,
        _ first: Choice,
        by performing: Performing?,
        _ channel: EventChannel
    ) async {
        let choice = performing == nil ? await choose(first, for: request) : first
        let acquirer = choice.acquirer
        running?.acquirer = acquirer
        if acquirer.provider.capabilities.signsOut,
            await readiness(of: acquirer)?.isSignedOut == true
        {
            refuse(.signedOut(provider: acquirer.account.provider), channel)
            return
        }
        let attempt = PaymentAttempt(
            id: id,
            account: acquirer.account,
            operation: .take(choice.request),
            startedAt: environment.wallTime(),
            amount: choice.total
        )
        await shield.run(deadline: Self.smallAnswer) {
            await acquirer.provider.device()
        } then: { device in
            await self.take(attempt, choice, device ?? nil, by: performing, channel)
        }
    }

    /// Writes an attempt down, before anything of a vendor's is touched for it, and performs it.
    private func take(
        _ attempt: PaymentAttempt,
        _ choice: Choice,
        _ device: String?,
        by performing: Performing?,
        _ channel: EventChannel
    ) async {
        var began = attempt.began(device: device, software: choice.acquirer.software)
        began.choice = choice.reason
        let entry = JournalEntry(at: attempt.startedAt, attempt: attempt.id, fact: .began(began))
        do throws(PaymentRefusal) {
            try await claim(attempt.id, entry)
            do throws(PaymentRefusal) {
                _ = try await journal.begin(entry)
            } catch {
                await releaseUnbegun(attempt.id, entry)
                throw error
            }
        } catch {
            refuse(error, channel)
            return
        }
        feed.update { $0.running = .init(attempt: attempt.id, order: attempt.order) }
        await perform(attempt, choice, by: performing, channel)
    }

    private func refuse(_ refusal: PaymentRefusal, _ channel: EventChannel) {
        running = nil
        channel.refuse(refusal)
    }

    private func perform(
        _ attempt: PaymentAttempt,
        _ choice: Choice,
        by performing: Performing?,
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
        await shield.run(deadline: settling.vendorDeadline) {
            guard let performing else {
                return await acquirer.provider.perform(attempt, context: context)
            }
            return await performing(attempt, context)
        } then: { answer in
            await self.finish(attempt, after: answer, with: acquirer, reporter)
        } late: { answer in
            await self.lateAnswer(answer, to: attempt)
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

    private func finish(
        _ attempt: PaymentAttempt,
        after answer: ProviderAnswer?,
        with acquirer: Acquirer,
        _ reporter: Reporter
    ) async {
        update(attempt.id) {
            $0.stage = .settling
            if answer != nil { $0.isVendorRunning = false }
        }
        let end = await end(of: attempt, after: answer, with: acquirer, reporter)
        await finish(attempt, end, reporter)
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
}
