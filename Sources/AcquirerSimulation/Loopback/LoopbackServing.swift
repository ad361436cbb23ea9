import PaymentTransport

/// The connections of a loopback server, used by its thread alone.
struct LoopbackServing {
    /// Who answers.
    enum Handler {
        /// The server's own thread.
        case now(@Sendable (HTTPRequest) -> LoopbackReply)
        /// Somebody else, who tells the connection's number with the answer.
        case elsewhere(@Sendable (Int, HTTPRequest) -> Void)
    }

    private struct Client {
        let socket: LoopbackSocket
        var connection: LoopbackConnection
    }

    private var listener: LoopbackSocket?
    private let limits: LoopbackLimits
    private let handler: Handler
    private var clients: [Int: Client] = [:]
    private var count = 0
    private var poll = LoopbackPoll()
    private var polled: [Int] = []
    private var listenerPlace: Int?
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    private var acceptsFrom: ContinuousClock.Instant?
    private var stopsAt: ContinuousClock.Instant?

    init(_ listener: LoopbackSocket, limits: LoopbackLimits, handler: Handler) {
        self.listener = listener
        self.limits = limits
        self.handler = handler
    }

    /// Whether it has stopped, and nothing is left to do.
    var isDone: Bool {
        stopsAt.map { clients.isEmpty || $0 <= ContinuousClock.now } ?? false
    }

    /// Lets nobody in any more, and finishes what is on its way.
    mutating func stop() {
        guard stopsAt == nil else { return }
        stopsAt = ContinuousClock.now + limits.stopTime
        listener?.close()
        listener = nil
        for number in Array(clients.keys) {
            clients[number]?.connection.stop()
            pump(number)
        }
    }

    mutating func closeAll() {
        listener?.close()
        for client in clients.values { client.socket.close() }
        clients = [:]
    }

    /// Waits until something can be done, somebody calls, or a deadline has passed.
    mutating func wait(_ waker: LoopbackWaker) {
        poll.removeAll()
        poll.add(waker)
        listenerPlace = nil
        if let listener, clients.count < limits.connections, acceptsFrom == nil {
            listenerPlace = poll.add(listener, reads: true, writes: false)
        }
        polled.removeAll(keepingCapacity: true)
        var deadline = [acceptsFrom, stopsAt].compactMap(\.self).min()
        for (number, client) in clients {
            let (reads, writes) = (
                client.connection.wantsToRead, !client.connection.pending.isEmpty
            )
            if reads || writes {
                polled.append(number)
                poll.add(client.socket, reads: reads, writes: writes)
            }
            if let next = client.connection.nextDeadline {
                deadline = min(deadline ?? next, next)
            }
        }
        poll.wait(deadline.map { ContinuousClock.now.duration(to: $0) })
        if poll.hasEvent(0) { waker.rest() }
    }

    /// Does whatever can be done now.
    mutating func advance() {
        let now = ContinuousClock.now
        let first = listenerPlace == nil ? 1 : 2
        for (index, number) in polled.enumerated() where poll.hasEvent(first + index) {
            receive(number)
            pump(number)
        }
        for number in clients.keys.filter({ isOverdue($0, now) }) {
            clients[number]?.connection.advance(now)
            pump(number)
        }
        if let time = acceptsFrom, time <= now { acceptsFrom = nil }
        if let place = listenerPlace, poll.hasEvent(place) { accept(now) }
    }

    private func isOverdue(_ number: Int, _ now: ContinuousClock.Instant) -> Bool {
        clients[number]?.connection.nextDeadline.map { $0 <= now } ?? false
    }

    /// Takes the answer of whoever answers elsewhere.
    mutating func take(_ reply: LoopbackReply, for number: Int) {
        clients[number]?.connection.answer(reply, ContinuousClock.now)
        pump(number)
    }

    private mutating func accept(_ now: ContinuousClock.Instant) {
        while let listener, clients.count < limits.connections {
            do throws(LoopbackSystemError) {
                guard let socket = try listener.accept() else { return }
                count += 1
                clients[count] = Client(
                    socket: socket,
                    connection: LoopbackConnection(limits: limits, now: now)
                )
            } catch {
                // Without room for another connection, asking again at once would only spin.
                acceptsFrom = now + .milliseconds(100)
                return
            }
        }
    }

    private mutating func receive(_ number: Int) {
        guard let client = clients[number], client.connection.wantsToRead else { return }
        switch client.socket.read(into: &buffer) {
        case .bytes(let size): clients[number]?.connection.received(buffer[..<size])
        case .notReady: break
        case .ended, .broken: clients[number]?.connection.broke()
        }
    }

    /// Writes, reads requests and has them answered, until there is nothing to do at once.
    private mutating func pump(_ number: Int) {
        guard var client = clients.removeValue(forKey: number) else { return }
        while !client.connection.isClosed {
            let now = ContinuousClock.now
            if !client.connection.pending.isEmpty {
                switch client.socket.write(client.connection.pending) {
                case .bytes(let size): client.connection.wrote(size, now)
                case .notReady:
                    clients[number] = client
                    return
                case .ended, .broken: client.connection.broke()
                }
                if client.connection.shouldEndWriting {
                    client.socket.endWriting()
                    client.connection.endedWriting()
                }
            } else if let request = client.connection.nextRequest(now) {
                switch handler {
                case .now(let answer): client.connection.answer(answer(request), now)
                case .elsewhere(let ask): ask(number, request)
                }
            } else if client.connection.pending.isEmpty {
                break
            }
        }
        if client.connection.isClosed {
            client.socket.close()
        } else {
            clients[number] = client
        }
    }
}
