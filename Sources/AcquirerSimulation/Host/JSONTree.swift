public import PaymentCore
public import PaymentTransport

/// Builds the bodies that emulated acquirers answer with.
///
/// A tree of its own, so that an emulator shares no wire type with the client it answers.
public indirect enum JSONTree: Encodable, Sendable {
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

    /// Writes the tree.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        case .flag(let flag): try container.encode(flag)
        case .null: try container.encodeNil()
        case .list(let list): try container.encode(list)
        case .object(let members): try container.encode(members)
        }
    }

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
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Int64.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([JSONTree].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: JSONTree].self))
        }
    }
}

extension HTTPResponse {
    /// An answer with a JSON body.
    public static func json(
        _ status: Int,
        _ tree: JSONTree,
        type: String = "application/json"
    ) -> HTTPResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var headers = HTTPHeaders()
        headers["Content-Type"] = type
        let body = (try? encoder.encode(tree)) ?? Data()
        return HTTPResponse(status: status, headers: headers, body: body)
    }
}
