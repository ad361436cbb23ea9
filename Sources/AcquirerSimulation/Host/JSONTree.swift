public import PaymentCore
public import PaymentTransport

/// Builds the bodies that emulated acquirers answer with.
///
/// A tree of its own, so that an emulator shares no wire type with the client it answers.
public indirect enum JSONTree: Sendable {
    /// A text.
    case text(String)
    /// A whole number.
    case number(Int64)
    /// True or false.
    case flag(Bool)
    /// Null.
    case null
    /// A list.
    case list([JSONTree])
    /// An object.
    case object([String: JSONTree])

    /// A text, or null.
    public static func optional(_ text: String?) -> JSONTree { text.map { .text($0) } ?? .null }

    /// Reads a body that is a JSON object; nil when it is none.
    public static func members(of body: Data?) -> [String: JSONTree]? {
        guard let body, let tree = try? JSONDecoder().decode(JSONTree.self, from: body),
            case .object(let members) = tree
        else { return nil }
        return members
    }

    /// The text, if it is one.
    public var text: String? { if case .text(let text) = self { text } else { nil } }
    /// The whole number, if it is one.
    public var number: Int64? { if case .number(let number) = self { number } else { nil } }
    /// The flag, if it is one.
    public var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
    /// The members, if it is an object.
    public var members: [String: JSONTree]? {
        if case .object(let members) = self { members } else { nil }
    }
}

extension JSONTree: Decodable {
    /// Reads a tree.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let number = try? container.decode(Int64.self) {
            self = .number(number)
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let list = try? container.decode([JSONTree].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: JSONTree].self))
        }
    }
}

extension JSONTree {
    /// The tree as JSON with sorted members.
    ///
    /// What `JSONEncoder` writes of the same values, byte for byte; encoding such trees was most of
    /// an emulator's work.
    public var data: Data {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(1_024)
        write(to: &bytes)
        return Data(bytes)
    }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .text(let text): Self.write(text, to: &bytes)
        case .number(let number): bytes += String(number).utf8
        case .flag(let flag): bytes += (flag ? "true" : "false").utf8
        case .null: bytes += "null".utf8
        case .list(let list):
            bytes.append(UInt8(ascii: "["))
            for (index, item) in list.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                item.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            for (index, member) in sorted.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.write(member.key, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
                bytes.append(byte)
            } else if let short = shortEscapes[byte] {
                bytes += [UInt8(ascii: "\\"), short]
            } else {
                let digits = String(byte, radix: 16)
                bytes += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static let shortEscapes: [UInt8: UInt8] = [
        UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
        0x08: UInt8(ascii: "b"), 0x09: UInt8(ascii: "t"), 0x0A: UInt8(ascii: "n"),
        0x0C: UInt8(ascii: "f"), 0x0D: UInt8(ascii: "r"),
    ]
}

extension HTTPResponse {
    /// An answer with a JSON body.
    public static func json(
        _ status: Int,
        _ tree: JSONTree,
        type: String = "application/json"
    ) -> HTTPResponse {
        var headers = HTTPHeaders()
        headers["Content-Type"] = type
        return HTTPResponse(status: status, headers: headers, body: tree.data)
    }
}
