/// Decides, from the acquirer's books, how an attempt ended; a pure value with no clock and no I/O.
///
/// Only evidence settles: the attempt's own key or reference, or the sole unclaimed record that is
/// bound to its device or its payment while no other attempt could claim it.
struct Settling: Sendable {
    /// The attempt in question.
    let attempt: AttemptBook.Attempt
    /// What the acquirer's books can prove.
    let capabilities: BackOfficeCapabilities
    /// This device's time.
    var now: Date
    /// Whether the vendor's call is still running, so that anything may yet be submitted.
    let vendorRunning: Bool
    /// When something could last be submitted, as far as this process knows better than the journal.
    var activeUntil: Date?
    /// How far outside of its attempt's time a record is still put to a person.
    var margin = Settling.margin

    /// What the books say.
    enum Verdict: Hashable, Sendable {
        /// This record is the attempt; its state says how it ended.
        case found(AcquirerRecord)
        /// The attempt's own record can still be paid.
        case payable(AcquirerRecord, lastDecline: Decline?)
        /// The attempt's own record is not final.
        case pending(AcquirerRecord)
        /// Absent, and it can no longer appear.
        case absent
        /// Absent so far.
        case notYet(until: Date?)
        /// A person has to choose.
        case ambiguous([AcquirerRecord])
    }

    /// What a listing says about the attempt.
    func verdict(from listing: RecordListing, in book: AttemptBook) -> Verdict {
        guard listing.account == attempt.began.account else { return .notYet(until: nil) }
        let records = listing.records.filter { $0.kind == attempt.began.kind }
        let own = records.filter(isOwn)
        if let record = own.first {
            return own.count == 1 ? classified(record) : .ambiguous(own)
        }
        let unclaimed = records.filter { record in
            let claimant =
                book.claimant(of: record.reference) ?? book.attempt(marked: record.marker)
            return claimant == nil || claimant == attempt.id
        }
        let offset = clockOffset(listing)
        let bound = unclaimed.filter { isBound($0) && isNear($0, of: attempt, offset: offset) }
        let others = unclaimed.filter {
            !isBound($0) && $0.device == nil && isNear($0, of: attempt, offset: offset)
                && hasAmount($0)
        }
        if bound.count == 1, others.isEmpty, let record = bound.first, hasAmount(record),
            isWithin(record, of: attempt, offset: offset),
            !isContested(record, in: book, offset: offset)
        {
            return classified(record)
        }
        let candidates = bound + others
        guard candidates.isEmpty else { return .ambiguous(candidates) }
        return absence(in: listing, offset: offset)
    }

    private func classified(_ record: AcquirerRecord) -> Verdict {
        switch record.state {
        case .succeeded, .declined, .cancelled: .found(record)
        case .payable(let decline): .payable(record, lastDecline: decline)
        case .pending, .unknown: .pending(record)
        }
    }

    private func absence(in listing: RecordListing, offset: Duration) -> Verdict {
        guard let time = closedWindowTime(of: listing) else {
            let end = windowEnd(of: attempt).advanced(by: offset)
            return .notYet(until: vendorRunning ? nil : end)
        }
        let rule = capabilities.absentListings
        let times = absentTimes + [time]
        let proven = (times.min() ?? time).advanced(by: rule.spread)
        guard times.count >= rule.count, time >= proven else { return .notYet(until: proven) }
        return .absent
    }

    /// The acquirer's time of a listing that may prove absence; nil when it proves nothing.
    private func closedWindowTime(of listing: RecordListing) -> Date? {
        guard !vendorRunning, listing.isComplete, listing.account == attempt.began.account,
            let time = listing.acquirerTime
        else { return nil }
        let end = windowEnd(of: attempt).advanced(by: clockOffset(listing))
        return time >= end ? time : nil
    }

    /// What the journal remembers of a listing.
    func lookUp(_ listing: RecordListing, _ verdict: Verdict) -> JournalEntry.LookUp {
        let candidates: Int
        let conclusion: String
        switch verdict {
        case .found(let record): (candidates, conclusion) = (1, "is \(record.reference)")
        case .payable(let record, _):
            (candidates, conclusion) = (1, "\(record.reference) can still be paid")
        case .pending(let record):
            (candidates, conclusion) = (1, "\(record.reference) is not final")
        case .absent: (candidates, conclusion) = (0, "absent for good")
        case .notYet: (candidates, conclusion) = (0, "absent so far")
        case .ambiguous(let records):
            (candidates, conclusion) = (records.count, "a person must choose")
        }
        return JournalEntry.LookUp(
            found: listing.records.count,
            candidates: candidates,
            complete: listing.isComplete && listing.account == attempt.began.account,
            acquirerTime: listing.acquirerTime,
            conclusion: conclusion,
            provesAbsence: candidates == 0 && closedWindowTime(of: listing) != nil
        )
    }

