import PaymentCore
import PaymentTransport
import Simulation
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
}
