/// The form of a record that ``JournalScanner`` has read: what stands fixed in it, and where another
/// record of this form has another text.
///
/// A record that has the same bytes wherever they are fixed, and a text of the same kind wherever
/// there is one, is one that the scanner would read too, and that says the same but for these texts.
final class RecordShape {
    /// A text that may be another one.
    enum Part: UInt8 {
        /// When the entry was written.
        case at
        /// The attempt that it is about.
        case attempt
        /// The order of a beginning.
        case order
        /// The order of a receipt.
        case paidOrder
        /// The amount of a beginning.
        case amount
        /// Any other amount.
        case number
        /// The kind of a reference that the attempt claims.
        case kind
        /// The value of a reference that the attempt claims.
        case value
        /// Any other time.
        case time
        /// An address of a page.
        case address
        /// Any other text.
        case text
    }

    /// Where such a text stands.
    struct Mark {
        let part: Part
        let place: Range<Int>
        /// How many bytes at its beginning are the same in another one.
        var fixed = 0
    }

    /// What a record of the form says.
    enum Fact: Equatable {
        case began(isAtCounter: Bool)
        case noted
        case lookedUp
        case leftOpen
        case pending(byVendor: Bool)
        case ended(hasMoved: Bool, byVendor: Bool)
    }

    let fact: Fact
    /// What follows the attempt's identity.
    private let bytes: [UInt8]
    private let marks: [Mark]

