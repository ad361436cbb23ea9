/// Times as a journal keeps them: UTC with milliseconds, such as `2026-01-05T09:00:00.250Z`.
package enum JournalDate {
    /// Writes a time to the nearest millisecond; nil outside the years 1 to 9999.
    package static func format(_ date: Date) -> String? {
        let sinceEpoch = date.timeIntervalSince1970
        // Also refuses what is no number at all.
        guard sinceEpoch >= -62_135_596_800, sinceEpoch < 253_402_300_799 else { return nil }
        // The style would cut digits off, so that a time could change each time it is copied.
        let milliseconds = Int64((sinceEpoch * 1_000).rounded())
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
        let fraction = rest < 0 ? rest + 1_000 : rest
        let whole = Date(timeIntervalSince1970: Double(rest < 0 ? seconds - 1 : seconds))
        let digits = String(fraction)
        return Date.ISO8601FormatStyle().format(whole).dropLast()
            + "." + String(repeating: "0", count: 3 - digits.count) + digits + "Z"
    }

    /// Adds to some bytes what ``format(_:)`` writes; false, and adds nothing, for years before 1970
    /// and after 2199.
    static func write(_ date: Date, to bytes: inout [UInt8]) -> Bool {
        let sinceEpoch = date.timeIntervalSince1970
        guard sinceEpoch >= 0, sinceEpoch < 7_258_118_399 else { return false }
        let milliseconds = Int((sinceEpoch * 1_000).rounded())
        let (days, ofDay) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        // Years begin in March here, so that a leap day is the last one; these are of 400 years.
        let (cycles, day) = (days + 719_468).quotientAndRemainder(dividingBy: 146_097)
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
        let ofYear = day - (year * 365 + year / 4 - year / 100)
        let month = (5 * ofYear + 2) / 153
        func add(_ number: Int, _ count: Int, then end: Unicode.Scalar) {
            var divisor = count == 4 ? 1_000 : count == 3 ? 100 : 10
            while divisor > 0 {
                bytes.append(UInt8(number / divisor % 10) + UInt8(ascii: "0"))
                divisor /= 10
            }
            bytes.append(UInt8(ascii: end))
        }
        add(cycles * 400 + year + (month < 10 ? 0 : 1), 4, then: "-")
        add(month < 10 ? month + 3 : month - 9, 2, then: "-")
        add(ofYear - (153 * month + 2) / 5 + 1, 2, then: "T")
        add(ofDay / 3_600_000, 2, then: ":")
        add(ofDay / 60_000 % 60, 2, then: ":")
        add(ofDay / 1_000 % 60, 2, then: ".")
        add(ofDay % 1_000, 3, then: "Z")
        return true
    }

    /// Reads what ``format(_:)`` writes, and nothing else.
    static func parse(_ text: String) -> Date? {
        let bytes = Array(text.utf8)
        guard bytes.count == 24, bytes[19] == UInt8(ascii: "."), bytes[23] == UInt8(ascii: "Z"),
            bytes[20...22].allSatisfy({ 48...57 ~= $0 }),
            let milliseconds = Int64(String(decoding: bytes[20...22], as: UTF8.self)),
            let whole = try? Date.ISO8601FormatStyle()
                .parse(String(decoding: bytes[..<19], as: UTF8.self) + "Z")
        else { return nil }
        let seconds = Int64(whole.timeIntervalSince1970.rounded())
        return Date(timeIntervalSince1970: Double(seconds * 1_000 + milliseconds) / 1_000)
    }

    /// How a journal's encoder writes times.
    static let encoding = JSONEncoder.DateEncodingStrategy.custom { date, encoder in
        guard let text = format(date) else {
            throw EncodingError.invalidValue(
                date,
                .init(codingPath: encoder.codingPath, debugDescription: "a time out of range")
            )
        }
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// How a journal's decoder reads times.
    static let decoding = JSONDecoder.DateDecodingStrategy.custom { decoder in
        let container = try decoder.singleValueContainer()
        guard let date = parse(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "not a time in UTC with milliseconds"
            )
        }
        return date
    }
}