    /// The span of the acquirer's time in which the attempt's record must lie.
    func span(offset: Duration) -> ClosedRange<Date> {
        let start = attempt.startedAt.advanced(by: offset - margin)
        let end = windowEnd(of: attempt).advanced(by: offset + margin)
        return start...max(start, end)
    }

    private var absentTimes: [Date] {
        attempt.history.compactMap { entry in
            guard case .lookedUp(let lookUp) = entry.fact, lookUp.provesAbsence else { return nil }
            return lookUp.acquirerTime
        }
    }

    // MARK: Evidence

    private func isOwn(_ record: AcquirerRecord) -> Bool {
        record.marker == attempt.id.description
            || attempt.references.contains(record.reference)
            || record.otherReferences.contains { attempt.references.contains($0) }
    }

    private func isBound(_ record: AcquirerRecord) -> Bool {
        if attempt.began.kind.isAtCounter {
            return record.device != nil && record.device == attempt.began.device
        }
        guard attempt.began.kind != .refund, let parent = record.parent else { return false }
        return attempt.began.parentReferences?.contains(parent) == true
    }

    private func hasAmount(_ record: AcquirerRecord) -> Bool {
        (record.amountRequested ?? record.amount) == attempt.began.amount
    }

    private func isContested(
        _ record: AcquirerRecord,
        in book: AttemptBook,
        offset: Duration
    ) -> Bool {
        book.claimants.contains { other in
            other.id != attempt.id && other.began.kind == attempt.began.kind
                && other.began.account == attempt.began.account
                && other.began.device == attempt.began.device
                && other.began.parent == attempt.began.parent
                && other.began.amount == attempt.began.amount
                && isNear(record, of: other, offset: offset)
        }
    }

    // MARK: Time

    /// How far the acquirer's clock is ahead of this device's.
    func clockOffset(_ listing: RecordListing) -> Duration {
        guard let time = listing.acquirerTime else { return .zero }
        return .seconds(time.timeIntervalSince(now))
    }

    private func isWithin(
        _ record: AcquirerRecord,
        of attempt: AttemptBook.Attempt,
        offset: Duration
    ) -> Bool {
        if !attempt.began.kind.isAtCounter { return true }
        let start = attempt.startedAt.advanced(by: offset - Self.startTolerance)
        return record.createdAt >= start
            && record.createdAt <= windowEnd(of: attempt).advanced(by: offset)
    }

    /// Whether a record lies so close to an attempt's time that it must not be overlooked.
    private func isNear(
        _ record: AcquirerRecord,
        of attempt: AttemptBook.Attempt,
        offset: Duration
    ) -> Bool {
        // What belongs to one payment is told apart by that payment and not by its time.
        if !attempt.began.kind.isAtCounter { return true }
        let start = attempt.startedAt.advanced(by: offset - margin)
        return record.createdAt >= start
            && record.createdAt <= windowEnd(of: attempt).advanced(by: offset + margin)
    }

    private func windowEnd(of attempt: AttemptBook.Attempt) -> Date {
        guard attempt.id == self.attempt.id else {
            return attempt.lastActivity.advanced(by: capabilities.appearsWithin)
        }
        let last = vendorRunning ? now : max(attempt.lastActivity, activeUntil ?? .distantPast)
        return last.advanced(by: capabilities.appearsWithin)
    }

    /// How much earlier than its attempt a record may seem to be made.
    static let startTolerance = Duration.seconds(5)
    /// The margin of an ordinary look.
    static let margin = Duration.seconds(120)
    /// The margin of the look that precedes telling an attempt as absent: a clock that was set
    /// wrongly during the payment, and rightly since, must not hide its record.
    static let widestMargin = Duration.seconds(26 * 3_600)
}

extension Date {
    func advanced(by duration: Duration) -> Date {
        let (seconds, attoseconds) = duration.components
        return addingTimeInterval(Double(seconds) + Double(attoseconds) / 1e18)
    }
}
