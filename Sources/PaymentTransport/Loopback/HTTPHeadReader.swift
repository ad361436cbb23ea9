/// Finds and reads the head of an HTTP/1.1 message: its start line and its fields.
package struct HTTPHeadReader: Sendable {
    private let mostBytes: Int
    private let mostFields: Int
    private var scanned = 0
    private var lineStart = 0
    private var lines: [Range<Int>] = []

    /// A head that was read.
    package struct Head: Sendable {
        /// The start line.
        package let start: String
        /// The fields.
        package let headers: HTTPHeaders
        /// How many bytes the head has.
        package let count: Int
    }

    /// Creates a reader with limits.
    package init(mostBytes: Int, mostFields: Int) {
        self.mostBytes = mostBytes
        self.mostFields = mostFields
    }

    /// Looks on where it stopped; nil until the head is whole.
    ///
    /// - Parameter bytes: All bytes since the message's first, more at each call.
    /// - Returns: The head.
    /// - Throws: ``HTTPReadProblem`` as soon as it cannot become one.
    package mutating func read(_ bytes: [UInt8]) throws(HTTPReadProblem) -> Head? {
        while scanned < bytes.count {
            let byte = bytes[scanned]
            scanned += 1
            guard scanned <= mostBytes else {
                throw HTTPReadProblem(431, "the head has more than \(mostBytes) bytes")
            }
            guard byte == 0x0A else { continue }
            let end = scanned - 2
            guard end >= lineStart, bytes[end] == 0x0D else {
                throw HTTPReadProblem(400, "a line ends without CR LF")
            }
            if end == lineStart, !lines.isEmpty { return try head(bytes) }
            // Blank lines before the start line are left over from an earlier body.
            if end > lineStart { lines.append(lineStart..<end) }
            lineStart = scanned
            guard lines.count <= mostFields + 1 else {
                throw HTTPReadProblem(431, "the head has more than \(mostFields) fields")
            }
        }
        return nil
    }

    private func head(_ bytes: [UInt8]) throws(HTTPReadProblem) -> Head {
        let start = bytes[lines[0]]
        guard start.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw HTTPReadProblem(400, "the start line holds a control character")
        }
        var headers = HTTPHeaders()
        for line in lines.dropFirst() {
            let (name, value) = try Self.field(bytes[line])
            headers.add(name, value)
        }
        return Head(
            start: String(decoding: start, as: UTF8.self),
            headers: headers,
            count: scanned
        )
    }

    /// One field line: a token, a colon at once, and a value without control characters.
    package static func field(
        _ line: ArraySlice<UInt8>
    ) throws(HTTPReadProblem) -> (name: String, value: String) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            throw HTTPReadProblem(400, "a field has no colon")
        }
        let name = line[..<colon]
        guard isToken(name) else { throw HTTPReadProblem(400, "the name of a field is no token") }
        var value = line[(colon + 1)...]
        while let first = value.first, first == 0x20 || first == 0x09 { value.removeFirst() }
        while let last = value.last, last == 0x20 || last == 0x09 { value.removeLast() }
        guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
            throw HTTPReadProblem(400, "the value of a field holds a control character")
        }
        return (String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
    }

    /// Whether bytes are a token, as the names of methods and fields are.
    package static func isToken(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty
            && bytes.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: tokenSigns.contains(byte)
                }
            }
    }

    private static let tokenSigns = Set("!#$%&'*+-.^_`|~".utf8)
}
