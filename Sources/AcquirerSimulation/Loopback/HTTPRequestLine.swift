import PaymentTransport

/// The first line of a request: what to do, and with what.
struct HTTPRequestLine: Sendable {
    let method: HTTPRequest.Method
    let path: String
    let query: [(name: String, value: String)]
    /// The host that a target in absolute form names.
    let host: String?
    let minorVersion: Int

    init(_ line: String) throws(HTTPReadProblem) {
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, HTTPHeadReader.isToken(words[0].utf8) else {
            throw HTTPReadProblem(400, "the request line is not METHOD TARGET VERSION")
        }
        switch words[2] {
        case "HTTP/1.1": minorVersion = 1
        case "HTTP/1.0": minorVersion = 0
        case let version where version.hasPrefix("HTTP/"):
            throw HTTPReadProblem(505, "accepted are HTTP/1.1 and HTTP/1.0")
        default: throw HTTPReadProblem(400, "the request line names no version of HTTP")
        }
        guard let method = HTTPRequest.Method(rawValue: String(words[0])) else {
            throw HTTPReadProblem(501, "accepted are GET, POST, PUT, PATCH and DELETE")
        }
        self.method = method
        guard words[1].utf8.count <= Self.longestTarget else {
            throw HTTPReadProblem(414, "the target has more than \(Self.longestTarget) bytes")
        }
        let (host, target) = try Self.origin(words[1])
        self.host = host
        let pieces = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = try Self.decoded(pieces[0], isQuery: false)
        query = pieces.count < 2 ? [] : try Self.query(pieces[1])
    }

    /// Splits a target in absolute form into its host and the rest.
    private static func origin(
        _ target: Substring
    ) throws(HTTPReadProblem) -> (host: String?, rest: Substring) {
        if target.hasPrefix("/") { return (nil, target) }
        guard target.lowercased().hasPrefix("http://") else {
            throw HTTPReadProblem(400, "the target does not begin with a slash")
        }
        let rest = target.dropFirst(7)
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        guard end > rest.startIndex else { throw HTTPReadProblem(400, "the target names no host") }
        let path = rest[end...]
        return (String(rest[..<end]), path.hasPrefix("/") ? path : "/" + path)
    }

    private static func query(
        _ text: Substring
    ) throws(HTTPReadProblem) -> [(name: String, value: String)] {
        var query: [(name: String, value: String)] = []
        for piece in text.split(separator: "&") {
            let halves = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            query.append(
                (
                    try decoded(halves[0], isQuery: true),
                    halves.count < 2 ? "" : try decoded(halves[1], isQuery: true)
                )
            )
        }
        return query
    }

    /// Takes the percent signs out; a plus is a blank in a query alone.
    private static func decoded(
        _ text: Substring,
        isQuery: Bool
    ) throws(HTTPReadProblem) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = hex(rest.popFirst()), let low = hex(rest.popFirst()) else {
                    throw HTTPReadProblem(400, "a percent sign is not followed by two digits")
                }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where isQuery: bytes.append(0x20)
            case UInt8(ascii: "#"): throw HTTPReadProblem(400, "the target holds a fragment")
            default: bytes.append(byte)
            }
        }
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }),
            let text = String(validating: bytes, as: UTF8.self)
        else { throw HTTPReadProblem(400, "the target is no visible UTF-8 text") }
        return text
    }

    private static func hex(_ byte: UInt8?) -> UInt8? {
        switch byte {
        case let byte? where 0x30...0x39 ~= byte: byte - 0x30
        case let byte? where 0x41...0x46 ~= byte: byte - 0x41 + 10
        case let byte? where 0x61...0x66 ~= byte: byte - 0x61 + 10
        default: nil
        }
    }

    private static let longestTarget = 8_192
}
