/// Reads and writes lengths of time as scenarios have them, such as `250ms` and `48h`.
package enum ScenarioDuration {
    private static let units: [(name: String, milliseconds: Int64)] = [
        ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
    ]

    /// What a scenario accepts, in words.
    package static let accepted = "a whole number with ms, s, m or h, such as \"250ms\""

    /// The length of time that a text names; nil when it names none.
    package static func parse(_ text: some StringProtocol) -> Duration? {
        let isNegative = text.hasPrefix("-")
        let rest = isNegative ? text.dropFirst() : text[...]
        let digits = rest.prefix { ("0"..."9").contains($0) }
        // Nine digits of hours fit, so nothing below can overflow.
        guard 1...9 ~= digits.count, let number = Int64(digits),
            let unit = units.first(where: { $0.name == rest.dropFirst(digits.count) })
        else { return nil }
        return .milliseconds((isNegative ? -1 : 1) * number * unit.milliseconds)
    }

    /// The text of a length of time, in the largest unit that is exact.
    package static func text(_ duration: Duration) -> String {
        let parts = duration.components
        let milliseconds = parts.seconds * 1_000 + parts.attoseconds / 1_000_000_000_000_000
        let unit = units.first { milliseconds != 0 && milliseconds % $0.milliseconds == 0 }
        return "\(milliseconds / (unit?.milliseconds ?? 1))\(unit?.name ?? "ms")"
    }
}
