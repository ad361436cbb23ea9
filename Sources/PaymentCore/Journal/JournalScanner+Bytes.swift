// The bytes of a record: words that stand there, texts, numbers and times.

extension JournalScanner {
    mutating func expect(_ text: StaticString) throws(Unusual) {
        guard skip(text) else { throw Unusual() }
    }

    mutating func skip(_ text: StaticString) -> Bool {
        skip(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func skip(_ text: [UInt8]) -> Bool {
        let isThere = text.withUnsafeBytes { isNext($0) }
        if isThere { position += text.count }
        return isThere
    }

    private mutating func skip(_ text: UnsafeRawBufferPointer) -> Bool {
        guard isNext(text) else { return false }
        position += text.count
        return true
    }

    private func isNext(_ text: UnsafeRawBufferPointer) -> Bool {
        guard position + text.count <= bytes.count else { return false }
        for index in 0..<text.count where text[index] != bytes[position + index] { return false }
        return true
    }

    /// A text without escapes; anything else is the decoder's.
    mutating func string(_ part: RecordShape.Part? = nil) throws(Unusual) -> String {
        try text(try content(part))
    }

    func text(_ content: UnsafeRawBufferPointer) throws(Unusual) -> String {
        guard let text = String(validating: content, as: UTF8.self) else { throw Unusual() }
        return text
    }

    /// What stands between quotation marks.
    mutating func content(
        _ part: RecordShape.Part? = nil
    ) throws(Unusual) -> UnsafeRawBufferPointer {
        try expect("\"")
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            guard bytes[position] >= 0x20, bytes[position] != UInt8(ascii: "\\") else {
                throw Unusual()
            }
            position += 1
        }
        mark(start..<position, part)
        let content = UnsafeRawBufferPointer(rebasing: bytes[start..<position])
        try expect("\"")
        return content
    }

    /// A whole number of up to 18 digits, none of them idle.
    mutating func number(_ part: RecordShape.Part) throws(Unusual) -> Int64 {
        let start = position
        var number: Int64 = 0
        while position < bytes.count, let digit = digit(at: position) {
            guard position - start < 18 else { throw Unusual() }
            number = number * 10 + digit
            position += 1
        }
        guard position > start, position - start == 1 || digit(at: start) != 0 else {
            throw Unusual()
        }
        mark(start..<position, part)
        return number
    }

    private func digit(at index: Int) -> Int64? {
        let byte = bytes[index]
        return 48...57 ~= byte ? Int64(byte) - 48 : nil
    }

    /// A time such as `2026-01-05T09:00:00.250Z`; years that are far away are the decoder's.
    mutating func date(_ part: RecordShape.Part) throws(Unusual) -> Date {
        guard position + 26 <= bytes.count else { throw Unusual() }
        let start = position
        mark(start + 1..<start + 25, part)
        try expect("\"")
        let year = try digits(4, then: "-")
        let month = try digits(2, then: "-")
        let day = try digits(2, then: "T")
        let hour = try digits(2, then: ":")
        let minute = try digits(2, then: ":")
        let second = try digits(2, then: ".")
        let millisecond = try digits(3, then: "Z")
        try expect("\"")
        // The last days of some months need a calendar.
        guard 1970...2199 ~= year, 1...12 ~= month, 1...28 ~= day, hour < 24, minute < 60,
            second < 60, position == start + 26
        else {
            position = start
            return try lookedUpDate()
        }
        let seconds =
            Self.days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second
        return Date(timeIntervalSince1970: Double(seconds * 1_000 + millisecond) / 1_000)
    }

    /// Reads a time between quotation marks; nil when it is none.
    static func date(_ bytes: UnsafeRawBufferPointer) -> Date? {
        var scanner = JournalScanner(bytes, Memory(), isMarking: false)
        guard let date = try? scanner.date(.time), scanner.position == bytes.count else {
            return nil
        }
        return date
    }

    private mutating func lookedUpDate() throws(Unusual) -> Date {
        guard let date = JournalDate.parse(try string()) else { throw Unusual() }
        return date
    }

    private mutating func digits(_ count: Int, then end: StaticString) throws(Unusual) -> Int64 {
        var number: Int64 = 0
        for _ in 0..<count {
            guard let digit = digit(at: position) else { throw Unusual() }
            number = number * 10 + digit
            position += 1
        }
        try expect(end)
        return number
    }

    /// The days since 1970-01-01 in the Gregorian calendar, whose years begin in March here.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month < 3 ? year - 1 : year
        let ofYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + ofYear - 719_468
    }
}
