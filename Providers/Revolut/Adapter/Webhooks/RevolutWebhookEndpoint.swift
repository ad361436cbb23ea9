public import PaymentTransport

/// Where Revolut delivers to: a plain function from request to answer, for any server.
public struct RevolutWebhookEndpoint: Sendable {
    private let verifier: RevolutWebhookVerifier
    private let handle: @Sendable (RevolutWebhookEvent) async -> Bool

    /// Creates the endpoint.
    ///
    /// - Parameters:
    ///   - verifier: Says what to believe.
    ///   - handle: Keeps an event; true once it is kept for good, else Revolut delivers it again.
    public init(
        _ verifier: RevolutWebhookVerifier,
        handle: @escaping @Sendable (RevolutWebhookEvent) async -> Bool
    ) {
        self.verifier = verifier
        self.handle = handle
    }

    /// Answers a delivery: 204 once its event is kept.
    public func answer(_ request: HTTPRequest) async -> HTTPResponse {
        guard request.method == .post else { return HTTPResponse(status: 405) }
        do throws(RevolutWebhookRefusal) {
            let event = try verifier.event(in: request)
            return HTTPResponse(status: await handle(event) ? 204 : 503)
        } catch {
            return error.response
        }
    }
}
