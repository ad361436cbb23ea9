public import PaymentCore

/// Reads times as acquirers write them.
public enum WireDate {
    /// Reads an RFC 3339 time with any number of fraction digits.
    ///
    /// - Parameter text: Such as `2026-01-02T03:04:05.67Z` or with an offset.
    /// - Returns: The time; nil when the text is none.
    public static func parse(_ text: String) -> Date? {
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

    /// Writes a time in UTC with milliseconds.
    public static func format(_ date: Date) -> String {
        Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(date)
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
