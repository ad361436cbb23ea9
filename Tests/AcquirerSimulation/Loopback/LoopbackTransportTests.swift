import AcquirerSimulation
import Foundation
import PaymentCore
import PaymentTransport
import PaymentURLSession
import Synchronization
import Testing

@Suite struct LoopbackTransportTests {
    private static let unused = "http://127.0.0.1:1"

    /// Serves fixed bytes to each connection in turn, the last ones for ever; nil cuts it.
    private func withPeer<Value: Sendable>(
        _ answers: [String?],
        _ state: PeerState = PeerState(),
        _ body: (String) async throws -> Value
    ) async throws -> Value {
        let listener = try LoopbackSocket.listen(.v4, port: 0)
        let waker = try LoopbackWaker()
        Thread { state.serve(listener, waker, answers) }.start()
        defer { state.stop(waker) }
        return try await body("http://127.0.0.1:\(listener.port)")
    }

    private func error(
        _ transport: any HTTPTransport,
        _ request: HTTPRequest
    ) async -> TransportError? {
        do throws(TransportError) {
            _ = try await transport.send(request)
            return nil
        } catch {
            return error
        }
    }

    @Test func `F-154 brings back status, headers and body`() async throws {
        try await withRunningServer { server in
            var request = HTTPRequest(
                .post,
                server.origin,
                "/a b",
                query: [("q", "1+1 &"), ("é", "")],
                body: Data("{}".utf8)
            )
            request.headers["X-Small"] = "y"
            let response = try await LoopbackTransport.patient.send(request)
            #expect(response.status == 200)
            #expect(response.headers["x-asked"] == "POST /a b?q=1+1 &&é=")
            #expect(response.body == Data("{}".utf8))
        }
    }

    @Test(arguments: HTTPRequest.Method.allMethods)
    func `F-154 carries every method, with and without a body`(
        method: HTTPRequest.Method
    ) async throws {
        try await withRunningServer { server in
            let transport = LoopbackTransport.patient
            for body in [nil, Data(), Data(repeating: 0x61, count: 300_000)] {
                let request = HTTPRequest(method, server.origin, "/", body: body)
                let response = try await transport.send(request)
                #expect(response.headers["X-Asked"] == "\(method.rawValue) /?")
                #expect(response.body == body ?? Data())
            }
        }
    }

    @Test func `F-154 one connection carries one request after another`() async throws {
        var limits = LoopbackLimits()
        limits.connections = 1
        try await withRunningServer(limits: limits) { server in
            let transport = LoopbackTransport.patient
            for _ in 0..<50 {
                let response = try await transport.send(HTTPRequest(.get, server.origin, "/"))
                #expect(response.status == 200)
            }
        }
    }

    @Test func `hundreds are in flight at the same time`() async throws {
        let arrived = Mutex(0)
        let all = OneShot<Void>()
        // The first is answered when the last has come.
        let server = try LoopbackServer()
        async let running: Void = server.run { request in
            let count = arrived.withLock { count in
                count += 1
                return count
            }
            if count == 256 { all.resolve(()) }
            await all.value()
            return .answer(echo(request))
        }
        let transport = LoopbackTransport.patient
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<256 {
                group.addTask {
                    try await transport.send(HTTPRequest(.get, server.origin, "/\(index)")).status
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 256))
        server.stop()
        await running
    }

    @Test(arguments: [
        "https://127.0.0.1:1", "http://example.com", "http://192.168.0.1",
        "http://127.0.0.1.x.example",
        "http://u:p@127.0.0.1:1", "http://127.0.0.1:0", "http://127.0.0.1:99999", "127.0.0.1", "",
        "ftp://x",
    ])
    func `F-241 anything but http on loopback is not sent`(origin: String) async {
        let error = await error(LoopbackTransport.patient, HTTPRequest(.get, origin, "/"))
        #expect(error?.reach == .notSent)
        // It was refused, and not only in vain.
        #expect(error?.description.hasPrefix("no connection") == false)
    }

    @Test func `N-011 only a failed connection proves that nothing was sent`() async throws {
        let transport = LoopbackTransport.patient
        #expect(await error(transport, HTTPRequest(.post, Self.unused, "/"))?.reach == .notSent)
        try await withRunningServer(answer: { _ in .cut }) { server in
            let error = await error(transport, HTTPRequest(.post, server.origin, "/"))
            #expect(error?.reach == .maybeReceived)
        }
    }

    @Test func `N-011 no answer in time may have been received`() async throws {
        let transport = LoopbackTransport(timeLimit: .milliseconds(50))
        try await withRunningServer(answer: { _ in .silence }) { server in
            let error = await error(transport, HTTPRequest(.post, server.origin, "/"))
            #expect(error == TransportError(.maybeReceived, "no answer in time"))
        }
    }

    @Test func `N-011 a request that waits for a connection in vain is not sent`() async throws {
        let transport = LoopbackTransport(timeLimit: .milliseconds(80), connections: 1)
        try await withRunningServer(answer: { _ in .silence }) { server in
            async let first = error(transport, HTTPRequest(.post, server.origin, "/"))
            async let second = error(transport, HTTPRequest(.post, server.origin, "/"))
            let reaches = await [first, second].map { $0?.reach }
            #expect(reaches.contains(.notSent) && reaches.contains(.maybeReceived))
        }
    }

