extension PaymentEngine {
    /// The records that could be a series' payment that nobody can name.
    func candidates(
        for order: Order
    ) async throws(PaymentError) -> (attempt: AttemptBook.Attempt, records: [AcquirerRecord]) {
        let found = await journal.read { book in
            book.attempts(forOrderID: order.id).last {
                $0.began.order == order && !$0.began.isAmountKnown && ($0.isOpen || $0.isAmountOpen)
            }
        }
        guard let attempt = found else {
            throw PaymentError(.notFound, detail: "\(order) has no payment of an unknown amount")
        }
        guard let backOffice = acquirer(of: attempt.began.account)?.backOffice else {
            throw PaymentError(.notConfigured, detail: "no back office for this account")
        }
        let records = try await asking(attempt.id, backOffice, vendorRunning: false).candidates()
        return (attempt, records)
    }

    /// Notes which record a series' payment is, and ends it as that record says.
    func identify(
        _ order: Order,
        as verdict: PersonalVerdict
    ) async throws(PaymentRefusal) -> PaymentOutcome {
        guard case .moved(let reference?) = verdict.decision, reference.isDistinct else {
            throw .invalidRequest(.init(field: "verdict", problem: "names no record"))
        }
        for (field, text) in [("name", verdict.name), ("reason", verdict.reason)]
        where text.allSatisfy(\.isWhitespace) {
            throw .invalidRequest(.init(field: field, problem: "is empty"))
        }
        let found: (attempt: AttemptBook.Attempt, records: [AcquirerRecord])
        do throws(PaymentError) {
            found = try await candidates(for: order)
        } catch {
            let problem = error.detail ?? "the books could not be asked (\(error.code))"
            throw .invalidRequest(.init(field: "order", problem: problem))
        }
        let attempt = found.attempt
        guard !isRunning(attempt.id) else {
            throw .invalidRequest(.init(field: "order", problem: "is still running"))
        }
        guard let record = found.records.first(where: { $0.reference == reference }),
            case .succeeded = record.state
        else {
            throw .invalidRequest(
                .init(
                    field: "record",
                    problem: "\(reference) is no paid record of that currency and time"
                )
            )
        }
        do throws(JournalError) {
            let at = environment.wallTime()
            try await journal.append([
                JournalEntry(at: at, attempt: attempt.id, fact: .settled(verdict))
            ])
        } catch {
            throw .cannotRecord(error.description)
        }
        let ending = await ending(of: attempt, as: record)
        let told = await conclude(attempt.id, .ended(ending, by: .books))
        await tellOpenPayments()
        return (told ?? ending).outcome
    }

    /// The ending that a record means which a person chose, with all that is known of it: a list may
    /// say less of a record than a look at it alone, and the vendor said something at the counter.
    private func ending(of attempt: AttemptBook.Attempt, as chosen: AcquirerRecord) async -> Ending
    {
        var record = chosen
        if let backOffice = acquirer(of: attempt.began.account)?.backOffice {
            let asked = await asking(attempt.id, backOffice, vendorRunning: false)
                .ask(patience: .zero, accepting: .confirms)
            if case .verdict(.found(let found)) = asked.answer, found.reference == chosen.reference,
                found.state == .succeeded
            {
                record = found
            }
        }
        var approval = record.approval
        if let receipt = attempt.ending?.receipt { approval = approval.merging(Approval(receipt)) }
        return attempt.began.ending(
            of: attempt.id,
            for: approval,
            expiresAt: record.expiresAt,
            now: environment.wallTime()
        )
    }
}

extension Approval {
    /// What the vendor said at the counter of a payment whose amount nobody knew.
    fileprivate init(_ receipt: Receipt) {
        self.init(
            references: receipt.references,
            card: receipt.card,
            method: receipt.method,
            approvalCode: receipt.approvalCode,
            url: receipt.url,
            supportIdentifiers: receipt.supportIdentifiers
        )
    }
}

extension BookAsking {
    /// The records of a series' time that no payment claims.
    struct Strays: Sendable {
        /// Those that could have been made after the last report.
        let own: [AcquirerRecord]
        /// Those that were, whatever a clock shows.
        let certain: [AcquirerRecord]
        /// Those of the whole series.
        let all: [AcquirerRecord]
        /// What the journal remembers of the look.
        let look: JournalEntry.LookUp
    }

