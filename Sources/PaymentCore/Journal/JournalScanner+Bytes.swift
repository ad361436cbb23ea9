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
        let time = UnsafeRawBufferPointer(rebasing: bytes[position..<position + 24])
        guard let seconds = CivilTime.seconds(time), time[19] == UInt8(ascii: "."),
            let milliseconds = CivilTime.number(time, 20..<23), time[23] == UInt8(ascii: "Z"),
            bytes[position + 24] == UInt8(ascii: "\"")
        else {
            position = start
            return try lookedUpDate()
        }
        position += 25
        return Date(timeIntervalSince1970: Double(seconds * 1_000 + milliseconds) / 1_000)
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
}
