import AcquirerSimulation
import Foundation
import PaymentTransport
import Simulation
import Testing

/// Reads bytes to their end, in pieces of a size, and writes down everything that they came to.
func readAll(
    _ bytes: some Collection<UInt8>,
    pieces: Int = .max,
    limits: LoopbackLimits = LoopbackLimits()
) -> [String] {
    var reader = HTTPRequestReader(limits: limits)
    var told: [String] = []
    var rest = Array(bytes)[...]
    while true {
        reader.append(rest.prefix(pieces))
        rest = rest.dropFirst(pieces)
        reading: while true {
            switch reader.next() {
            case .needsMore: break reading
            case .needsContinue: continue
            case .request(let request, let keepsAlive):
                let query = request.query.map { "\($0)=\($1)" }.joined(separator: "&")
                let body = request.body.map { String(decoding: $0, as: UTF8.self) } ?? "-"
                told.append("\(request) ?\(query) \(body) \(keepsAlive ? "keeps" : "closes")")
            case .problem(let problem, _): return told + ["\(problem.status) \(problem)"]
            }
        }
        if rest.isEmpty { return told + (reader.isIdle ? [] : ["incomplete"]) }
    }
}

private func readAll(_ text: String, pieces: Int = .max) -> [String] {
    readAll(text.utf8, pieces: pieces)
}

@Suite struct HTTPRequestReaderTests {
    private static let good: [(String, [String])] = [
        ("GET / HTTP/1.1\r\nHost: x\r\n\r\n", ["GET / ? - keeps"]),
        ("\r\n\r\nGET / HTTP/1.1\r\nhost:x\r\n\r\n", ["GET / ? - keeps"]),
        (
            "GET /a%20b/%C3%A9?q=1+1%2B&e&=f HTTP/1.1\r\nHost: x\r\n\r\n",
            ["GET /a b/é ?q=1 1+&e=&=f - keeps"]
        ),
        ("GET http://h:1/p?x=y HTTP/1.1\r\nHost: x\r\n\r\n", ["GET /p ?x=y - keeps"]),
        ("GET / HTTP/1.0\r\n\r\n", ["GET / ? - closes"]),
        ("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", ["GET / ? - keeps"]),
        ("GET / HTTP/1.1\r\nHost: x\r\nConnection: te, Close\r\n\r\n", ["GET / ? - closes"]),
        (
            "POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabcGET / HTTP/1.1\r\nHost: x\r\n\r\n",
            ["POST /p ? abc keeps", "GET / ? - keeps"]
        ),
        (
            "PUT /p HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n"
                + "3;n=v\r\nabc\r\nA\r\n0123456789\r\n0\r\nX: y\r\n\r\n",
            ["PUT /p ? abc0123456789 keeps"]
        ),
        (
            "PATCH /p HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\na",
            ["PATCH /p ? a keeps"]
        ),
        ("DELETE /p HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", ["DELETE /p ? - keeps"]),
    ]

    @Test(arguments: good)
    func `reads what clients send, in pieces of any size`(text: String, told: [String]) {
        for pieces in [1, 2, 3, 5, 7, 16, Int.max] {
            #expect(readAll(text, pieces: pieces) == told, "pieces of \(pieces)")
        }
    }

    @Test(arguments: good)
    func `a request that ends early is no request`(text: String, told: [String]) {
        for count in 0..<text.utf8.count {
            let early = readAll(text.utf8.prefix(count))
            #expect(early.filter { $0 != "incomplete" }.count < told.count || early == told)
            #expect(!early.contains { $0.hasPrefix("4") || $0.hasPrefix("5") })
        }
    }

    private static func headed(_ fields: String, _ rest: String = "") -> String {
        "POST / HTTP/1.1\r\nHost: x\r\n\(fields)\r\n\r\n\(rest)"
    }

    private static let badLines: [(String, Int)] = [
        ("GET / HTTP/1.1\nHost: x\n\n", 400), ("GET / HTTP/1.1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n", 400), ("GET /\r\n\r\n", 400),
        ("GET  / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/2.0\r\n\r\n", 505),
        ("GET / HTTPS\r\n\r\n", 400), ("GET / HTTP/1.1 \r\n\r\n", 400),
        ("\u{1} / HTTP/1.1\r\n\r\n", 400),
        ("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n", 501), ("BREW / HTTP/1.1\r\nHost: x\r\n\r\n", 501),
        ("GET * HTTP/1.1\r\n\r\n", 400), ("GET x HTTP/1.1\r\n\r\n", 400),
        ("GET http:///p HTTP/1.1\r\n\r\n", 400), ("CONNECT a:1 HTTP/1.1\r\n\r\n", 501),
        ("GET /%zz HTTP/1.1\r\n\r\n", 400), ("GET /%4 HTTP/1.1\r\n\r\n", 400),
        ("GET /%ff HTTP/1.1\r\n\r\n", 400), ("GET /%00 HTTP/1.1\r\n\r\n", 400),
        ("GET /%0d%0a HTTP/1.1\r\n\r\n", 400), ("GET /#f HTTP/1.1\r\n\r\n", 400),
    ]

