/// How problems name what was found and what is accepted.
enum ConfigurationWording {
    /// The text in quotes, on one line, at a sensible length.
    static func quoted(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars.prefix(64) {
            result +=
                isInvisible(scalar) || scalar == "\"" ? scalar.escaped(asASCII: true) : "\(scalar)"
        }
        return "\"\(result)\(text.unicodeScalars.count > 64 ? "…" : "")\""
    }

    /// `accepted is "a"`, or `accepted are "a", "b" and "c"`.
    static func accepted(_ names: [String]) -> String {
        let names = names.map(quoted)
        guard let last = names.last else { return "accepted is nothing" }
        guard names.count > 1 else { return "accepted is \(last)" }
        return "accepted are \(names.dropLast().joined(separator: ", ")) and \(last)"
    }

    /// `; did you mean "a"?`, or nothing when no name is near.
    static func suggestion(for text: String, among names: [String]) -> String {
        NearestName.nearest(to: text, among: names).map { "; did you mean \(quoted($0))?" } ?? ""
    }

    /// What a value is, with its text where that is short enough not to be a credential.
    static func shown(_ value: JSONText.Value) -> String {
        switch value.content {
        case .string(""): "an empty text"
        case .string(let text) where text.unicodeScalars.contains(where: isInvisible):
            "a text with control or invisible characters"
        case .string(let text) where text.count > 32: "a text of \(text.count) characters"
        case .string(let text): quoted(Scrubbing.scrub(text))
        case .number(let text) where text.count >= 12: "a number of \(text.count) characters"
        case .number(let text): text
        default: kind(value)
        }
    }

    /// What a value is, without its text.
    static func kind(_ value: JSONText.Value) -> String {
        switch value.content {
        case .object: "an object"
        case .array: "a list"
        case .string: "a text"
        case .number: "a number"
        case .bool(let isTrue): isTrue ? "true" : "false"
        case .null: "null"
        }
    }

    /// Whether a character would be sent but not seen: controls, line ends, marks of direction.
    static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
