import PaymentTransport

/// One client of a loopback server: decides what to do next, from bytes and the time alone.
struct LoopbackConnection {
    typealias Instant = ContinuousClock.Instant

    /// What a connection is about.
    private enum Phase {
        /// A request is awaited or read.
        case reading
        /// A request is answered elsewhere.
        case answering
        /// An answer is ready, and held back until the deadline.
        case holding([UInt8])
        /// No answer will ever come.
        case silent
        /// The last answer is written; what still comes is thrown away until the client has read it.
        case lingering
        /// Nothing more will happen.
        case closed
    }

    private let limits: LoopbackLimits
    private var phase = Phase.reading
    private var reader: HTTPRequestReader
    private var output: ArraySlice<UInt8> = []
    /// Whether another request may follow; the one being read comes first all the same.
    private var keepsAlive = true
    private var discarded = 0
    private var deadline: Instant
    private var deadlineIsIdle = true
    /// Whether the socket should say that nothing more will be written.
    private(set) var shouldEndWriting = false

    init(limits: LoopbackLimits, now: Instant) {
        self.limits = limits
        reader = HTTPRequestReader(limits: limits)
        deadline = now + limits.idleTime
    }

    /// Whether bytes of the client's are wanted.
    var wantsToRead: Bool {
        switch phase {
        case .reading: output.isEmpty
        case .silent, .lingering: true
        case .answering, .holding, .closed: false
        }
    }

    /// What is to be written.
    var pending: ArraySlice<UInt8> { output }
    /// Whether it can be given back to the system.
    var isClosed: Bool { if case .closed = phase { true } else { false } }
    /// Whether a request is answered elsewhere.
    var isAnswering: Bool { if case .answering = phase { true } else { false } }
    /// Whether nothing has been asked of it.
    var isIdle: Bool {
        if case .reading = phase { reader.isIdle && output.isEmpty } else { false }
    }
    /// When something is to be done even if nothing comes.
    var nextDeadline: Instant? { isAnswering || isClosed ? nil : deadline }

    /// The socket has said that nothing more will be written.
    mutating func endedWriting() { shouldEndWriting = false }

    /// Takes what the client sent.
    mutating func received(_ bytes: ArraySlice<UInt8>) {
        switch phase {
        case .reading: reader.append(bytes)
        case .lingering:
            discarded += bytes.count
            if discarded > Self.mostDiscarded { phase = .closed }
        default: break
        }
    }

    /// The client sends nothing more while it is listened to, or the connection is broken.
    mutating func broke() { phase = .closed }

    /// The next whole request, if there is one and nothing else is to be done first.
    mutating func nextRequest(_ now: Instant) -> HTTPRequest? {
        guard case .reading = phase, output.isEmpty else { return nil }
        let (wasIdle, wasInBody) = (deadlineIsIdle, reader.isInBody)
        switch reader.next() {
        case .needsMore:
            setReadingDeadline(now, wasIdle: wasIdle, wasInBody: wasInBody)
            return nil
        case .needsContinue:
            output = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)[...]
            deadlineIsIdle = false
            deadline = now + limits.bodyTime
            return nil
        case .request(let request, let keepsAlive):
            self.keepsAlive = keepsAlive
            phase = .answering
            deadlineIsIdle = false
            return request
        case .problem(let problem, let hidesBody):
            refuse(problem, hidesBody: hidesBody, now)
            return nil
        }
    }

    /// One time for the head and one for the body, however slowly their bytes come.
    private mutating func setReadingDeadline(_ now: Instant, wasIdle: Bool, wasInBody: Bool) {
        if reader.isIdle {
            if !wasIdle { deadline = now + limits.idleTime }
            deadlineIsIdle = true
        } else if reader.isInBody, !wasInBody {
            deadline = now + limits.bodyTime
            deadlineIsIdle = false
        } else if wasIdle {
            deadline = now + limits.headTime
            deadlineIsIdle = false
        }
    }

    /// Takes what is to be done with the request that is answered elsewhere.
    mutating func answer(_ reply: LoopbackReply, _ now: Instant) {
        guard isAnswering else { return }
        switch reply {
        case .answer(let response): write(bytes(response), now)
        case .later(let response, let delay):
            phase = .holding(bytes(response))
            deadline = now + max(delay, .zero)
        case .cut: phase = .closed
        case .silence:
            phase = .silent
            deadline = now + Self.patience
        }
    }

    private func bytes(_ response: HTTPResponse) -> [UInt8] {
        HTTPResponseWriter.bytes(response, keepsAlive: keepsAlive, hidesBody: false)
    }

    private mutating func write(_ bytes: [UInt8], _ now: Instant) {
        phase = .reading
        output = bytes[...]
        deadline = now + limits.writeTime
    }

    private mutating func refuse(_ problem: HTTPReadProblem, hidesBody: Bool, _ now: Instant) {
        keepsAlive = false
        write(HTTPResponseWriter.refusal(problem, hidesBody: hidesBody), now)
    }

    /// So many bytes were written.
    mutating func wrote(_ count: Int, _ now: Instant) {
        output = output.dropFirst(count)
        guard output.isEmpty else { return }
        output = []
        if !keepsAlive {
            shouldEndWriting = true
            phase = .lingering
            deadline = now + Self.lingerTime
        } else if reader.isInBody {
            deadline = now + limits.bodyTime
        } else {
            deadline = now + limits.idleTime
            deadlineIsIdle = true
        }
    }

    /// Does what the time demands.
    mutating func advance(_ now: Instant) {
        guard deadline <= now else { return }
        switch phase {
        case .reading where !output.isEmpty, .reading where deadlineIsIdle: phase = .closed
        case .reading:
            refuse(HTTPReadProblem(408, "the request did not come in time"), hidesBody: false, now)
        case .holding(let bytes): write(bytes, now)
        case .silent, .lingering: phase = .closed
        case .answering, .closed: break
        }
    }

    /// The server stops: answers on their way are the last, and held ones are given up.
    mutating func stop() {
        keepsAlive = false
        switch phase {
        case .reading where output.isEmpty: phase = .closed
        case .holding, .silent, .lingering: phase = .closed
        default: break
        }
    }

    /// How long a silent server keeps a connection.
    private static let patience = Duration.seconds(3_600)
    /// How long a client may take to read the last answer.
    private static let lingerTime = Duration.seconds(2)
    private static let mostDiscarded = 8 << 20
}
