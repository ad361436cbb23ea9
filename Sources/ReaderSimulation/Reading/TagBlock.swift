import PaymentCore
import Simulation

/// What a card said about a payment, as tags of EMV; without its number, its dates or its owner.
///
/// It prints as kind and length, and cannot be encoded.
public struct TagBlock: Hashable, Sendable {
    private let content: SimulatedPayload
    private let card: SimulatedCard
    private let time: Date
    private let chance: UInt64

    init(_ content: SimulatedPayload, card: SimulatedCard, at time: Date, chance: UInt64) {
        self.content = content
        self.card = card
        self.time = time
        self.chance = chance
    }

    /// The same card's answer, of a payload to which something was added.
    func telling(of content: SimulatedPayload) -> TagBlock {
        TagBlock(content, card: card, at: time, chance: chance)
    }

    /// One tag.
    public struct Tag: Hashable, Sendable {
        /// Its name, in hexadecimal digits.
        public let name: String
        /// Its value, in hexadecimal digits.
        public let value: String
    }

    /// The value of a tag.
    public subscript(_ name: String) -> String? { tags.first { $0.name == name }?.value }

    /// The tags as a provider gets them: tag, length and value in a row, in base 64.
    public func reveal() -> String {
        var bytes: [UInt8] = []
        for tag in tags {
            let value = Self.bytes(tag.value)
            bytes += Self.bytes(tag.name) + [UInt8(truncatingIfNeeded: value.count)] + value
        }
        return Data(bytes).base64EncodedString()
    }

    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex.utf8)
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16)
        }
    }
}

extension TagBlock: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Kind and length alone.
    public var description: String { "tags(\(reveal().utf8.count) bytes)" }

    /// Kind and length alone.
    public var debugDescription: String { description }

    /// Nothing to look into.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension TagBlock {
    /// The tags in order, each with its value in hexadecimal digits.
    public var tags: [Tag] {
        var generator = SeededGenerator(seed: chance)
        let application = card.applications.first { $0.identifier == content.application }
        let label = Self.hex(application?.label ?? "")
        let situation = VerificationSituation(content, card: card, kernel: application?.kernel)
        let stamp = Date.ISO8601FormatStyle().format(time).filter(\.isNumber)
        let currency = Currency(code: content.currency)?.numericCode ?? 999
        var tags: [(String, String)] = [
            ("84", application?.identifier ?? ""), ("50", label), ("9F12", label),
            ("82", Self.profiles[application?.kernel ?? 0] ?? "0000"),
            ("95", situation.tvr), ("9B", situation.tsi),
            ("9A", String(stamp.dropFirst(2).prefix(6))),
            ("9F21", String(stamp.dropFirst(8).prefix(6))),
            ("9C", content.kind == .refund ? "20" : "00"),
            ("9F02", Self.digits(content.minorUnits, 12)), ("9F03", Self.digits(0, 12)),
            ("5F2A", Self.digits(Int64(currency), 4)), ("9F1A", "0840"),
            ("9F26", Self.hex(generator.next(), bytes: 8)),
            ("9F27", content.isRefusedByCard ? "00" : "80"),
            ("9F10", Self.hex(generator.next(), bytes: 7)),
            ("9F33", "E06808"), ("9F35", "21"), ("9F40", "6000F0B001"),
            ("9F34", situation.cvmResult),
            ("9F36", Self.hex(UInt64(content.transaction), bytes: 2)),
            ("9F37", Self.hex(generator.next(), bytes: 4)), ("9F39", "07"),
            ("5F34", card.number % 2 == 0 ? "01" : "00"),
            ("9F6E", card.entry == .phone ? "20700000" : "20400000"),
        ]
        if application?.kernel == 3 {
            tags.append(("9F6C", content.cvm == .device ? "0080" : "0000"))
        }
        return tags.map { Tag(name: $0.0, value: $0.1) }
    }

    private static let profiles = [
        2: "1980", 3: "2040", 4: "1980", 5: "1900", 6: "1800", 7: "7C00",
    ]

    private static func digits(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(count - text.count, 0)) + text
    }

    private static func hex(_ text: String) -> String {
        text.utf8.map { hex(UInt64($0), bytes: 1) }.joined()
    }

    private static func hex(_ number: UInt64, bytes: Int) -> String {
        let text = String(number, radix: 16, uppercase: true)
        let wanted = String(repeating: "0", count: max(bytes * 2 - text.count, 0)) + text
        return String(wanted.suffix(bytes * 2))
    }
}
