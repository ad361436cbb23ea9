public import PaymentCore

/// Repeats reads that got no useful answer, with growing pauses; never a request that changes
/// something.
public struct ReadRetry: Sendable {
    private let transport: any HTTPTransport
    private let environment: PaymentEnvironment

    /// The most that a read is tried.
    public static let tries = 5
    /// The longest pause that a server can ask for; beyond it the caller is told to wait.
    public static let longestPause = Duration.seconds(60)

    /// Creates a retrying reader.
    public init(_ transport: any HTTPTransport, environment: PaymentEnvironment) {
        self.transport = transport
        self.environment = environment
    }

    /// Sends a read until it gets an answer other than "too many requests" or a server fault.
    ///
    /// - Parameter request: A request that changes nothing.
    /// - Returns: The first useful answer, or the last one.
    /// - Throws: ``TransportError`` of the last try; `notSent` only if no try was sent.
    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        var pause = Duration.seconds(1)
        var attempt = 1
        var reach = TransportError.Reach.notSent
        while true {
            let wait: Duration
            do throws(TransportError) {
                let response = try await transport.send(request)
                reach = .maybeReceived
                guard Self.isTemporary(response.status), attempt < Self.tries else {
                    return response
                }
                let asked = RetryAfter(response.headers, now: environment.wallTime())?.pause
                if let asked, asked > Self.longestPause { return response }
                wait = max(asked ?? pause + jitter(of: pause), .seconds(1))
            } catch {
                if error.reach == .maybeReceived { reach = .maybeReceived }
                guard attempt < Self.tries else {
                    throw TransportError(reach, error.description)
                }
                wait = pause + jitter(of: pause)
            }
            do {
                try await environment.clock.sleep(for: wait)
            } catch {
                throw TransportError(reach, "cancelled between two tries")
            }
            pause = pause * 2
            attempt += 1
        }
    }

    private static func isTemporary(_ status: Int) -> Bool {
        status == 429 || status == 500 || 502...504 ~= status
    }

    private func jitter(of pause: Duration) -> Duration {
        pause * Int(environment.randomBits() % 256) / 1_024
    }
}

/// How long a server asks to wait.
public struct RetryAfter: Hashable, Sendable {
    /// The pause, never negative.
    public let pause: Duration

    /// Reads the header; nil when it is absent, repeated, in the past or not understood.
    public init?(_ headers: HTTPHeaders, now: Date) {
        let values = headers.all("Retry-After")
        guard values.count == 1, let value = values.first else { return nil }
        if !value.isEmpty, value.utf8.allSatisfy({ 48...57 ~= $0 }) {
            pause = .seconds(Int64(value) ?? Int64(Int32.max))
        } else if let date = WireDate.parseHTTP(value), date > now {
            pause = .seconds(min(date.timeIntervalSince(now), Double(Int32.max)))
        } else {
            return nil
        }
    }
}
