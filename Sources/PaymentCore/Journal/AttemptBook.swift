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
    init(archivedIn archive: AttemptArchive, keeping kept: Int) {
        self.archive = archive
        self.kept = kept
    }

    /// Why an attempt could not be read again, if that happened; then nothing may begin.
    var problem: String? { archive?.problem }

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
        // They began in the order in which they stand in the file, whichever came to memory first.
        let starts = present.map { (attempt: $0, start: places[$0.id]?.start ?? .max) }
        return (past.map { (attempt: $0.attempt, start: $0.place.start) } + starts)
            .sorted { $0.start < $1.start }.map(\.attempt)
    }

    /// Every attempt, oldest first.
    public var all: [Attempt] { all { _ in true } }

    /// Every attempt of which something is true, oldest first; no other is kept in memory.
    func all(where isWanted: (Attempt) -> Bool) -> [Attempt] {
        var wanted: [Attempt] = []
        forEach { if isWanted($0) { wanted.append($0) } }
        return wanted.sorted(by: Self.isEarlier)
    }

    /// Looks at every attempt, in no particular order.
    func forEach(_ body: (Attempt) -> Void) {
        archive?.forEach { if !isPresent($0.id) { body($0) } }
        for attempt in attempts.values { body(attempt) }
    }

    private func found(_ id: AttemptID) -> AttemptArchive.Found? {
        archive?.attempts(named: .attempt(id)).first { $0.attempt.id == id }
    }

    private static func isEarlier(_ one: Attempt, _ other: Attempt) -> Bool {
        (one.startedAt, one.id.description) < (other.startedAt, other.id.description)
    }

    /// Which attempt an acquirer's record belongs to, if to any.
    public func claimant(of reference: AcquirerReference) -> AttemptID? {
        guard reference.isDistinct else { return nil }
        return claims[reference]
            ?? archive?.attempts(named: .reference(reference))
            .first { $0.attempt.references.contains(reference) }?.attempt.id
    }

    /// Which attempt a record's marker names, if any.
    func attempt(marked marker: String?) -> AttemptID? {
        marker.map { AttemptID($0) }.flatMap { self[$0]?.id }
    }

    /// The attempt that a record is, by its marker or by any of its names; nil for one that nobody
    /// claimed.
    func owner(of record: AcquirerRecord) -> Attempt? {
        let id = attempt(marked: record.marker) ?? record.names.lazy.compactMap(claimant).first
        return id.flatMap { self[$0] }
    }

    /// A paid record of an attempt that was told as one without money.
    struct Contrary: Sendable {
        let attempt: Attempt
        let record: AcquirerRecord
    }

    /// What a listing says against what was told of its account's attempts.
    func contradicting(_ records: [AcquirerRecord], of account: Account?) -> [Contrary] {
        records.compactMap { record in
            guard record.state == .succeeded, let owner = owner(of: record),
                owner.began.account == account,
                owner.began.kind.mayBeRecorded(as: record.kind), !owner.mayHaveMovedMoney
            else { return nil }
            return Contrary(attempt: owner, record: record)
        }
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
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - lines: Where it stands.
    ///   - isAlone: Whether nothing that was put away has to do with its attempt.
    mutating func apply(_ entry: JournalEntry, at lines: Range<Int64>?, isAlone: Bool = false) {
        if !isAlone, !isPresent(entry.attempt), let found = found(entry.attempt) {
            bringBack(found)
        }
        add(entry, isAlone)
        if let lines { archive?.reach(lines.upperBound) }
        guard archive != nil, let lines, isPresent(entry.attempt) else { return }
        places[entry.attempt, default: .init(start: lines.lowerBound, end: 0)].end =
            lines.upperBound
        if case .ended = entry.fact {
            ended.append(entry.attempt)
            while ended.count > kept { putAway(ended.removeFirst()) }
        }
    }

    /// Whether an attempt is in memory.
    func isPresent(_ id: AttemptID) -> Bool { attempts.index(forKey: id) != nil }

    private mutating func add(_ entry: JournalEntry, _ isAlone: Bool) {
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
            claim(ending.references, forAttemptAt: index, isAlone)
        case .noted(let reference): claim([reference], forAttemptAt: index, isAlone)
        case .leftOpen(let leftOpen): attempts.values[index].leftOpen = leftOpen
        case .ended(let ending, let evidence):
            if !attempts.values[index].take(ending) { contradictedIDs.insert(entry.attempt) }
            openIDs.remove(entry.attempt)
            claim(ending.references, forAttemptAt: index, isAlone)
            noteWhetherReferenced(index, reachedVendor: evidence == .vendor)
        case .settled(let verdict):
            attempts.values[index].verdict = verdict
            openIDs.remove(entry.attempt)
            if case .moved(let reference?) = verdict.decision {
                claim([reference], forAttemptAt: index, isAlone)
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
        archive?.add(NameHash.of(id), at: place)
        archive?.add(NameHash.order(NameHash.text(attempt.began.order.id)), at: place)
        for reference in attempt.references where claims[reference] == id {
            claims[reference] = nil
            archive?.add(NameHash.of(reference), at: place)
        }
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
        attempts[id] = found.attempt
        places[id] = found.place
        staying.insert(id)
        if archive?.isUnreferenced(at: found.place) == true { unreferenced.insert(id) }
        byOrder[found.attempt.began.order.id, default: []].append(id)
    }

    private mutating func claim(
        _ references: [AcquirerReference],
        forAttemptAt index: Dictionary<AttemptID, Attempt>.Index,
        _ isAlone: Bool
    ) {
        let attempt = attempts.keys[index]
        let isAtCounter = attempts.values[index].began.kind.isAtCounter
        for reference in references where reference.isDistinct {
            let claimant = isAlone ? claims[reference] : claimant(of: reference)
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

// MARK: While a file is read

extension AttemptBook {
    /// Expects attempts by the million, from a file of so many bytes.
    mutating func beginFilling(from size: Int64) { archive?.beginFilling(from: size) }

    /// Whether an attempt or a reference whose name has this number may be known.
    func mayKnow(_ name: UInt64) -> Bool { archive?.mayKnow(name) ?? true }

    /// Fetches what ``mayKnow(_:)`` looks at.
    func fetch(_ name: UInt64) -> UInt64 { archive?.fetch(name) ?? 0 }

    /// Takes note that an attempt or a reference is known.
    mutating func know(_ name: UInt64) { archive?.know(name) }

    /// Takes note that the entries before an offset count.
    mutating func reach(_ offset: Int64) { archive?.reach(offset) }

    /// Takes in an attempt that ended plainly, of which nothing is in memory, by one of its names.
    mutating func putAway(_ name: UInt64, at place: AttemptArchive.Place) {
        archive?.add(name, at: place)
    }

    /// Takes note when such an attempt was active, if its record is not known.
    mutating func putAway(unreferenced active: ClosedRange<Date>, at place: AttemptArchive.Place) {
        archive?.add(unreferenced: active, at: place)
    }

    /// Brings what was put away into one order, once everything was read.
    mutating func endFilling() { archive?.endFilling() }
}
