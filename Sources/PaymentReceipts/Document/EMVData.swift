import PaymentCore

/// What a chip card's application said, as far as the acquirer hands it on; for the receipt alone.
///
/// Nothing that could identify a card is here. A value that has not the shape of its field is
/// dropped rather than printed.
public struct EMVData: Hashable, Sendable {
    /// The application's preferred name, or its label (tags 9F12 and 50).
    public let applicationName: String?
    /// The application's identifier in hexadecimal (tag 84).
    public let applicationIdentifier: String?
    /// How the customer was verified.
    public let verification: Verification?
    /// The account that was chosen, in the acquirer's words.
    public let accountType: String?
    /// The issuer's response code, two letters or digits (tag 8A).
    public let responseCode: String?
    /// The application's cryptogram in hexadecimal (tag 9F26).
    public let cryptogram: String?
    /// The terminal's verification results in hexadecimal (tag 95).
    public let verificationResults: String?
    /// The status information in hexadecimal (tag 9B).
    public let statusInformation: String?

    /// Creates the data of a receipt.
    public init(
        applicationName: String? = nil,
        applicationIdentifier: String? = nil,
        verification: Verification? = nil,
        accountType: String? = nil,
        responseCode: String? = nil,
        cryptogram: String? = nil,
        verificationResults: String? = nil,
        statusInformation: String? = nil
    ) {
        self.applicationName = applicationName.map(Self.text)
        self.applicationIdentifier = applicationIdentifier.flatMap { Self.hex($0, bytes: 5...16) }
        self.verification = verification
        self.accountType = accountType.map(Self.text)
        self.responseCode = responseCode.flatMap(Self.code)
        self.cryptogram = cryptogram.flatMap { Self.hex($0, bytes: 8...8) }
        self.verificationResults = verificationResults.flatMap { Self.hex($0, bytes: 5...5) }
        self.statusInformation = statusInformation.flatMap { Self.hex($0, bytes: 2...2) }
    }

    /// How the customer was verified.
    public enum Verification: String, Hashable, Sendable, CaseIterable {
        /// Not at all; none was needed.
        case none
        /// By a PIN.
        case pin
        /// By their own device.
        case device
    }

    private static func text(_ text: String) -> String {
        OutsideText.plain(Scrubbing.scrub(text), longest: 40)
    }

    private static func hex(_ text: String, bytes: ClosedRange<Int>) -> String? {
        let digits = text.uppercased()
        // Decimal digits alone, or padded as tag 5A is, may be a card's number.
        let number = digits.utf8.prefix { 48...57 ~= $0 }.count
        let isCard = 12...19 ~= number && digits.utf8.dropFirst(number).allSatisfy { $0 == 70 }
        guard !isCard, digits.utf8.allSatisfy({ 48...57 ~= $0 || 65...70 ~= $0 }),
            digits.utf8.count % 2 == 0, bytes.contains(digits.utf8.count / 2)
        else { return nil }
        return digits
    }

    private static func code(_ text: String) -> String? {
        let isFit =
            text.utf8.count == 2
            && text.utf8.allSatisfy {
                48...57 ~= $0 || 65...90 ~= $0 || 97...122 ~= $0
            }
        return isFit ? text : nil
    }
}