    @Test func `N-011 cancelling tells whether anything left`() async throws {
        let transport = LoopbackTransport.patient
        let arrived = AsyncStream<Void>.makeStream()
        try await withRunningServer(answer: { _ in
            arrived.continuation.yield()
            return .silence
        }) { server in
            let request = HTTPRequest(.post, server.origin, "/")
            let reaches = await withTaskGroup(of: TransportError.Reach?.self) { group in
                group.addTask { await error(transport, request)?.reach }
                for await _ in arrived.stream { break }
                group.cancelAll()
                group.addTask { await error(transport, request)?.reach }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(reaches.contains(.maybeReceived) && reaches.contains(.notSent))
        }
    }

    @Test(arguments: [
        "", "garbage\r\n\r\n", "HTTP/2 200\r\n\r\n", "HTTP/1.1 2x0 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", "HTTP/1.1 101 Go\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "HTTP/1.1 200 OK\nA: b\n\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX: " + String(repeating: "a", count: 100_000) + "\r\n\r\n",
    ])
    func `N-011 an answer that is cut short or cannot be read may hide an effect`(
        text: String
    ) async throws {
        let reach = try await withPeer([text]) { origin in
            await error(LoopbackTransport.patient, HTTPRequest(.post, origin, "/"))?.reach
        }
        #expect(reach == .maybeReceived)
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\n\r\nto the end", "to the end"),
        ("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nabcd", "ab"),
        ("HTTP/1.1 204 None\r\n\r\n", ""),
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200\r\nContent-Length: 1\r\n\r\na", "a"),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n",
            "abc"
        ),
        ("HTTP/1.1 302 Found\r\nLocation: http://192.0.2.1/\r\nContent-Length: 0\r\n\r\n", ""),
    ])
    func `F-154 reads every way in which an answer can end`(
        text: String,
        body: String
    ) async throws {
        let response = try await withPeer([text]) { origin in
            try await LoopbackTransport.patient.send(HTTPRequest(.get, origin, "/"))
        }
        #expect(String(decoding: response.body, as: UTF8.self) == body)
    }

    @Test func `N-011 a kept connection that ends unanswered is replaced for reads alone`()
        async throws
    {
        let fine = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        for (method, isAnswered) in [(HTTPRequest.Method.get, true), (.post, false)] {
            // The peer keeps its first connection open, and cuts it when asked a second time.
            let told = try await withPeer([fine + "\u{1}keep", fine]) { origin in
                let transport = LoopbackTransport.patient
                _ = try await transport.send(HTTPRequest(.get, origin, "/first"))
                return await error(transport, HTTPRequest(method, origin, "/second"))
            }
            #expect((told == nil) == isAnswered)
            #expect(told.map { $0.reach == .maybeReceived } ?? true)
        }
    }

    /// Whatever the system would repeat by itself, a write leaves once.
    @Test(arguments: [HTTPRequest.Method.post, .put, .patch, .delete])
    func `N-011 URLSession replaces no kept connection that ends unanswered for a write`(
        method: HTTPRequest.Method
    ) async throws {
        let fine = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        for answers in [[fine + "\u{1}keep", "", fine], [fine + "\u{1}last"]] {
            let state = PeerState()
            let told = try await withPeer(answers, state) { origin in
                let transport = URLSessionTransport(timeLimit: 900)
                _ = try await transport.send(HTTPRequest(.get, origin, "/first"))
                let write = HTTPRequest(method, origin, "/second", body: Data("{}".utf8))
                return await error(transport, write)
            }
            #expect(state.requests.count { $0.contains(" /second ") } == 1)
            #expect(told?.reach == .maybeReceived)
        }
    }

    /// Answers that never end.
    private static let endless = [
        "HTTP/1.1 100 Continue\r\n\r\n\u{1}ever",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\u{1}1;"
            + String(repeating: "x", count: 900) + "\r\na\r\n\u{1}ever",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n\u{1}a\u{1}slowly",
    ]

    // FC-088
    @Test(arguments: endless)
    func `N-011 an answer that never ends is given up in time`(text: String) async throws {
        let transport = LoopbackTransport(timeLimit: .milliseconds(50))
        let told = try await withPeer([text]) { origin in
            await error(transport, HTTPRequest(.post, origin, "/"))
        }
        #expect(told == TransportError(.maybeReceived, "no answer in time"))
    }

    // FC-088
    @Test(arguments: [HTTPRequest.Method.get, .post])
    func `N-011 URLSession gives up in time what comes byte by byte`(
        method: HTTPRequest.Method
    ) async throws {
        let transport = URLSessionTransport(timeLimit: 1)
        let told = try await withPeer([Self.endless[2]]) { origin in
            await error(transport, HTTPRequest(method, origin, "/"))
        }
        #expect(told == TransportError(.maybeReceived, "no answer in time"))
    }

    @Test(arguments: ["Content-Length: 9", "Transfer-Encoding: chunked"])
    func `N-011 what may still follow an answer is never the next one's`(
        framing: String
    ) async throws {
        let fine = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        let told = try await withPeer(
            ["HTTP/1.1 204 None\r\n\(framing)\r\n\r\n\u{1}keep", fine]
        ) { origin in
            let transport = LoopbackTransport.patient
            _ = try await transport.send(HTTPRequest(.post, origin, "/first"))
            return await error(transport, HTTPRequest(.post, origin, "/second"))
        }
        #expect(told == nil)
    }

    @Test func `N-014 a credential with a line break, or a name that is no token, is not sent`()
        async
    {
        var broken = HTTPRequest(.get, Self.unused, "/")
        broken.headers["Authorization"] = "Basic secret\r\nX: y"
        var odd = HTTPRequest(.get, Self.unused, "/")
        odd.headers["X:y\r\nZ"] = "a"
        for request in [broken, odd] {
            let error = await error(LoopbackTransport.patient, request)
            #expect(error?.reach == .notSent)
            #expect(error?.description.hasPrefix("no connection") == false)
            #expect(error.map { !"\($0)".contains("secret") } == true)
        }
    }

    @Test func `URLSession speaks with the server as with the real thing`() async throws {
        try await withRunningServer { server in
            let transport = URLSessionTransport(timeLimit: 900)
            for count in [0, 1, 70_000] {
                let body = Data(repeating: 0x62, count: count)
                let request = HTTPRequest(
                    .post,
                    server.origin,
                    "/a b",
                    query: [("q", "+ %")],
                    body: body
                )
                let response = try await transport.send(request)
                #expect(response.headers["X-Asked"] == "POST /a b?q=+ %")
                #expect(response.body == body)
            }
        }
    }
}

