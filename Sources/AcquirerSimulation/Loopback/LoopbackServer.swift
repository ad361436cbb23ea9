import Dispatch
import PaymentCore
public import PaymentTransport
import Synchronization

/// Serves HTTP/1.1 on this machine alone, for emulators and for tests.
///
/// Connections are kept open; bodies come by `Content-Length` or in chunks; `Expect: 100-continue`
/// is met; sizes and times are limited. One thread carries every connection.
public final class LoopbackServer: Sendable {
    /// The port that it listens on.
    public let port: UInt16
    /// The address that it listens on.
    public let address: LoopbackAddress
    private let limits: LoopbackLimits
    private let waker: LoopbackWaker
    private let mailbox: Mutex<Mailbox>

    private struct Mailbox {
        var listener: LoopbackSocket?
        var answers: [(connection: Int, reply: LoopbackReply)] = []
        var isStopped = false
    }

    /// Begins to listen; clients are answered once it runs.
    ///
    /// - Parameters:
    ///   - port: The port; any free one when zero.
    ///   - address: Which of the addresses of this machine.
    ///   - limits: What it puts up with.
    /// - Throws: ``LoopbackServerError`` when the port cannot be had.
    public init(
        port: UInt16 = 0,
        address: LoopbackAddress = .v4,
        limits: LoopbackLimits = LoopbackLimits()
    ) throws(LoopbackServerError) {
        do throws(LoopbackSystemError) {
            waker = try LoopbackWaker()
            let listener = try LoopbackSocket.listen(address, port: port)
            self.port = listener.port
            mailbox = Mutex(Mailbox(listener: listener))
        } catch {
            throw LoopbackServerError(error, address, port)
        }
        self.address = address
        self.limits = limits
    }

    deinit { mailbox.withLock { $0.listener?.close() } }

    /// Scheme, host and port, for requests.
    public var origin: String { "http://\(address.host):\(port)" }

    /// Serves on the calling thread until it is stopped.
    ///
    /// - Parameter answer: Called on this thread, one request at a time; must not wait.
    public func serve(_ answer: @escaping @Sendable (HTTPRequest) -> LoopbackReply) {
        serve(by: .now(answer))
    }

    /// Serves until it is stopped, or the calling task is cancelled.
    ///
    /// - Parameter answer: Called for each request in a task of its own.
    public func run(_ answer: @escaping @Sendable (HTTPRequest) async -> LoopbackReply) async {
        let (requests, feed) = AsyncStream<(connection: Int, request: HTTPRequest)>.makeStream()
        let ended = OneShot<Bool>()
        DispatchQueue(label: "payment-loopback-server").async { [self] in
            serve(by: .elsewhere { feed.yield(($0, $1)) })
            feed.finish()
            ended.resolve(true)
        }
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                for await (connection, request) in requests {
                    group.addTask { self.post(await answer(request), to: connection) }
                }
                // Nobody hears what is still being answered.
                group.cancelAll()
            }
        } onCancel: {
            stop()
        }
        _ = await ended.value()
    }

    /// Stops: nobody is let in any more, answers on their way are finished, then serving ends.
    public func stop() {
        mailbox.withLock { $0.isStopped = true }
        waker.wake()
    }

    private func post(_ reply: LoopbackReply, to connection: Int) {
        mailbox.withLock { $0.answers.append((connection, reply)) }
        waker.wake()
    }

    private func serve(by handler: LoopbackServing.Handler) {
        let listener = mailbox.withLock { mailbox in
            defer { mailbox.listener = nil }
            return mailbox.listener
        }
        guard let listener else { return }
        var serving = LoopbackServing(listener, limits: limits, handler: handler)
        while true {
            let (answers, isStopped) = mailbox.withLock { mailbox in
                defer { mailbox.answers.removeAll() }
                return (mailbox.answers, mailbox.isStopped)
            }
            for answer in answers { serving.take(answer.reply, for: answer.connection) }
            if isStopped { serving.stop() }
            if serving.isDone { break }
            serving.wait(waker)
            serving.advance()
        }
        serving.closeAll()
    }
}

/// Why a loopback server cannot listen.
public struct LoopbackServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, and what to do.
    public let description: String

    init(_ error: LoopbackSystemError, _ address: LoopbackAddress, _ port: UInt16) {
        let place = "\(address.host):\(port)"
        if error.isAddressInUse {
            description = "\(place) is in use; choose another port, or 0 for any free one"
        } else if error.isNotPermitted {
            description = "\(place) may not be used by this account; choose a port from 1024 on"
        } else {
            description = "\(place) cannot be listened on (\(error))"
        }
    }
}
