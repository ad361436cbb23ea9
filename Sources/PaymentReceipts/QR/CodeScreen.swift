public import PaymentCore

/// What a person sees while a payment waits for a code to be scanned, as lines of text.
public struct CodeScreen: Sendable {
    /// What is to pay; nil where only the vendor knows.
    public let amount: Money?
    /// The page behind the code.
    public let page: String
    /// When the page stops taking payments, where that is known.
    public let expiresAt: Date?
    /// The language, and whether the code is inverted.
    public let style: ReceiptStyle

    /// Creates a screen.
    public init(amount: Money?, page: String, expiresAt: Date? = nil, style: ReceiptStyle) {
        self.amount = amount
        self.page = page
        self.expiresAt = expiresAt
        self.style = style
    }

    /// Amount, code, address, that the payment is waited for, and what closing would do.
    ///
    /// - Returns: One text a line.
    /// - Throws: ``QRCodeError`` when the address is too long for a code.
    public func lines() throws(QRCodeError) -> [String] {
        let language = style.language
        let formats = LocalFormats(style)
        let code = try QRCode(page)
        var lines: [String] = []
        if let amount { lines.append(language.text(.codeScan, ["amount": formats.amount(amount)])) }
        lines += code.textLines(isInverted: style.codeIsInverted)
        lines.append(OutsideText.plain(page, longest: 2_000))
        lines.append(language.text(.codeWaiting))
        if let expiresAt {
            lines.append(language.text(.codeExpires, ["time": formats.moment(expiresAt)]))
        }
        return lines + [language.text(.codeClosing)]
    }
}
