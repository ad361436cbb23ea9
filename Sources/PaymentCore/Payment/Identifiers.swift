/// Names one try to move money, or to stop it from moving; unique for ever.
public struct AttemptID: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The identifier: letters without vowels, so that it holds neither digits nor words.
    public let description: String

    /// Creates an identifier from text that was kept.
    public init(_ description: String) { self.description = description }

    /// Creates a new identifier from an environment's randomness.
    public init(from environment: PaymentEnvironment) {
        description = RandomText.letters(24, from: environment)
    }

    /// Reads the identifier from a record.
    public init(from decoder: any Decoder) throws {
        description = try decoder.singleValueContainer().decode(String.self)
    }

    /// Writes the identifier for a record.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// The caller's own name for a capture, void or refund.
///
/// The same name gives the first answer again, so that a repeat after a lost answer is safe.
public struct FollowUpID: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name.
    public let description: String

    /// Creates a name.
    public init(_ description: String) { self.description = description }

    /// Creates a new name from an environment's randomness.
    public init(from environment: PaymentEnvironment) {
        description = "f-" + RandomText.letters(12, from: environment)
    }

    /// Why it names nothing; nil when it does.
    package var problem: String? {
        let isVisible =
            description == description.onOneLine && description.contains { !$0.isWhitespace }
        return isVisible && description.count <= 128 ? nil : "is not \(Self.accepted)"
    }

    /// What a name has to be.
    package static let accepted = "1 to 128 visible characters"

    /// Reads the name from a record.
    public init(from decoder: any Decoder) throws {
        description = try decoder.singleValueContainer().decode(String.self)
    }

    /// Writes the name for a record.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension FollowUpID: ExpressibleByStringLiteral {
    /// Creates a name from a literal.
    public init(stringLiteral value: String) { self.init(value) }
}

/// What an acquirer calls one of its records, and which kind of record it is.
public struct AcquirerReference: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The kind of record, in the acquirer's words, such as `transfer` or `order`.
    public let kind: String
    /// The acquirer's identifier; opaque.
    public let value: String

    /// Creates a reference.
    public init(kind: String, value: String) {
        self.kind = kind
        self.value = Scrubbing.scrubIdentifier(value)
    }

    /// The kind and the identifier.
    public var description: String { "\(kind) \(value)" }

    /// Whether it tells a record from every other one: an identifier that is blank or was hidden
    /// may be anybody's, so it claims nothing and proves nothing.
    package var isDistinct: Bool { Scrubbing.isDistinct(value) }
}

/// Makes names that people can read out and that hold no digits and no words.
package enum RandomText {
    /// So many random consonants.
    package static func letters(_ count: Int, from environment: PaymentEnvironment) -> String {
        let alphabet = Array("bcdfghjkmnpqrstvwxyz".utf8)
        var bits: UInt64 = 0
        var left = 0
        var text: [UInt8] = []
        text.reserveCapacity(count)
        for _ in 0..<count {
            if left == 0 {
                bits = environment.randomBits()
                left = 12
            }
            text.append(alphabet[Int(bits % UInt64(alphabet.count))])
            bits /= UInt64(alphabet.count)
            left -= 1
        }
        return String(decoding: text, as: UTF8.self)
    }
}
