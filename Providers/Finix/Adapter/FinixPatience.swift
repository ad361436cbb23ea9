import PaymentCore
import PaymentTransport

/// Repeats what Finix did not even look at, since there were too many requests, with growing
/// pauses.
struct FinixPatience: HTTPTransport {
    let transport: any HTTPTransport
    let environment: PaymentEnvironment

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        var pause = Duration.seconds(1)
        for _ in 1..<Self.tries {
            let response = try await transport.send(request)
            guard response.status == 429 else { return response }
            let asked = RetryAfter(response.headers, now: environment.wallTime())?.pause
            if let asked, asked > ReadRetry.longestPause { return response }
            let jitter = pause * Int(environment.randomBits() % 256) / 1_024
            do {
                try await environment.clock.sleep(for: max(asked ?? pause + jitter, .seconds(1)))
            } catch {
                return response
            }
            pause = pause * 2
        }
        return try await transport.send(request)
    }

    /// How often a request is sent at most.
    static let tries = 4
}
