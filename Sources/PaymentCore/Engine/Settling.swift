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
    /// How far this device's clock was set since the attempt was left, as far as this process knows.
    var clockJump = Duration.zero
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
                && hasCurrency(record) && !isDisputed(record, in: book)
                ? classified(record) : .ambiguous(own)
        }
        let offsets = clockOffsets(listing)
        let unclaimed = listing.records.filter { record in
            record.kind.resembles(attempt.began.kind) && isNear(record, of: attempt, offsets)
                && !isAnothers(record, in: book, offsets)
        }
        let records = unclaimed.filter { $0.kind == attempt.began.kind }
        let bound = records.filter(isBound)
        let others = records.filter { record in
            !isBound(record) && (isAnywhere(record) || isOnDevice(record)) && hasAmount(record)
        }
        if bound.count == 1, others.isEmpty, let record = bound.first, hasAmount(record),
            isWithin(record, offsets), !isContested(record, in: book, offsets)
        {
            return classified(record)
        }
        let candidates = bound + others
        guard candidates.isEmpty else { return .ambiguous(candidates) }
        let unlike = unclaimed.filter { mayBeUnlike($0) && hasAmount($0) }
        guard unlike.isEmpty else { return .ambiguous(unlike) }
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
        // What somebody said to have moved is not absent because a list is silent.
        guard !attempt.wasSaidToMove else { return .notYet(until: nil) }
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
            || record.names.contains { attempt.references.contains($0) }
    }

    /// Whether a record names the attempt's device, or the payment that the attempt follows.
    ///
    /// A record that cannot be told from another one is nobody's by that.
    private func isBound(_ record: AcquirerRecord) -> Bool {
        guard record.reference.isDistinct else { return false }
        if attempt.began.kind.isAtCounter { return isOnDevice(record) }
        guard attempt.began.kind != .refund, let parent = record.parent else { return false }
        return parent.isDistinct && attempt.began.parentReferences?.contains(parent) == true
    }

    private func isOnDevice(_ record: AcquirerRecord) -> Bool {
        record.device != nil && record.device == attempt.began.device
    }

    /// Whether no device tells a record and the attempt apart.
    private func isAnywhere(_ record: AcquirerRecord) -> Bool {
        record.device == nil || attempt.began.device == nil
    }

    /// Whether a record is another attempt's, by the word of somebody who knows.
    ///
    /// What only a look or a person took for another one's may be this one's all the same, if it
    /// is bound to this one and of its time, unless that was before this one began.
    private func isAnothers(
        _ record: AcquirerRecord,
        in book: AttemptBook,
        _ offsets: ClosedRange<Duration>
    ) -> Bool {
        guard let owner = owner(of: record, in: book) else { return false }
        return record.marker == owner.id.description
            || owner.surelyHas(record.names, by: attempt.firstActivity)
            || !isBound(record) || !hasAmount(record) || !isWithin(record, offsets)
    }

    /// The other attempt that has a record; a follow-up may share its payment's.
    private func owner(
        of record: AcquirerRecord,
        in book: AttemptBook
    ) -> AttemptBook.Attempt? {
        guard let owner = book.owner(of: record), owner.id != attempt.id,
            owner.id != attempt.began.parent
        else { return nil }
        return owner
    }

    /// Whether the attempt's own record is another payment's too.
    private func isDisputed(_ record: AcquirerRecord, in book: AttemptBook) -> Bool {
        guard attempt.began.kind.isAtCounter else { return false }
        let marked = book.attempt(marked: record.marker)
        return (record.names.map(book.claimant) + [marked]).contains { claimant in
            claimant.map { $0 != attempt.id } ?? false
        }
    }

    /// Whether a record of another kind of payment at the counter may be the attempt's all the same.
    private func mayBeUnlike(_ record: AcquirerRecord) -> Bool {
        guard record.kind != attempt.began.kind, record.kind.isAtCounter, isOnDevice(record) else {
            return false
        }
        switch record.state {
        case .declined, .cancelled: return false
        case .succeeded, .payable, .pending, .unknown: return true
        }
    }

    private func hasCurrency(_ record: AcquirerRecord) -> Bool {
        record.amount.currency == attempt.began.amount.currency
    }

    private func hasAmount(_ record: AcquirerRecord) -> Bool {
        let amount = record.amountRequested ?? record.amount
        guard attempt.began.isAmountKnown else {
            return amount.currency == attempt.began.amount.currency
        }
        return attempt.began.mayHaveAsked(amount)
    }

    /// Whether a record has another attempt already, or could be another one's as well.
    private func isContested(
        _ record: AcquirerRecord,
        in book: AttemptBook,
        _ offsets: ClosedRange<Duration>
    ) -> Bool {
        if owner(of: record, in: book) != nil { return true }
        let first = record.createdAt.advanced(
            by: .zero - offsets.upperBound - margin - capabilities.appearsWithin
        )
        let last = record.createdAt.advanced(by: .zero - offsets.lowerBound + margin)
        return book.claimants(in: first...max(first, last)).contains { other in
            other.id != attempt.id && other.began.account == attempt.began.account
                && other.began.kind.resembles(attempt.began.kind)
                && mayBelong(record, to: other)
                && mayShareDevice(other, in: book)
                && couldBe(record, of: other)
                && isNear(record, of: other, offsets)
        }
    }

    /// Whether the payment that a record belongs to allows for another attempt.
    private func mayBelong(_ record: AcquirerRecord, to other: AttemptBook.Attempt) -> Bool {
        guard attempt.began.kind.isAtCounter else {
            return other.began.kind == attempt.began.kind
                && other.began.parent == attempt.began.parent
        }
        // What took held money may look like a sale on the device of its hold.
        guard !other.began.kind.isAtCounter, let parent = record.parent, parent.isDistinct else {
            return true
        }
        return other.began.parentReferences?.contains(parent) == true
    }

    private func mayShareDevice(
        _ other: AttemptBook.Attempt,
        in book: AttemptBook
    ) -> Bool {
        let one = attempt.began.device
        let two = other.began.device ?? other.began.parent.flatMap { book[$0]?.began.device }
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
        let before = offset + clockJump
        let known = min(offset, before)...max(offset, before)
        return attempt.history.reduce(known) { offsets, entry in
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
        if !self.attempt.began.kind.isAtCounter { return true }
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
