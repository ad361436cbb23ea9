/// Lays out two columns.
public enum Table {
    /// How wide the lines are made, where words allow it.
    private static let width = 100

    /// A row a line, the second column aligned, and broken between words where it is long.
    public static func lines(_ rows: [(String, String)]) -> [String] {
        let left = (rows.map(\.0.count).max() ?? 0) + 4
        return rows.flatMap { row in
            wrapped(row.1, to: max(width - left, 40)).enumerated().map { index, text in
                let heading = index == 0 ? "  " + row.0 : ""
                return heading + String(repeating: " ", count: left - heading.count) + text
            }
        }
    }

    private static func wrapped(_ text: String, to width: Int) -> [String] {
        var lines = [""]
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let last = lines[lines.count - 1]
            if lines == [""] {
                lines = [String(word)]
            } else if last.count + 1 + word.count <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