    private static let badFraming: [(String, Int)] = [
        (headed("No colon"), 400), (headed("Blank : x"), 400), (headed(": x"), 400),
        (headed(" folded: x"), 400), (headed("X: a\rb"), 400), (headed("X: \u{0}"), 400),
        (headed("Content-Length: -1"), 400), (headed("Content-Length: +1"), 400),
        (headed("Content-Length: 1x"), 400), (headed("Content-Length:"), 400),
        (headed("Content-Length: 0x1"), 400), (headed("Content-Length: 1, 1"), 400),
        (headed("Content-Length: 1\r\nContent-Length: 1"), 400),
        (headed("Content-Length: 1\r\nTransfer-Encoding: chunked"), 400),
        (headed("Content-Length: 1048577"), 413),
        (headed("Content-Length: 99999999999999999999999"), 413),
        (headed("Transfer-Encoding: gzip"), 501), (headed("Transfer-Encoding: gzip, chunked"), 501),
        (headed("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"), 501),
        ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        (headed("Expect: 200-ok"), 417),
        (headed("Transfer-Encoding: chunked", "x\r\n"), 400),
        (headed("Transfer-Encoding: chunked", "\r\n"), 400),
        (headed("Transfer-Encoding: chunked", "-1\r\n"), 400),
        (headed("Transfer-Encoding: chunked", "1\nx"), 400),
        (headed("Transfer-Encoding: chunked", "1\r\nxy\r\n"), 400),
        (headed("Transfer-Encoding: chunked", "100001\r\n"), 413),
        (headed("Transfer-Encoding: chunked", "ffffffffffffffffffffff\r\n"), 400),
        (headed("Transfer-Encoding: chunked", "1;" + String(repeating: "x", count: 2_000)), 400),
        (headed("Transfer-Encoding: chunked", "0\r\nno colon\r\n\r\n"), 400),
        ("GET /" + String(repeating: "a", count: 9_000) + " HTTP/1.1\r\nHost: x\r\n\r\n", 414),
        (String(repeating: "a", count: 20_000), 431),
        (headed("X: " + String(repeating: "a", count: 20_000)), 431),
        (headed(String(repeating: "X: y\r\n", count: 200) + "X: y"), 431),
    ]

    @Test(arguments: badLines + badFraming)
    func `refuses what is wrong, too large or could be read in two ways`(
        text: String,
        status: Int
    ) {
        for pieces in [1, 7, Int.max] {
            let told = readAll(text, pieces: pieces)
            #expect(told.last?.hasPrefix("\(status) ") == true, "\(told)")
            #expect(told.count == 1)
        }
    }

    @Test func `a client that waits to send its body is told once to go on`() {
        var reader = HTTPRequestReader()
        let head = "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-Continue\r\n\r\n"
        reader.append(head.utf8)
        var events: [String] = []
        for more in ["", "a", "b"] {
            reader.append(more.utf8)
            events.append(String("\(reader.next())".prefix { $0 != "(" }))
        }
        #expect(events == ["needsContinue", "needsMore", "request"])
    }

    @Test func `a body beyond the limit is refused before it is sent`() {
        var reader = HTTPRequestReader()
        let head =
            "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999\r\nExpect: 100-continue\r\n\r\n"
        reader.append(head.utf8)
        guard case .problem(let problem, _) = reader.next() else {
            Issue.record("the body was asked for")
            return
        }
        #expect(problem.status == 413)
    }

    @Test func `whatever is done to a request, reading ends and does not depend on pieces`() {
        var chance = SeededGenerator(seed: 20)
        let samples = Self.good.map { Array($0.0.utf8) }
        for _ in 0..<3_000 {
            var bytes = samples[Int.random(in: samples.indices, using: &chance)]
            for _ in 0..<Int.random(in: 1...4, using: &chance) {
                let index = Int.random(in: bytes.indices, using: &chance)
                switch Int.random(in: 0...3, using: &chance) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &chance)
                case 1: bytes.insert(UInt8.random(in: 0...255, using: &chance), at: index)
                case 2: bytes.remove(at: index)
                default: bytes += samples[Int.random(in: samples.indices, using: &chance)]
                }
            }
            let whole = readAll(bytes)
            #expect(readAll(bytes, pieces: 1) == whole, "\(String(decoding: bytes, as: UTF8.self))")
        }
    }

    @Test func `the saved corpus is read without a trap, whole and byte by byte`() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Fuzz/Corpus")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names.count >= 10)
        for name in names {
            let bytes = try Data(contentsOf: folder.appendingPathComponent(name))
            #expect(readAll(bytes, pieces: 1) == readAll(bytes), "\(name)")
        }
    }
}
