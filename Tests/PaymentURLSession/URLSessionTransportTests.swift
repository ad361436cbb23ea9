import Foundation
import PaymentTransport
import PaymentURLSession
import Testing

@Suite struct URLSessionTransportTests {
    @Test func `F-154 brings back status, headers and body`() async throws {
        let peer = try LoopbackPeer { _ in
            "HTTP/1.1 201 Created\r\nx-request-id: r1\r\nContent-Length: 2\r\n\r\n{}"
        }
        var request = HTTPRequest(.post, peer.origin, "/a b", query: [("q", "1+1 &")])
        request.headers["Authorization"] = "Basic x"
        request.body = Data("{}".utf8)
        let response = try await URLSessionTransport.patient.send(request)
        #expect(response.status == 201)
        #expect(response.headers["X-Request-ID"] == "r1")
        #expect(response.body == Data("{}".utf8))
        #expect(peer.requests.first?.hasPrefix("POST /a%20b?q=1%2B1%20%26 HTTP/1.1") == true)
    }

    // FC-086
    @Test(arguments: [302, 307])
    func `N-014 a redirect is an answer, and no credential reaches the other host`(
        status: Int
    ) async throws {
        let other = try LoopbackPeer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" }
        let peer = try LoopbackPeer { _ in
            "HTTP/1.1 \(status) Moved\r\nLocation: \(other.origin)/x\r\nContent-Length: 0\r\n\r\n"
        }
        var request = HTTPRequest(.get, peer.origin, "/")
        request.headers["Authorization"] = "Basic x"
        #expect(try await URLSessionTransport.patient.send(request).status == status)
        #expect(other.requests.isEmpty)
    }

    @Test func `F-151 a challenge is an answer`() async throws {
        let peer = try LoopbackPeer { _ in
            """
            HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm="x"\r\n\
            Content-Length: 0\r\n\r\n
            """
        }
        #expect(
            try await URLSessionTransport.patient.send(HTTPRequest(.get, peer.origin, "/")).status
                == 401
        )
        #expect(peer.requests.count == 1)
    }

    @Test func `N-011 only a failed connection proves that nothing was sent`() async throws {
        let silent = try LoopbackPeer { _ in nil }
        let error = await #expect(throws: TransportError.self) {
            try await URLSessionTransport(timeLimit: 5)
                .send(HTTPRequest(.post, silent.origin, "/"))
        }
        #expect(error?.reach == .maybeReceived)
        let refused = await #expect(throws: TransportError.self) {
            try await URLSessionTransport.patient.send(
                HTTPRequest(.post, "http://127.0.0.1:1", "/")
            )
        }
        #expect(refused?.reach == .notSent)
    }

    // FC-098
    @Test func `N-014 a credential with a line break is refused and not shown`() async throws {
        var request = HTTPRequest(.get, "http://127.0.0.1:1", "/")
        request.headers["Authorization"] = "Basic secret\r\nX: y"
        let error = await #expect(throws: TransportError.self) {
            try await URLSessionTransport.patient.send(request)
        }
        #expect(error?.reach == .notSent)
        #expect(error.map { !"\($0)".contains("secret") } == true)
    }
}

extension URLSessionTransport {
    /// One that a busy machine does not end.
    fileprivate static let patient = URLSessionTransport(timeLimit: 900)
}
