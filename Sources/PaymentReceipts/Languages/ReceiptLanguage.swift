public import PaymentCore

/// A language that receipts and messages are worded in, with the region's way to write numbers.
public struct ReceiptLanguage: Hashable, Sendable, CustomStringConvertible {
    /// The BCP 47 tag that numbers and dates are written by, such as `de` or `de-AT`.
    public let tag: String
    let table: LanguageTable

    /// Finds a language by its tag; nil when there is no wording for it.
    ///
    /// A region or script in the tag changes how numbers and dates are written. An underscore
    /// counts as a hyphen.
    ///
    /// - Parameter tag: The BCP 47 tag.
    public init?(tag: String) {
        let normal = tag.replacing("_", with: "-")
        let parts = normal.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count <= 12, parts.allSatisfy(Self.isSubtag), let code = parts.first,
            let table = LanguageTable.all.first(where: { $0.code == code.lowercased() })
        else { return nil }
        self.init(tag: normal, table: table)
    }

    private init(tag: String, table: LanguageTable) {
        self.tag = tag
        self.table = table
    }

    /// The language for a tag; English when there is no wording for it, which is then said.
    ///
    /// - Parameter tag: What somebody asked for.
    /// - Returns: The language, and whether it is the one that was asked for.
    public static func closest(to tag: String) -> (language: ReceiptLanguage, isExact: Bool) {
        ReceiptLanguage(tag: tag).map { ($0, true) } ?? (.english, false)
    }

    /// English.
    public static let english = ReceiptLanguage(tag: "en", table: .english)

    /// Every language that there is wording for.
    public static let all = LanguageTable.all.map { ReceiptLanguage(tag: $0.code, table: $0) }

    /// The language's own name.
    public var name: String { table.name }

    /// Whether the language is written from right to left.
    public var isRightToLeft: Bool { table.isRightToLeft }

    /// The tag.
    public var description: String { tag }

    /// The wording of a key; English where the language has none, the key where English has none.
    public func text(for key: MessageKey) -> String {
        table.messages[key.description] ?? key.english
    }

    /// The wording of a label, with values in place of its placeholders.
    func text(_ label: ReceiptLabel, _ values: [String: String] = [:]) -> String {
        var text = table.labels[label] ?? LanguageTable.english.labels[label] ?? label.rawValue
        for (name, value) in values { text = text.replacing("{\(name)}", with: value) }
        return text
    }

    /// Two are equal when their tags are.
    public static func == (one: Self, other: Self) -> Bool { one.tag == other.tag }

    /// Hashes the tag.
    public func hash(into hasher: inout Hasher) { hasher.combine(tag) }

    private static func isSubtag(_ text: Substring) -> Bool {
        1...8 ~= text.utf8.count
            && text.utf8.allSatisfy { 48...57 ~= $0 || 65...90 ~= $0 || 97...122 ~= $0 }
    }
}

extension MessageKey {
    /// The wording in a language, safe on any screen.
    public func text(in language: ReceiptLanguage) -> String { language.text(for: self) }
}
