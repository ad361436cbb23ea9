import PaymentCore

/// Reads the answer to one request: bytes in, an answer or a problem out.
struct HTTPResponseReader: Sendable {
    /// An answer, and whether the connection can carry another request.
    struct Answer: Sendable {
        let response: HTTPResponse
        let keepsAlive: Bool
    }

    private let mostBytes: Int
    private var bytes: [UInt8] = []
    private var head = Self.headReader
    private var body: HTTPBodyReader?
    private var begun: (response: HTTPResponse, keepsAlive: Bool)?
    /// Whether any byte of an answer came.
    private(set) var hasBegun = false

    init(mostBytes: Int) {
        self.mostBytes = mostBytes
    }

    /// Whether bytes came that belong to no answer.
    var hasSurplus: Bool { !bytes.isEmpty }

    /// Takes what came next; the answer once it is whole.
    mutating func take(_ more: ArraySlice<UInt8>) throws(HTTPReadProblem) -> Answer? {
        if !more.isEmpty { hasBegun = true }
        bytes += more
        while begun == nil {
            guard let read = try head.read(bytes) else { return nil }
            bytes.removeFirst(read.count)
            head = Self.headReader
            try begin(read)
        }
        // In place: a copy of a body for each of its pieces would be slow.
        bytes.removeFirst(try body?.take(bytes[...]) ?? 0)
        return body?.isDone == true ? answer : nil
    }

    private var answer: Answer? {
        guard var begun, let body else { return nil }
        begun.response.body = body.body
        return Answer(response: begun.response, keepsAlive: begun.keepsAlive)
    }

    /// The connection ended: the answer, if that is what makes it whole.
    func end() -> Answer? {
        guard let body, body.endsWithConnection, let answer else { return nil }
        return Answer(response: answer.response, keepsAlive: false)
    }

    private mutating func begin(_ head: HTTPHeadReader.Head) throws(HTTPReadProblem) {
        let (status, isOld) = try Self.statusLine(head.start)
        guard status >= 200 else {
            guard status != 101 else {
                throw HTTPReadProblem(502, "the protocol was switched unasked")
            }
            return
        }
        let hasNoBody = status == 204 || status == 304
        let framing = try HTTPBodyReader.framing(head.headers)
        if case .length(let count)? = framing, count > mostBytes, !hasNoBody {
            throw HTTPBodyReader.tooLarge(mostBytes)
        }
        // What an answer without a body says of one may follow, and would be taken for the next.
        let saysNoBody = framing == nil || framing == .length(0)
        let options = HTTPConnection.options(head.headers)
        let staysOpen = isOld ? options.contains("keep-alive") : !options.contains("close")
        body = HTTPBodyReader(
            hasNoBody ? .length(0) : framing ?? .untilClose,
            mostBytes: mostBytes
        )
        begun = (
            HTTPResponse(status: status, headers: head.headers),
            staysOpen && (hasNoBody ? saysNoBody : framing != nil)
        )
    }

    private static func statusLine(
        _ line: String
    ) throws(HTTPReadProblem) -> (status: Int, isOld: Bool) {
        let bytes = Array(line.utf8)
        guard bytes.count >= 12, line.hasPrefix("HTTP/1."), bytes[7] == 0x30 || bytes[7] == 0x31,
            bytes[8] == 0x20, bytes[9...11].allSatisfy({ 48...57 ~= $0 }),
            bytes.count == 12 || bytes[12] == 0x20,
            let status = Int(String(decoding: bytes[9...11], as: UTF8.self)), status >= 100
        else { throw HTTPReadProblem(502, "the answer is not HTTP/1.1") }
        return (status, bytes[7] == 0x30)
    }

    private static var headReader: HTTPHeadReader {
        HTTPHeadReader(mostBytes: 65_536, mostFields: 200)
    }
}

/// What the field Connection says.
package enum HTTPConnection {
    /// Its options, in small letters.
    package static func options(_ headers: HTTPHeaders) -> Set<String> {
        Set(
            headers.all("Connection").flatMap { $0.split(separator: ",") }.map { option in
                option.lowercased().filter { $0 != " " && $0 != "\t" }
            }
        )
    }
}
