/// Carries a request and brings back the answer.
///
/// A redirect and an authentication challenge are answers like any other: a transport follows
/// neither, so that credentials never reach another host.
public protocol HTTPTransport: Sendable {
    /// Sends a request.
    ///
    /// - Parameter request: The request.
    /// - Returns: The answer, whatever its status.
    /// - Throws: ``TransportError``, which says whether the other side may have acted.
    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse
}

/// Why no answer came.
public struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// How far the request got.
    public let reach: Reach
    /// What happened, without addresses, headers or bodies.
    public let description: String

    /// Creates an error.
    public init(_ reach: Reach, _ description: String) {
        self.reach = reach
        self.description = description
    }

    /// How far a request got.
    public enum Reach: Hashable, Sendable {
        /// Nothing was sent, provably: no connection, or the request was malformed.
        case notSent
        /// It may have been received and acted on.
        case maybeReceived
    }
}
