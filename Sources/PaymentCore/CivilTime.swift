/// Times of day of the Gregorian calendar in UTC, read without a calendar where none is needed.
package enum CivilTime {
    /// How many bytes a time to the second takes.
    package static let length = 19

    /// The seconds since 1970 of a time such as `2026-01-05T09:00:00`.
    ///
    /// - Parameter bytes: The text; what follows its first 19 bytes is not looked at.
    /// - Returns: Nil for what is none, and for what needs a calendar: days that some months lack,
    ///   and years before 1970 or after 2199.
    package static func seconds(_ bytes: UnsafeRawBufferPointer) -> Int64? {
        guard bytes.count >= length, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"),
            bytes[16] == UInt8(ascii: ":"),
            let year = number(bytes, 0..<4), let month = number(bytes, 5..<7),
            let day = number(bytes, 8..<10), let hour = number(bytes, 11..<13),
            let minute = number(bytes, 14..<16), let second = number(bytes, 17..<19),
            1970...2199 ~= year, 1...12 ~= month, 1...28 ~= day, hour < 24, minute < 60,
            second < 60
        else { return nil }
        return days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second
    }

    /// What some digits say; nil where one of them is none.
    package static func number(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int64? {
        var number: Int64 = 0
        for index in range {
            guard 48...57 ~= bytes[index] else { return nil }
            number = number * 10 + Int64(bytes[index] - 48)
        }
        return number
    }

    /// The days since 1970-01-01; years begin in March here, so that a leap day is the last one.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month < 3 ? year - 1 : year
        let ofYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + ofYear - 719_468
    }
}
