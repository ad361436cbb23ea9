/// Asks an acquirer's books about one attempt, again and again until patience is over.
struct BookAsking: Sendable {
    let attempt: AttemptID
    let backOffice: any BackOffice
    let journal: any AttemptJournal
    let shield: Shield
    let vendorRunning: Bool
    var activeUntil: Date?
    /// How far this device's clock was set since the attempt was left.
    var clockJump: @Sendable () -> Duration = { .zero }

    var environment: PaymentEnvironment { shield.environment }

    /// What came of asking, and what the journal should remember of it.
    struct Asked: Sendable {
        let answer: Answer
        var facts: [JournalEntry.Fact] = []
        /// Paid records that were seen of other attempts, which were told as ones without money.
        var contrary: [AttemptBook.Contrary] = []

        enum Answer: Sendable {
            case verdict(Settling.Verdict)
            case failed(PaymentError)
        }

        /// Whether the books could not be asked.
        var isFailed: Bool {
            if case .failed = answer { true } else { false }
        }

        /// Whether the attempt's own record is there, but not final.
        var isUnfinished: Bool {
            switch answer {
            case .verdict(.pending), .verdict(.payable): true
            default: false
            }
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
        let limit = patience > .zero ? patience : Self.single
        let left: @Sendable () -> Duration = { limit - elapsed() }
        var notes = Notes()
        var answer = Asked.Answer.failed(PaymentError(.timedOut))
        var pause = Duration.seconds(1)
        while true {
            let look = await askOnce(left, mayClose: acceptance == .settles, &notes)
            switch (look, answer) {
            // What the books said once is not hidden by a look that failed.
            case (.failed, .verdict): break
            default: answer = look
            }
            if case .verdict(let verdict) = look, acceptance.accepts(verdict) { break }
            let rest = patience - elapsed() - Self.lastLook
            guard rest > .zero else { break }
            guard (try? await environment.clock.sleep(for: min(pause, rest))) != nil else { break }
            pause = pause * 2
        }
        return Asked(answer: answer, facts: notes.facts, contrary: notes.contrary)
    }

    /// What one look after another leaves behind.
    private struct Notes {
        var facts: [JournalEntry.Fact] = []
        var contrary: [AttemptBook.Contrary] = []
    }

    /// Lists once, and closes what can still be paid.
    private func askOnce(
        _ left: @Sendable () -> Duration,
        mayClose: Bool,
        _ notes: inout Notes
    ) async -> Asked.Answer {
        do throws(PaymentError) {
            let verdict = try await list(left, &notes)
            guard case .payable(let record, let decline) = verdict,
                backOffice.capabilities.canClose, mayClose, !vendorRunning
            else { return .verdict(verdict) }
            let closed = await close(record, lastDecline: decline, within: left(), &notes)
            return .verdict(closed ?? verdict)
        } catch {
            return .failed(error)
        }
    }

    private func list(
        _ left: @Sendable () -> Duration,
        _ notes: inout Notes
    ) async throws(PaymentError) -> Settling.Verdict {
        guard let attempt = await journal.read({ [attempt] in $0[attempt] }) else {
            throw PaymentError(.notFound, detail: "the journal has no such attempt")
        }
        var settling = Settling(
            attempt: attempt,
            capabilities: backOffice.capabilities,
            now: environment.wallTime(),
            vendorRunning: vendorRunning,
            activeUntil: activeUntil,
            clockJump: clockJump()
        )
        var (listing, verdict) = try await look(&settling, left)
        if verdict == .absent {
            settling.margin = Settling.widestMargin
            (listing, verdict) = try await look(&settling, left)
        }
        notes.facts.append(.lookedUp(settling.lookUp(listing, verdict)))
        notes.contrary = try await contrary(in: listing)
        return verdict
    }

    /// Lists the span in which the attempt's record must lie, in the acquirer's time.
    func look(
        _ settling: inout Settling,
        _ left: @Sendable () -> Duration
    ) async throws(PaymentError) -> (RecordListing, Settling.Verdict) {
        let span = settling.span(offsets: .zero ... .zero)
        var listing = try await records(of: settling.attempt, created: span, within: left())
        settling.now = environment.wallTime()
        let needed = settling.span(offsets: settling.clockOffsets(listing))
        if needed.lowerBound < span.lowerBound || needed.upperBound > span.upperBound {
            listing = try await records(of: settling.attempt, created: needed, within: left())
            settling.now = environment.wallTime()
        }
        let (current, complete) = (settling, listing)
        let verdict = try await evidence { current.verdict(from: complete, in: $0) }
        return (listing, verdict)
    }

    /// What a listing says against what was told of other attempts.
    private func contrary(
        in listing: RecordListing
    ) async throws(PaymentError) -> [AttemptBook.Contrary] {
        try await evidence { [attempt] book in
            guard listing.account == book[attempt]?.began.account else { return [] }
            return book.contradicting(listing.records, of: listing.account)
                .filter { $0.attempt.id != attempt }
        }
    }

    /// What the journal says of records; what it could not read again makes it no evidence.
    func evidence<Answer: Sendable>(
        _ body: @escaping @Sendable (AttemptBook) -> Answer
    ) async throws(PaymentError) -> Answer {
        let (answer, problem) = await journal.read { (body($0), $0.problem) }
        if let problem { throw PaymentError(.cannotRecord, detail: problem) }
        return answer
    }

    private func records(
        of attempt: AttemptBook.Attempt,
        created: ClosedRange<Date>,
        within deadline: Duration
    ) async throws(PaymentError) -> RecordListing {
        let query = RecordQuery(
            account: attempt.began.account,
            references: attempt.references,
            parents: attempt.began.parentReferences?.filter(\.isDistinct) ?? [],
            marker: attempt.id.description,
            created: created,
            kind: attempt.began.kind
        )
        let backOffice = backOffice
        let answer = await shield.run(deadline: deadline) {
            do throws(PaymentError) {
                return Result<RecordListing, PaymentError>.success(
                    try await backOffice.records(query)
                )
            } catch {
                return .failure(error)
            }
        }
        guard let answer else { throw PaymentError(.timedOut, detail: "the books did not answer") }
        var listing = try answer.get()
        listing.records = listing.records.map(\.scrubbed)
        return listing
    }

    /// Closes the attempt's own record, so that it cannot be paid once the customer has gone.
    private func close(
        _ record: AcquirerRecord,
        lastDecline: Decline?,
        within deadline: Duration,
        _ notes: inout Notes
    ) async -> Settling.Verdict? {
        guard record.reference.isDistinct else { return nil }
        let backOffice = backOffice
        let answer = await shield.run(deadline: deadline) {
            await backOffice.close(record.reference)
        }
        let closed: AcquirerRecord
        switch answer {
        case .closed(let record), .alreadyFinal(let record): closed = record.scrubbed
        case .notClosed, .unsupported, nil: return nil
        }
        // The end of another record is not this one's.
        guard closed.kind == record.kind, closed.amount.currency == record.amount.currency,
            closed.names.contains(where: record.names.contains)
        else { return nil }
        notes.facts.append(.noted(closed.reference))
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
    static let single = Duration.seconds(15)
    /// How long before the end the last look comes, so that it can still be answered.
    private static let lastLook = Duration.seconds(1)
}

extension Clock where Duration == Swift.Duration {
    /// Measures the time from now on.
    func stopwatch() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }
}
