#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A TCP socket that never waits and never leaves this machine; the one place where platforms
/// differ.
package struct LoopbackSocket: Sendable {
    /// The system's number for it.
    package let descriptor: Int32

    /// What came of reading or writing.
    package enum Transfer: Hashable, Sendable {
        /// So many bytes.
        case bytes(Int)
        /// Nothing yet.
        case notReady
        /// The other side has ended its half.
        case ended
        /// The connection is broken.
        case broken(Int32)
    }

    /// Listens on an address of this machine alone.
    package static func listen(
        _ address: LoopbackAddress,
        port: UInt16
    ) throws(LoopbackSystemError) -> LoopbackSocket {
        let socket = try make(address)
        var one: Int32 = 1
        setsockopt(socket.descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(4))
        let isBound = withSystemAddress(address, port) { bind(socket.descriptor, $0, $1) == 0 }
        guard isBound, systemListen(socket.descriptor, 256) == 0 else {
            let error = LoopbackSystemError(errno)
            socket.close()
            throw error
        }
        return socket
    }

    /// Begins to connect; whether it is connected already.
    package static func connect(
        _ address: LoopbackAddress,
        port: UInt16
    ) throws(LoopbackSystemError) -> (socket: LoopbackSocket, isConnected: Bool) {
        let socket = try make(address)
        let result = withSystemAddress(address, port) {
            systemConnect(socket.descriptor, $0, $1)
        }
        if result == 0 { return (socket, true) }
        let number = errno
        guard number == EINPROGRESS else {
            socket.close()
            throw LoopbackSystemError(number)
        }
        return (socket, false)
    }

    private static func make(
        _ address: LoopbackAddress
    ) throws(LoopbackSystemError) -> LoopbackSocket {
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        let descriptor = socket(address == .v4 ? AF_INET : AF_INET6, stream, 0)
        guard descriptor >= 0 else { throw LoopbackSystemError(errno) }
        let made = LoopbackSocket(descriptor: descriptor)
        made.prepare()
        return made
    }

    /// Neither waits, nor is inherited, nor delays small messages, nor raises a signal.
    private func prepare() {
        LoopbackSystem.prepare(descriptor)
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(4))
        #if canImport(Darwin)
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &one, socklen_t(4))
        #endif
    }

    /// The port that it is bound to.
    package var port: UInt16 {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = getsockname(descriptor, $0, &length)
            }
            // The port stands at the same place for both families.
            return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                UInt16(bigEndian: $0.pointee.sin_port)
            }
        }
    }

    /// Why connecting failed, once it was told to be done; nil when it did not fail.
    package var connectFailure: LoopbackSystemError? {
        var number: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &length)
        return number == 0 ? nil : LoopbackSystemError(number)
    }

    /// The next connection that waits; nil when none does.
    package func accept() throws(LoopbackSystemError) -> LoopbackSocket? {
        while true {
            let descriptor = systemAccept(descriptor, nil, nil)
            if descriptor >= 0 {
                let socket = LoopbackSocket(descriptor: descriptor)
                socket.prepare()
                return socket
            }
            switch errno {
            case EINTR, ECONNABORTED: continue
            case EAGAIN, EWOULDBLOCK: return nil
            default: throw LoopbackSystemError(errno)
            }
        }
    }

    /// Reads what is there, at most what fits.
    package func read(into buffer: inout [UInt8]) -> Transfer {
        while true {
            let count = buffer.withUnsafeMutableBytes {
                recv(descriptor, $0.baseAddress, $0.count, 0)
            }
            if count > 0 { return .bytes(count) }
            if count == 0 { return .ended }
            if errno == EINTR { continue }
            return errno == EAGAIN || errno == EWOULDBLOCK ? .notReady : .broken(errno)
        }
    }

    /// Writes what can be taken at once.
    package func write(_ bytes: ArraySlice<UInt8>) -> Transfer {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        while true {
            let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
            if count >= 0 { return .bytes(count) }
            if errno == EINTR { continue }
            return errno == EAGAIN || errno == EWOULDBLOCK ? .notReady : .broken(errno)
        }
    }

    /// Says that nothing more will be written.
    package func endWriting() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// Gives it back to the system.
    package func close() { _ = systemClose(descriptor) }

    private static func withSystemAddress<Value>(
        _ address: LoopbackAddress,
        _ port: UInt16,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) -> Value {
        switch address {
        case .v4:
            var system = sockaddr_in()
            system.sin_family = sa_family_t(AF_INET)
            system.sin_port = port.bigEndian
            system.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            return LoopbackSystem.rebound(&system, body)
        case .v6:
            var system = sockaddr_in6()
            system.sin6_family = sa_family_t(AF_INET6)
            system.sin6_port = port.bigEndian
            system.sin6_addr = in6addr_loopback
            return LoopbackSystem.rebound(&system, body)
        }
    }
}

