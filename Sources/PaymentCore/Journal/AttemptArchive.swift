import Synchronization

/// Where the attempts that ended stand in a journal's file, by each name under which they are found.
///
/// Eight bytes a name: a till that has taken a million payments keeps little of them in memory, and
/// reads one again when somebody asks for it.
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
    /// The attempts that ended under a reference that nobody knows, with the time in which a record
    /// could be theirs.
    private var unreferenced: [(slot: UInt64, active: ClosedRange<Date>)] = []
    /// Where the entries end that count; what stands behind them is not known yet.
    var end: Int64 = 0
    /// Names that came lately, as they came.
    private var recent: [UInt64] = []
    /// Sorted names, long runs first.
    private var runs: [[UInt64]] = []

    init(_ pages: JournalPages) { self.pages = pages }

    /// Why an attempt could not be read again, if that happened.
    var problem: String? { pages.problem }

    /// Whether an attempt's lines stand so that they can be found again.
    static func holds(_ place: Place) -> Bool {
        place.start > 0 && place.start < 1 << offsetBits && Slot.step(of: place) != nil
    }

    /// Remembers where an attempt stands under its names.
    mutating func add(_ names: [Name], at place: Place) {
        guard let step = Slot.step(of: place) else { return }
        for name in names { recent.append(Slot.pack(Slot.tag(of: name), place.start, step)) }
        if recent.count >= Self.longestRecent { merge(keeping: Self.growth) }
    }

    /// Remembers an attempt whose record is not known, by the time in which it was active.
    mutating func add(unreferenced active: ClosedRange<Date>, at place: Place) {
        guard let step = Slot.step(of: place) else { return }
        unreferenced.append((Slot.pack(0, place.start, step), active))
    }

    /// Whether nobody knows the record of the attempt that begins at a place.
    func isUnreferenced(at place: Place) -> Bool {
        unreferenced.contains { Slot.offset(of: $0.slot) == place.start }
    }

    /// The attempts whose record is not known and that were active in a span.
    func unreferenced(in span: ClosedRange<Date>) -> [Found] {
        read(unreferenced.filter { $0.active.overlaps(span) }.map(\.slot))
    }

    /// Brings all names into one order, once many have come.
    mutating func settle() { merge(keeping: 0) }

    /// The attempts that may have a name, in the order in which they began.
    func attempts(named name: Name) -> [Found] {
        let tag = Slot.tag(of: name)
        var found = recent.filter { Slot.tag(of: $0) == tag }
        for run in runs { found += Self.range(of: tag, in: run) }
        return read(found)
    }

    /// Every attempt of which something is true, in the order in which they began.
    func all(where isWanted: (AttemptBook.Attempt) -> Bool) -> [AttemptBook.Attempt] {
        places(runs.reduce(into: recent) { $0 += $1 }).lazy.compactMap { read($0)?.attempt }
            .filter(isWanted)
    }

    private func read(_ slots: [UInt64]) -> [Found] { places(slots).compactMap(read) }

    private func places(_ slots: [UInt64]) -> [UInt64] {
        Set(slots.map { $0 & Slot.placeMask }).sorted()
    }

    private func read(_ slot: UInt64) -> Found? {
        let offset = Slot.offset(of: slot)
        return pages.attempt(at: offset, to: min(offset + Slot.length(of: slot), end))
    }

    // MARK: Order

    /// How many names wait unsorted.
    private static let longestRecent = 1_024
    /// A run is at least so many times as long as the next one.
    private static let growth = 8

    private mutating func merge(keeping growth: Int) {
        var last = recent.sorted()
        recent.removeAll(keepingCapacity: true)
        while let run = runs.last, growth == 0 || run.count < growth * last.count {
            last = Self.merged(run, last)
            runs.removeLast()
        }
        if !last.isEmpty { runs.append(last) }
    }

    private static func merged(_ one: [UInt64], _ other: [UInt64]) -> [UInt64] {
        [UInt64](unsafeUninitializedCapacity: one.count + other.count) { buffer, count in
            var (left, right) = (0, 0)
            while left < one.count || right < other.count {
                if right == other.count || left < one.count && one[left] <= other[right] {
                    buffer.initializeElement(at: count, to: one[left])
                    left += 1
                } else {
                    buffer.initializeElement(at: count, to: other[right])
                    right += 1
                }
                count += 1
            }
        }
    }

    /// The part of a sorted run that has a tag.
    private static func range(of tag: UInt64, in run: [UInt64]) -> ArraySlice<UInt64> {
        var (low, high) = (0, run.count)
        while low < high {
            let middle = (low + high) / 2
            if Slot.tag(of: run[middle]) < tag { low = middle + 1 } else { high = middle }
        }
        return run[low...].prefix { Slot.tag(of: $0) == tag }
    }

    private static let offsetBits = 33

    /// A name's tag, and where its attempt stands, in eight bytes: 28 bits of the tag, 33 of the
    /// offset, and three that tell how long the stretch is.
    private enum Slot {
        static let placeMask: UInt64 = 1 << 36 - 1

        static func tag(of name: Name) -> UInt64 { UInt64(bitPattern: Int64(name.hashValue)) >> 36 }
        static func tag(of slot: UInt64) -> UInt64 { slot >> 36 }
        static func offset(of slot: UInt64) -> Int64 { Int64(slot & placeMask) >> 3 }
        static func length(of slot: UInt64) -> Int64 { Int64(shortest << Int(slot & 7)) }

        static func pack(_ tag: UInt64, _ offset: Int64, _ step: Int) -> UInt64 {
            tag << 36 | UInt64(offset) << 3 | UInt64(step)
        }

        /// How often the shortest stretch has to be doubled; nil when the lines stand too far apart.
        static func step(of place: Place) -> Int? {
            (0..<8).first { place.end - place.start <= Int64(shortest << $0) }
        }

        private static let shortest = 4_096
    }
}

