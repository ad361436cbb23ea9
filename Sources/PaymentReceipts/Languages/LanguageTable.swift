/// The wording of one language: plain tables that a translator can edit.
///
/// Placeholders in braces stay as they are in English. Declines are worded neutrally (N-012): a
/// text never tells that a card is lost, stolen or suspected.
struct LanguageTable: Sendable {
    /// The language's code by ISO 639.
    let code: String
    /// The language's own name.
    let name: String
    /// Whether it is written from right to left.
    let isRightToLeft: Bool
    /// The messages, by key.
    let messages: [String: String]
    /// The labels of receipts.
    let labels: [ReceiptLabel: String]
    /// Keys that the tables have twice.
    let repeated: [String]

    init(
        code: String,
        name: String,
        isRightToLeft: Bool = false,
        messages: KeyValuePairs<String, String>,
        labels: KeyValuePairs<ReceiptLabel, String>
    ) {
        self.code = code
        self.name = name
        self.isRightToLeft = isRightToLeft
        self.messages = Dictionary(messages.map { ($0.key, $0.value) }) { first, _ in first }
        self.labels = Dictionary(labels.map { ($0.key, $0.value) }) { first, _ in first }
        var seen: Set<String> = []
        let keys = messages.map(\.key) + labels.map { "label." + $0.key.rawValue }
        repeated = keys.filter { !seen.insert($0).inserted }
    }

    /// Every language, English first.
    static let all: [LanguageTable] = [
        .english, .french, .spanish, .german, .italian, .portuguese, .dutch, .polish, .japanese,
        .arabic,
    ]
}
