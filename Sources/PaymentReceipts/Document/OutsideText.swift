/// Makes text from outside harmless: data on one line, without any power over what is around it.
enum OutsideText {
    /// The text on one line.
    ///
    /// Control codes, line breaks, marks that turn the direction and fillers that look blank become
    /// one blank; joiners stay, since names and emoji need them. What is longer than a receipt has
    /// room for is cut between characters and ends with an ellipsis.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - longest: The most characters that are kept.
    /// - Returns: The text, without blanks at the ends.
    static func plain(_ text: String, longest: Int = 200) -> String {
        // A bound on the work, whatever comes in.
        var scalars = String.UnicodeScalarView()
        var isBlank = true
        for scalar in text.unicodeScalars.prefix(longest * 32) {
            if isBlankLike(scalar) {
                if !isBlank { scalars.append(" ") }
                isBlank = true
            } else if !(isBlank && isJoiner(scalar)) {
                scalars.append(scalar)
                isBlank = false
            }
        }
        if scalars.last == " " { scalars.removeLast() }
        return cut(String(scalars), longest)
    }

    /// At most so many characters, and of each at most so many marks.
    private static func cut(_ text: String, _ longest: Int) -> String {
        var result = ""
        var count = 0
        for character in text {
            guard count < longest else { return result + "…" }
            result.unicodeScalars.append(contentsOf: character.unicodeScalars.prefix(mostScalars))
            count += 1
        }
        return result
    }

    /// No writing system stacks more on one character; a family emoji has eleven scalars.
    private static let mostScalars = 16

    private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value == 0x200C || scalar.value == 0x200D
    }

    private static func isBlankLike(_ scalar: Unicode.Scalar) -> Bool {
        if isJoiner(scalar) { return false }
        if scalar.properties.isWhitespace { return true }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate,
            .privateUse, .unassigned:
            return true
        default: break
        }
        // Letters that show nothing: Hangul fillers and the empty Braille pattern.
        return [0x115F, 0x1160, 0x3164, 0xFFA0, 0x2800].contains(scalar.value)
    }
}

/// Writes text into markup.
enum Markup {
    /// The text with the characters that mean something in HTML and XML taken out of their power.
    static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
