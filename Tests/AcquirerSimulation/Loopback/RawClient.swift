import AcquirerSimulation
import Foundation
import PaymentTransport

/// A client that writes and reads bytes as it is told, on the calling thread.
final class RawClient {
    private let socket: LoopbackSocket
    private var isOpen = true

    init(_ server: LoopbackServer) throws {
        socket = try LoopbackSocket.connect(server.address, port: server.port).socket
    }

    deinit { close() }

    func close() {
        if isOpen { socket.close() }
        isOpen = false
    }

    func endWriting() { socket.endWriting() }

    func write(_ text: String) { write(Array(text.utf8)) }

    /// Writes until all is taken or the server has gone.
    func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            switch socket.write(rest) {
            case .bytes(let count): rest = rest.dropFirst(count)
            case .notReady: wait(reads: false)
            case .ended, .broken: return
            }
        }
    }

    /// Everything up to the end of the connection, or until so many answers are there.
    func read(answers: Int = .max) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            switch socket.read(into: &buffer) {
            case .bytes(let count): bytes += buffer[..<count]
            case .notReady:
                if Self.answers(in: bytes) >= answers || !wait(reads: true) {
                    return String(decoding: bytes, as: UTF8.self)
                }
            case .ended, .broken: return String(decoding: bytes, as: UTF8.self)
            }
        }
    }

    private static func answers(in bytes: [UInt8]) -> Int {
        String(decoding: bytes, as: UTF8.self).components(separatedBy: "HTTP/1.1 ").count - 1
    }

    /// Whether something could be done within a minute.
    @discardableResult
    private func wait(reads: Bool) -> Bool {
        var poll = LoopbackPoll()
        poll.add(socket, reads: reads, writes: !reads)
        poll.wait(.seconds(60))
        return poll.hasEvent(0)
    }
}

/// Runs a server on a thread of its own while something is done with it.
func withServer<Value>(
    limits: LoopbackLimits = LoopbackLimits(),
    answer: @escaping @Sendable (HTTPRequest) -> LoopbackReply = { .answer(echo($0)) },
    _ body: (LoopbackServer) throws -> Value
) throws -> Value {
    let server = try LoopbackServer(limits: limits)
    let ended = DispatchSemaphore(value: 0)
    Thread {
        server.serve(answer)
        ended.signal()
    }.start()
    defer {
        server.stop()
        ended.wait()
    }
    return try body(server)
}

/// Runs a server while something is done with it, without holding a thread.
func withRunningServer<Value: Sendable>(
    limits: LoopbackLimits = LoopbackLimits(),
    answer: @escaping @Sendable (HTTPRequest) async -> LoopbackReply = { .answer(echo($0)) },
    _ body: (LoopbackServer) async throws -> Value
) async throws -> Value {
    let server = try LoopbackServer(limits: limits)
    async let running: Void = server.run(answer)
    let result: Result<Value, any Error>
    do { result = .success(try await body(server)) } catch { result = .failure(error) }
    server.stop()
    await running
    return try result.get()
}

extension LoopbackTransport {
    /// Waits as long as the other tests keep the threads busy that a server's answer needs.
    static var patient: LoopbackTransport { LoopbackTransport(timeLimit: .seconds(900)) }
}

/// Answers with what was asked.
@Sendable func echo(_ request: HTTPRequest) -> HTTPResponse {
    var response = HTTPResponse(status: 200)
    let query = request.query.map { "\($0)=\($1)" }.joined(separator: "&")
    response.headers["X-Asked"] = "\(request.method.rawValue) \(request.path)?\(query)"
    response.body = request.body ?? Data()
    return response
}
