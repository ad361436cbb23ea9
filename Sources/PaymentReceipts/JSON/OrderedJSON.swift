/// JSON whose members stay in the order in which they were given.
indirect enum OrderedJSON {
    case text(String)
    case whole(Int64)
    case list([OrderedJSON])
    case object([(String, OrderedJSON?)])

    /// The value as text, members that are nil left out.
    func written(indent: Int = 0) -> String {
        switch self {
        case .text(let text): return Self.quoted(text)
        case .whole(let number): return String(number)
        case .list(let values):
            return Self.enclosed("[", values.map { $0.written(indent: indent + 1) }, "]", indent)
        case .object(let members):
            let lines = members.compactMap { name, value in
                value.map { "\(Self.quoted(name)): \($0.written(indent: indent + 1))" }
            }
            return Self.enclosed("{", lines, "}", indent)
        }
    }

    private static func enclosed(
        _ open: String,
        _ lines: [String],
        _ close: String,
        _ indent: Int
    ) -> String {
        guard !lines.isEmpty else { return open + close }
        let inner = "\n" + String(repeating: "  ", count: indent + 1)
        return open + inner + lines.joined(separator: "," + inner) + "\n"
            + String(repeating: "  ", count: indent) + close
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\u{2028}", "\u{2029}": result += escape(scalar)
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: result += escape(scalar)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
