/// Reads an amount character by character, and names the first fault.
struct AmountReader {
    private let text: String
    private let currency: Currency
    private let convention: AmountText.Convention
    private let characters: [Character]
    private var body: Range<Int>

    private var value: Int64? = 0
    private var groupStart: Int
    private var groupingSign: Character?
    private var decimalSign: Int?

    init(text: String, currency: Currency, convention: AmountText.Convention) {
        self.text = text
        self.currency = currency
        self.convention = convention
        // No good amount is as long; a longer text has its fault within these characters.
        characters = Array(text.prefix(64))
        body = 0..<characters.count
        groupStart = 0
    }

    /// The amount in minor units.
    mutating func minorUnits() throws(AmountTextError) -> Int64 {
        guard !characters.allSatisfy(\.isWhitespace) else { throw error(.empty, at: 0) }
        let hasCode = removeCode()
        groupStart = body.lowerBound
        try refuseSpacesAround()
        for index in body { try take(characters[index], at: index) }
        try closePart(at: body.upperBound)
        let result = try scaled()
        guard convention.acceptsCode || !hasCode else {
            throw error(.notANumber, at: body.lowerBound == 0 ? body.upperBound + 1 : 0)
        }
        return result
    }

    /// Leaves the currency's own code out, also where it is refused: its presence changes no digit.
    private mutating func removeCode() -> Bool {
        let code = Array(currency.code)
        guard characters.count > code.count + 1 else { return false }
        let (second, last) = (code.count, characters.count - code.count - 1)
        if characters.starts(with: code), Self.codeSpaces.contains(characters[second]) {
            body = second + 1..<characters.count
            return true
        }
        if characters.suffix(code.count) == code[...], Self.codeSpaces.contains(characters[last]) {
            body = 0..<last
            return true
        }
        return false
    }

    private func refuseSpacesAround() throws(AmountTextError) {
        for index in [body.lowerBound, body.upperBound - 1] where characters[index].isWhitespace {
            throw error(.spaceNotAllowed, at: index)
        }
    }

    private mutating func take(
        _ character: Character,
        at index: Int
    ) throws(AmountTextError) {
        if let digit = Self.digit(character) {
            add(digit)
        } else if character == convention.decimalSign {
            guard decimalSign == nil else { throw error(.ambiguousSeparator, at: index) }
            try closePart(at: index)
            decimalSign = index
        } else if convention.groupingSigns.contains(character) {
            guard decimalSign == nil else { throw error(.ambiguousSeparator, at: index) }
            guard groupingSign == nil || groupingSign == character else {
                throw error(.wrongGrouping, at: index)
            }
            try closeGroup(at: index, isGrouped: true)
            groupingSign = character
            groupStart = index + 1
        } else {
            throw error(reason(for: character, at: index), at: index)
        }
    }

    private mutating func add(_ digit: Int64) {
        let tenfold = value?.multipliedReportingOverflow(by: 10)
        let sum = tenfold?.partialValue.addingReportingOverflow(digit)
        value = tenfold?.overflow == false && sum?.overflow == false ? sum?.partialValue : nil
    }

    /// Checks the digits before the decimal sign, or those after it.
    private func closePart(at end: Int) throws(AmountTextError) {
        guard let decimalSign else {
            return try closeGroup(at: end, isGrouped: groupingSign != nil)
        }
        let found = end - decimalSign - 1
        guard found > 0 else { throw error(.missingDigits, at: decimalSign) }
        let allowed = currency.minorUnitDigits
        guard found <= allowed else {
            throw error(
                .tooManyFractionDigits(found: found, allowed: allowed),
                at: decimalSign + 1
            )
        }
    }

    private func closeGroup(at end: Int, isGrouped: Bool) throws(AmountTextError) {
        let length = end - groupStart
        guard length > 0 || isGrouped else { throw error(.missingDigits, at: groupStart) }
        let isFirst = groupStart == body.lowerBound
        if isGrouped {
            guard isFirst ? 1...3 ~= length : length == 3 else {
                throw error(.wrongGrouping, at: groupStart)
            }
            if isFirst, length == 1, characters[groupStart] == "0" {
                throw error(.wrongGrouping, at: groupStart)
            }
        }
        if isFirst, length > 1, characters[groupStart] == "0" {
            throw error(.leadingZero, at: groupStart)
        }
    }

    private func scaled() throws(AmountTextError) -> Int64 {
        let decimals = decimalSign.map { body.upperBound - $0 - 1 } ?? 0
        var result = value
        for _ in decimals..<currency.minorUnitDigits {
            let tenfold = result?.multipliedReportingOverflow(by: 10)
            result = tenfold?.overflow == false ? tenfold?.partialValue : nil
        }
        guard let result else { throw error(.tooLarge, at: body.lowerBound) }
        return result
    }

    private func error(_ reason: AmountTextError.Reason, at offset: Int) -> AmountTextError {
        AmountTextError(
            text: text,
            reason: reason,
            offset: offset,
            currency: currency,
            convention: convention
        )
    }
}

extension AmountReader {
    private static let codeSpaces: Set<Character> = [" ", "\u{A0}", "\u{202F}"]
    private static let separators: Set<Character> = [
        ".", ",", "'", "’", "·", "_", "٫", "٬", "،", "．", "，",
    ]

    /// Whether a character says that a number is negative or positive.
    static func isSign(_ character: Character) -> Bool {
        "+-\u{2212}\u{2010}\u{2011}\u{2012}\u{2013}\u{FE63}\u{FF0D}\u{FF0B}()".contains(character)
    }

    private static func digit(_ character: Character) -> Int64? {
        guard let byte = character.asciiValue, 0x30...0x39 ~= byte else { return nil }
        return Int64(byte - 0x30)
    }

    /// Names what is wrong with a character that has no place in the convention.
    private func reason(for character: Character, at index: Int) -> AmountTextError.Reason {
        if Self.isSign(character) { return .signNotAllowed }
        if character.isWhitespace { return .spaceNotAllowed }
        if Self.separators.contains(character) { return .ambiguousSeparator }
        if let scalar = character.unicodeScalars.first,
            character.unicodeScalars.count == 1, scalar.properties.numericType == .decimal
        {
            return .unsupportedDigits
        }
        let isExponent =
            (character == "e" || character == "E") && index > body.lowerBound
            && index + 1 < body.upperBound && Self.digit(characters[index - 1]) != nil
            && (Self.digit(characters[index + 1]) != nil || Self.isSign(characters[index + 1]))
        return isExponent ? .exponentNotAllowed : .notANumber
    }
}
