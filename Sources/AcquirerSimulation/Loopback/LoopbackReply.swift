import PaymentCore
public import PaymentTransport

/// What a loopback server does with a request.
public enum LoopbackReply: Sendable {
    /// Answers.
    case answer(HTTPResponse)
    /// Answers after a while.
    case later(HTTPResponse, after: Duration)
    /// Closes the connection without an answer.
    case cut
    /// Never answers, and keeps the connection open.
    case silence
}

/// Writes answers as HTTP/1.1 does.
enum HTTPResponseWriter {
    /// The bytes of an answer; a field that could end the head early is left out.
    static func bytes(_ response: HTTPResponse, keepsAlive: Bool, hidesBody: Bool) -> [UInt8] {
        let status = 200...999 ~= response.status ? response.status : 500
        let hasNoBody = status == 204 || status == 304
        var text = "HTTP/1.1 \(status) \(reasons[status] ?? "Status")\r\n"
        for field in response.headers.list {
            guard HTTPHeadReader.isToken(field.name.utf8),
                !framing.contains(field.name.lowercased()),
                field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
            else { continue }
            text += "\(field.name): \(field.value)\r\n"
        }
        if !hasNoBody { text += "Content-Length: \(response.body.count)\r\n" }
        text += keepsAlive ? "\r\n" : "Connection: close\r\n\r\n"
        var bytes = Array(text.utf8)
        if !hasNoBody, !hidesBody { bytes += response.body }
        return bytes
    }

    /// The answer to a request that cannot be read.
    static func refusal(_ problem: HTTPReadProblem, hidesBody: Bool) -> [UInt8] {
        var response = HTTPResponse(status: problem.status)
        response.headers["Content-Type"] = "text/plain; charset=utf-8"
        response.body = .init((problem.description + "\n").utf8)
        return bytes(response, keepsAlive: false, hidesBody: hidesBody)
    }

    private static let framing: Set<String> = [
        "content-length", "transfer-encoding", "connection", "upgrade", "trailer",
    ]

    private static let reasons = [
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 301: "Moved Permanently",
        302: "Found", 304: "Not Modified", 307: "Temporary Redirect", 400: "Bad Request",
        401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 406: "Not Acceptable", 408: "Request Timeout", 409: "Conflict",
        413: "Content Too Large", 414: "URI Too Long", 417: "Expectation Failed",
        422: "Unprocessable Content", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 500: "Internal Server Error",
        501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported",
    ]
}
