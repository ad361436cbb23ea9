/// Breaks text into lines of so many columns, never inside a character.
enum LineFilling {
    /// The lines of a text; at blanks where that is possible.
    ///
    /// A character that is wider than a line stands alone on one.
    static func lines(_ text: String, columns: Int) -> [String] {
        guard DisplayWidth.of(text) > columns else { return [text] }
        var lines: [String] = []
        var line = ""
        var width = 0
        for word in text.split(separator: " ") {
            let wordWidth = DisplayWidth.of(word)
            if width > 0, width + 1 + wordWidth <= columns {
                line += " " + word
                width += 1 + wordWidth
                continue
            }
            if width > 0 { lines.append(line) }
            var pieces = pieces(of: word, columns: columns)
            line = pieces.popLast() ?? ""
            width = DisplayWidth.of(line)
            lines += pieces
        }
        return lines + (width > 0 ? [line] : [])
    }

    private static func pieces(of word: Substring, columns: Int) -> [String] {
        var pieces: [String] = []
        var piece = ""
        var width = 0
        for character in word {
            let more = DisplayWidth.of(character)
            if width > 0, width + more > columns {
                pieces.append(piece)
                (piece, width) = ("", 0)
            }
            piece.append(character)
            width += more
        }
        return pieces + (piece.isEmpty ? [] : [piece])
    }
}
