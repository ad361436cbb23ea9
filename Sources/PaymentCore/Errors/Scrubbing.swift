/// Takes anything that could be card data out of text that comes from outside.
package enum Scrubbing {
    /// The text with every run of eight or more digits and every credential replaced, and cut at a
    /// sensible length.
    ///
    /// Single spaces and dashes inside a run do not interrupt it; a day such as `2026-01-31` stays.
    /// A credential is what follows `Bearer` or `Basic`, or a name such as `token` and a colon or
    /// equals sign.
    package static func scrub(_ text: String) -> String {
        if isPlain(text, digits: 7) { return text }
        var result = ""
        var run = ""
        var digits = 0
        func flush() {
            result += digits >= 8 && !isDay(run) ? "[redacted]" : run
            run = ""
            digits = 0
        }
        for character in withoutCredentials(text.prefix(longest)) {
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

    /// Whether a run is a day of these two centuries, with or without the hour behind it.
    private static func isDay(_ run: String) -> Bool {
        let day = run.prefix(10).split(separator: "-", omittingEmptySubsequences: false)
        guard day.map(\.utf8.count) == [4, 2, 2], let year = Int(day[0]), let month = Int(day[1]),
            let date = Int(day[2])
        else { return false }
        let rest = run.dropFirst(10)
        let digits = rest.count { $0.isWholeNumber }
        let hour = rest.first == " " ? rest.dropFirst().prefix { $0.isWholeNumber } : ""
        return 1900...2099 ~= year && 1...12 ~= month && 1...31 ~= date
            && digits == hour.count && digits <= 2
    }

    /// The identifier, or nothing of it when it holds twelve or more digits in a run or a credential.
    ///
    /// An acquirer's identifier is not free text: most hold digits, and shorter runs stay. Spaces do
    /// not interrupt a run; dashes only where there is nothing but digits.
    package static func scrubIdentifier(_ text: String) -> String {
        if isPlain(text, digits: 11) || UUID(uuidString: text) != nil { return text }
        guard text.utf8.count <= longest else { return hidden }
        let isNumber = text.allSatisfy { $0.isWholeNumber || $0 == "-" || $0 == " " }
        let runs = text.split { !$0.isWholeNumber && $0 != " " && !isNumber }
        let isCard = runs.contains { run in run.count { $0.isWholeNumber } >= 12 }
        return isCard || withoutCredentials(text[...]) != text ? hidden : text
    }

    /// The identifier, if it tells what it names from anything else.
    package static func distinct(_ identifier: String?) -> String? {
        identifier.flatMap { isDistinct($0) ? $0 : nil }
    }

    /// What stands in place of an identifier of which nothing may be kept.
    private static let hidden = "[redacted]"

    /// Whether an identifier tells what it names from anything else: it is neither blank nor hidden.
    package static func isDistinct(_ identifier: String) -> Bool {
        identifier != hidden && identifier.utf8.contains { $0 > 0x20 }
    }

    /// Whether it is one word of ASCII letters and signs that join them, with so few digits that
    /// neither a card number nor a named credential can be in it: most texts are.
    private static func isPlain(_ text: String, digits most: Int) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var digits = 0
            for byte in bytes {
                switch byte {
                case 48...57: digits &+= 1
                case 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                    break
                default: return false
                }
            }
            return digits <= most && bytes.count <= longest
        }
    }

    private static func withoutCredentials(_ text: Substring) -> String {
        var result = ""
        var hides = false
        for word in text.split(omittingEmptySubsequences: false, whereSeparator: \.isWhitespace) {
            if word.startIndex > text.startIndex {
                result.append(text[text.index(before: word.startIndex)])
            }
            guard !word.isEmpty else { continue }
            if hides {
                hides = isScheme(word.lowercased())
                result += hides ? String(word) : "[redacted]"
            } else if let end = word.indices.first(where: { endsName(word, at: $0) }) {
                let value = word[word.index(after: end)...]
                hides = value.isEmpty || isScheme(value.lowercased())
                result += word[...end] + (value.isEmpty ? "" : "[redacted]")
            } else {
                hides = isScheme(word.lowercased())
                result += word
            }
        }
        return result
    }

    /// Whether a credential's name ends at a colon or equals sign.
    private static func endsName(_ word: Substring, at index: Substring.Index) -> Bool {
        guard word[index] == ":" || word[index] == "=" else { return false }
        let name = word[..<index].lowercased().filter { $0 != "\"" }
        return credentials.contains { name.hasSuffix($0) }
    }

    private static func isScheme(_ word: String) -> Bool { ["bearer", "basic"].contains(word) }

    private static let credentials = [
        "token", "password", "secret", "authorization", "apikey", "api_key", "api-key",
    ]

    private static let longest = 2_000
}
