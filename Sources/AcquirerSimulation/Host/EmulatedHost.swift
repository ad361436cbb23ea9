import PaymentCore
public import PaymentTransport
import ReaderSimulation
public import Simulation
import Synchronization

/// A host that exists in the simulation only: takes requests, spends virtual time, makes faults.
public final class EmulatedHost: HTTPTransport {
    /// What goes wrong.
    public let faults = FaultPlan()
    private let name: String
    private let time: SimulatedTime
    private let latency: Duration
    private let line: SubmissionLine?
    private let isSubmission: @Sendable (HTTPRequest) -> Bool
    private let count = Mutex(0)
    private let handle: @Sendable (HTTPRequest, _ requestID: String) -> HTTPResponse

    /// Creates a host.
    ///
    /// - Parameters:
    ///   - name: What traces and request identifiers call it.
    ///   - time: The simulation that it lives in.
    ///   - latency: How long a request takes each way.
    ///   - line: The way that payloads take from the device.
    ///   - isSubmission: Which requests carry a payload from the device.
    ///   - handle: Has the request's effect and answers it, at once.
    public init(
        name: String,
        time: SimulatedTime,
        latency: Duration = .milliseconds(40),
        line: SubmissionLine? = nil,
        isSubmission: @escaping @Sendable (HTTPRequest) -> Bool = { _ in false },
        handle: @escaping @Sendable (HTTPRequest, _ requestID: String) -> HTTPResponse
    ) {
        self.name = name
        self.time = time
        self.latency = latency
        self.line = line
        self.isSubmission = isSubmission
        self.handle = handle
    }

    /// Answers a request, or does with it what the plan of faults says.
    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        if let problem = request.problem { throw TransportError(.notSent, problem) }
        if let line, isSubmission(request) { return try await submit(request, over: line) }
        return try await exchange(request)
    }

    /// Sends a payload from the device, with what is scripted for its way.
    private func submit(
        _ request: HTTPRequest,
        over line: SubmissionLine
    ) async throws(TransportError) -> HTTPResponse {
        let script: SubmissionLine.Script
        do throws(ReaderError) {
            script = try await line.depart()
        } catch {
            throw TransportError(.notSent, "no connection to \(name): \(error)")
        }
        guard !script.losesRequest, await line.passes(.submitReceived, .before) else {
            throw await lost("\(request)")
        }
        let response = try await exchange(request)
        let isReceived = await line.passes(.submitReceived, .after)
        let isDecided = await line.passes(.issuerDecided, .before)
        let isBooked = await line.passes(.issuerDecided, .after)
        await pass(script.delay)
        let isSent = await line.passes(.replySent, .before)
        guard isReceived, isDecided, isBooked, isSent, await line.passes(.replySent, .after),
            !script.losesReply, await line.control.networkTrouble() == nil,
            await line.passes(.replyReceived, .before),
            await line.passes(.replyReceived, .after)
        else { throw await lost("the answer to \(request)") }
        return response
    }

    private func lost(_ what: String) async -> TransportError {
        time.trace.add(name, "\(what) lost")
        await pass(Self.clientPatience)
        return TransportError(.maybeReceived, "no answer from \(name) in time")
    }

    private func exchange(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let requestID = nextRequestID()
        let fault = faults.fault(for: request)
        if case .unreachable = fault {
            time.trace.add(name, "\(request) unreachable")
            throw TransportError(.notSent, "no connection to \(name)")
        }
        await pass(latency)
        let response: HTTPResponse
        switch fault {
        case .unreachable, .loseRequest:
            throw await unanswered(request, after: Self.clientPatience)
        case .hang: throw await unanswered(request, after: Self.endless)
        case .cut: throw broken(request)
        case .answer(let answer): response = answer
        case .loseAnswer, .hangAfter, .cutAfter:
            _ = handled(request, requestID)
            if case .cutAfter = fault { throw broken(request) }
            await pass(fault.isHang ? Self.endless : Self.clientPatience)
            throw TransportError(.maybeReceived, "no answer from \(name) in time")
        case .answerAfter(let answer):
            _ = handled(request, requestID)
            response = answer
        case .changeAnswer(let change): response = change(handled(request, requestID))
        case .delay(let delay):
            response = handled(request, requestID)
            await pass(delay)
        case nil: response = handled(request, requestID)
        }
        await pass(latency)
        if Task.isCancelled { throw TransportError(.maybeReceived, "cancelled") }
        time.trace.add(name, "\(request) answered \(response.status)")
        return stamped(response, requestID)
    }

    /// A name for a request that no other has.
    func nextRequestID() -> String {
        count.withLock { count in
            count += 1
            return "req-\(name)-\(count)"
        }
    }

    func handled(_ request: HTTPRequest, _ requestID: String) -> HTTPResponse {
        time.trace.add(name, "\(request) received")
        return handle(request, requestID)
    }

    func stamped(_ response: HTTPResponse, _ requestID: String) -> HTTPResponse {
        var response = response
        if response.headers["x-request-id"] == nil { response.headers["x-request-id"] = requestID }
        response.headers["Date"] = HTTPTime.format(time.wallTime)
        return response
    }

    private func unanswered(_ request: HTTPRequest, after time: Duration) async -> TransportError {
        self.time.trace.add(name, "\(request) lost")
        await pass(time)
        return TransportError(.maybeReceived, "no answer from \(name) in time")
    }

    private func broken(_ request: HTTPRequest) -> TransportError {
        time.trace.add(name, "\(request) cut")
        return TransportError(.maybeReceived, "the connection to \(name) broke")
    }

    private func pass(_ duration: Duration) async { try? await time.clock.sleep(for: duration) }

    /// How long a client waits for an answer that does not come.
    private static let clientPatience = Duration.seconds(30)
    private static let endless = Duration.seconds(24 * 3_600)
}

extension FaultPlan.Fault? {
    fileprivate var isHang: Bool {
        if case .hangAfter = self { true } else { false }
    }
}

/// Writes dates as HTTP headers do.
enum HTTPTime {
    static func format(_ date: Date) -> String {
        let seconds = Int64(date.timeIntervalSince1970)
        let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        let text = Date.ISO8601FormatStyle().format(Date(timeIntervalSince1970: Double(seconds)))
        let weekday = weekdays[Int((seconds / 86_400) % 7)]
        let month = months[(Int(text.dropFirst(5).prefix(2)) ?? 1) - 1]
        let day = text.dropFirst(8).prefix(2)
        let clock = text.dropFirst(11).prefix(8)
        return "\(weekday), \(day) \(month) \(text.prefix(4)) \(clock) GMT"
    }
}