/// Reads attempts again from a journal's file, as long as anybody holds on to it.
final class JournalPages: Sendable {
    private let file: Int32
    private let path: String
    private let format = JournalFormat()
    private let trouble = Mutex<String?>(nil)

    /// Takes a descriptor of the file, which is closed with this.
    init(file: Int32, path: String) {
        self.file = file
        self.path = path
    }

    deinit { JournalSystem.closeFile(file) }

    /// Why an attempt could not be read, the first time that happened.
    var problem: String? { trouble.withLock { $0 } }

    /// The attempt whose first line begins at an offset and whose last one ends before another.
    func attempt(at offset: Int64, to last: Int64) -> AttemptArchive.Found? {
        let bytes: [UInt8]
        do {
            bytes = try [UInt8](unsafeUninitializedCapacity: Int(max(0, last - offset))) {
                buffer,
                count in
                count = try JournalSystem.read(file, into: .init(buffer), at: offset)
            }
        } catch {
            return fail(offset, "\(error)")
        }
        guard bytes.count == last - offset else { return fail(offset, "the file is too short") }
        var book = AttemptBook()
        var memory = JournalScanner.Memory()
        var id: AttemptID?
        var end = offset
        for line in bytes.split(separator: JournalFormat.newline) {
            guard let json = JournalFormat.confirmed(line),
                let entry = JournalScanner.entry(json, &memory) ?? (try? format.entry(json))
            else {
                // The last line may be another attempt's, cut where the stretch ends.
                guard line.endIndex == bytes.endIndex else {
                    return fail(offset, "a record does not match its checksum")
                }
                break
            }
            guard id.map({ $0 == entry.attempt }) ?? entry.isBeginning else { continue }
            id = entry.attempt
            book.apply(entry)
            end = offset + Int64(line.endIndex) + 1
        }
        guard let id, let attempt = book[id], attempt.hasFinalEnding else {
            return fail(offset, "no attempt that ended begins there")
        }
        return .init(attempt: attempt, place: .init(start: offset, end: end))
    }

    private func fail(_ offset: Int64, _ problem: String) -> AttemptArchive.Found? {
        trouble.withLock { trouble in
            trouble =
                trouble
                ?? "\(path): cannot be read again at byte \(offset): \(problem); open it again"
        }
        return nil
    }
}

extension JournalEntry {
    fileprivate var isBeginning: Bool {
        if case .began = fact { true } else { false }
    }
}