    /// What stands before the time, and between it and the attempt.
    static let beginning = Array(#"{"at":""#.utf8)
    static let middle = Array(#"","attempt":""#.utf8)

    /// The form of a record; nil when an attempt with such a record needs to be looked at closely.
    init?(of json: UnsafeRawBufferPointer, _ entry: JournalEntry, _ marks: [Mark]) {
        switch entry.fact {
        case .began(let began): fact = .began(isAtCounter: began.kind.isAtCounter)
        case .noted: fact = .noted
        case .lookedUp: fact = .lookedUp
        case .leftOpen: fact = .leftOpen
        case .ended(.pending, let evidence): fact = .pending(byVendor: evidence == .vendor)
        case .ended(let ending, let evidence):
            fact = .ended(hasMoved: ending.receipt != nil, byVendor: evidence == .vendor)
        case .settled, .contradicted: return nil
        }
        guard marks.count >= 2, marks[0].part == .at, marks[1].part == .attempt else { return nil }
        let start = marks[1].place.upperBound
        bytes = Array(json[start...])
        self.marks = marks.dropFirst(2).map { mark in
            Mark(
                part: mark.part,
                place: mark.place.lowerBound - start..<mark.place.upperBound - start,
                fixed: mark.part == .address ? Self.host(json[mark.place]) : 0
            )
        }
    }

    /// How long an address is up to its path; all of it where it has none.
    private static func host(_ address: Slice<UnsafeRawBufferPointer>) -> Int {
        var slashes = 0
        for (index, byte) in address.enumerated() where byte == UInt8(ascii: "/") {
            slashes += 1
            if slashes == 3 { return index + 1 }
        }
        return address.count
    }

    /// Goes through a record of this form, from the end of its attempt's identity on.
    ///
    /// - Parameters:
    ///   - json: The record.
    ///   - start: Where the attempt's identity ends.
    ///   - take: Called with each text that may be another one; false when it must not be this one.
    /// - Returns: Whether the record has this form.
    @inline(__always)
    func matches(
        _ json: UnsafeRawBufferPointer,
        from start: Int,
        _ take: (Part, Range<Int>) -> Bool
    ) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var (position, fixed) = (start, 0)
            for mark in marks {
                let count = mark.place.lowerBound &- fixed
                guard json.hasBytes(at: position, as: bytes, at: fixed, count: count &+ mark.fixed),
                    let end = json.end(of: mark.part, from: position &+ count &+ mark.fixed)
                        ?? json.end(ofSame: mark, in: bytes, from: position &+ count),
                    take(mark.part, position &+ count..<end)
                else { return false }
                position = end
                fixed = mark.place.upperBound
            }
            let count = bytes.count &- fixed
            return json.count &- position == count
                && json.hasBytes(at: position, as: bytes, at: fixed, count: count)
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether some bytes are the same as others.
    @inline(__always)
    func hasBytes(
        at start: Int,
        as others: UnsafeRawBufferPointer,
        at otherStart: Int,
        count length: Int
    ) -> Bool {
        guard start &+ length <= count else { return false }
        var index = 0
        while index &+ 8 <= length {
            guard
                loadUnaligned(fromByteOffset: start &+ index, as: UInt64.self)
                    == others.loadUnaligned(fromByteOffset: otherStart &+ index, as: UInt64.self)
            else { return false }
            index &+= 8
        }
        while index < length {
            guard self[start &+ index] == others[otherStart &+ index] else { return false }
            index &+= 1
        }
        return true
    }

    /// Where a text ends that begins somewhere; nil when it is not of the plain kind.
    @inline(__always)
    fileprivate func end(of part: RecordShape.Part, from start: Int) -> Int? {
        switch part {
        case .at, .time: start &+ 24 <= count ? start &+ 24 : nil
        case .number, .amount: endOfNumber(from: start)
        case .order, .paidOrder: endOfOrder(from: start)
        case .address: endOfPath(from: start)
        case .attempt, .kind, .value, .text: endOfText(from: start)
        }
    }

    /// Where a text ends that is not of the plain kind, but the very same as another one; nil when it
    /// is not.
    fileprivate func end(
        ofSame mark: RecordShape.Mark,
        in others: UnsafeRawBufferPointer,
        from start: Int
    ) -> Int? {
        guard mark.part == .text || mark.part == .address,
            hasBytes(at: start, as: others, at: mark.place.lowerBound, count: mark.place.count)
        else { return nil }
        // What follows is compared next: the quotation mark above all.
        return start &+ mark.place.count
    }

    /// The quotation mark behind a path of letters, digits and signs that need no escapes.
    private func endOfPath(from start: Int) -> Int? {
        var index = start
        while index < count {
            switch self[index] {
            case 0x22: return index
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x2F, 0x5F, 0x7E: index &+= 1
            default: return nil
            }
        }
        return nil
    }

    /// The quotation mark behind a text of ASCII without escapes.
    @inline(__always)
    func endOfText(from start: Int) -> Int? {
        var index = start
        while index &+ 8 <= count {
            let word = UInt64(
                littleEndian: loadUnaligned(fromByteOffset: index, as: UInt64.self)
            )
            // The highest bit of each byte that ends a text, or must not be in one.
            let ends =
                word | word.bytes(equalTo: 0x22) | word.bytes(equalTo: 0x5C) | word.bytesBelow(0x20)
            if ends & UInt64.highBits != 0 {
                index &+= (ends & UInt64.highBits).trailingZeroBitCount / 8
                return self[index] == 0x22 ? index : nil
            }
            index &+= 8
        }
        while index < count, self[index] != 0x22 {
            guard 0x20..<0x80 ~= self[index], self[index] != 0x5C else { return nil }
            index &+= 1
        }
        return index < count ? index : nil
    }

    /// The same of an order, all of whose characters are visible.
    @inline(__always)
    private func endOfOrder(from start: Int) -> Int? {
        guard let end = endOfText(from: start) else { return nil }
        var index = start
        while index < end, self[index] != 0x2F {
            guard self[index] != 0x20, self[index] != 0x7F else { return nil }
            index &+= 1
        }
        guard 1...128 ~= index &- start, index == end || isPart(index &+ 1..<end) else {
            return nil
        }
        return end
    }

    /// Whether some bytes are a part such as `2of3`.
    private func isPart(_ range: Range<Int>) -> Bool {
        guard let word = range.first(where: { self[$0] == UInt8(ascii: "o") }),
            word + 1 < range.upperBound, self[word + 1] == UInt8(ascii: "f"),
            let number = smallNumber(range.lowerBound..<word),
            let count = smallNumber(word + 2..<range.upperBound)
        else { return false }
        return number <= count
    }

    /// What one to three digits say, of which the first is no zero.
    private func smallNumber(_ range: Range<Int>) -> Int64? {
        guard 1...3 ~= range.count, self[range.lowerBound] != 0x30 else { return nil }
        return CivilTime.number(self, range)
    }

    /// What follows a whole number of up to 18 digits, none of them idle.
    @inline(__always)
    private func endOfNumber(from start: Int) -> Int? {
        var index = start
        while index < count, 0x30...0x39 ~= self[index] { index &+= 1 }
        let length = index &- start
        guard 1...18 ~= length, length == 1 || self[start] != 0x30 else { return nil }
        return index
    }
}

extension UInt64 {
    /// The highest bit of each byte.
    fileprivate static var highBits: UInt64 { 0x8080_8080_8080_8080 }
    private static var lowBits: UInt64 { 0x0101_0101_0101_0101 }

    /// Has the highest bit of each byte that equals another, up to the first; above it may be others.
    @inline(__always)
    fileprivate func bytes(equalTo byte: UInt64) -> UInt64 {
        (self ^ byte &* Self.lowBits).bytesBelow(1)
    }

    /// Has the highest bit of each byte that is below another, up to the first; above it may be others.
    @inline(__always)
    fileprivate func bytesBelow(_ byte: UInt64) -> UInt64 {
        (self &- byte &* Self.lowBits) & ~self & Self.highBits
    }
}
