import AcquirerSimulation
import Foundation
import PaymentTransport
import Testing

@Suite struct LoopbackServerTests {
    private static let get = "GET /g HTTP/1.1\r\nHost: x\r\n\r\n"

    private static func post(_ body: String, _ fields: String = "") -> String {
        "POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n\(body)"
    }

    private func count(_ part: String, in text: String) -> Int {
        text.components(separatedBy: part).count - 1
    }

    @Test func `F-241 it listens on loopback alone, on any free port`() throws {
        let (one, other) = (try LoopbackServer(), try LoopbackServer())
        #expect(one.port != other.port && one.port > 0)
        #expect(one.origin == "http://127.0.0.1:\(one.port)")
        #expect(LoopbackAddress(host: "0.0.0.0") == nil)
        #expect(LoopbackAddress(host: "192.168.0.1") == nil)
    }

    @Test func `a port in use is refused with the reason`() throws {
        let first = try LoopbackServer()
        let error = #expect(throws: LoopbackServerError.self) {
            try LoopbackServer(port: first.port)
        }
        #expect(error?.description.contains("127.0.0.1:\(first.port) is in use") == true)
    }

    @Test func `one connection carries many requests, also when they come at once`() throws {
        try withServer { server in
            let client = try RawClient(server)
            client.write(Self.get)
            #expect(client.read(answers: 1).contains("X-Asked: GET /g?"))
            client.write(Self.post("abc") + Self.get + Self.post("de"))
            let text = client.read(answers: 3)
            #expect(count("HTTP/1.1 200 OK", in: text) == 3)
            #expect(text.contains("Content-Length: 3\r\n\r\nabcHTTP/1.1"))
            #expect(text.hasSuffix("de"))
        }
    }

    @Test func `a body comes in chunks, after the client was told to go on`() throws {
        try withServer { server in
            let client = try RawClient(server)
            client.write(
                "POST /p HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n"
            )
            #expect(client.read(answers: 1) == "HTTP/1.1 100 Continue\r\n\r\n")
            client.write("2\r\nab\r\n")
            client.write("1\r\nc\r\n0\r\n\r\n")
            #expect(client.read(answers: 1).hasSuffix("\r\n\r\nabc"))
        }
    }

    @Test func `a client that wishes so is let go after the answer`() throws {
        try withServer { server in
            let client = try RawClient(server)
            client.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            #expect(client.read().contains("Connection: close"))
            let old = try RawClient(server)
            old.write("GET / HTTP/1.0\r\n\r\n")
            #expect(old.read().hasPrefix("HTTP/1.1 200 OK"))
        }
    }

    @Test func `a client that ends its half still gets its answer`() throws {
        try withServer { server in
            let client = try RawClient(server)
            client.write(Self.get)
            client.endWriting()
            #expect(client.read().hasPrefix("HTTP/1.1 200 OK"))
        }
    }

    @Test(arguments: [
        ("GET /\r\n\r\n", 400), ("BREW / HTTP/1.1\r\n\r\n", 501),
        (String(repeating: "a", count: 50_000), 431),
        (
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999\r\n\r\n"
                + String(repeating: "b", count: 3_000_000), 413
        ),
    ])
    func `a request that cannot be read is answered, and the connection ends`(
        text: String,
        status: Int
    ) throws {
        try withServer { server in
            let client = try RawClient(server)
            client.write(text)
            let answer = client.read()
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
            #expect(answer.contains("Connection: close"))
        }
    }

    @Test func `the answer to a HEAD that is refused has no body`() throws {
        try withServer { server in
            let client = try RawClient(server)
            client.write("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n")
            let answer = client.read()
            #expect(answer.hasPrefix("HTTP/1.1 501 "))
            #expect(answer.hasSuffix("\r\n\r\n"))
        }
    }

    @Test func `a client that is too slow with its head or body is refused`() throws {
        var limits = LoopbackLimits()
        limits.headTime = .milliseconds(50)
        limits.bodyTime = .milliseconds(50)
        try withServer(limits: limits) { server in
            let client = try RawClient(server)
            client.write("GET / HTT")
            #expect(client.read().hasPrefix("HTTP/1.1 408 "))
            let other = try RawClient(server)
            other.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab")
            #expect(other.read().hasPrefix("HTTP/1.1 408 "))
        }
    }

    @Test func `an idle connection ends without a word`() throws {
        var limits = LoopbackLimits()
        limits.idleTime = .milliseconds(50)
        try withServer(limits: limits) { server in
            let client = try RawClient(server)
            client.write(Self.get)
            #expect(count("HTTP/1.1", in: client.read()) == 1)
        }
    }

    @Test func `clients that break off do not disturb others`() throws {
        try withServer { server in
            for text in [
                "", "GET", Self.get, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx",
            ] {
                for _ in 0..<20 {
                    let client = try RawClient(server)
                    client.write(text)
                    client.close()
                }
            }
            let client = try RawClient(server)
            client.write(Self.get)
            #expect(client.read(answers: 1).hasPrefix("HTTP/1.1 200 OK"))
        }
    }

    @Test func `a client that does not read its answer is let go in time`() throws {
        var limits = LoopbackLimits()
        limits.writeTime = .milliseconds(50)
        // The other is let in once the first is gone.
        limits.connections = 1
        let large = HTTPResponse(status: 200, body: Data(repeating: 0x61, count: 32 << 20))
        try withServer(limits: limits, answer: { _ in .answer(large) }) { server in
            let client = try RawClient(server)
            client.write(Self.get)
            let other = try RawClient(server)
            other.write(Self.get)
            #expect(other.read(answers: 1).hasPrefix("HTTP/1.1 200 OK"))
        }
    }

    @Test func `more clients than are let in wait their turn`() throws {
        var limits = LoopbackLimits()
        limits.connections = 1
        limits.idleTime = .milliseconds(50)
        try withServer(limits: limits) { server in
            let clients = try (0..<5).map { _ in try RawClient(server) }
            for client in clients { client.write(Self.get) }
            for client in clients { #expect(client.read(answers: 1).hasPrefix("HTTP/1.1 200")) }
        }
    }

    @Test func `F-235 it can cut a connection, or answer late`() throws {
        try withServer(answer: { request in
            request.path == "/g" ? .cut : .later(echo(request), after: .milliseconds(20))
        }) { server in
            let client = try RawClient(server)
            client.write(Self.get)
            #expect(client.read() == "")
            let other = try RawClient(server)
            let start = ContinuousClock.now
            other.write(Self.post("x"))
            #expect(other.read(answers: 1).hasSuffix("\r\n\r\nx"))
            #expect(start.duration(to: .now) >= .milliseconds(20))
        }
    }

    @Test func `N-014 a field that could end an answer's head early is left out`() throws {
        try withServer(answer: { _ in
            var response = HTTPResponse(status: 200)
            response.headers.add("X-Bad", "a\r\nX-Injected: b")
            response.headers.add("Bad name", "a")
            response.headers.add("Content-Length", "7")
            return .answer(response)
        }) { server in
            let client = try RawClient(server)
            client.write(Self.get)
            #expect(client.read(answers: 1) == "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
    }

    @Test func `stopping finishes the answers on their way and lets nobody in`() async throws {
        let gate = AsyncStream<Void>.makeStream()
        let arrived = AsyncStream<Void>.makeStream()
        var limits = LoopbackLimits()
        limits.stopTime = .seconds(900)
        let server = try LoopbackServer(limits: limits)
        async let running: Void = server.run { request in
            arrived.continuation.yield()
            for await _ in gate.stream { break }
            return .answer(echo(request))
        }
        let transport = LoopbackTransport.patient
        async let answer = transport.send(HTTPRequest(.get, server.origin, "/g"))
        for await _ in arrived.stream { break }
        server.stop()
        gate.continuation.yield()
        #expect(try await answer.status == 200)
        await running
        let refused = await #expect(throws: TransportError.self) {
            try await transport.send(HTTPRequest(.get, server.origin, "/g"))
        }
        #expect(refused?.reach == .notSent)
    }

    @Test func `cancelling the task that runs it stops it`() async throws {
        let server = try LoopbackServer()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await server.run { .answer(echo($0)) } }
            group.cancelAll()
        }
        let client = try? RawClient(server)
        client?.write(Self.get)
        #expect(client?.read() ?? "" == "")
    }
}
