import Dispatch
import Synchronization

/// The thread of the loopback transport: carries every exchange, one step at a time.
final class LoopbackLoop: Sendable {
    private struct Inbox {
        var exchanges: [LoopbackExchange] = []
        var hasCancellations = false
        var isRunning = false
        var isStopped = false
    }

    private let inbox = Mutex(Inbox())
    private let waker: LoopbackWaker
    private let mostConnections: Int
    private let mostBytes: Int

    init(mostConnections: Int, mostBytes: Int) throws(LoopbackSystemError) {
        waker = try LoopbackWaker()
        self.mostConnections = mostConnections
        self.mostBytes = mostBytes
    }

    /// Has an exchange carried; the thread starts with the first.
    func submit(_ exchange: LoopbackExchange) {
        let starts = inbox.withLock { inbox in
            inbox.exchanges.append(exchange)
            defer { inbox.isRunning = true }
            return !inbox.isRunning
        }
        if starts {
            DispatchQueue(label: "payment-loopback").async { self.run() }
        } else {
            waker.wake()
        }
    }

    /// Gives an exchange up; what left already stays sent.
    func cancel(_ ticket: LoopbackTicket) {
        ticket.cancel()
        inbox.withLock { $0.hasCancellations = true }
        waker.wake()
    }

    /// Ends the thread once nothing is carried any more.
    func stop() {
        inbox.withLock { $0.isStopped = true }
        waker.wake()
    }

    private func run() {
        var state = LoopbackCarrying(mostConnections: mostConnections, mostBytes: mostBytes)
        while true {
            let (fresh, hasCancellations, isStopped) = inbox.withLock { inbox in
                defer {
                    inbox.exchanges.removeAll()
                    inbox.hasCancellations = false
                }
                return (inbox.exchanges, inbox.hasCancellations, inbox.isStopped)
            }
            for exchange in fresh { state.start(exchange) }
            if hasCancellations { state.dropCancelled() }
            if isStopped, state.isIdle { break }
            state.wait(waker)
            state.advance()
        }
        state.closeAll()
    }
}

/// The connections of the loopback transport, used by its thread alone.
struct LoopbackCarrying {
    private let mostConnections: Int
    private let mostBytes: Int
    private var links: [LoopbackLink] = []
    private var waiting: [LoopbackExchange] = []
    private var poll = LoopbackPoll()
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    init(mostConnections: Int, mostBytes: Int) {
        self.mostConnections = mostConnections
        self.mostBytes = mostBytes
    }

    /// Whether nothing is carried.
    var isIdle: Bool { waiting.isEmpty && links.allSatisfy(\.isIdle) }

    mutating func start(_ exchange: LoopbackExchange) {
        guard !exchange.ticket.isCancelled else {
            return exchange.fail(.notSent, "cancelled")
        }
        if let index = freeLink(to: exchange.target) {
            settle(links[index].begin(exchange), index)
            return
        }
        guard links.count < mostConnections || dropIdleLink() else {
            waiting.append(exchange)
            return
        }
        connect(exchange)
    }

    private mutating func connect(_ exchange: LoopbackExchange) {
        do throws(LoopbackSystemError) {
            let (socket, isConnected) = try LoopbackSocket.connect(
                exchange.target.address,
                port: exchange.target.port
            )
            links.append(
                LoopbackLink(
                    socket,
                    exchange.target,
                    isConnected: isConnected,
                    mostBytes: mostBytes
                )
            )
            settle(links[links.count - 1].begin(exchange), links.count - 1)
        } catch {
            exchange.fail(.notSent, "no connection (\(error))")
        }
    }

    /// A connection that is free and still open, the one used last before all others.
    private mutating func freeLink(to target: LoopbackTarget) -> Int? {
        var index = links.count - 1
        while index >= 0 {
            if links[index].isIdle, links[index].target == target {
                if links[index].socket.read(into: &buffer) == .notReady { return index }
                remove(index)
            }
            index -= 1
        }
        return nil
    }

    private mutating func dropIdleLink() -> Bool {
        guard let index = links.firstIndex(where: \.isIdle) else { return false }
        remove(index)
        return true
    }

    private mutating func remove(_ index: Int) {
        links[index].socket.close()
        links.remove(at: index)
    }

    private mutating func settle(_ step: LoopbackLink.Step, _ index: Int) {
        switch step {
        case .goesOn, .free: return
        case .closes: remove(index)
        case .again(let exchange):
            remove(index)
            connect(exchange)
        }
    }

    /// Waits until something can be done, somebody calls, or a deadline has passed.
    mutating func wait(_ waker: LoopbackWaker) {
        poll.removeAll()
        poll.add(waker)
        for link in links { poll.add(link.socket, reads: true, writes: link.wantsToWrite) }
        let deadlines = links.compactMap { $0.exchange?.deadline } + waiting.map(\.deadline)
        poll.wait(deadlines.min().map { ContinuousClock.now.duration(to: $0) })
        if poll.hasEvent(0) { waker.rest() }
    }

    /// Does whatever can be done now.
    mutating func advance() {
        let now = ContinuousClock.now
        for index in links.indices.reversed() {
            if poll.hasEvent(index + 1) {
                let count = links.count
                settle(links[index].advance(&buffer), index)
                // Its place is another's once it was closed.
                guard links.count == count else { continue }
            }
            if let exchange = links[index].exchange, exchange.deadline <= now {
                settle(links[index].fail("no answer in time"), index)
            }
        }
        for exchange in waiting where exchange.deadline <= now {
            exchange.fail(.notSent, "no free connection in time")
        }
        waiting.removeAll { $0.deadline <= now }
        startWaiting()
    }

    private mutating func startWaiting() {
        let exchanges = waiting
        waiting = []
        for exchange in exchanges { start(exchange) }
    }

    mutating func dropCancelled() {
        for index in links.indices.reversed() {
            guard let exchange = links[index].exchange, exchange.ticket.isCancelled else {
                continue
            }
            settle(links[index].fail("cancelled"), index)
        }
        for exchange in waiting where exchange.ticket.isCancelled {
            exchange.fail(.notSent, "cancelled")
        }
        waiting.removeAll(where: \.ticket.isCancelled)
    }

    mutating func closeAll() {
        for link in links { link.socket.close() }
        links = []
    }
}
