import AcquirerSimulation
import Foundation
import PaymentTransport
import Synchronization

/// A loopback server on a thread of its own that gives one answer, counted.
final class FixedServer: Sendable {
    let server: LoopbackServer
    private let count = Mutex(0)
    private let ended = DispatchSemaphore(value: 0)

    init(_ reply: @escaping @Sendable (HTTPRequest) -> LoopbackReply) throws {
        server = try LoopbackServer()
        Thread.detachNewThread { [server, ended] in
            server.serve { request in
                self.count.withLock { $0 += 1 }
                return reply(request)
            }
            ended.signal()
        }
    }

    var origin: String { server.origin }
    var requests: Int { count.withLock { $0 } }

    func stop() {
        server.stop()
        ended.wait()
    }

    static var transfer: HTTPResponse {
        var response = HTTPResponse(status: 200, body: Data(AdapterBenchmark.transfer.utf8))
        response.headers["Content-Type"] = "application/json"
        return response
    }
}

/// A keep-alive socket with nothing around it, as the reference.
struct RawSocket: ~Copyable {
    private let socket: Int32

    init(port: UInt16) throws {
        #if canImport(Glibc)
            socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            socket = Foundation.socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Absence("no connection on loopback") }
        var on: Int32 = 1
        setsockopt(
            socket,
            Int32(IPPROTO_TCP),
            TCP_NODELAY,
            &on,
            socklen_t(MemoryLayout<Int32>.size)
        )
    }

    deinit { _ = close(socket) }

    func send(_ request: [UInt8]) throws {
        let count = request.withUnsafeBytes { write(socket, $0.baseAddress, $0.count) }
        guard count == request.count else { throw Unexpected("a short write") }
    }

    /// Reads one answer with a `Content-Length`; its status.
    func receive() throws -> Int {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        var size = 0
        while true {
            let room = buffer.count - size
            let count = buffer.withUnsafeMutableBytes { bytes in
                read(socket, bytes.baseAddress?.advanced(by: size), room)
            }
            guard count > 0 else { throw Unexpected("the connection ended") }
            size += count
            if let status = Self.whole(buffer[..<size]) { return status }
        }
    }

    private static func whole(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let end = bytes.firstRange(of: [13, 10, 13, 10])?.upperBound else { return nil }
        let head = String(decoding: bytes[..<end], as: UTF8.self)
        guard let line = head.range(of: "Content-Length: "),
            let length = Int(head[line.upperBound...].prefix { $0.isNumber }),
            bytes.count >= end + length
        else { return nil }
        return Int(head.dropFirst(9).prefix(3))
    }
}