    /// The records that could be the attempt, oldest first.
    func candidates() async throws(PaymentError) -> [AcquirerRecord] {
        let (settling, listing) = try await looked()
        // What was made before it began, or after its end, is another payment's.
        let made = settling.made(by: settling.attempt, listing)
        let records = try await evidence { settling.unclaimed(in: listing, $0) }
            .filter { made.contains($0.createdAt) }
        return records.sorted {
            ($0.createdAt, $0.reference.value) < ($1.createdAt, $1.reference.value)
        }
    }

    /// What was paid or can be paid in the time of a series, and that nobody reported by name.
    func strays(since start: Date) async throws(PaymentError) -> Strays {
        let (settling, listing) = try await looked(since: start)
        guard listing.isComplete, listing.account == settling.attempt.began.account else {
            throw PaymentError(.malformedAnswer, detail: "the books did not tell everything")
        }
        let (all, look) = try await evidence { book in
            (
                settling.unclaimed(in: listing, book).filter { !$0.state.isOver },
                settling.lookUp(listing, settling.verdict(from: listing, in: book))
            )
        }
        let start = (series: start, attempt: settling.attempt.startedAt)
        let first = settling.earliest(of: start.attempt, listing)
        let last = settling.latest(of: start.attempt, listing)
        return Strays(
            own: all.filter { $0.createdAt >= first },
            certain: all.filter { $0.createdAt > last },
            all: all.filter { $0.createdAt >= settling.earliest(of: start.series, listing) },
            look: look
        )
    }

    private func looked(
        since start: Date? = nil
    ) async throws(PaymentError) -> (Settling, RecordListing) {
        guard let attempt = await journal.read({ [attempt] in $0[attempt] }) else {
            throw PaymentError(.notFound, detail: "the journal has no such attempt")
        }
        var settling = Settling(
            attempt: attempt,
            capabilities: backOffice.capabilities,
            now: environment.wallTime(),
            vendorRunning: false,
            activeUntil: start == nil ? nil : environment.wallTime()
        )
        if let start {
            let length = Duration.seconds(attempt.startedAt.timeIntervalSince(start))
            settling.margin = Settling.margin + length
        }
        let elapsed = environment.clock.stopwatch()
        let (listing, _) = try await look(&settling) { Self.single - elapsed() }
        return (settling, listing)
    }
}

extension Settling {
    /// The records of the attempt's kind, currency and time that no payment claims.
    func unclaimed(in listing: RecordListing, _ book: AttemptBook) -> [AcquirerRecord] {
        let span = span(offsets: clockOffsets(listing))
        return listing.records.filter { record in
            record.kind == attempt.began.kind
                && record.amount.currency == attempt.began.amount.currency
                && span.contains(record.createdAt)
                && book.owner(of: record).map { $0.id == attempt.id } ?? true
        }
    }

    /// The time, by the acquirer's clock, in which an attempt's record could have been made; wider
    /// where the acquirer does not tell its time.
    func made(
        by attempt: AttemptBook.Attempt,
        _ listing: RecordListing
    ) -> ClosedRange<Date> {
        let tolerance = listing.acquirerTime == nil ? Self.margin : Self.startTolerance
        let offsets = clockOffsets(listing)
        let first = attempt.startedAt.advanced(by: offsets.lowerBound - tolerance)
        let last = attempt.lastActivity.advanced(by: offsets.upperBound + tolerance)
        return first...max(first, last)
    }

    /// The earliest moment, by the acquirer's clock, at which a record could have been made.
    func earliest(of start: Date, _ listing: RecordListing) -> Date {
        start.advanced(by: clockOffsets(listing).lowerBound - Self.startTolerance)
    }

    /// The latest moment, by the acquirer's clock, that could be another one by this device's.
    func latest(of start: Date, _ listing: RecordListing) -> Date {
        // An acquirer may tell its time in whole seconds.
        start.advanced(by: clockOffsets(listing).upperBound + .seconds(2))
    }
}

extension AcquirerRecord.State {
    /// Whether it ended, and no money moved.
    fileprivate var isOver: Bool {
        switch self {
        case .declined, .cancelled: true
        case .succeeded, .payable, .pending, .unknown: false
        }
    }
}
