/// Asks an acquirer's books about one attempt, again and again until patience is over.
struct BookAsking: Sendable {
    let attempt: AttemptID
    let backOffice: any BackOffice
    let journal: any AttemptJournal
    let environment: PaymentEnvironment
    let vendorRunning: Bool
    var activeUntil: Date?

    /// What came of asking, and what the journal should remember of it.
    struct Asked: Sendable {
        let answer: Answer
        var facts: [JournalEntry.Fact] = []

        enum Answer: Sendable {
            case verdict(Settling.Verdict)
            case failed(PaymentError)
        }
    }

    /// What ends the asking before patience does.
    enum Acceptance: Sendable {
        /// Whatever settles an attempt, or only a person can.
        case settles
        /// The record itself.
        case confirms

        func accepts(_ verdict: Settling.Verdict) -> Bool {
            switch (self, verdict) {
            case (_, .found), (.settles, .absent), (.settles, .ambiguous): true
            default: false
            }
        }
    }

    /// Asks at once, then after growing pauses.
    func ask(patience: Duration, accepting acceptance: Acceptance) async -> Asked {
        let elapsed = environment.clock.stopwatch()
        var facts: [JournalEntry.Fact] = []
        var answer = Asked.Answer.failed(PaymentError(.timedOut))
        var pause = Duration.seconds(1)
        while true {
            let left = max(patience - elapsed(), .zero)
            answer = await askOnce(
                within: max(left, Self.shortest),
                closes: acceptance == .settles,
                facts: &facts
            )
            if case .verdict(let verdict) = answer, acceptance.accepts(verdict) { break }
            let rest = patience - elapsed()
            guard rest > .zero else { break }
            guard (try? await environment.clock.sleep(for: min(pause, rest))) != nil else { break }
            pause = pause * 2
        }
        return Asked(answer: answer, facts: facts)
    }

    /// Lists once, and closes what can still be paid.
    private func askOnce(
        within deadline: Duration,
        closes: Bool,
        facts: inout [JournalEntry.Fact]
    ) async -> Asked.Answer {
        do throws(PaymentError) {
            let verdict = try await list(within: deadline, facts: &facts)
            guard case .payable(let record, let decline) = verdict,
                backOffice.capabilities.canClose,
                closes, !vendorRunning
            else { return .verdict(verdict) }
            return .verdict(await close(record, lastDecline: decline, facts: &facts) ?? verdict)
        } catch {
            return .failed(error)
        }
    }

    private func list(
        within deadline: Duration,
        facts: inout [JournalEntry.Fact]
    ) async throws(PaymentError) -> Settling.Verdict {
        guard let attempt = await journal.read({ [attempt] in $0[attempt] }) else {
            throw PaymentError(.notFound, detail: "the journal has no such attempt")
        }
        var settling = Settling(
            attempt: attempt,
            capabilities: backOffice.capabilities,
            now: environment.wallTime(),
            vendorRunning: vendorRunning,
            activeUntil: activeUntil
        )
        var (listing, verdict) = try await look(&settling, within: deadline)
        if verdict == .absent {
            settling.margin = Settling.widestMargin
            (listing, verdict) = try await look(&settling, within: deadline)
        }
        facts.append(.lookedUp(settling.lookUp(listing, verdict)))
        return verdict
    }

    /// Lists the span in which the attempt's record must lie, in the acquirer's time.
    private func look(
        _ settling: inout Settling,
        within deadline: Duration
    ) async throws(PaymentError) -> (RecordListing, Settling.Verdict) {
        var span = settling.span(offset: .zero)
        var listing = try await records(of: settling.attempt, created: span, within: deadline)
        settling.now = environment.wallTime()
        let needed = settling.span(offset: settling.clockOffset(listing))
        if needed.lowerBound < span.lowerBound || needed.upperBound > span.upperBound {
            span = needed
            listing = try await records(of: settling.attempt, created: span, within: deadline)
        }
        let (current, complete) = (settling, listing)
        let verdict = await journal.read { current.verdict(from: complete, in: $0) }
        return (listing, verdict)
    }

    private func records(
        of attempt: AttemptBook.Attempt,
        created: ClosedRange<Date>,
        within deadline: Duration
    ) async throws(PaymentError) -> RecordListing {
        let query = RecordQuery(
            account: attempt.began.account,
            references: attempt.references,
            parents: attempt.began.parentReferences ?? [],
            marker: attempt.id.description,
            created: created,
            kind: attempt.began.kind
        )
        let backOffice = backOffice
        let answer = await Shield(environment: environment).run(deadline: deadline) {
            do throws(PaymentError) {
                return Result<RecordListing, PaymentError>.success(
                    try await backOffice.records(query)
                )
            } catch {
                return .failure(error)
            }
        }
        guard let answer else { throw PaymentError(.timedOut, detail: "the books did not answer") }
        return try answer.get()
    }

    /// Closes the attempt's own record, so that it cannot be paid once the customer has gone.
    private func close(
        _ record: AcquirerRecord,
        lastDecline: Decline?,
        facts: inout [JournalEntry.Fact]
    ) async -> Settling.Verdict? {
        let closed: AcquirerRecord
        switch await backOffice.close(record.reference) {
        case .closed(let record), .alreadyFinal(let record): closed = record
        case .notClosed, .unsupported: return nil
        }
        facts.append(.noted(closed.reference))
        switch closed.state {
        case .succeeded, .declined: return .found(closed)
        case .cancelled:
            var final = closed
            if let lastDecline { final.state = .declined(lastDecline) }
            return .found(final)
        case .pending, .unknown: return .pending(closed)
        case .payable(let decline): return .payable(closed, lastDecline: decline)
        }
    }

    /// How long a single look may take when there is no patience for more.
    private static let shortest = Duration.seconds(15)
}

extension Clock where Duration == Swift.Duration {
    /// Measures the time from now on.
    func stopwatch() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }
}
