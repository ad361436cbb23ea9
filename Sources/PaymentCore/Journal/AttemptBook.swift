/// What a journal's entries add up to: attempts by order, which are open, and who claimed what.
///
/// A pure value: the same entries give the same book.
public struct AttemptBook: Sendable {
    private var attempts: [AttemptID: Attempt] = [:]
    private var byOrder: [String: [AttemptID]] = [:]
    private var openIDs: Set<AttemptID> = []
    private var claims: [AcquirerReference: AttemptID] = [:]
    private var unreferenced: Set<AttemptID> = []
    private var contradictedIDs: Set<AttemptID> = []
    /// Attempts that are not put away: an entry named another one's record, or they came back.
    private var staying: Set<AttemptID> = []
    /// The attempts that ended longer ago, where they can be read again.
    private var archive: AttemptArchive?
    /// Where the attempts in memory stand, where they can be read again.
    private var places: [AttemptID: AttemptArchive.Place] = [:]
    /// The attempts that ended, in that order, from the first that may still be in memory on.
    private var ended: ArraySlice<AttemptID> = []
    /// How many attempts that ended stay in memory.
    private let kept: Int

    /// How many attempts that ended stay in memory, of those that can be read again.
    static let keptInMemory = 1_024

    /// Creates an empty book.
    public init() { kept = .max }

    /// Creates an empty book that keeps few of the attempts that ended in memory, and reads the
    /// others again.
    init(archivedIn pages: JournalPages, keeping kept: Int) {
        archive = AttemptArchive(pages)
        self.kept = kept
    }

    /// Why an attempt could not be read again, if that happened; then nothing may begin.
    var problem: String? { archive?.problem }

    /// Everything known about one attempt.
    public struct Attempt: Hashable, Sendable, Identifiable {
        /// Its identity.
        public let id: AttemptID
        /// What was known when it began.
        public let began: JournalEntry.Began
        /// When it began.
        public let startedAt: Date
        /// The acquirer's references, as they became known.
        public internal(set) var references: [AcquirerReference] = []
        /// How it ended; nil while it is open or was settled by a person.
        public internal(set) var ending: Ending?
        /// A person's decision, where evidence was missing.
        public internal(set) var verdict: PersonalVerdict?
        /// Why it was left open, if it was.
        public internal(set) var leftOpen: JournalEntry.LeftOpen?
        /// Evidence that came later and says the opposite of ``ending`` or ``verdict``.
        public internal(set) var contradictions: [Ending] = []
        /// The latest evidence that says the opposite of how it ended, or of what a person decided.
        public var contradiction: Ending? { contradictions.last }
        /// Every entry about it, in order.
        public internal(set) var history: [JournalEntry]

        /// Whether nobody knows how it ended.
        public var isOpen: Bool { ending == nil && verdict == nil }

        /// Whether it left money with the merchant or held, or may have.
        public var mayHaveMovedMoney: Bool {
            if (contradictions + [ending].compactMap(\.self)).contains(where: { $0.receipt != nil })
            {
                return true
            }
            if let verdict { return verdict.decision != .notMoved }
            return ending == nil
        }

        /// Whether it ended in a way that cannot change any more.
        var hasFinalEnding: Bool {
            if case .pending? = ending { return false }
            return ending != nil
        }

        /// The amount in question; nil as long as nobody knows it.
        var amount: Money? { began.amount.ifKnown ?? ending?.receipt?.asked.ifKnown }

        /// Whether it ended with money moved, and nobody knows how much.
        var isAmountOpen: Bool {
            guard !began.isAmountKnown, let receipt = ending?.receipt else { return false }
            return receipt.approved.money == nil
        }

        /// The latest moment at which something could still have been submitted for it.
        public var lastActivity: Date { activity.max() ?? startedAt }

        /// The earliest moment of it, by a clock that may have been set while it ran.
        var firstActivity: Date { activity.min() ?? startedAt }

        /// Whether an ending says more than what is known: only what was pending can still end, and
        /// an amount that nobody knew can still be found.
        func takes(_ ending: Ending) -> Bool {
            !hasFinalEnding || isAmountOpen && ending.receipt?.approved.money != nil
        }

        /// The time in which something could have been submitted for it.
        var active: ClosedRange<Date> { firstActivity...lastActivity }

        private var activity: [Date] { history.filter(\.isActivity).map(\.at) }
    }

    /// One attempt.
    public subscript(_ id: AttemptID) -> Attempt? {
        attempts[id] ?? found(id)?.attempt
    }

    /// Which order an attempt is for.
    func orderID(of id: AttemptID) -> String? {
        if let index = attempts.index(forKey: id) { return attempts.values[index].began.order.id }
        return found(id)?.attempt.began.order.id
    }

