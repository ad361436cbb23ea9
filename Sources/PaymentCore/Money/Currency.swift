/// A currency in force that has a minor unit, by its ISO 4217 code.
///
/// Codes that are unknown, withdrawn or without a minor unit (gold, test codes) cannot be charged,
/// so no value of this type exists for them; ``parse(_:)`` says which of these a text is.
public struct Currency: Hashable, Sendable, CustomStringConvertible {
    /// The three capital letters of the code, as ASCII bytes.
    let letters: UInt32
    let number: UInt16
    let digits: UInt8

    init(letters: UInt32, number: UInt16, digits: UInt8) {
        self.letters = letters
        self.number = number
        self.digits = digits
    }

    /// Finds a currency by its code, which must be in capital letters and chargeable.
    ///
    /// Nil says only that the code is refused; ``parse(_:)`` says why.
    public init?(code: String) {
        guard let letters = Self.letters(of: code), let known = Self.chargeable[letters] else {
            return nil
        }
        self = known
    }

    /// Finds a currency by a code that came from an acquirer, where case carries no meaning.
    package init?(answeredCode code: String) {
        self.init(code: Self.uppercased(code))
    }

    /// Reads a currency code that a person or a program wrote.
    ///
    /// Nothing is corrected silently: `usd` is refused, with an error that names `USD`.
    ///
    /// - Parameter text: The code, three capital letters and nothing else.
    /// - Returns: The currency.
    /// - Throws: ``CurrencyCodeError``, which says why the code is refused and what is accepted.
    public static func parse(_ text: String) throws(CurrencyCodeError) -> Currency {
        guard let currency = Currency(code: text) else { throw CurrencyCodeError(refused: text) }
        return currency
    }

    /// The three capital letters, such as `EUR`.
    public var code: String { Self.text(of: letters) }

    /// The ISO 4217 number, written with three digits in ISO messages: 36 stands for `036`.
    public var numericCode: Int { Int(number) }

    /// How many decimal digits the minor unit takes: 2 for EUR, 0 for JPY, 3 for KWD.
    public var minorUnitDigits: Int { Int(digits) }

    /// The code.
    public var description: String { code }
}

extension Currency: Codable {
    /// Reads a currency from its code, as strictly as ``parse(_:)``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do {
            self = try Self.parse(text)
        } catch {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: error.description
            )
        }
    }

    /// Writes the code.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(code)
    }
}

extension Currency {
    /// Three capital letters as one number, or nil for any other text.
    static func letters(of text: String) -> UInt32? {
        var packed: UInt32 = 0
        var count = 0
        for byte in text.utf8 {
            guard count < 3, 0x41...0x5A ~= byte else { return nil }
            packed = packed << 8 | UInt32(byte)
            count += 1
        }
        return count == 3 ? packed : nil
    }

    package static func text(of letters: UInt32) -> String {
        String(unsafeUninitializedCapacity: 3) { buffer in
            for (index, shift) in [16, 8, 0].enumerated() {
                buffer[index] = UInt8(truncatingIfNeeded: letters >> shift)
            }
            return 3
        }
    }

    /// ASCII letters only: Unicode would make capitals of letters that no currency code contains.
    static func uppercased(_ text: String) -> String {
        let bytes = text.utf8.map { 0x61...0x7A ~= $0 ? $0 - 0x20 : $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    private init(_ code: StaticString, _ number: UInt16, _ digits: UInt8) {
        let letters = code.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
        self.init(letters: letters, number: number, digits: digits)
    }
}

extension Currency {
    /// United Arab Emirates dirham.
    public static let aed = Self("AED", 784, 2)
    /// Australian dollar.
    public static let aud = Self("AUD", 36, 2)
    /// Bahraini dinar, with three digits.
    public static let bhd = Self("BHD", 48, 3)
    /// Brazilian real.
    public static let brl = Self("BRL", 986, 2)
    /// Canadian dollar.
    public static let cad = Self("CAD", 124, 2)
    /// Swiss franc.
    public static let chf = Self("CHF", 756, 2)
    /// Chilean unit of account, with four digits.
    public static let clf = Self("CLF", 990, 4)
    /// Chilean peso, without digits.
    public static let clp = Self("CLP", 152, 0)
    /// Czech koruna.
    public static let czk = Self("CZK", 203, 2)
    /// Danish krone.
    public static let dkk = Self("DKK", 208, 2)
    /// Euro.
    public static let eur = Self("EUR", 978, 2)
    /// Pound sterling.
    public static let gbp = Self("GBP", 826, 2)
    /// Hong Kong dollar.
    public static let hkd = Self("HKD", 344, 2)
    /// Hungarian forint.
    public static let huf = Self("HUF", 348, 2)
    /// Israeli new shekel.
    public static let ils = Self("ILS", 376, 2)
    /// Indian rupee.
    public static let inr = Self("INR", 356, 2)
    /// Icelandic króna, without digits.
    public static let isk = Self("ISK", 352, 0)
    /// Japanese yen, without digits.
    public static let jpy = Self("JPY", 392, 0)
    /// South Korean won, without digits.
    public static let krw = Self("KRW", 410, 0)
    /// Kuwaiti dinar, with three digits.
    public static let kwd = Self("KWD", 414, 3)
    /// Mexican peso.
    public static let mxn = Self("MXN", 484, 2)
    /// Norwegian krone.
    public static let nok = Self("NOK", 578, 2)
    /// New Zealand dollar.
    public static let nzd = Self("NZD", 554, 2)
    /// Polish zloty.
    public static let pln = Self("PLN", 985, 2)
    /// Romanian leu.
    public static let ron = Self("RON", 946, 2)
    /// Swedish krona.
    public static let sek = Self("SEK", 752, 2)
    /// Singapore dollar.
    public static let sgd = Self("SGD", 702, 2)
    /// Tunisian dinar, with three digits.
    public static let tnd = Self("TND", 788, 3)
    /// New Taiwan dollar.
    public static let twd = Self("TWD", 901, 2)
    /// United States dollar.
    public static let usd = Self("USD", 840, 2)
    /// South African rand.
    public static let zar = Self("ZAR", 710, 2)
}
