/// How many columns text takes where every column is as wide as a Latin letter.
///
/// East Asian wide and full-width characters and emoji take two, combining marks and invisible
/// marks none (Unicode Standard Annex 11); ambiguous characters take one.
enum DisplayWidth {
    static func of(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + of($1) } }

    static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if scalars.count == 1 { return of(first) }
        let isEmoji =
            scalars.contains { $0.value == 0xFE0F || $0.value == 0x20E3 }
            || first.properties.isEmojiPresentation || isRegional(first)
        return isEmoji ? 2 : scalars.reduce(0) { $0 + of($1) }
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        // Most text is ASCII.
        if 0x20..<0x7F ~= scalar.value { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        // Vowels and final consonants that join the Hangul letter before them.
        if 0x1160...0x11FF ~= scalar.value || 0xD7B0...0xD7FF ~= scalar.value { return 0 }
        return isWide(scalar) ? 2 : 1
    }

    private static func isRegional(_ scalar: Unicode.Scalar) -> Bool {
        0x1F1E6...0x1F1FF ~= scalar.value
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isEmojiPresentation && !isRegional(scalar)
            || wide.contains { $0 ~= scalar.value }
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF,
        0x4E00...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
        0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18CFF,
        0x1AFF0...0x1B2FB, 0x1F200...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
    ]
}
