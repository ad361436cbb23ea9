/// What the book needs of a record whose form is known, without a value made of it.
struct PlainRecord {
    /// Where its line stands.
    var lines: Range<Int64> = 0..<0
    /// What it says.
    var fact = RecordShape.Fact.noted
    /// When it was written, in milliseconds since 1970.
    var at: Int64 = 0
    /// The attempt that it is about.
    var attempt = ShortName()
    /// The number of the order that begins.
    var order: UInt64 = 0
    /// The numbers of the references that the attempt claims.
    var references = FewReferences()
}

/// The numbers of up to four references.
struct FewReferences {
    private(set) var count = 0
    private var numbers: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    var indices: Range<Int> { 0..<count }

    subscript(_ index: Int) -> UInt64 {
        withUnsafeBytes(of: numbers) { $0.load(fromByteOffset: index * 8, as: UInt64.self) }
    }

    /// Adds one; false when there is no room for it.
    mutating func append(_ number: UInt64) -> Bool {
        guard count < 4 else { return false }
        withUnsafeMutableBytes(of: &numbers) {
            $0.storeBytes(of: number, toByteOffset: count * 8, as: UInt64.self)
        }
        count += 1
        return true
    }

    func contains(_ number: UInt64) -> Bool {
        for index in indices where self[index] == number { return true }
        return false
    }
}

/// Where up to eight lines begin, of which none is four gigabytes behind the first.
struct FewLines {
    let first: Int64
    private var laterCount: UInt32 = 0
    private var later: (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32) =
        (0, 0, 0, 0, 0, 0, 0)

    init(_ first: Int64) { self.first = first }

    var all: [Int64] {
        withUnsafeBytes(of: later) { later in
            [first]
                + (0..<Int(laterCount)).map { index in
                    first + Int64(later.load(fromByteOffset: index * 4, as: UInt32.self))
                }
        }
    }

    /// Adds one; false when there is no room for it.
    mutating func append(_ start: Int64) -> Bool {
        guard laterCount < 7, let distance = UInt32(exactly: start - first) else { return false }
        withUnsafeMutableBytes(of: &later) {
            $0.storeBytes(of: distance, toByteOffset: Int(laterCount) * 4, as: UInt32.self)
        }
        laterCount += 1
        return true
    }
}

/// An attempt's identity of up to 32 bytes.
struct ShortName: Equatable {
    /// The number by which it is found.
    private(set) var hash: UInt64 = 0
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    init() {}

    /// Takes text of ASCII that holds no NUL; nil when it is too long.
    init?(_ text: UnsafeRawBufferPointer) {
        guard text.count <= 32 else { return nil }
        withUnsafeMutableBytes(of: &words) { $0.copyMemory(from: text) }
        hash = NameHash.attempt(NameHash.text(text))
    }

    /// Takes an attempt's identity; nil when it is too long, or not of ASCII.
    init?(_ id: AttemptID) {
        guard let name = NameHash.withASCII(of: id.description, { ShortName($0) }),
            let name
        else { return nil }
        self = name
    }

    static func == (one: ShortName, other: ShortName) -> Bool { one.words == other.words }
}

/// Reads records whose form it has seen before.
struct PlainReader {
    /// The record that was read last.
    private(set) var record = PlainRecord()
    /// The forms of each kind of record; those that were seen last first.
    private var shapes: [[RecordShape]] = Array(repeating: [], count: 5)
    private var at = PlainTime()
    private var time = PlainTime()

    /// How many forms of a kind are known at a time.
    private static let most = 32

    /// Remembers a form, in place of the one that was not seen for the longest time.
    ///
    /// - Parameters:
    ///   - shape: The form.
    ///   - json: The record that has it.
    ///   - lines: Where its line stands.
    /// - Returns: Whether the record was read; else there is nothing to remember.
    mutating func learn(
        _ shape: RecordShape,
        from json: UnsafeRawBufferPointer,
        at lines: Range<Int64>
    ) -> Bool {
        let kind =
            switch shape.fact {
            case .began: 0
            case .noted: 1
            case .pending, .ended: 2
            case .lookedUp: 3
            case .leftOpen: 4
            }
        shapes[kind].insert(shape, at: 0)
        guard read(json, at: lines) else {
            shapes[kind].removeFirst()
            return false
        }
        if shapes[kind].count > Self.most { shapes[kind].removeLast() }
        return true
    }

