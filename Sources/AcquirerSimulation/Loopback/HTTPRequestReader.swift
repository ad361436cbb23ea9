public import PaymentTransport

/// Reads HTTP/1.1 requests: bytes in, requests or a problem out, and nothing else happens.
///
/// It accepts one way of writing things: lines end with CR LF, a body is stated once, by
/// `Content-Length` or in chunks, and what two readers could read in two ways is refused.
public struct HTTPRequestReader: Sendable {
    /// What the bytes so far come to.
    public enum Event: Sendable {
        /// The request is not whole yet.
        case needsMore
        /// The client waits to be told to go on before it sends the body; said once.
        case needsContinue
        /// A request.
        case request(HTTPRequest, keepsAlive: Bool)
        /// No request can follow on this connection any more.
        case problem(HTTPReadProblem, hidesBody: Bool)
    }

    private let limits: LoopbackLimits
    private var bytes: [UInt8] = []
    private var head: HTTPHeadReader
    private var body: HTTPBodyReader?
    private var begun: (request: HTTPRequest, keepsAlive: Bool)?
    private var failure: HTTPReadProblem?
    private var awaitsContinue = false
    private var hidesBody = false

    /// Creates a reader.
    public init(limits: LoopbackLimits = LoopbackLimits()) {
        self.limits = limits
        head = Self.headReader(limits)
    }

    /// Whether nothing of a request has come yet.
    public var isIdle: Bool { bytes.isEmpty && begun == nil && failure == nil }

    /// Whether the head of a request is read, and its body is not.
    public var isInBody: Bool { begun != nil }

    /// Takes what came next.
    public mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    /// What the bytes so far come to; to be asked again until it needs more.
    public mutating func next() -> Event {
        if let failure { return .problem(failure, hidesBody: hidesBody) }
        do throws(HTTPReadProblem) {
            if begun == nil {
                guard let read = try head.read(bytes) else { return .needsMore }
                bytes.removeFirst(read.count)
                head = Self.headReader(limits)
                hidesBody = read.start.hasPrefix("HEAD ")
                try begin(read)
            }
            // In place: a copy of a body for each of its pieces would be slow.
            let taken = try body?.take(bytes[...]) ?? 0
            bytes.removeFirst(taken)
            guard let event = finished() else {
                defer { awaitsContinue = false }
                return awaitsContinue && taken == 0 ? .needsContinue : .needsMore
            }
            return event
        } catch {
            bytes = []
            (begun, body) = (nil, nil)
            failure = error
            return .problem(error, hidesBody: hidesBody)
        }
    }

    private mutating func finished() -> Event? {
        guard var begun, let body, body.isDone else { return nil }
        if !body.body.isEmpty { begun.request.body = body.body }
        (self.begun, self.body) = (nil, nil)
        awaitsContinue = false
        return .request(begun.request, keepsAlive: begun.keepsAlive)
    }

    private mutating func begin(_ head: HTTPHeadReader.Head) throws(HTTPReadProblem) {
        let line = try HTTPRequestLine(head.start)
        let isOld = line.minorVersion == 0
        let framing = try HTTPBodyReader.framing(head.headers)
        if isOld, framing == .chunked {
            throw HTTPReadProblem(400, "HTTP/1.0 has no chunks")
        }
        if case .length(let count)? = framing, count > limits.bodyBytes {
            throw HTTPBodyReader.tooLarge(limits.bodyBytes)
        }
        awaitsContinue = try Self.awaitsContinue(head.headers) && !isOld
        let options = HTTPConnection.options(head.headers)
        var request = HTTPRequest(
            line.method,
            "http://" + (try Self.host(head.headers, isOld: isOld) ?? line.host ?? "localhost"),
            line.path,
            query: line.query
        )
        request.headers = head.headers
        body = HTTPBodyReader(framing ?? .length(0), mostBytes: limits.bodyBytes)
        begun = (
            request,
            isOld ? options.contains("keep-alive") : !options.contains("close")
        )
    }

    private static func host(
        _ headers: HTTPHeaders,
        isOld: Bool
    ) throws(HTTPReadProblem) -> String? {
        let hosts = headers.all("Host")
        guard hosts.count == 1 || isOld && hosts.isEmpty else {
            throw HTTPReadProblem(400, "there is not exactly one field Host")
        }
        return hosts.first
    }

    private static func awaitsContinue(_ headers: HTTPHeaders) throws(HTTPReadProblem) -> Bool {
        let expectations = headers.all("Expect")
        guard expectations.allSatisfy({ $0.lowercased() == "100-continue" }) else {
            throw HTTPReadProblem(417, "the only expectation that is met is 100-continue")
        }
        return !expectations.isEmpty
    }

    private static func headReader(_ limits: LoopbackLimits) -> HTTPHeadReader {
        HTTPHeadReader(mostBytes: limits.headBytes, mostFields: limits.fields)
    }
}
