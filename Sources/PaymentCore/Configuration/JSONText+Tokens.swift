extension JSONText.Parser {
    /// Reads a text, from its opening quote to past its closing one.
    mutating func string() throws(JSONText.Fault) -> String {
        var text: [UInt8] = []
        index += 1
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                text += Array(String(Character(try escape())).utf8)
            case 0x0A, 0x0D:
                throw fault("found a line break inside a text; accepted is its escape, \\n")
            case ..<0x20:
                throw fault(
                    "found the control character \(Self.name(byte)) inside a text; "
                        + "accepted is its escape, such as \\t or \\u0001"
                )
            default:
                text.append(byte)
                index += 1
            }
        }
        throw fault("found the end of the file inside a text; accepted is a closing double quote")
    }

    private mutating func escape() throws(JSONText.Fault) -> Unicode.Scalar {
        let kind = index + 1 < bytes.count ? bytes[index + 1] : nil
        if let kind, let scalar = Self.escapes[kind] {
            index += 2
            return scalar
        }
        guard kind == UInt8(ascii: "u") else {
            throw fault(
                "found a backslash that starts no escape; "
                    + #"accepted are \" \\ \/ \b \f \n \r \t and \u with four hexadecimal digits"#
            )
        }
        guard let unit = hexadecimal(at: index + 2) else {
            throw fault(
                #"found \u without four hexadecimal digits; accepted is an escape such as \u00e9"#
            )
        }
        if let scalar = Unicode.Scalar(unit) {
            index += 6
            return scalar
        }
        guard unit < 0xDC00, index + 7 < bytes.count, bytes[index + 6] == UInt8(ascii: "\\"),
            bytes[index + 7] == UInt8(ascii: "u"), let low = hexadecimal(at: index + 8),
            0xDC00...0xDFFF ~= low,
            let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        else {
            throw fault(
                #"found half of a surrogate pair; accepted are both halves, such as \ud83d\ude00"#
            )
        }
        index += 12
        return scalar
    }

    private static let escapes: [UInt8: Unicode.Scalar] = [
        UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/",
        UInt8(ascii: "b"): "\u{8}", UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "n"): "\n",
        UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
    ]

    private func hexadecimal(at start: Int) -> UInt32? {
        guard start + 4 <= bytes.count else { return nil }
        var unit: UInt32 = 0
        for byte in bytes[start..<start + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }

    /// Reads a number and keeps its text.
    mutating func number() throws(JSONText.Fault) -> String {
        let token = run()
        if let found = Self.flaw(in: token) {
            throw fault("found \(found); accepted is a number such as 12 or -3.5")
        }
        index += token.count
        return String(decoding: token, as: UTF8.self)
    }

    /// What is wrong with the spelling of a number; the number itself is not repeated.
    private static func flaw(in token: [UInt8]) -> String? {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        var rest = token[...]
        if rest.first == UInt8(ascii: "+") { return "a plus sign before a number" }
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        let whole = rest.prefix { digits ~= $0 }
        rest = rest.dropFirst(whole.count)
        if whole.isEmpty {
            return rest.first == UInt8(ascii: ".")
                ? "a number that starts with a point" : "a minus sign without a number"
        }
        if whole.count > 1, whole.first == UInt8(ascii: "0") {
            return "a number with a leading zero"
        }
        if rest.first == UInt8(ascii: ".") {
            let fraction = rest.dropFirst().prefix { digits ~= $0 }
            if fraction.isEmpty { return "a number without digits after its point" }
            rest = rest.dropFirst(1 + fraction.count)
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
                rest = rest.dropFirst()
            }
            let exponent = rest.prefix { digits ~= $0 }
            if exponent.isEmpty { return "a number without digits in its exponent" }
            rest = rest.dropFirst(exponent.count)
        }
        return rest.isEmpty ? nil : "a number with other characters in it"
    }

    /// Reads `true`, `false` or `null`.
    mutating func word() throws(JSONText.Fault) -> JSONText.Content {
        let token = run()
        let content: JSONText.Content
        switch String(decoding: token, as: UTF8.self) {
        case "true": content = .bool(true)
        case "false": content = .bool(false)
        case "null": content = .null
        default:
            throw unexpected(
                "accepted are an object, a list, a text in double quotes, a number, "
                    + "true, false and null"
            )
        }
        index += token.count
        return content
    }

    /// A fault that names what stands here.
    mutating func unexpected(_ accepted: String, isKey: Bool = false) -> JSONText.Fault {
        fault("found \(found(isKey: isKey)); \(accepted)")
    }

    /// Only harmless words are repeated: an unquoted one may be a credential.
    private func found(isKey: Bool) -> String {
        guard let first = next else { return "the end of the file" }
        let word = String(decoding: run(), as: UTF8.self)
        if Self.foreignWords.contains(word) { return word }
        if !word.isEmpty { return isKey ? "a key without quotes" : "a word without quotes" }
        let rest = bytes[index...]
        if first == UInt8(ascii: "#") || rest.starts(with: Array("//".utf8))
            || rest.starts(with: Array("/*".utf8))
        {
            return "a comment"
        }
        if first == UInt8(ascii: "'") { return "a single quote" }
        if first > 0x20, first < 0x7F { return "\"\(Character(Unicode.Scalar(first)))\"" }
        let scalar = String(decoding: rest.prefix(4), as: UTF8.self).unicodeScalars.first
        if let scalar, "“”„‘’`´«»".unicodeScalars.contains(scalar) {
            return "the quotation mark \(scalar)"
        }
        if scalar == "\u{FEFF}" { return "a second byte-order mark" }
        return "the character \(Self.name(scalar?.value ?? UInt32(first)))"
    }

    private static let foreignWords: Set<String> = [
        "NaN", "nan", "Infinity", "undefined", "None", "nil", "NULL", "Null", "True", "TRUE",
        "False", "FALSE", "yes", "no", "on", "off",
    ]

    /// The bytes from here that a number or a word could consist of.
    private func run() -> [UInt8] {
        Array(
            bytes[index...].prefix { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
                    UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "$"):
                    true
                default: false
                }
            }
        )
    }

    private static func name(_ value: some BinaryInteger) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
