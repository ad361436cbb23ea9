/// A language tag as the reader's sheet takes it: hyphenated, with the usual capitals.
///
/// The vendor checks nothing, and an underscore form such as `de_AT` shows another language.
struct FinixLanguageTag: Hashable {
    /// The tag; nil where a text is none.
    let text: String?

    /// What is accepted, for messages.
    static let accepted = "accepted is a BCP 47 tag such as \"de-AT\""

    /// Reads a tag, or a system's name of a locale such as `de_AT.UTF-8`.
    init(_ text: String) {
        let name = text.prefix { $0 != "." && $0 != "@" }
        let parts = name.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        self.text = Self.tag(of: parts)
    }

    private static func tag(of parts: [Substring]) -> String? {
        guard let language = parts.first, 2...3 ~= language.utf8.count,
            language.utf8.allSatisfy(isLetter), parts.count <= most
        else { return nil }
        var tag = language.lowercased()
        // What follows a single letter is an extension's, without scripts and regions.
        var isInExtension = false
        for part in parts.dropFirst() {
            guard 1...8 ~= part.utf8.count,
                part.utf8.allSatisfy({ isLetter($0) || 48...57 ~= $0 })
            else { return nil }
            isInExtension = isInExtension || part.utf8.count == 1
            tag += "-" + (isInExtension ? part.lowercased() : cased(part))
        }
        return tag
    }

    /// A script begins with a capital, a region is written in capitals.
    private static func cased(_ part: Substring) -> String {
        switch part.utf8.count {
        case 2: part.uppercased()
        case 4 where part.utf8.allSatisfy(isLetter):
            part.prefix(1).uppercased() + part.dropFirst().lowercased()
        default: part.lowercased()
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { 97...122 ~= byte | 32 }

    private static let most = 12
}