    /// The attempts whose end nobody knows, oldest first.
    public var open: [Attempt] {
        openIDs.compactMap { attempts[$0] }.sorted(by: Self.isEarlier)
    }

    /// The attempts about which evidence came that says the opposite of what was told.
    var contradicted: [Attempt] {
        contradictedIDs.compactMap { attempts[$0] }.sorted(by: Self.isEarlier)
    }

    /// The attempts for an order, whatever part, oldest first.
    public func attempts(forOrderID id: String) -> [Attempt] {
        let present = (byOrder[id] ?? []).compactMap { attempts[$0] }
        guard let archive else { return present }
        let past = archive.attempts(named: .order(id)).filter { found in
            found.attempt.began.order.id == id && attempts[found.attempt.id] == nil
        }
        guard !past.isEmpty else { return present }
        // They began in the order in which they stand in the file.
        let starts = present.map { (attempt: $0, start: places[$0.id]?.start ?? .max) }
        return (past.map { (attempt: $0.attempt, start: $0.place.start) } + starts)
            .sorted { $0.start < $1.start }.map(\.attempt)
    }

    /// Every attempt, oldest first.
    public var all: [Attempt] { all { _ in true } }

    /// Every attempt of which something is true, oldest first; no other is kept in memory.
    func all(where isWanted: (Attempt) -> Bool) -> [Attempt] {
        let past = archive?.all { attempts[$0.id] == nil && isWanted($0) } ?? []
        return (attempts.values.filter(isWanted) + past).sorted(by: Self.isEarlier)
    }

    private func found(_ id: AttemptID) -> AttemptArchive.Found? {
        archive?.attempts(named: .attempt(id)).first { $0.attempt.id == id }
    }

    private static func isEarlier(_ one: Attempt, _ other: Attempt) -> Bool {
        (one.startedAt, one.id.description) < (other.startedAt, other.id.description)
    }

    /// Which attempt an acquirer's record belongs to, if to any.
    public func claimant(of reference: AcquirerReference) -> AttemptID? {
        claims[reference]
            ?? archive?.attempts(named: .reference(reference))
            .first { $0.attempt.references.contains(reference) }?.attempt.id
    }

    /// Which attempt a record's marker names, if any.
    func attempt(marked marker: String?) -> AttemptID? {
        marker.map { AttemptID($0) }.flatMap { self[$0]?.id }
    }

    /// The attempts whose acquirer's record may be one that nobody claimed, made in a span: the open
    /// ones, and those that ended under a reference that nobody knows.
    func claimants(in span: ClosedRange<Date>) -> [Attempt] {
        let past = archive?.unreferenced(in: span).map(\.attempt).filter { attempts[$0.id] == nil }
        return openIDs.union(unreferenced).compactMap { attempts[$0] } + (past ?? [])
    }

    /// Adds an entry.
    public mutating func apply(_ entry: JournalEntry) { apply(entry, at: nil) }

    /// Adds an entry that stands in a file from one byte to before another.
    mutating func apply(_ entry: JournalEntry, at lines: Range<Int64>?) {
        if !isPresent(entry.attempt), let found = found(entry.attempt) { bringBack(found) }
        add(entry)
        if let lines { archive?.end = lines.upperBound }
        guard archive != nil, let lines, isPresent(entry.attempt) else { return }
        places[entry.attempt, default: .init(start: lines.lowerBound, end: 0)].end =
            lines.upperBound
        if case .ended = entry.fact {
            ended.append(entry.attempt)
            while ended.count > kept { putAway(ended.removeFirst()) }
        }
    }

    /// Whether an attempt is in memory.
    private func isPresent(_ id: AttemptID) -> Bool { attempts.index(forKey: id) != nil }

    private mutating func add(_ entry: JournalEntry) {
        guard let index = attempts.index(forKey: entry.attempt) else {
            guard case .began(let began) = entry.fact else { return }
            attempts[entry.attempt] = Attempt(
                id: entry.attempt,
                began: began,
                startedAt: entry.at,
                history: [entry]
            )
            byOrder[began.order.id, default: []].append(entry.attempt)
            openIDs.insert(entry.attempt)
            return
        }
        if case .began = entry.fact { return }
        attempts.values[index].history.append(entry)
        switch entry.fact {
        case .began, .lookedUp: break
        case .contradicted(let ending):
            attempts.values[index].contradictions.append(ending)
            contradictedIDs.insert(entry.attempt)
            claim(ending.references, forAttemptAt: index)
        case .noted(let reference): claim([reference], forAttemptAt: index)
        case .leftOpen(let leftOpen): attempts.values[index].leftOpen = leftOpen
        case .ended(let ending, let evidence):
            if !attempts.values[index].take(ending) { contradictedIDs.insert(entry.attempt) }
            openIDs.remove(entry.attempt)
            claim(ending.references, forAttemptAt: index)
            noteWhetherReferenced(index, reachedVendor: evidence == .vendor)
        case .settled(let verdict):
            attempts.values[index].verdict = verdict
            openIDs.remove(entry.attempt)
            if case .moved(let reference?) = verdict.decision {
                claim([reference], forAttemptAt: index)
            }
            noteWhetherReferenced(index, reachedVendor: true)
        }
    }

