import PaymentCore
import PaymentTransport

extension FinixWire {
    /// A Device.
    struct Device: Decodable, Sendable {
        @Identifier var id: String
        var merchant: String?
        var model: String?
        var name: String?
        var serial_number: String?
        var app_bundle_id: String?
        var enabled: Bool?
        var created_at: String?

        /// A Device of which nothing is said is not enabled.
        var isEnabled: Bool { enabled == true }

        var createdAt: Date { created_at.flatMap(WireDate.parse) ?? .distantPast }

        /// Whether it is this merchant's, for this phone and, where Finix shows it, this app.
        func serves(_ request: FinixDeviceRequest) -> Bool {
            serial_number == request.reader && merchant == request.merchant
                && model == NewDevice.tapToPay
                && (app_bundle_id == nil || app_bundle_id == request.bundle)
        }
    }

    struct NewDevice: Encodable {
        static let tapToPay = "IOS_TAP_TO_PAY"
        let model = Self.tapToPay
        let name: String
        let description: String?
        let serial_number: String
        let app_bundle_id: String

        init(_ request: FinixDeviceRequest) {
            name = request.name
            description = request.note
            serial_number = request.reader
            app_bundle_id = request.bundle
        }
    }

    struct Activation: Encodable {
        let action = "ACTIVATE"
    }

    /// An identifier of Finix's, which becomes part of a path.
    @propertyWrapper struct Identifier: Decodable, Sendable {
        var wrappedValue: String

        init(from decoder: any Decoder) throws {
            let text = try decoder.singleValueContainer().decode(String.self)
            try self.init(text, at: decoder.codingPath)
        }

        init(_ text: String, at path: [any CodingKey]) throws {
            guard FinixWire.isIdentifier(text) else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: path, debugDescription: "no identifier")
                )
            }
            wrappedValue = text
        }
    }

    /// Whether a text can be one of Finix's identifiers: opaque, but of one piece.
    static func isIdentifier(_ text: String) -> Bool {
        1...255 ~= text.utf8.count && text != "." && text != ".."
            && text.unicodeScalars.allSatisfy { scalar in
                scalar.value > 0x20 && scalar.value != 0x7F && scalar != "/" && scalar != "\\"
                    && (scalar.isASCII || !scalar.properties.isWhitespace)
            }
    }
}

extension KeyedDecodingContainer {
    /// Reads an identifier as the text that it is, without a decoder of its own.
    func decode(
        _ type: FinixWire.Identifier.Type,
        forKey key: Key
    ) throws -> FinixWire.Identifier {
        try FinixWire.Identifier(decode(String.self, forKey: key), at: codingPath + [key])
    }
}
