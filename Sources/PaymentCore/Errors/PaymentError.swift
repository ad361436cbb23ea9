/// What went wrong with a payment, and what the caller may do next.
///
/// Whether money moved is never read from an error: the outcome that carries it says so.
public struct PaymentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The category; decide by this, never by text.
    public var code: Code
    /// The vendor's own name or number for the failure, for logs; free of card data.
    public var vendorCode: String?
    /// More about the failure, for logs and support; never shown to a shopper.
    public var detail: String?
    /// Identifiers that support will ask for, by name, such as `logref`.
    public var supportIdentifiers: [String: String]

    /// Creates an error; texts from outside are scrubbed of anything that may be card data.
    public init(
        _ code: Code,
        vendorCode: String? = nil,
        detail: String? = nil,
        supportIdentifiers: [String: String] = [:]
    ) {
        self.code = code
        self.vendorCode = vendorCode.map(Scrubbing.scrub)
        self.detail = detail.map(Scrubbing.scrub)
        self.supportIdentifiers = supportIdentifiers.mapValues(Scrubbing.scrubIdentifier)
    }

    /// What the caller may do next.
    public var recovery: Recovery { code.recovery }

    /// Names the wording that may be shown to a shopper or a cashier.
    public var messageKey: MessageKey { code.messageKey }

    /// The code alone, so that an error shown to a shopper leaks nothing.
    public var description: String { "PaymentError(\(code))" }
}

extension PaymentError: CustomDebugStringConvertible {
    /// Everything that is known, scrubbed; for logs only.
    public var debugDescription: String {
        var parts = [code.description]
        if let vendorCode { parts.append("vendor code \(vendorCode)") }
        if let detail { parts.append(detail) }
        parts += supportIdentifiers.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return "PaymentError(\(parts.joined(separator: "; ")))"
    }
}

extension PaymentError: Codable {
    private enum CodingKeys: String, CodingKey {
        case code, vendorCode, detail, supportIdentifiers
    }

    /// Reads an error from a record.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            Code(description: try container.decode(String.self, forKey: .code)),
            vendorCode: try container.decodeIfPresent(String.self, forKey: .vendorCode),
            detail: try container.decodeIfPresent(String.self, forKey: .detail),
            supportIdentifiers: try container.decodeIfPresent(
                [String: String].self,
                forKey: .supportIdentifiers
            ) ?? [:]
        )
    }

    /// Writes the error for a record.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(code.description, forKey: .code)
        try container.encodeIfPresent(vendorCode, forKey: .vendorCode)
        try container.encodeIfPresent(detail, forKey: .detail)
        if !supportIdentifiers.isEmpty {
            try container.encode(supportIdentifiers, forKey: .supportIdentifiers)
        }
    }
}
