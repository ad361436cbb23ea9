public import PaymentCore

/// For whom a receipt is rendered, and in which language.
public struct ReceiptStyle: Hashable, Sendable {
    /// The language of labels, messages, amounts and dates.
    public var language: ReceiptLanguage
    /// Whose copy it is.
    public var copy: Copy
    /// The time zone in which moments are told; the text names it.
    public var timeZone: TimeZone
    /// Whether the receipt's page, where it has one, is also shown as a QR code.
    public var showsCode: Bool
    /// Whether a code in text is drawn for light text on a dark ground.
    public var codeIsInverted: Bool

    /// Creates a style.
    public init(
        language: ReceiptLanguage = .english,
        copy: Copy = .customer,
        timeZone: TimeZone = .gmt,
        showsCode: Bool = false,
        codeIsInverted: Bool = false
    ) {
        self.language = language
        self.copy = copy
        self.timeZone = timeZone
        self.showsCode = showsCode
        self.codeIsInverted = codeIsInverted
    }

    /// Whose copy a receipt is.
    public enum Copy: String, Hashable, Sendable, CaseIterable {
        /// The customer's: what was paid, to whom, with which card.
        case customer
        /// The merchant's: also the account, every reference and the chip's diagnostics.
        case merchant
    }
}
