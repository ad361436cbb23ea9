import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A peer on loopback that answers each connection with fixed bytes, and remembers what it got.
final class LoopbackPeer: Sendable {
    let port: UInt16
    private let descriptor: Int32
    private let received = Mutex<[String]>([])

    var requests: [String] { received.withLock { $0 } }
    var origin: String { "http://127.0.0.1:\(port)" }

    init(_ answer: @escaping @Sendable (Int) -> String?) throws {
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        let listener = socket(AF_INET, stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRINUSE) }
        descriptor = listener
        port = UInt16(bigEndian: address.sin_port)
        Thread { [self] in serve(answer) }.start()
    }

    private func serve(_ answer: @Sendable (Int) -> String?) {
        var count = 0
        while true {
            let connection = accept(descriptor, nil, nil)
            guard connection >= 0 else { return }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let size = read(connection, &buffer, buffer.count)
            received.withLock {
                $0.append(String(decoding: buffer.prefix(max(size, 0)), as: UTF8.self))
            }
            count += 1
            if let text = answer(count) {
                _ = text.withCString { write(connection, $0, strlen($0)) }
            }
            close(connection)
        }
    }
}