    /// Reads a record's JSON into ``record``; false when its form is another one.
    mutating func read(_ json: UnsafeRawBufferPointer, at lines: Range<Int64>) -> Bool {
        let (beginning, middle) = (RecordShape.beginning, RecordShape.middle)
        let start = 31 + middle.count
        guard json.count > start,
            beginning.withUnsafeBytes({ json.hasBytes(at: 0, as: $0, at: 0, count: 7) }),
            let written = at.read(json, at: 7),
            middle.withUnsafeBytes({ json.hasBytes(at: 31, as: $0, at: 0, count: $0.count) }),
            let end = json.endOfText(from: start), end + 5 < json.count,
            let attempt = ShortName(.init(rebasing: json[start..<end]))
        else { return false }
        record.lines = lines
        record.at = written
        record.attempt = attempt
        // After `","` the names of the facts differ in their first two letters.
        switch (json[end + 3], json[end + 4]) {
        case (UInt8(ascii: "b"), UInt8(ascii: "e")): return read(json, end, kind: 0)
        case (UInt8(ascii: "n"), _): return read(json, end, kind: 1)
        case (UInt8(ascii: "b"), UInt8(ascii: "y")): return read(json, end, kind: 2)
        case (UInt8(ascii: "l"), UInt8(ascii: "o")): return read(json, end, kind: 3)
        case (UInt8(ascii: "l"), UInt8(ascii: "e")): return read(json, end, kind: 4)
        default: return false
        }
    }

    private mutating func read(_ json: UnsafeRawBufferPointer, _ start: Int, kind: Int) -> Bool {
        for index in shapes[kind].indices {
            guard read(json, start, shapes[kind][index]) else { continue }
            if index > 0 { shapes[kind].insert(shapes[kind].remove(at: index), at: 0) }
            return true
        }
        return false
    }

    private mutating func read(
        _ json: UnsafeRawBufferPointer,
        _ start: Int,
        _ shape: RecordShape
    ) -> Bool {
        record.fact = shape.fact
        record.references = FewReferences()
        var kind: UInt64 = 0
        return shape.matches(json, from: start) { part, place in
            switch part {
            case .order:
                let whole = UnsafeRawBufferPointer(rebasing: json[place])
                // Of an order in parts the id is what counts.
                let id = JournalSystem.index(of: UInt8(ascii: "/"), in: whole) ?? whole.count
                record.order = NameHash.order(NameHash.text(.init(rebasing: whole[..<id])))
            case .kind: kind = NameHash.text(.init(rebasing: json[place]))
            case .value:
                // What may be blank or hidden, and then claims nothing, is looked at closely.
                guard place.count > 0, json[place.lowerBound] > 0x20,
                    json[place.lowerBound] != UInt8(ascii: "[")
                else { return false }
                let value = NameHash.text(.init(rebasing: json[place]))
                return record.references.append(NameHash.reference(kind: kind, value: value))
            case .time: return time.read(json, at: place.lowerBound) != nil
            // An amount that nobody knows may still be found.
            case .amount: return json[place.lowerBound] != UInt8(ascii: "0")
            case .at, .attempt, .paidOrder, .number, .address, .text: break
            }
            return true
        }
    }
}

/// Reads times, most of which are in the minute of the one before.
struct PlainTime {
    private var minute: (UInt64, UInt64)?
    private var start: Int64 = 0

    /// A time such as `2026-01-05T09:00:00.250Z` in milliseconds since 1970; nil when it is none.
    @inline(__always)
    mutating func read(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Int64? {
        guard index &+ 25 <= bytes.count else { return nil }
        let first = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        let second = bytes.loadUnaligned(fromByteOffset: index + 8, as: UInt64.self)
        func digit(_ place: Int) -> Int64 { Int64(bytes[index + place]) - 0x30 }
        let digits = (digit(17), digit(18), digit(20), digit(21), digit(22))
        guard bytes[index + 16] == UInt8(ascii: ":"), bytes[index + 19] == UInt8(ascii: "."),
            bytes[index + 23] == UInt8(ascii: "Z"), 0..<6 ~= digits.0, 0..<10 ~= digits.1,
            0..<10 ~= digits.2, 0..<10 ~= digits.3, 0..<10 ~= digits.4
        else { return nil }
        let seconds = digits.0 * 10 + digits.1
        let rest = seconds * 1_000 + digits.2 * 100 + digits.3 * 10 + digits.4
        if let minute, minute == (first, second) { return start + rest }
        let quoted = UnsafeRawBufferPointer(rebasing: bytes[(index - 1)..<(index + 25)])
        guard let date = JournalScanner.date(quoted) else { return nil }
        start = Int64((date.timeIntervalSince1970 * 1_000).rounded()) - rest
        minute = (first, second)
        return start + rest
    }
}
