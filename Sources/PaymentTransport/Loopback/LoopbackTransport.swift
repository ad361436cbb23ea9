import Synchronization

/// Carries requests to emulators on this machine, over plain sockets that are kept open.
///
/// It speaks `http` to loopback addresses and nothing else. One thread of its own carries every
/// exchange, so no task's thread ever waits for a socket.
public final class LoopbackTransport: HTTPTransport {
    private let timeLimit: Duration
    private let loop: Result<LoopbackLoop, LoopbackSystemError>

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - timeLimit: How long one exchange may take altogether.
    ///   - connections: How many exchanges run at the same time; more wait.
    ///   - mostBytes: The largest body of an answer.
    public init(
        timeLimit: Duration = .seconds(60),
        connections: Int = 512,
        mostBytes: Int = 16 << 20
    ) {
        self.timeLimit = timeLimit
        do throws(LoopbackSystemError) {
            loop = .success(
                try LoopbackLoop(mostConnections: max(connections, 1), mostBytes: mostBytes)
            )
        } catch {
            loop = .failure(error)
        }
    }

    deinit { if case .success(let loop) = loop { loop.stop() } }

    /// Sends a request and waits for the whole answer.
    ///
    /// - Parameter request: A request to a loopback origin.
    /// - Returns: The answer, whatever its status.
    /// - Throws: ``TransportError``: `notSent` only if not a byte of the request left.
    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let target = try LoopbackTarget(origin: request.origin)
        let bytes = try HTTPRequestWriter.bytes(request, to: target)
        guard case .success(let loop) = loop else {
            throw TransportError(.notSent, "the system has no room for another connection")
        }
        let ticket = LoopbackTicket()
        let deadline = ContinuousClock.now.advanced(by: timeLimit)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                loop.submit(
                    LoopbackExchange(
                        target: target,
                        bytes: bytes,
                        isRepeatable: request.method == .get,
                        deadline: deadline,
                        ticket: ticket,
                        continuation: continuation
                    )
                )
            }
        } onCancel: {
            loop.cancel(ticket)
        }
        return try result.get()
    }
}

/// One request on its way, and who waits for it.
struct LoopbackExchange: Sendable {
    typealias Outcome = Result<HTTPResponse, TransportError>

    let target: LoopbackTarget
    let bytes: [UInt8]
    /// Whether it changes nothing, so that a connection which ended unused may be replaced.
    let isRepeatable: Bool
    let deadline: ContinuousClock.Instant
    let ticket: LoopbackTicket
    let continuation: CheckedContinuation<Outcome, Never>
    /// Whether any of it left over a connection that ended, before another carries it.
    var hasLeft = false

    func fail(_ reach: TransportError.Reach, _ description: String) {
        let reach = hasLeft ? .maybeReceived : reach
        continuation.resume(returning: .failure(TransportError(reach, description)))
    }
}

/// Tells whether the task that waits for an exchange was cancelled.
final class LoopbackTicket: Sendable {
    private let state = Mutex(false)

    var isCancelled: Bool { state.withLock { $0 } }

    func cancel() { state.withLock { $0 = true } }
}
