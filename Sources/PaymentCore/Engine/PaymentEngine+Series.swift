import Synchronization

extension PaymentEngine {
    /// Checks a series, writes its first attempt down and starts it.
    ///
    /// - Returns: Its payments, and whether only a person can find their amounts.
    func startSeries(
        _ request: SeriesRequest
    ) async throws(PaymentRefusal) -> (SeriesChannel, needsPerson: Bool) {
        let acquirer = active
        let series = try checked(request, for: acquirer)
        if let running { throw .busy(running.order) }
        // Nothing may be awaited between these two: the device is taken from here on.
        let provisional = AttemptID(from: environment)
        running = RunningPayment(id: provisional, order: series.id, acquirer: acquirer)
        let run = SeriesRun(series, acquirer, openedAt: environment.wallTime())
        let device: String?
        do throws(PaymentRefusal) {
            if acquirer.provider.capabilities.signsOut,
                await readiness(of: acquirer)?.isSignedOut == true
            {
                throw .signedOut(provider: acquirer.account.provider)
            }
            device = try await beginNext(of: run, replacing: provisional)
        } catch {
            running = nil
            throw error
        }
        environment.start { await self.perform(run) }
        return (run.channel, device == nil)
    }

    private func checked(
        _ request: SeriesRequest,
        for acquirer: Acquirer
    ) throws(PaymentRefusal) -> SeriesRequest {
        let provider = acquirer.account.provider
        guard acquirer.provider.capabilities.series else {
            let able = acquirers.filter { $0.provider.capabilities.series }
            throw .missingCapability(
                Capability("series", "a series of payments"),
                provider: provider,
                available: able.map(\.account.provider)
            )
        }
        guard let order = request.order(SeriesRun.most) else {
            throw .invalidRequest(
                .init(
                    field: "id",
                    problem: request.id.part == nil
                        ? "has \(request.id.id.count) characters; at most 120 are accepted"
                        : "names a part; a series has none"
                )
            )
        }
        var series = request
        series.merchantName = request.merchantName ?? acquirer.merchantName
        // The vendor's screen asks for the amount; everything else is checked as for a sale of one.
        let least = Money(
            checked: acquirer.provider.capabilities.amounts.smallest,
            currency: request.currency
        )
        var sale = PaymentRequest.sale(least, for: order)
        sale.merchantName = series.merchantName
        _ = try RequestCheck(acquirers: acquirers).check(sale, for: acquirer)
        return series
    }

    /// Writes the attempt down that the next report will be of, in place of the earlier one, and
    /// tells the device.
    private func beginNext(
        of run: SeriesRun,
        replacing earlier: AttemptID
    ) async throws(PaymentRefusal) -> String? {
        let acquirer = run.acquirer
        let device: String? =
            await shield.run(deadline: Self.smallAnswer) {
                await acquirer.provider.device()
            } ?? nil
        var number = run.number
        while true {
            number += 1
            guard number < SeriesRun.most, let order = run.series.order(number) else {
                throw .invalidRequest(.init(field: "id", problem: "has no number left"))
            }
            let attempt = PaymentAttempt(
                id: await unused(AttemptID(from: environment)),
                account: acquirer.account,
                operation: .take(run.request(for: order)),
                startedAt: environment.wallTime(),
                amount: .zero(run.series.currency)
            )
            update(earlier) {
                $0.id = attempt.id
                $0.order = order
                $0.stage = .vendor
                $0.isVendorRunning = true
                $0.isTold = false
            }
            let reporter = Reporter(attempt: attempt.id, feed: feed)
            run.next(attempt, number, reporter)
            feed.update { $0.running = .init(attempt: attempt.id, order: order) }
            do throws(PaymentRefusal) {
                try await begin(attempt, number, of: run, device)
                reporter.send(.started)
                return device
            } catch {
                switch error {
                case .alreadyPaid, .alreadyAuthorized, .open, .claimed:
                    // That order is another payment's.
                    update(attempt.id) { $0.id = earlier }
                default:
                    feed.update { $0.running = nil }
                    throw error
                }
            }
        }
    }

