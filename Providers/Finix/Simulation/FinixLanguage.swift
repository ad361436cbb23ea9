// Only the whole of Foundation knows the parts of a language.
import Foundation

/// Language tags, such as `de-AT` or `zh-Hans-CN`.
enum FinixLanguage {
    /// The language that a tag names.
    static func language(of tag: String) -> Locale.Language { Locale.Language(identifier: tag) }

    /// The hyphenated tag of a language, as short as it can be.
    static func tag(of language: Locale.Language) -> String { language.minimalIdentifier }
}
