/// An exact amount in one currency: ten euros fifty is `1_050`, a thousand yen is `1_000`.
///
/// Arithmetic is checked and nothing ever rounds: what does not fit is an error, never a trap.
public struct Money: Hashable, Sendable {
    /// The amount in minor units of ``currency``; never negative.
    public let minorUnits: Int64
    /// The currency the amount is in.
    public let currency: Currency

    /// Creates an amount from whole minor units.
    ///
    /// - Parameters:
    ///   - minorUnits: The count of the currency's smallest unit; zero or more.
    ///   - currency: The currency.
    /// - Throws: ``PaymentError`` with `amountNegative` for a count below zero.
    public init(minorUnits: Int64, currency: Currency) throws(PaymentError) {
        guard minorUnits >= 0 else { throw PaymentError(.amountNegative) }
        self.init(checked: minorUnits, currency: currency)
    }

    init(checked minorUnits: Int64, currency: Currency) {
        self.minorUnits = minorUnits
        self.currency = currency
    }

    /// Nothing, in a currency.
    public static func zero(_ currency: Currency) -> Money {
        Money(checked: 0, currency: currency)
    }

    /// Whether the amount is nothing; such an amount exists, but cannot be charged.
    public var isZero: Bool { minorUnits == 0 }
}

extension Money {
    /// The sum of both amounts.
    ///
    /// - Throws: ``PaymentError`` with `currencyMismatch` or `amountOverflow`.
    public func adding(_ other: Money) throws(PaymentError) -> Money {
        try requireSameCurrency(other)
        return try checked(minorUnits.addingReportingOverflow(other.minorUnits))
    }

    /// This amount less the other one.
    ///
    /// - Throws: ``PaymentError`` with `currencyMismatch`, or with `amountNegative` when the other
    ///   amount is larger.
    public func subtracting(_ other: Money) throws(PaymentError) -> Money {
        try requireSameCurrency(other)
        return try checked(minorUnits.subtractingReportingOverflow(other.minorUnits))
    }

    /// This amount, a whole number of times.
    ///
    /// - Throws: ``PaymentError`` with `amountOverflow`, or with `amountNegative` when the result
    ///   would be below zero.
    public func multiplied(by factor: Int64) throws(PaymentError) -> Money {
        if factor < 0, !isZero { throw PaymentError(.amountNegative) }
        return try checked(minorUnits.multipliedReportingOverflow(by: factor))
    }

    /// Whether this amount is smaller than the other one.
    ///
    /// Amounts have no order across currencies, so this is no `<`.
    ///
    /// - Throws: ``PaymentError`` with `currencyMismatch`.
    public func isLess(than other: Money) throws(PaymentError) -> Bool {
        try requireSameCurrency(other)
        return minorUnits < other.minorUnits
    }

    private func requireSameCurrency(_ other: Money) throws(PaymentError) {
        guard currency == other.currency else {
            throw PaymentError(.currencyMismatch, detail: "\(currency) and \(other.currency)")
        }
    }

    private func checked(
        _ result: (partialValue: Int64, overflow: Bool)
    ) throws(PaymentError) -> Money {
        guard !result.overflow else { throw PaymentError(.amountOverflow) }
        return try Money(minorUnits: result.partialValue, currency: currency)
    }
}

extension Money: CustomStringConvertible {
    /// The amount and the code, such as `12.50 USD`: exact, and the same in every language.
    public var description: String { text(withCode: true) }

    /// The amount alone, such as `12.50`: all digits of the minor unit, a point, no grouping.
    public var amountText: String { text(withCode: false) }

    /// Counts first, then fills from the right, so that a short text needs no memory of its own.
    private func text(withCode: Bool) -> String {
        let digits = currency.minorUnitDigits
        let amountLength = max(decimalLength, digits + 1) + (digits > 0 ? 1 : 0)
        let length = amountLength + (withCode ? 4 : 0)
        return String(unsafeUninitializedCapacity: length) { buffer in
            var rest = minorUnits.magnitude
            let point = digits > 0 ? amountLength - 1 - digits : amountLength
            for index in (0..<amountLength).reversed() where index != point {
                let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
                buffer[index] = 0x30 + UInt8(truncatingIfNeeded: digit)
                rest = quotient
            }
            if digits > 0 { buffer[point] = 0x2E }
            if withCode {
                buffer[amountLength] = 0x20
                for index in 0..<3 {
                    let shift = UInt32(16 - 8 * index)
                    buffer[amountLength + 1 + index] =
                        UInt8(truncatingIfNeeded: currency.letters >> shift)
                }
            }
            return length
        }
    }

    private var decimalLength: Int {
        var length = 1
        var rest = minorUnits.magnitude / 10
        while rest > 0 {
            length += 1
            rest /= 10
        }
        return length
    }
}

extension Money: Codable {
    private enum CodingKeys: String, CodingKey {
        case minorUnits, currency
    }

    /// Reads `{"minorUnits":1250,"currency":"USD"}`, refusing fractions, text and negative numbers.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let minorUnits = try container.decode(Int64.self, forKey: .minorUnits)
        guard minorUnits >= 0 else {
            throw DecodingError.dataCorruptedError(
                forKey: .minorUnits,
                in: container,
                debugDescription: "an amount is never negative"
            )
        }
        self.init(
            checked: minorUnits,
            currency: try container.decode(Currency.self, forKey: .currency)
        )
    }

    /// Writes `{"minorUnits":1250,"currency":"USD"}`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(minorUnits, forKey: .minorUnits)
        try container.encode(currency, forKey: .currency)
    }
}

extension Money {
    /// The amount, unless it is zero: nothing of zero is ever tried, so then nobody knows it.
    package var ifKnown: Money? { isZero ? nil : self }

    /// The amount for a person, or that nobody knows it.
    package var orNotKnown: String {
        isZero ? "an amount in \(currency) that is not known yet" : "\(self)"
    }
}
