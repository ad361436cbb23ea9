extension Money {
    /// Reads an amount that a person or a file wrote, strictly.
    ///
    /// The whole part is needed and has no leading zeros, and a decimal sign has digits after it:
    /// `.5`, `5.` and `00012.50` are refused, `0.5` is read. Fewer decimals than the currency has
    /// are read as written, so `12.5` is `12.50`. Nothing is skipped, guessed or rounded. Zero is
    /// read as zero, although it cannot be charged.
    ///
    /// - Parameters:
    ///   - text: The amount, with neither sign nor exponent.
    ///   - currency: The currency the amount is in.
    ///   - convention: Which signs stand for what.
    /// - Returns: The amount, exactly.
    /// - Throws: ``AmountTextError``, which says what was wrong, where, and what is accepted.
    public static func parse(
        _ text: String,
        currency: Currency,
        convention: AmountText.Convention
    ) throws(AmountTextError) -> Money {
        if let minorUnits = AmountText.ungrouped(text, currency, convention.decimalByte) {
            return Money(checked: minorUnits, currency: currency)
        }
        var reader = AmountReader(text: text, currency: currency, convention: convention)
        return Money(checked: try reader.minorUnits(), currency: currency)
    }

    /// Reads an amount as ``parse(_:currency:convention:)`` does, with a point and no grouping.
    ///
    /// - Parameters:
    ///   - text: The amount, with neither sign nor exponent.
    ///   - currency: The currency the amount is in.
    /// - Returns: The amount, exactly.
    /// - Throws: ``AmountTextError``, which says what was wrong, where, and what is accepted.
    public static func parse(
        _ text: String,
        currency: Currency
    ) throws(AmountTextError) -> Money {
        guard let minorUnits = AmountText.ungrouped(text, currency, UInt8(ascii: ".")) else {
            return try parse(text, currency: currency, convention: .plain)
        }
        return Money(checked: minorUnits, currency: currency)
    }
}

/// How amounts are written as text; ``Money/parse(_:currency:convention:)`` reads them.
public enum AmountText {
    /// Which signs in an amount stand for what.
    public struct Convention: Hashable, Sendable {
        /// The sign between the whole units and the decimals.
        public let decimalSign: Character
        /// The signs that may stand between groups of three digits; one amount uses one of them.
        public let groupingSigns: Set<Character>
        /// Whether the currency's own code may stand before or after the amount, with one space.
        public let acceptsCode: Bool
        let decimalByte: UInt8

        /// Creates a convention; nil when a sign could mean two things.
        ///
        /// That is a sign in both roles, a digit, a letter, a plus, a minus or a parenthesis, or a
        /// space as the decimal sign.
        public init?(
            decimalSign: Character,
            groupingSigns: Set<Character>,
            acceptsCode: Bool = true
        ) {
            guard !decimalSign.isWhitespace, !groupingSigns.contains(decimalSign),
                groupingSigns.union([decimalSign]).allSatisfy(Self.isUsable)
            else { return nil }
            self.init(decimalSign, groupingSigns, acceptsCode)
        }

        private init(_ decimalSign: Character, _ groupingSigns: Set<Character>, _ code: Bool) {
            self.decimalSign = decimalSign
            self.groupingSigns = groupingSigns
            acceptsCode = code
            // 0xFF occurs in no text.
            decimalByte = decimalSign.asciiValue ?? 0xFF
        }

        private static func isUsable(_ sign: Character) -> Bool {
            !sign.isNumber && !sign.isLetter && !sign.isNewline && !AmountReader.isSign(sign)
        }

        /// Digits with at most one point, as programs write: `1234.56`.
        public static let plain = Self(".", [], false)
        /// Commas between groups: `1,234.56`.
        public static let pointDecimal = Self(".", [","], true)
        /// Points between groups: `1.234,56`.
        public static let commaDecimal = Self(",", ["."], true)
        /// Spaces between groups, breaking or not, wide or narrow: `1 234,56`.
        public static let french = Self(",", [" ", "\u{A0}", "\u{202F}"], true)
    }

    /// The minor units of a faultless text without grouping, without memory of its own; else nil.
    ///
    /// Nil is no verdict: ``AmountReader`` reads such a text again, and knows every fault by name.
    static func ungrouped(_ text: String, _ currency: Currency, _ decimalSign: UInt8) -> Int64? {
        text.utf8.withContiguousStorageIfAvailable { bytes in
            ungrouped(bytes, currency.minorUnitDigits, decimalSign)
        } ?? nil
    }

    private static func ungrouped(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ digits: Int,
        _ decimalSign: UInt8
    ) -> Int64? {
        guard 1...20 ~= bytes.count else { return nil }
        var value: UInt64 = 0
        var whole = bytes.count
        for index in 0..<bytes.count {
            let digit = bytes[index] &- 0x30
            if digit < 10 {
                // Nineteen digits fit into 64 bits; the twentieth is caught below.
                value = value &* 10 &+ UInt64(digit)
            } else if bytes[index] == decimalSign, whole == bytes.count {
                whole = index
            } else {
                return nil
            }
        }
        let hasSign = whole < bytes.count
        let decimals = hasSign ? bytes.count - whole - 1 : 0
        guard hasSign || bytes.count < 20, whole > 0, decimals > 0 || !hasSign,
            decimals <= digits, whole == 1 || bytes[0] != 0x30
        else { return nil }
        for _ in decimals..<digits {
            let (scaled, overflow) = value.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            value = scaled
        }
        return Int64(exactly: value)
    }
}
