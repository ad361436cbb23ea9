import PaymentCore
import PaymentTransport
import Simulation
import Synchronization
import Testing

@Suite struct ReadRetryTests {
    private func read(_ answers: [HTTPResponse]) throws -> (
        status: Int?, tries: Int, took: Duration
    ) {
        let time = SimulatedTime()
        let transport = FixedTransport(answers)
        let status = try time.run { () async -> Int? in
            let reads = ReadRetry(transport, environment: time.environment)
            return try? await reads.send(HTTPRequest(.get, "https://host", "/")).status
        }
        return (status, transport.requests.count, time.clock.now.offset)
    }

    private func busy(_ wait: String?) -> HTTPResponse {
        var response = HTTPResponse(status: 429)
        response.headers["Retry-After"] = wait
        return response
    }

    @Test func `F-162 a read is tried five times with growing pauses`() throws {
        let read = try read([HTTPResponse(status: 503)])
        #expect(read.status == 503)
        #expect(read.tries == 5)
        #expect(read.took >= .seconds(15) && read.took < .seconds(20))
    }

    @Test func `F-162 a server's own pause is kept`() throws {
        let read = try read([busy("7"), HTTPResponse(status: 200)])
        #expect(read.status == 200)
        #expect(read.took == .seconds(7))
    }

    // FC-085
    @Test(arguments: ["86400", "99999999999999999999"])
    func `F-162 a pause beyond the limit is the caller's`(wait: String) throws {
        #expect(try read([busy(wait)]) == (429, 1, .zero))
    }

    @Test(arguments: ["-5", "abc", "", "0"])
    func `F-162 an odd pause never makes a hot loop`(wait: String) throws {
        let read = try read([busy(wait)])
        #expect(read.tries == 5)
        #expect(read.took >= .seconds(4))
    }

    /// How far a read got that fails so each time, and is cancelled in its second pause.
    private func reach(_ errors: [TransportError.Reach], cancels: Bool) throws
        -> TransportError.Reach?
    {
        let time = SimulatedTime()
        let transport = FailingTransport(errors)
        return try time.run { () async -> TransportError.Reach? in
            let reads = ReadRetry(transport, environment: time.environment)
            let task = time.environment.start {
                do throws(TransportError) {
                    _ = try await reads.send(HTTPRequest(.post, "https://host", "/"))
                } catch {
                    transport.told(error.reach)
                }
            }
            if cancels {
                try? await time.clock.sleep(for: .seconds(2))
                task.cancel()
            }
            await task.value
            return transport.reach
        }
    }

    @Test(arguments: [true, false])
    func `N-011 a read of which one try may have been received is never told as not sent`(
        cancels: Bool
    ) throws {
        let never = TransportError.Reach.notSent
        #expect(try reach([.maybeReceived, never], cancels: cancels) == .maybeReceived)
        #expect(try reach([never], cancels: cancels) == never)
    }
}

/// Fails each time, the last way for ever, and remembers what came of it.
private final class FailingTransport: HTTPTransport {
    private let state: Mutex<(errors: [TransportError.Reach], told: TransportError.Reach?)>

    init(_ errors: [TransportError.Reach]) { state = Mutex((errors, nil)) }

    var reach: TransportError.Reach? { state.withLock { $0.told } }
    func told(_ reach: TransportError.Reach) { state.withLock { $0.told = reach } }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let reach = state.withLock { state in
            state.errors.count > 1 ? state.errors.removeFirst() : state.errors.first ?? .notSent
        }
        throw TransportError(reach, "no answer")
    }
}
