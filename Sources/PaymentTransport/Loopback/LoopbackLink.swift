/// One connection of the loopback transport, and the exchange that it carries.
struct LoopbackLink {
    let socket: LoopbackSocket
    let target: LoopbackTarget
    var isConnected: Bool
    private(set) var exchange: LoopbackExchange?
    private var written = 0
    private var reader: HTTPResponseReader
    private var hasCarried = false
    private let mostBytes: Int

    /// What became of a connection.
    enum Step {
        /// It goes on.
        case goesOn
        /// Its exchange is over; it can carry another.
        case free
        /// It must be closed.
        case closes
        /// It must be closed, and its exchange may be carried by another.
        case again(LoopbackExchange)
    }

    init(_ socket: LoopbackSocket, _ target: LoopbackTarget, isConnected: Bool, mostBytes: Int) {
        self.socket = socket
        self.target = target
        self.isConnected = isConnected
        self.mostBytes = mostBytes
        reader = HTTPResponseReader(mostBytes: mostBytes)
    }

    var isIdle: Bool { exchange == nil }
    var wantsToWrite: Bool {
        exchange.map { !isConnected || written < $0.bytes.count } ?? false
    }

    mutating func begin(_ exchange: LoopbackExchange) -> Step {
        self.exchange = exchange
        written = 0
        reader = HTTPResponseReader(mostBytes: mostBytes)
        return isConnected ? write() : .goesOn
    }

    /// Does whatever can be done without waiting.
    mutating func advance(_ buffer: inout [UInt8]) -> Step {
        // Whoever owns an idle connection does not write: data or an end means that it is over.
        guard exchange != nil else { return .closes }
        if !isConnected {
            if let failure = socket.connectFailure {
                return fail("no connection (\(failure))")
            }
            isConnected = true
        }
        switch write() {
        case .goesOn: return read(&buffer)
        case let step: return step
        }
    }

    private mutating func write() -> Step {
        while let exchange, written < exchange.bytes.count {
            switch socket.write(exchange.bytes[written...]) {
            case .bytes(let count): written += count
            case .notReady: return .goesOn
            case .ended, .broken:
                // The answer to a request that is refused early may be there all the same.
                guard written > 0 else { return lost() }
                return .goesOn
            }
        }
        return .goesOn
    }

    /// Reads what is there, and no more than so much at once: a peer that writes faster than this
    /// side reads may keep it from neither the time nor its other connections.
    private mutating func read(_ buffer: inout [UInt8]) -> Step {
        for _ in 0..<Self.mostReads {
            switch socket.read(into: &buffer) {
            case .bytes(let count):
                do throws(HTTPReadProblem) {
                    if let answer = try reader.take(buffer[..<count]) { return finish(answer) }
                } catch {
                    return fail("the answer cannot be read: \(error)")
                }
            case .notReady: return .goesOn
            case .ended:
                if let answer = reader.end() { return finish(answer) }
                return lost()
            case .broken: return lost()
            }
        }
        return .goesOn
    }

    private static let mostReads = 16

    private mutating func finish(_ answer: HTTPResponseReader.Answer) -> Step {
        let isWhole = exchange.map { written == $0.bytes.count } ?? false
        exchange?.continuation.resume(returning: .success(answer.response))
        exchange = nil
        hasCarried = true
        return answer.keepsAlive && isWhole && !reader.hasSurplus ? .free : .closes
    }

    /// The connection ended without an answer.
    ///
    /// One that was kept open may have ended before the request came; then another may carry it,
    /// if not a byte left or it changes nothing.
    private mutating func lost() -> Step {
        guard let exchange else { return .closes }
        if hasCarried, !reader.hasBegun, written == 0 || exchange.isRepeatable {
            self.exchange = nil
            var again = exchange
            again.hasLeft = exchange.hasLeft || written > 0
            return .again(again)
        }
        return fail(reader.hasBegun ? "the answer is cut short" : "the connection ended")
    }

    /// Ends the exchange without an answer.
    mutating func fail(_ description: String) -> Step {
        exchange?.fail(written == 0 ? .notSent : .maybeReceived, description)
        exchange = nil
        return .closes
    }
}
