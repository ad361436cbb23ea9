/// Puts attempts away whose records are plain, without making values of them.
///
/// An attempt is plain as long as it has a beginning of its own, references that nobody else named,
/// then an end that cannot change, and in between nothing but looks into the books and doubts. What
/// the book would do with such an attempt depends on no other one, and no other one on it: so it is
/// enough to remember where it stands. As soon as anything else comes that has to do with it, its
/// lines are applied to the book like any others, before that is.
struct PlainAttempts {
    /// An attempt that began.
    struct Begun {
        let attempt: ShortName
        /// The number of its order.
        let order: UInt64
        let isAtCounter: Bool
        /// Where its lines begin, in order.
        var lines: FewLines
        /// The numbers of the references that it named before its end.
        var noted = FewReferences()
        /// The numbers of the references that its end names.
        var named = FewReferences()
        /// Where the last of its lines ends; nil while it has not ended.
        var end: Int64?
        /// Whether nobody knows its record.
        var isUnreferenced = false
        /// Its earliest and its latest moment, in milliseconds since 1970.
        var active: ClosedRange<Int64>
    }

    /// How many of those that ended stay in memory.
    private let kept: Int
    private var begun = BegunAttempts()
    /// Which attempt named a reference before its end.
    private var noters: [UInt64: ShortName] = [:]
    /// Those that ended lately, in that order; nil in place of those that were let go.
    private var ended: [Begun?] = []
    private var firstEnded = 0

    init(keeping kept: Int) { self.kept = kept }

    /// Takes in a record; false when it has to be applied to the book.
    mutating func take(_ record: PlainRecord, _ book: inout AttemptBook) -> Bool {
        switch record.fact {
        case .began(let isAtCounter): begin(record, isAtCounter, &book)
        case .noted: note(record, isActivity: true, &book)
        case .lookedUp: note(record, isActivity: false, &book)
        case .leftOpen: note(record, isActivity: true, &book)
        case .pending(let byVendor): note(record, isActivity: byVendor, &book)
        case .ended(let hasMoved, let byVendor):
            end(record, hasMoved: hasMoved, byVendor: byVendor, &book)
        }
    }

    private mutating func begin(
        _ record: PlainRecord,
        _ isAtCounter: Bool,
        _ book: inout AttemptBook
    ) -> Bool {
        guard !book.mayKnow(record.attempt.hash) else { return false }
        book.know(record.attempt.hash)
        begun.insert(
            Begun(
                attempt: record.attempt,
                order: record.order,
                isAtCounter: isAtCounter,
                lines: FewLines(record.lines.lowerBound),
                active: record.at...record.at
            )
        )
        return true
    }

    /// Takes in what came between the beginning and the end.
    private mutating func note(
        _ record: PlainRecord,
        isActivity: Bool,
        _ book: inout AttemptBook
    ) -> Bool {
        guard let index = begun.index(of: record.attempt) else { return false }
        var attempt = begun[index]
        guard attempt.lines.append(record.lines.lowerBound) else { return false }
        for index in record.references.indices {
            let reference = record.references[index]
            if attempt.noted.contains(reference) { continue }
            guard !book.mayKnow(reference), attempt.noted.append(reference) else { return false }
        }
        for index in begun[index].noted.count..<attempt.noted.count {
            book.know(attempt.noted[index])
            noters[attempt.noted[index]] = attempt.attempt
        }
        if isActivity { attempt.include(record.at) }
        begun[index] = attempt
        return true
    }

    private mutating func end(
        _ record: PlainRecord,
        hasMoved: Bool,
        byVendor: Bool,
        _ book: inout AttemptBook
    ) -> Bool {
        guard let index = begun.index(of: record.attempt) else { return false }
        var attempt = begun[index]
        guard attempt.lines.append(record.lines.lowerBound) else { return false }
        attempt.end = record.lines.upperBound
        attempt.named = record.references
        attempt.isUnreferenced =
            (hasMoved || byVendor) && record.references.count == 0 && attempt.noted.count == 0
        // What belongs to one payment is told apart by that payment and not by its time.
        guard AttemptArchive.holds(attempt.place),
            attempt.isAtCounter || !attempt.isUnreferenced
        else { return false }
        for index in record.references.indices {
            let reference = record.references[index]
            if attempt.noted.contains(reference) { continue }
            guard !book.mayKnow(reference) else { return false }
            book.know(reference)
        }
        if byVendor { attempt.include(record.at) }
        begun.remove(at: index)
        ended.append(attempt)
        if ended.count - firstEnded > kept { putFirstAway(&book) }
        return true
    }

    /// Puts the attempt away that ended before the others.
    private mutating func putFirstAway(_ book: inout AttemptBook) {
        let attempt = ended[firstEnded]
        firstEnded += 1
        if firstEnded > 4_096, firstEnded > ended.count / 2 {
            ended.removeFirst(firstEnded)
            firstEnded = 0
        }
        guard let attempt else { return }
        let place = attempt.place
        book.putAway(attempt.attempt.hash, at: place)
        book.putAway(attempt.order, at: place)
        for index in attempt.named.indices where !attempt.noted.contains(attempt.named[index]) {
            book.putAway(attempt.named[index], at: place)
        }
        for index in attempt.noted.indices {
            noters[attempt.noted[index]] = nil
            book.putAway(attempt.noted[index], at: place)
        }
        if attempt.isUnreferenced { book.putAway(unreferenced: attempt.dates, at: place) }
    }

    /// Lets go of an attempt, and says where its lines begin.
    mutating func release(_ attempt: ShortName) -> [Int64] {
        if let index = begun.index(of: attempt) {
            let released = begun[index]
            begun.remove(at: index)
            return release(released)
        }
        return releaseEnded { $0.attempt == attempt }
    }

    /// Lets go of the attempt that a reference belongs to, and says where its lines begin.
    mutating func release(naming reference: UInt64) -> [Int64] {
        if let attempt = noters[reference] { return release(attempt) }
        return releaseEnded { $0.has(reference) }
    }

    /// Lets go of all that are in memory, and says where their lines begin.
    mutating func releaseAll() -> [[Int64]] {
        let all = ended[firstEnded...].compactMap(\.self) + begun.all
        (begun, ended, firstEnded) = (BegunAttempts(), [], 0)
        return all.map { release($0) }
    }

    private mutating func releaseEnded(where isWanted: (Begun) -> Bool) -> [Int64] {
        let index = ended[firstEnded...].lastIndex { $0.map(isWanted) == true }
        guard let index, let attempt = ended[index] else { return [] }
        ended[index] = nil
        return release(attempt)
    }

    private mutating func release(_ attempt: Begun) -> [Int64] {
        for index in attempt.noted.indices { noters[attempt.noted[index]] = nil }
        return attempt.lines.all
    }
}

extension PlainAttempts.Begun {
    /// Whether it claims a reference.
    func has(_ reference: UInt64) -> Bool {
        noted.contains(reference) || named.contains(reference)
    }

    /// Where its lines stand.
    var place: AttemptArchive.Place {
        .init(start: lines.first, end: end ?? lines.first)
    }

    mutating func include(_ moment: Int64) {
        active = min(active.lowerBound, moment)...max(active.upperBound, moment)
    }

    /// The time in which something could have been submitted for it.
    var dates: ClosedRange<Date> {
        func date(_ moment: Int64) -> Date {
            Date(timeIntervalSince1970: Double(moment) / 1_000)
        }
        return date(active.lowerBound)...date(active.upperBound)
    }
}
