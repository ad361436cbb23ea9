import PaymentCore

/// Writes a request as HTTP/1.1 does.
enum HTTPRequestWriter {
    /// The bytes of a request to a host.
    ///
    /// - Throws: ``TransportError`` with `notSent` when it cannot be written.
    static func bytes(
        _ request: HTTPRequest,
        to target: LoopbackTarget
    ) throws(TransportError) -> [UInt8] {
        if let problem = request.problem { throw TransportError(.notSent, problem) }
        guard let url = request.url,
            let components = URLComponents(url: url, resolvingAgainstBaseURL: false)
        else { throw TransportError(.notSent, "the address of \(request) is malformed") }
        let path = components.percentEncodedPath
        var text = request.method.rawValue + " " + (path.hasPrefix("/") ? "" : "/") + path
        if let query = components.percentEncodedQuery { text += "?" + query }
        text += " HTTP/1.1\r\nHost: \(target.address.host):\(target.port)\r\n"
        for field in request.headers.list where !framing.contains(field.name.lowercased()) {
            guard HTTPHeadReader.isToken(field.name.utf8) else {
                throw TransportError(.notSent, "the name of a header is no token")
            }
            text += "\(field.name): \(field.value)\r\n"
        }
        if let body = request.body {
            text += "Content-Length: \(body.count)\r\n"
        } else if request.method != .get {
            text += "Content-Length: 0\r\n"
        }
        text += "\r\n"
        var bytes = Array(text.utf8)
        if let body = request.body { bytes += body }
        return bytes
    }

    /// The fields that are the transport's own.
    private static let framing: Set<String> = [
        "host", "content-length", "transfer-encoding", "connection", "expect", "upgrade", "te",
        "trailer",
    ]
}
