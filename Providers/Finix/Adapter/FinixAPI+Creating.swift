import PaymentCore
import PaymentTransport

extension FinixAPI {
    /// Sends a request that makes something and carries an idempotency id.
    ///
    /// Where the answer was lost or unreadable it is sent once more, the same id and bytes: Finix
    /// then gives the first answer again, or refuses the repeat. Whatever the second answer is
    /// short of success or a decline, the first request may have had its effect.
    func create<Body: Decodable & Sendable>(
        _ path: String,
        _ content: some Encodable & Sendable,
        as type: Body.Type
    ) async throws(WireError) -> WireAnswer<Body> {
        let first: WireError
        do throws(WireError) {
            return try await send(.post, path, content, as: type)
        } catch {
            first = error
        }
        guard first.isAnswerMissing else { throw first }
        do {
            try await environment.clock.sleep(for: Self.pauseBeforeRepeat)
        } catch {
            throw first
        }
        do throws(WireError) {
            return try await send(.post, path, content, as: type)
        } catch {
            var second = error
            if second.decline == nil { second.mayHaveActed = true }
            throw second
        }
    }

    private static let pauseBeforeRepeat = Duration.seconds(1)
}

extension WireError {
    /// Whether the request may have had its effect and nothing readable came back.
    fileprivate var isAnswerMissing: Bool {
        guard mayHaveActed, decline == nil else { return false }
        guard let status else { return true }
        return 200..<300 ~= status || status >= 500
    }
}

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