/// A number of the system's that says what went wrong.
package struct LoopbackSystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system's number.
    package let number: Int32

    init(_ number: Int32) { self.number = number }

    /// Whether the port is taken.
    package var isAddressInUse: Bool { number == EADDRINUSE }
    /// Whether this process may not use the port.
    package var isNotPermitted: Bool { number == EACCES || number == EPERM }
    /// The system's words.
    package var description: String { String(cString: strerror(number)) }
}

/// Small calls of the system's that belong to no socket.
package enum LoopbackSystem {
    static func prepare(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    static func rebound<Address, Value>(
        _ address: inout Address,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) -> Value {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}

/// Wakes a thread that waits in a ``LoopbackPoll``; any thread may call it, at any time.
package final class LoopbackWaker: Sendable {
    let reading: Int32
    private let writing: Int32

    /// Creates a waker.
    package init() throws(LoopbackSystemError) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw LoopbackSystemError(errno) }
        (reading, writing) = (ends[0], ends[1])
        for end in ends { LoopbackSystem.prepare(end) }
    }

    deinit {
        _ = systemClose(reading)
        _ = systemClose(writing)
    }

    /// Ends the present wait, or the next one.
    package func wake() {
        var byte: UInt8 = 1
        _ = systemWrite(writing, &byte, 1)
    }

    /// Forgets that it was woken.
    package func rest() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while systemRead(reading, &bytes, bytes.count) == bytes.count {}
    }
}

/// Waits until one of several sockets can be used.
package struct LoopbackPoll {
    private var entries: [pollfd] = []

    /// Creates a wait for nothing.
    package init() {}

    /// Forgets every socket.
    package mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

    /// Adds a socket, and returns its place.
    @discardableResult
    package mutating func add(_ socket: LoopbackSocket, reads: Bool, writes: Bool) -> Int {
        let events = (reads ? POLLIN : 0) | (writes ? POLLOUT : 0)
        entries.append(pollfd(fd: socket.descriptor, events: Int16(events), revents: 0))
        return entries.count - 1
    }

    /// Adds a waker.
    package mutating func add(_ waker: LoopbackWaker) {
        entries.append(pollfd(fd: waker.reading, events: Int16(POLLIN), revents: 0))
    }

    /// Waits until something can be done, or the time is over; for ever without one.
    package mutating func wait(_ limit: Duration?) {
        var milliseconds: Int32 = -1
        if let limit {
            let (seconds, attoseconds) = max(limit, .zero).components
            let rest = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
            milliseconds = Int32(min(seconds, 86_400) * 1_000 + rest)
        }
        if poll(&entries, nfds_t(entries.count), milliseconds) < 0 {
            for index in entries.indices { entries[index].revents = 0 }
        }
    }

    /// Whether anything happened at a place.
    package func hasEvent(_ place: Int) -> Bool { entries[place].revents != 0 }
}

// Outside the types, whose own names would hide the system's.
private func systemListen(_ descriptor: Int32, _ backlog: Int32) -> Int32 {
    listen(descriptor, backlog)
}

private func systemConnect(
    _ descriptor: Int32,
    _ address: UnsafePointer<sockaddr>,
    _ length: socklen_t
) -> Int32 { connect(descriptor, address, length) }

private func systemAccept(
    _ descriptor: Int32,
    _ address: UnsafeMutablePointer<sockaddr>?,
    _ length: UnsafeMutablePointer<socklen_t>?
) -> Int32 { accept(descriptor, address, length) }

private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int
{
    read(descriptor, buffer, count)
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer, _ count: Int) -> Int {
    write(descriptor, buffer, count)
}