    private func begin(
        _ attempt: PaymentAttempt,
        _ number: Int,
        of run: SeriesRun,
        _ device: String?
    ) async throws(PaymentRefusal) {
        var began = attempt.began(device: device, software: run.acquirer.software)
        began.series = SeriesPlace(id: run.series.id.id, number: number)
        let entry = JournalEntry(at: attempt.startedAt, attempt: attempt.id, fact: .began(began))
        do throws(PaymentRefusal) {
            try await claim(attempt.id, entry)
        } catch {
            // Once the vendor's screen is up it takes payments, whether they are claimed or not.
            guard case .cannotClaim = error, run.reports > 0 else { throw error }
        }
        do throws(PaymentRefusal) {
            _ = try await journal.begin(entry)
        } catch {
            await releaseUnbegun(attempt.id, entry)
            throw error
        }
    }

    private func perform(_ run: SeriesRun) async {
        if let attempt = run.attempt, let reporter = run.reporter {
            await awaitPreparation(of: run.acquirer, attempt.id, reporter)
        }
        let context = SeriesContext { answer in await self.ended(answer, in: run) }
        let end = await run.acquirer.provider.performSeries(run.series, context: context)
        await close(run, after: end)
    }

    // MARK: Reports

    /// Takes how the open payment of a series ended, and opens the next.
    private func ended(_ answer: ProviderAnswer, in run: SeriesRun) async {
        guard let attempt = run.attempt else { return }
        run.countReport()
        await tell(attempt, by: answer, in: run)
        // What is reported once the series is over begins nothing any more.
        guard !run.isOver else { return }
        do throws(PaymentRefusal) {
            _ = try await beginNext(of: run, replacing: attempt.id)
        } catch {
            // The vendor's screen goes on all the same, so what it reports is still told.
            feed.update { $0.journalTrouble = JournalError("\(error)") }
        }
    }

    /// Writes how a payment ended, and tells it once it is settled and those before it are told.
    private func tell(
        _ attempt: PaymentAttempt,
        by answer: ProviderAnswer,
        in run: SeriesRun
    ) async {
        let belief = await answer.believed(for: attempt, in: journal)
        let ending = belief.answer.ending(of: attempt, now: environment.wallTime())
        var doubt = PaymentError(.outcomeUnknown)
        if let ending {
            await tell(run, await conclude(attempt.id, .ended(ending, by: .vendor)) ?? ending)
            return
        }
        if case .unknown(let error) = belief.answer { doubt = error }
        await noteDoubted(belief, for: attempt.id)
        let open = JournalEntry.LeftOpen(
            error: doubt,
            phases: run.reporter?.phases ?? [],
            saidMoved: belief.saidMoved
        )
        await append([.leftOpen(open)], for: attempt.id)
        await settle(attempt, after: doubt, in: run)
    }

    private func tell(_ run: SeriesRun, _ ending: Ending) async {
        guard let payment = run.payment(ending.outcome) else { return }
        let reporter = run.reporter
        run.queue(in: environment) {
            reporter?.send(.finished(payment.outcome))
            run.channel.send(payment)
        }
        await tellOpenPayments()
    }

    /// Asks the books about a payment while the series goes on.
    private func settle(
        _ attempt: PaymentAttempt,
        after error: PaymentError,
        in run: SeriesRun
    ) async {
        let (place, reporter) = (run.place, run.reporter)
        let ended = environment.wallTime()
        run.queue(in: environment) {
            reporter?.send(.checking)
            let settled = await self.settled(attempt, after: error, endedAt: ended, in: run)
            let ending = await self.conclude(attempt.id, settled)
            let outcome =
                ending?.outcome
                ?? .unresolved(
                    attempt.unresolved(because: settled.reason, candidates: settled.candidates)
                )
            await self.tellOpenPayments()
            reporter?.send(.finished(outcome))
            run.channel.send(
                SeriesPayment(
                    place: place,
                    order: attempt.order,
                    attempt: attempt.id,
                    outcome: outcome
                )
            )
        }
    }

    private func settled(
        _ attempt: PaymentAttempt,
        after error: PaymentError,
        endedAt: Date,
        in run: SeriesRun
    ) async -> Settled {
        guard let backOffice = run.acquirer.backOffice else { return .open(.noAnswer(error)) }
        return await settled(
            attempt.id,
            by: backOffice,
            patience: settling.patience,
            vendorRunning: false,
            activeUntil: endedAt,
            otherwise: .noAnswer(error)
        )
    }

    // MARK: The end

