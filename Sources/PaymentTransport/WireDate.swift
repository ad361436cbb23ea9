public import PaymentCore

/// Reads times as acquirers write them.
public enum WireDate {
    /// Reads an RFC 3339 time with any number of fraction digits.
    ///
    /// - Parameter text: Such as `2026-01-02T03:04:05.67Z` or with an offset.
    /// - Returns: The time; nil when the text is none.
    public static func parse(_ text: String) -> Date? {
        usual(text) ?? lookedUp(text)
    }

    /// A time in UTC that needs no calendar; nil for any other text.
    private static func usual(_ text: String) -> Date? {
        var text = text
        return text.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            guard let seconds = CivilTime.seconds(bytes), bytes.last == UInt8(ascii: "Z") else {
                return nil
            }
            let whole = Date(timeIntervalSince1970: Double(seconds))
            let end = bytes.count - 1
            if end == CivilTime.length { return whole }
            let digits = CivilTime.length + 1..<end
            guard bytes[CivilTime.length] == UInt8(ascii: "."), 1...9 ~= digits.count,
                let fraction = CivilTime.number(bytes, digits)
            else { return nil }
            return whole.addingTimeInterval(Double(fraction) / powersOfTen[digits.count])
        }
    }

    private static let powersOfTen: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]

    private static func lookedUp(_ text: String) -> Date? {
        guard let dot = text.utf8.firstIndex(of: UInt8(ascii: ".")) else {
            return try? Date.ISO8601FormatStyle().parse(text)
        }
        let after = text.utf8.index(after: dot)
        let end = text.utf8[after...].firstIndex { !(48...57 ~= $0) } ?? text.endIndex
        guard end != after, let fraction = Double("0." + text[after..<end].prefix(9)),
            let whole = try? Date.ISO8601FormatStyle().parse(text[..<dot] + String(text[end...]))
        else { return nil }
        return whole.addingTimeInterval(fraction)
    }

    /// Writes a time in UTC with milliseconds; what lies beyond them is cut off.
    public static func format(_ date: Date) -> String {
        // A binary fraction may fall short of the millisecond that it stands for, and would be cut
        // to the one before: the end of a listing's window would leave out what it ends with.
        let microseconds = (date.timeIntervalSince1970 * 1e6).rounded()
        let milliseconds = (microseconds / 1e3).rounded(.down)
        return Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            .format(Date(timeIntervalSince1970: (milliseconds + 0.5) / 1e3))
    }

    /// Reads a date as HTTP writes it, such as `Wed, 21 Oct 2026 07:28:00 GMT`.
    public static func parseHTTP(_ text: String) -> Date? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT",
            let month = months.firstIndex(of: String(words[2]))
        else { return nil }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        return parse("\(words[3])-\(number)-\(words[1])T\(words[4])Z")
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
