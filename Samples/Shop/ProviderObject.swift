import CommandLineSupport
public import PaymentCore

/// What one acquirer can do.
public struct ProviderObject: Encodable, Sendable {
    let provider: String
    let kinds: [String]
    let currencies: String
    let followUps: [String]
    let tip: Bool
    let surcharge: Bool
    let cancelFromCode: Bool
    let qrFallback: Bool

    /// Reads an acquirer's capabilities.
    public init(_ acquirer: Acquirer) {
        let capabilities = acquirer.provider.capabilities
        provider = acquirer.account.provider
        kinds = capabilities.kinds.map(\.rawValue).sorted()
        followUps = (acquirer.backOffice?.capabilities.followUps ?? []).map(\.rawValue).sorted()
        currencies =
            if let accepted = capabilities.amounts.currencies {
                accepted.map(\.code).sorted().joined(separator: ", ")
            } else if let digits = capabilities.amounts.minorUnitDigits {
                "with \(digits.sorted().map(String.init).joined(separator: " or ")) decimals"
            } else {
                "all"
            }
        tip = capabilities.tip
        surcharge = capabilities.surcharge
        cancelFromCode = capabilities.cancelFromCode
        qrFallback = capabilities.qrFallback
    }

    /// The capabilities as rows of a table.
    public var lines: [String] {
        func word(_ flag: Bool) -> String { flag ? "yes" : "no" }
        return [provider]
            + Table.lines([
                ("payments", kinds.joined(separator: ", ")), ("currencies", currencies),
                ("afterwards", followUps.joined(separator: ", ")), ("tip", word(tip)),
                ("surcharge", word(surcharge)), ("cancel from code", word(cancelFromCode)),
                ("QR code when a tap is impossible", word(qrFallback)),
            ])
    }
}
