import Foundation
import PaymentCore
import Testing

@testable import PaymentReceipts

@Suite struct LanguageTests {
    private static let translations = LanguageTable.all.map(\.code).filter { $0 != "en" }

    private func table(_ code: String) throws -> LanguageTable {
        try #require(LanguageTable.all.first { $0.code == code })
    }

    @Test func `N-013 there are ten languages`() {
        #expect(
            LanguageTable.all.map(\.code)
                == ["en", "fr", "es", "de", "it", "pt", "nl", "pl", "ja", "ar"]
        )
    }

    @Test(arguments: translations)
    func `N-013 every message is worded, and none that there is not`(code: String) throws {
        let table = try table(code)
        let keys = Set(MessageKey.wordings.keys)
        #expect(Set(table.messages.keys).subtracting(keys) == [])
        #expect(keys.subtracting(table.messages.keys) == [])
    }

    @Test(arguments: LanguageTable.all.map(\.code))
    func `N-013 every label is worded once`(code: String) throws {
        let table = try table(code)
        #expect(Set(ReceiptLabel.allCases).subtracting(table.labels.keys) == [])
        #expect(table.repeated == [])
        let texts = Array(table.messages.values) + Array(table.labels.values)
        #expect(texts.allSatisfy { $0 == OutsideText.plain($0) && !$0.isEmpty })
    }

    @Test(arguments: LanguageTable.all.map(\.code))
    func `N-013 placeholders are those of the key`(code: String) throws {
        let table = try table(code)
        for (label, text) in table.labels {
            let found = text.matches(of: /\{(.*?)\}/).map { String($0.output.1) }
            #expect(Set(found) == label.placeholders && found.count == label.placeholders.count)
        }
        for text in table.messages.values { #expect(!text.contains("{") && !text.contains("}")) }
    }

    /// Words of loss, theft, fraud and suspicion.
    private static let betrayals = [
        "en": ["stolen", "lost", "fraud", "pick up", "security"],
        "fr": ["vol", "perdu", "fraud", "suspect", "sécurité"],
        "es": ["robad", "perdid", "fraud", "sospech", "segurid"],
        "de": ["gestohl", "verlor", "betrug", "verdacht", "sicherheit"],
        "it": ["rubat", "smarrit", "frod", "sospett", "sicurezza"],
        "pt": ["roubad", "perdid", "fraud", "suspeit", "segurança"],
        "nl": ["gestol", "verlor", "fraud", "verdacht", "veiligheid"],
        "pl": ["skradz", "zgubion", "oszust", "podejrz", "bezpiecz"],
        "ja": ["盗", "紛失", "不正", "疑"],
        "ar": ["مسروق", "مفقود", "احتيال", "اشتباه"],
    ]

    @Test(arguments: LanguageTable.all.map(\.code))
    func `N-012 no decline's wording betrays loss, theft or fraud`(code: String) throws {
        let language = try ReceiptSamples.language(code)
        let words = try #require(Self.betrayals[code])
        for category in Decline.Category.allKnown {
            let text = category.messageKey.text(in: language).lowercased()
            for word in words { #expect(!text.contains(word), "\(text)") }
        }
    }

    @Test(arguments: ["sv", "xx", "", "-", "d", "de--AT", "deutsch!", "de\u{202E}", "日本"])
    func `N-013 an unknown language falls back to English and says so`(tag: String) {
        let (language, isExact) = ReceiptLanguage.closest(to: tag)
        #expect(language == .english)
        #expect(!isExact)
    }

    @Test(arguments: [("de_AT", "de-AT"), ("DE", "DE"), ("pt-BR", "pt-BR"), ("zh", nil)])
    func `F-260 an underscore counts as a hyphen`(tag: String, found: String?) {
        #expect(ReceiptLanguage(tag: tag)?.tag == found)
    }

    @Test func `N-013 a key without wording is shown in English or as itself`() throws {
        let language = try ReceiptSamples.language("fr")
        #expect(MessageKey("error.newHere").text(in: language) == "error.newHere")
    }
}
