import PaymentCore

/// The JSON contract between ``RemoteBackOffice`` and ``RemoteBackOfficeService``.
///
/// One contract for all acquirers. A question is a POST to the contract's path and the operation's
/// name. Every message names the version; an answer repeats its question's id, so that an answer
/// that belongs to another question is never taken.
enum RemoteWire {
    /// The version that this package speaks.
    static let version = 1

    /// What can be asked; the last part of the path.
    enum Operation: String, CaseIterable {
        case capabilities, records, close, perform, link
    }

    /// What every question says before its own content.
    struct Heading: Codable, Sendable {
        let version: Int
        let id: String
        let account: Account?
    }

    /// The version alone, which is read first: other versions may differ in all else.
    struct Versioned: Decodable {
        let version: Int
    }

    /// A question.
    struct Question<Content: Codable & Sendable>: Codable, Sendable {
        var version = RemoteWire.version
        let id: String
        let account: Account?
        let content: Content
    }

    /// A question without content.
    struct Nothing: Codable, Sendable {}

    /// An answer: what was asked for, or why the acquirer could not be asked.
    struct Reply<Content: Codable & Sendable>: Codable, Sendable {
        var version = RemoteWire.version
        let id: String
        var content: Content?
        var error: PaymentError?
    }

    /// The back end's own refusal; nothing was done.
    struct Refusal: Codable, Sendable {
        var version = RemoteWire.version
        let refused: String
        let message: String
    }

    /// Writes a message.
    static func encode(_ message: some Encodable) throws(PaymentError) -> Data {
        try JSONBody.encode(message, dates: .custom(RemoteDate.encode))
    }

    /// Reads a message.
    static func decode<Message: Decodable>(
        _ type: Message.Type,
        from body: Data
    ) throws(PaymentError) -> Message {
        try JSONBody.decode(type, from: body, dates: .custom(RemoteDate.decode))
    }
}

/// Why the server half refuses a question.
enum RemoteRefusal: String, CaseIterable {
    case notFound, methodNotAllowed, unauthenticated, accountRefused, tooLarge, malformed
    case versionUnsupported

    /// The status that goes with it.
    var status: Int {
        switch self {
        case .notFound: 404
        case .methodNotAllowed: 405
        case .unauthenticated: 401
        case .accountRefused: 403
        case .tooLarge: 413
        case .malformed, .versionUnsupported: 400
        }
    }

    /// What it means for the app; the acquirer has nothing to do with any of these.
    var code: PaymentError.Code {
        switch self {
        case .unauthenticated: .appLoginExpired
        case .accountRefused: .accessDenied
        case .notFound, .methodNotAllowed: .notConfigured
        case .tooLarge, .malformed, .versionUnsupported: .requestRejected
        }
    }
}

/// Writes times as RFC 3339 with nine fraction digits, which bring back the same time.
enum RemoteDate {
    @Sendable static func encode(_ date: Date, to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        guard let text = text(date) else {
            throw EncodingError.invalidValue(
                date,
                .init(
                    codingPath: encoder.codingPath,
                    debugDescription: "outside of years 1 to 9999"
                )
            )
        }
        try container.encode(text)
    }

    @Sendable static func decode(from decoder: any Decoder) throws -> Date {
        let container = try decoder.singleValueContainer()
        guard let date = WireDate.parse(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "no RFC 3339 time"
            )
        }
        return date
    }

    /// The text; nil for a time outside of the years 1 to 9999.
    static func text(_ date: Date) -> String? {
        let time = date.timeIntervalSinceReferenceDate
        guard years.contains(time) else { return nil }
        var whole = time.rounded(.down)
        var nanoseconds = Int(((time - whole) * 1e9).rounded())
        if nanoseconds >= 1_000_000_000 {
            whole += 1
            nanoseconds = 0
        }
        let seconds = Date.ISO8601FormatStyle()
            .format(Date(timeIntervalSinceReferenceDate: whole))
        let digits = String(nanoseconds)
        let zeros = String(repeating: "0", count: 9 - digits.count)
        return seconds.dropLast() + "." + zeros + digits + "Z"
    }

    private static let years = -63_113_904_000.0..<252_423_993_600.0
}
