import PaymentCore

/// Reads and writes lengths of time as scenarios have them, such as `250ms` and `48h`.
package enum ScenarioDuration {
    private static let units: [(name: String, milliseconds: Int64)] = [
        ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
    ]

    /// What a scenario accepts, in words.
    package static let accepted = "a whole number with ms, s, m or h, such as \"250ms\""

    /// The length of time that a text names, a year at most; nil when it names none.
    package static func parse(_ text: some StringProtocol) -> Duration? {
        ConfigurationSection.duration(from: String(text)).flatMap { $0 <= longest ? $0 : nil }
    }

    /// The same, or with a minus sign in front of it.
    static func parseSigned(_ text: some StringProtocol) -> Duration? {
        guard text.hasPrefix("-") else { return parse(text) }
        return parse(text.dropFirst()).map { .zero - $0 }
    }

    private static let longest = Duration.seconds(366 * 24 * 3_600)

    /// The text of a length of time, in the largest unit that is exact.
    package static func text(_ duration: Duration) -> String {
        let parts = duration.components
        let milliseconds = parts.seconds * 1_000 + parts.attoseconds / 1_000_000_000_000_000
        let unit = units.first { milliseconds != 0 && milliseconds % $0.milliseconds == 0 }
        return "\(milliseconds / (unit?.milliseconds ?? 1))\(unit?.name ?? "ms")"
    }
}
