/// Takes anything that could be card data out of text that comes from outside.
package enum Scrubbing {
    /// The text with every run of eight or more digits replaced, and cut at a sensible length.
    ///
    /// Single spaces and dashes inside a run do not interrupt it.
    package static func scrub(_ text: String) -> String {
        var result = ""
        var run = ""
        var digits = 0
        func flush() {
            result += digits >= 8 ? "[redacted]" : run
            run = ""
            digits = 0
        }
        for character in text.prefix(longest) {
            if character.isWholeNumber {
                run.append(character)
                digits += 1
            } else if digits > 0, character == " " || character == "-", run.last != character {
                run.append(character)
            } else {
                flush()
                result.append(character)
            }
        }
        flush()
        return result
    }

    /// The identifier, with every unbroken run of twelve or more digits replaced.
    ///
    /// An acquirer's identifier is not free text: most hold digits, and shorter runs stay.
    package static func scrubIdentifier(_ text: String) -> String {
        if UUID(uuidString: text) != nil { return text }
        return text.prefix(longest).split(omittingEmptySubsequences: false) { !$0.isWholeNumber }
            .contains { $0.count >= 12 } ? "[redacted]" : String(text.prefix(longest))
    }

    private static let longest = 2_000
}
