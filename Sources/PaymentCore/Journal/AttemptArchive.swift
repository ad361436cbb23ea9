/// Where the attempts that ended stand in a journal's file, by each name under which they are found.
///
/// Eight bytes a name, of which few are in memory: a till that has taken a million payments keeps
/// almost nothing of them, and reads one again when somebody asks for it.
struct AttemptArchive: Sendable {
    /// What an attempt is found by.
    enum Name: Hashable {
        case attempt(AttemptID)
        case order(String)
        case reference(AcquirerReference)
    }

    /// Where an attempt's lines stand: all of them within a stretch of the file.
    struct Place: Hashable, Sendable {
        let start: Int64
        var end: Int64
    }

    /// An attempt that was read again.
    struct Found: Sendable {
        let attempt: AttemptBook.Attempt
        let place: Place
    }

    private let pages: JournalPages
    private let store: NameStore
    /// The attempts that ended under a reference that nobody knows, with the time in which a record
    /// could be theirs.
    private var unreferenced: [(slot: UInt64, active: ClosedRange<Date>)] = []
    /// Where the entries end that count; what stands behind them is not known yet.
    private(set) var end: Int64 = 0
    /// Names that came lately, as they came.
    private var recent: [UInt64] = []
    /// Sorted names, long runs first.
    private var runs: [NameRun] = []
    /// While a file is read: which attempts and references are known at all.
    private var filter: NameFilter?

    init(_ pages: JournalPages, _ store: NameStore) {
        self.pages = pages
        self.store = store
    }

    /// Why an attempt could not be read again, if that happened.
    var problem: String? { pages.problem }

    /// Whether an attempt's lines stand so that they can be found again.
    static func holds(_ place: Place) -> Bool { NameSlot.place(place) != nil }

    /// Takes note that the entries before an offset count.
    mutating func reach(_ offset: Int64) { end = max(end, offset) }

    /// Remembers where an attempt stands under a name that has this number.
    mutating func add(_ name: UInt64, at place: Place) {
        guard let place = NameSlot.place(place) else { return }
        recent.append(NameSlot.slot(name, place))
        if filter == nil {
            if recent.count >= Self.longestRecent { merge(from: firstShort) }
        } else if recent.count >= Self.longestFilling {
            merge(from: runs.endIndex)
            // Many that are alike become one, so that each is read and written few times.
            if runs.endIndex - firstAlike >= Self.mostAlike { merge(from: firstAlike) }
        }
    }

    /// Remembers an attempt whose record is not known, by the time in which it was active.
    mutating func add(unreferenced active: ClosedRange<Date>, at place: Place) {
        guard let place = NameSlot.place(place) else { return }
        unreferenced.append((place, active))
    }

    /// Whether nobody knows the record of the attempt that begins at a place.
    func isUnreferenced(at place: Place) -> Bool {
        unreferenced.contains { NameSlot.offset(of: $0.slot) == place.start }
    }

    /// The attempts whose record is not known and that were active in a span.
    func unreferenced(in span: ClosedRange<Date>) -> [Found] {
        read(unreferenced.filter { $0.active.overlaps(span) }.map(\.slot))
    }

    /// The attempts that may have a name, in the order in which they began.
    func attempts(named name: Name) -> [Found] {
        let hash: UInt64
        switch name {
        case .attempt(let id): hash = NameHash.of(id)
        case .order(let id): hash = NameHash.order(NameHash.text(id))
        case .reference(let reference): hash = NameHash.of(reference)
        }
        if let filter {
            // An order is asked for once everything was read.
            guard case .order = name else { return filter.contains(hash) ? find(hash) : [] }
        }
        return find(hash)
    }

    private func find(_ name: UInt64) -> [Found] {
        let tag = NameSlot.tag(ofName: name)
        var found: [UInt64] = []
        for slot in recent where NameSlot.tag(of: slot) == tag { found.append(slot) }
        do {
            for run in runs { found += try run.slots(tagged: tag) }
        } catch {
            pages.note("its names cannot be read again: \(error)")
        }
        return read(found)
    }

    /// Looks at every attempt, in the order in which they began; one at a time is in memory.
    func forEach(_ body: (AttemptBook.Attempt) -> Void) {
        var slots = recent
        do {
            try NameRun.merge(runs) { slots += $0 }
        } catch {
            pages.note("its names cannot be read again: \(error)")
        }
        for place in places(slots) { read(place).map { body($0.attempt) } }
    }

    private func read(_ slots: [UInt64]) -> [Found] {
        slots.isEmpty ? [] : places(slots).compactMap(read)
    }

    private func places(_ slots: [UInt64]) -> [UInt64] {
        var places = slots
        for index in places.indices { places[index] &= NameSlot.placeMask }
        places.sort()
        var last: UInt64?
        places.removeAll { place in
            defer { last = place }
            return place == last
        }
        return places
    }

    private func read(_ slot: UInt64) -> Found? {
        let offset = NameSlot.offset(of: slot)
        return pages.attempt(at: offset, to: min(offset + NameSlot.length(of: slot), end))
    }

    // MARK: Order

    /// How many names wait unsorted.
    private static let longestRecent = 1_024
    /// How many do while a file is read.
    private static let longestFilling = 131_072
    /// A run is at least so many times as long as those behind it.
    private static let growth = 8
    /// How many runs of like length there are while a file is read.
    private static let mostAlike = 16

    /// The first of the last runs that are too short to stay beside what waits.
    private var firstShort: Int {
        var (index, count) = (runs.endIndex, recent.count)
        while index > 0, runs[index - 1].count < Self.growth * count {
            index -= 1
            count += runs[index].count
        }
        return index
    }

    /// The first of the last runs that are as long as the very last one, or nearly so.
    private var firstAlike: Int {
        let last = runs.last?.count ?? 0
        return runs.lastIndex { $0.count > 2 * last }.map { $0 + 1 } ?? 0
    }

    /// Makes one run of the last ones, from one of them on, and of what waits.
    private mutating func merge(from first: Int) {
        NameSlot.sort(&recent)
        var parts = Array(runs[first...])
        if !recent.isEmpty { parts.append(.inMemory(recent)) }
        do {
            runs.replaceSubrange(first..., with: [try store.merged(parts)])
        } catch {
            pages.note("its names cannot be read again: \(error)")
            runs.append(.inMemory(recent))
        }
        recent.removeAll(keepingCapacity: filter != nil)
    }
}

// MARK: While a file is read

extension AttemptArchive {
    /// Expects names by the million, from a file of so many bytes.
    mutating func beginFilling(from size: Int64) { filter = NameFilter(forBytes: size) }

    /// Whether an attempt or a reference with this number may be known.
    func mayKnow(_ name: UInt64) -> Bool { filter?.contains(name) ?? true }

    /// Fetches what ``mayKnow(_:)`` looks at.
    func fetch(_ name: UInt64) -> UInt64 { filter?.word(of: name) ?? 0 }

    /// Takes note that an attempt or a reference is known.
    mutating func know(_ name: UInt64) { filter?.insert(name) }

    /// Brings all names into one order, once all have come.
    mutating func endFilling() {
        filter = nil
        if runs.count > 1 || !recent.isEmpty { merge(from: runs.startIndex) }
    }
}
