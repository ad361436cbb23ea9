/// Durations as ISO 8601 writes them, such as `PT10M` or `P5DT2H`; days have 24 hours here.
enum ISODuration {
    /// The seconds of a duration; nil when the text is none, or has years, months or fractions.
    static func seconds(_ text: String?) -> Int64? {
        guard let text, text.hasPrefix("P"), text.utf8.count > 2 else { return nil }
        let halves = text.dropFirst().split(
            separator: "T",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard let days = sum(halves[0], ["W": 604_800, "D": 86_400]) else { return nil }
        guard halves.count == 2 else { return days }
        guard !halves[1].isEmpty, let rest = sum(halves[1], ["H": 3_600, "M": 60, "S": 1]) else {
            return nil
        }
        return days + rest
    }

    private static func sum(_ text: Substring, _ units: [Character: Int64]) -> Int64? {
        var total: Int64 = 0
        var digits = ""
        for character in text {
            if character.isASCII, character.isNumber {
                digits.append(character)
            } else {
                guard let unit = units[character], digits.count < 9, let count = Int64(digits)
                else { return nil }
                total += count * unit
                digits = ""
            }
        }
        return digits.isEmpty ? total : nil
    }
}
