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
        let own = listing.records.filter(isOwn)
        if let record = own.first {
            return own.count == 1 && record.kind == attempt.began.kind
                ? classified(record) : .ambiguous(own)
        }
        let records = listing.records.filter { $0.kind == attempt.began.kind }
        let unclaimed = records.filter { record in
            let claimant =
                book.claimant(of: record.reference) ?? book.attempt(marked: record.marker)
            return claimant == nil || claimant == attempt.id
        }
        let offsets = clockOffsets(listing)
        let bound = unclaimed.filter { isBound($0) && isNear($0, of: attempt, offsets) }
        let others = unclaimed.filter {
            !isBound($0) && ($0.device == nil || attempt.began.device == nil)
                && isNear($0, of: attempt, offsets) && hasAmount($0)
        }
        if bound.count == 1, others.isEmpty, let record = bound.first, hasAmount(record),
            isWithin(record, offsets), !isContested(record, in: book, offsets)
        {
            return classified(record)
        }
        let candidates = bound + others
        guard candidates.isEmpty else { return .ambiguous(candidates) }
        return absence(in: listing, offsets)
    }

    private func classified(_ record: AcquirerRecord) -> Verdict {
        switch record.state {
        case .succeeded: .found(record)
        // Within a call that still runs, the customer may present another card.
        case .declined, .cancelled: vendorRunning ? .pending(record) : .found(record)
        case .payable(let decline): .payable(record, lastDecline: decline)
        case .pending, .unknown: .pending(record)
        }
    }

    private func absence(
        in listing: RecordListing,
        _ offsets: ClosedRange<Duration>
    ) -> Verdict {
        guard let time = closedWindowTime(of: listing) else {
            let end = windowEnd(of: attempt).advanced(by: offsets.upperBound)
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
        let end = windowEnd(of: attempt).advanced(by: clockOffsets(listing).upperBound)
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
            provesAbsence: candidates == 0 && closedWindowTime(of: listing) != nil,
            deviceTime: listing.acquirerTime == nil ? nil : now
        )
    }

    /// The span of the acquirer's time in which the attempt's record must lie.
    func span(offsets: ClosedRange<Duration>) -> ClosedRange<Date> {
        let start = attempt.firstActivity.advanced(by: offsets.lowerBound - margin)
        let end = windowEnd(of: attempt).advanced(by: offsets.upperBound + margin)
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
        let kind = attempt.began.kind
        guard record.kind == kind || record.kind.isAtCounter && kind.isAtCounter else {
            return false
        }
        return record.marker == attempt.id.description
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
        let amount = record.amountRequested ?? record.amount
        guard attempt.began.isAmountKnown else {
            return amount.currency == attempt.began.amount.currency
        }
        return attempt.began.mayHaveAsked(amount)
    }

    private func isContested(
        _ record: AcquirerRecord,
        in book: AttemptBook,
        _ offsets: ClosedRange<Duration>
    ) -> Bool {
        let first = record.createdAt.advanced(
            by: .zero - offsets.upperBound - margin - capabilities.appearsWithin
        )
        let last = record.createdAt.advanced(by: .zero - offsets.lowerBound + margin)
        return book.claimants(in: first...max(first, last)).contains { other in
            other.id != attempt.id && other.began.kind == attempt.began.kind
                && other.began.account == attempt.began.account
                && mayShareDevice(other)
                && other.began.parent == attempt.began.parent
                && couldBe(record, of: other)
                && isNear(record, of: other, offsets)
        }
    }

    private func mayShareDevice(_ other: AttemptBook.Attempt) -> Bool {
        let (one, two) = (attempt.began.device, other.began.device)
        return one == two || one == nil || two == nil
    }

    /// Whether a record's amount and state could be those of another attempt.
    private func couldBe(_ record: AcquirerRecord, of other: AttemptBook.Attempt) -> Bool {
        if let ending = other.ending, ending.receipt == nil {
            switch record.state {
            case .declined, .cancelled: break
            case .succeeded, .payable, .pending, .unknown: return false
            }
        }
        if !other.began.isAmountKnown {
            return record.amount.currency == other.began.amount.currency
        }
        guard let asked = record.amountRequested else {
            // It may be what was approved of more.
            return (try? other.began.amount.subtracting(record.amount)) != nil
        }
        return other.began.mayHaveAsked(asked)
    }

    // MARK: Time

    /// How far the acquirer's clock is ahead of this device's, and was at the earlier looks: a
    /// person may have set the device's in between.
    func clockOffsets(_ listing: RecordListing) -> ClosedRange<Duration> {
        var offset = Duration.zero
        if let time = listing.acquirerTime { offset = .seconds(time.timeIntervalSince(now)) }
        return attempt.history.reduce(offset...offset) { offsets, entry in
            guard case .lookedUp(let lookUp) = entry.fact, let time = lookUp.acquirerTime,
                let deviceTime = lookUp.deviceTime
            else { return offsets }
            let earlier = Duration.seconds(time.timeIntervalSince(deviceTime))
            return min(offsets.lowerBound, earlier)...max(offsets.upperBound, earlier)
        }
    }

    private func isWithin(_ record: AcquirerRecord, _ offsets: ClosedRange<Duration>) -> Bool {
        if !attempt.began.kind.isAtCounter { return true }
        let start = attempt.firstActivity.advanced(by: offsets.lowerBound - Self.startTolerance)
        return record.createdAt >= start
            && record.createdAt <= windowEnd(of: attempt).advanced(by: offsets.upperBound)
    }

    /// Whether a record lies so close to an attempt's time that it must not be overlooked.
    private func isNear(
        _ record: AcquirerRecord,
        of attempt: AttemptBook.Attempt,
        _ offsets: ClosedRange<Duration>
    ) -> Bool {
        // What belongs to one payment is told apart by that payment and not by its time.
        if !attempt.began.kind.isAtCounter { return true }
        let start = attempt.firstActivity.advanced(by: offsets.lowerBound - margin)
        let end = windowEnd(of: attempt).advanced(by: offsets.upperBound + margin)
        return record.createdAt >= start && record.createdAt <= end
    }

    private func windowEnd(of attempt: AttemptBook.Attempt) -> Date {
        guard attempt.id == self.attempt.id else {
            return attempt.lastActivity.advanced(by: capabilities.appearsWithin)
        }
        let last = max(
            attempt.lastActivity,
            vendorRunning ? now : activeUntil ?? attempt.lastActivity
        )
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