    /// Ends the attempt that no report came for, and the series.
    private func close(_ run: SeriesRun, after end: SeriesEnd) async {
        run.end()
        if let attempt = run.attempt {
            switch end {
            case .unused: _ = await conclude(attempt.id, .ended(.cancelled, by: .vendor))
            case .closed: await closeUnreported(attempt, in: run)
            case .unknown(let error): await tell(attempt, by: .unknown(error), in: run)
            }
        }
        running = nil
        occasions += 1
        feed.update { $0.running = nil }
        await tellOpenPayments()
        run.queue(in: environment) { run.channel.finish() }
    }

    /// Ends what no report came for as cancelled, unless the books hold more than was reported.
    ///
    /// Where there are no books to ask, the vendor's promise of a report for each payment stands.
    private func closeUnreported(_ attempt: PaymentAttempt, in run: SeriesRun) async {
        guard let backOffice = run.acquirer.backOffice else {
            _ = await conclude(attempt.id, .ended(.cancelled, by: .vendor))
            return
        }
        let error = PaymentError(.outcomeUnknown, detail: "the books hold more than was reported")
        do throws(PaymentError) {
            let strays = try await asking(attempt.id, backOffice, vendorRunning: false)
                .strays(since: run.openedAt)
            if strays.certain.isEmpty, strays.own.isEmpty || strays.all.count <= run.reports {
                _ = await conclude(
                    attempt.id,
                    .ended(.cancelled, by: .vendor, facts: [.lookedUp(strays.look)])
                )
                return
            }
            await append([.lookedUp(strays.look)], for: attempt.id)
            await tell(attempt, by: .unknown(error), in: run)
        } catch let trouble {
            await tell(attempt, by: .unknown(trouble), in: run)
        }
    }
}

/// A series while it runs: which attempt is open, and what was told.
final class SeriesRun: Sendable {
    let series: SeriesRequest
    let acquirer: Acquirer
    /// When the series began.
    let openedAt: Date
    let channel = SeriesChannel()
    private let state: Mutex<State>

    private struct State {
        var attempt: PaymentAttempt?
        var reporter: Reporter?
        var number = 0
        var reports = 0
        var isOver = false
        /// Set once everything before was told.
        var last: OneShot<Void>?
    }

    init(_ series: SeriesRequest, _ acquirer: Acquirer, openedAt: Date) {
        self.series = series
        self.acquirer = acquirer
        self.openedAt = openedAt
        state = Mutex(State())
    }

    /// More numbers than a series has.
    static let most = 1_000_000

    /// The attempt that the next report will be of.
    var attempt: PaymentAttempt? { state.withLock { $0.attempt } }
    /// The number of that attempt.
    var number: Int { state.withLock { $0.number } }
    /// How many reports there were.
    var reports: Int { state.withLock { $0.reports } }

    var place: SeriesPlace { SeriesPlace(id: series.id.id, number: number) }

    /// Tells what happens to that attempt.
    var reporter: Reporter? { state.withLock { $0.reporter } }

    /// Whether the vendor has ended it.
    var isOver: Bool { state.withLock { $0.isOver } }

    func end() { state.withLock { $0.isOver = true } }

    func countReport() { state.withLock { $0.reports += 1 } }

    func request(for order: Order) -> PaymentRequest {
        var request = PaymentRequest.sale(.zero(series.currency), for: order)
        request.merchantName = series.merchantName
        return request
    }

    func next(_ attempt: PaymentAttempt, _ number: Int, _ reporter: Reporter) {
        state.withLock { state in
            state.attempt = attempt
            state.number = number
            state.reporter = reporter
        }
    }

    /// The open payment with its outcome.
    func payment(_ outcome: PaymentOutcome) -> SeriesPayment? {
        attempt.map { attempt in
            SeriesPayment(
                place: place,
                order: attempt.order,
                attempt: attempt.id,
                outcome: outcome
            )
        }
    }

    /// Starts work whose news come after all that was queued before.
    func queue(in environment: PaymentEnvironment, _ work: @escaping @Sendable () async -> Void) {
        let done = OneShot<Void>()
        let earlier = state.withLock { state in
            defer { state.last = done }
            return state.last
        }
        environment.start {
            await earlier?.value()
            await work()
            done.resolve(())
        }
    }
}