    private mutating func noteWhetherReferenced(
        _ index: Dictionary<AttemptID, Attempt>.Index,
        reachedVendor: Bool
    ) {
        let (id, attempt) = attempts[index]
        if attempt.references.isEmpty, attempt.mayHaveMovedMoney || reachedVendor {
            unreferenced.insert(id)
        } else {
            unreferenced.remove(id)
        }
    }

    // MARK: The archive

    /// Lets go of an attempt's content, if its end is plain and it can be read again.
    private mutating func putAway(_ id: AttemptID) {
        guard let attempt = attempts[id], let place = places[id], AttemptArchive.holds(place),
            attempt.hasFinalEnding, !attempt.isAmountOpen, attempt.verdict == nil,
            attempt.contradictions.isEmpty, !staying.contains(id),
            // What belongs to one payment is told apart by that payment and not by its time.
            attempt.began.kind.isAtCounter || !unreferenced.contains(id)
        else { return }
        var names = [AttemptArchive.Name.attempt(id), .order(attempt.began.order.id)]
        for reference in attempt.references where claims[reference] == id {
            claims[reference] = nil
            names.append(.reference(reference))
        }
        archive?.add(names, at: place)
        if unreferenced.remove(id) != nil {
            archive?.add(unreferenced: attempt.active, at: place)
        }
        attempts[id] = nil
        places[id] = nil
        byOrder[attempt.began.order.id]?.removeAll { $0 == id }
        if byOrder[attempt.began.order.id]?.isEmpty == true {
            byOrder[attempt.began.order.id] = nil
        }
    }

    /// Takes an attempt into memory again, since something new became known about it.
    private mutating func bringBack(_ found: AttemptArchive.Found) {
        let id = found.attempt.id
        let order = found.attempt.began.order.id
        attempts[id] = found.attempt
        places[id] = found.place
        staying.insert(id)
        if archive?.isUnreferenced(at: found.place) == true { unreferenced.insert(id) }
        var ids = byOrder[order] ?? []
        let index = ids.firstIndex { (places[$0]?.start ?? .max) > found.place.start }
        ids.insert(id, at: index ?? ids.endIndex)
        byOrder[order] = ids
    }

    /// Brings what was put away into one order, once many entries were added.
    mutating func settleArchive() { archive?.settle() }

    private mutating func claim(
        _ references: [AcquirerReference],
        forAttemptAt index: Dictionary<AttemptID, Attempt>.Index
    ) {
        let attempt = attempts.keys[index]
        let isAtCounter = attempts.values[index].began.kind.isAtCounter
        for reference in references {
            let claimant = claimant(of: reference)
            if claimant == nil { claims[reference] = attempt }
            // A follow-up may share its payment's record; payments never share one.
            if isAtCounter, let claimant, claimant != attempt {
                staying.insert(attempt)
                continue
            }
            if !attempts.values[index].references.contains(reference) {
                attempts.values[index].references.append(reference)
            }
        }
    }
}

extension AttemptBook.Attempt {
    /// Takes in an ending; false when what was known says the opposite.
    fileprivate mutating func take(_ ending: Ending) -> Bool {
        // The first evidence stays, unless it left something open.
        if takes(ending) {
            self.ending = ending
        } else if self.ending?.contradicts(ending) == true {
            contradictions.append(ending)
            return false
        }
        return true
    }
}

extension JournalEntry {
    /// Whether something may have been submitted at or before this entry and after the one before.
    fileprivate var isActivity: Bool {
        switch fact {
        case .began, .noted, .leftOpen, .ended(_, by: .vendor): true
        case .lookedUp, .ended, .settled, .contradicted: false
        }
    }
}

extension Ending {
    /// Whether the acquirer has accepted it and may still fail it.
    var isPending: Bool {
        if case .pending = self { true } else { false }
    }

    /// Whether money moved according to one of both alone.
    func contradicts(_ other: Ending) -> Bool { (receipt != nil) != (other.receipt != nil) }

    /// The acquirer's records that the ending rests on.
    var references: [AcquirerReference] {
        if case .declined(let decline) = self { return decline.references }
        return receipt?.references ?? []
    }
}
