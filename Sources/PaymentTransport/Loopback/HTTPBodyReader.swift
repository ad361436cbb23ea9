package import PaymentCore

/// Reads the body of an HTTP/1.1 message in any of its framings.
package struct HTTPBodyReader: Sendable {
    /// How a message says where its body ends.
    package enum Framing: Hashable, Sendable {
        /// So many bytes.
        case length(Int)
        /// In chunks.
        case chunked
        /// With the connection.
        case untilClose
    }

    private enum State: Hashable {
        case data(Int)
        case chunkSize
        case chunkData(Int)
        case chunkEnd
        case trailer
        case untilClose
        case done
    }

    private let mostBytes: Int
    private var state: State
    private var line: [UInt8] = []
    private var trailerBytes = 0

    /// The body, as far as it is there.
    package private(set) var body = Data()

    /// Creates a reader with a limit.
    package init(_ framing: Framing, mostBytes: Int) {
        self.mostBytes = mostBytes
        switch framing {
        case .length(0): state = .done
        case .length(let count): state = .data(count)
        case .chunked: state = .chunkSize
        case .untilClose: state = .untilClose
        }
    }

    /// Whether the body is whole.
    package var isDone: Bool { state == .done }

    /// Whether the end of the connection makes the body whole.
    package var endsWithConnection: Bool { state == .untilClose || state == .done }

    /// The framing that fields state; nil when they state none.
    ///
    /// - Throws: ``HTTPReadProblem`` for anything that two readers could read in two ways.
    package static func framing(
        _ headers: HTTPHeaders
    ) throws(HTTPReadProblem) -> Framing? {
        let lengths = headers.all("Content-Length")
        let codings = headers.all("Transfer-Encoding")
        if !codings.isEmpty {
            guard lengths.isEmpty else {
                throw HTTPReadProblem(400, "Content-Length and Transfer-Encoding exclude another")
            }
            guard codings.count == 1, codings[0].lowercased() == "chunked" else {
                throw HTTPReadProblem(501, "the transfer coding is not chunked")
            }
            return .chunked
        }
        guard let text = lengths.first else { return nil }
        guard lengths.count == 1, !text.isEmpty, text.utf8.allSatisfy({ 48...57 ~= $0 }) else {
            throw HTTPReadProblem(400, "Content-Length is not one whole number")
        }
        return .length(Int(text) ?? Int.max)
    }

    /// Takes bytes of the body.
    ///
    /// - Parameter bytes: What came next; more than the body is left alone.
    /// - Returns: How many bytes belong to the body.
    /// - Throws: ``HTTPReadProblem`` when it is malformed or too large.
    package mutating func take(_ bytes: ArraySlice<UInt8>) throws(HTTPReadProblem) -> Int {
        var rest = bytes
        while !rest.isEmpty, state != .done {
            switch state {
            case .data(let left): try copy(&rest, left) { $0 == 0 ? .done : .data($0) }
            case .chunkData(let left):
                try copy(&rest, left) { $0 == 0 ? .chunkEnd : .chunkData($0) }
            case .untilClose: try copy(&rest, rest.count) { _ in .untilClose }
            case .chunkSize, .chunkEnd, .trailer:
                if try completeLine(&rest) { try takeLine() }
            case .done: break
            }
        }
        return bytes.count - rest.count
    }

    private mutating func copy(
        _ rest: inout ArraySlice<UInt8>,
        _ left: Int,
        _ next: (Int) -> State
    ) throws(HTTPReadProblem) {
        let count = min(left, rest.count)
        guard count <= mostBytes - body.count else { throw Self.tooLarge(mostBytes) }
        body.append(contentsOf: rest.prefix(count))
        rest = rest.dropFirst(count)
        state = next(left - count)
    }

    /// Gathers a line; true once it is whole, without its end.
    private mutating func completeLine(
        _ rest: inout ArraySlice<UInt8>
    ) throws(HTTPReadProblem) -> Bool {
        while let byte = rest.popFirst() {
            if byte == 0x0A {
                guard line.popLast() == 0x0D else {
                    throw HTTPReadProblem(400, "a line of the body's framing ends without CR LF")
                }
                return true
            }
            line.append(byte)
            guard line.count <= Self.longestLine else {
                throw HTTPReadProblem(400, "a line of the body's framing is too long")
            }
        }
        return false
    }

    private mutating func takeLine() throws(HTTPReadProblem) {
        defer { line.removeAll(keepingCapacity: true) }
        switch state {
        case .chunkSize:
            let size = try Self.chunkSize(line)
            guard size <= mostBytes - body.count else { throw Self.tooLarge(mostBytes) }
            state = size == 0 ? .trailer : .chunkData(size)
        case .chunkEnd:
            guard line.isEmpty else { throw HTTPReadProblem(400, "a chunk is longer than it says") }
            state = .chunkSize
        default:
            if line.isEmpty {
                state = .done
                return
            }
            _ = try HTTPHeadReader.field(line[...])
            trailerBytes += line.count
            guard trailerBytes <= Self.longestTrailer else {
                throw HTTPReadProblem(431, "the trailer is too long")
            }
        }
    }

    private static func chunkSize(_ line: [UInt8]) throws(HTTPReadProblem) -> Int {
        let digits = line.prefix { $0 != UInt8(ascii: ";") }
        let isHex = digits.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
            default: false
            }
        }
        guard isHex, 1...15 ~= digits.count,
            let size = Int(String(decoding: digits, as: UTF8.self), radix: 16),
            line.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
        else { throw HTTPReadProblem(400, "the size of a chunk is no hexadecimal number") }
        return size
    }

    /// The problem of a body beyond the limit.
    package static func tooLarge(_ mostBytes: Int) -> HTTPReadProblem {
        HTTPReadProblem(413, "the body has more than \(mostBytes) bytes")
    }

    private static let longestLine = 1_024
    private static let longestTrailer = 8_192
}