extension HTTPRequest.Method {
    static let allMethods: [Self] = [.get, .post, .put, .patch, .delete]
}

/// A peer that answers with fixed bytes; after the mark `\u{1}keep` it keeps the connection until
/// it is asked again, then cuts it, or until another comes; after `\u{1}last` it also listens no more;
/// what stands before `\u{1}ever` and `\u{1}slowly` is written again and again.
private final class PeerState: Sendable {
    private let isStopped = Mutex(false)
    private let received = Mutex<[String]>([])

    /// What came, in order.
    var requests: [String] { received.withLock { $0 } }

    func stop(_ waker: LoopbackWaker) {
        isStopped.withLock { $0 = true }
        waker.wake()
    }

    func serve(_ listener: LoopbackSocket, _ waker: LoopbackWaker, _ answers: [String?]) {
        var open = [listener]
        defer { for socket in open { socket.close() } }
        var count = 0
        while !isStopped.withLock({ $0 }) {
            var poll = LoopbackPoll()
            poll.add(waker)
            poll.add(listener, reads: true, writes: false)
            poll.wait(nil)
            guard poll.hasEvent(1), let client = try? listener.accept() else { continue }
            let text = answers[min(count, answers.count - 1)] ?? ""
            count += 1
            let parts = text.split(separator: "\u{1}", omittingEmptySubsequences: false)
            read(client, until: waker)
            _ = client.write(Array(parts[0].utf8)[...])
            switch parts.count > 1 ? parts.last : nil {
            case "keep" where !read(client, or: listener, until: waker):
                open.append(client)
                continue
            case "last":
                open.append(client)
                if !read(client, or: listener, until: waker), let next = try? listener.accept() {
                    open.append(next)
                    read(next, until: waker)
                }
                return
            case "ever": write(parts[parts.count - 2], to: client)
            case "slowly": write(parts[parts.count - 2], to: client, slowly: true)
            default: break
            }
            client.close()
        }
    }

    /// Writes a text again and again until the client is gone.
    private func write(_ text: Substring, to client: LoopbackSocket, slowly: Bool = false) {
        let bytes = Array(String(repeating: String(text), count: slowly ? 1 : 64).utf8)
        var rest = bytes[...]
        while !isStopped.withLock({ $0 }) {
            var poll = LoopbackPoll()
            if slowly { poll.wait(.milliseconds(100)) }
            poll.add(client, reads: false, writes: true)
            poll.wait(.milliseconds(10))
            switch client.write(rest) {
            case .bytes(let count): rest = rest.dropFirst(count)
            case .notReady: break
            case .ended, .broken: return
            }
            if rest.isEmpty { rest = bytes[...] }
        }
    }

    /// Reads what comes next over a connection, however long that takes, unless it is stopped; false
    /// when another connection comes first.
    @discardableResult
    private func read(
        _ client: LoopbackSocket,
        or listener: LoopbackSocket? = nil,
        until waker: LoopbackWaker
    ) -> Bool {
        var poll = LoopbackPoll()
        poll.add(waker)
        poll.add(client, reads: true, writes: false)
        if let listener { poll.add(listener, reads: true, writes: false) }
        poll.wait(nil)
        if listener != nil, poll.hasEvent(2), !poll.hasEvent(1) { return false }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        if case .bytes(let count) = client.read(into: &buffer) {
            received.withLock { $0.append(String(decoding: buffer[..<count], as: UTF8.self)) }
        }
        return true
    }
}
