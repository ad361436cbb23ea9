public import PaymentCore
public import PaymentTransport

/// Devices asked of the app's own back end, so that the phone holds no API key.
///
/// The back end answers with ``FinixDeviceService``.
public struct FinixDeviceEndpoint: FinixDeviceSource {
    private let transport: any HTTPTransport
    private let origin: String
    private let path: String
    private let session: any TokenProvider

    /// Creates the phone's side.
    ///
    /// - Parameters:
    ///   - transport: What carries the requests.
    ///   - origin: Scheme and host of the back end.
    ///   - path: Where it answers; by default `/finix/devices`.
    ///   - session: The app's own session with its back end.
    public init(
        transport: any HTTPTransport,
        origin: String,
        path: String? = nil,
        session: any TokenProvider
    ) {
        self.transport = transport
        self.origin = origin
        self.path = path ?? FinixDeviceMessage.path
        self.session = session
    }

    /// Has the back end provision.
    public func provision(_ request: FinixDeviceRequest) async throws(PaymentError) -> String {
        let answer = try await ask(.init(.provision, request))
        guard answer.enabled, FinixWire.isIdentifier(answer.device) else {
            throw PaymentError(.malformedAnswer, detail: "the back end named no enabled Device")
        }
        return answer.device
    }

    /// Has the back end look.
    public func isEnabled(
        _ device: String,
        for request: FinixDeviceRequest
    ) async throws(PaymentError) -> Bool {
        let answer = try await ask(.init(.check, request, device: device))
        guard answer.device == device else {
            throw PaymentError(.malformedAnswer, detail: "the back end told of another Device")
        }
        return answer.enabled
    }

    private func ask(
        _ question: FinixDeviceMessage.Question
    ) async throws(PaymentError) -> FinixDeviceMessage.Answer {
        var request = HTTPRequest(.post, origin, path)
        try request.checkConfidential()
        request.headers["Authorization"] = "Bearer " + (try await token()).reveal()
        request.headers["Accept"] = "application/json"
        request.headers["Content-Type"] = "application/json"
        request.body = try JSONBody.encode(question)
        let response: HTTPResponse
        do throws(TransportError) {
            response = try await transport.send(request)
        } catch {
            throw PaymentError(.networkUnavailable, detail: error.description)
        }
        guard response.isSuccess else { throw Self.error(of: response) }
        let answer = try JSONBody.decode(FinixDeviceMessage.Answer.self, from: response.body)
        guard answer.version == FinixDeviceMessage.version else {
            throw PaymentError(.malformedAnswer, detail: "the back end speaks another version")
        }
        return answer
    }

    private func token() async throws(PaymentError) -> AccessToken {
        do {
            return try await session.token()
        } catch {
            throw PaymentError(noToken: error)
        }
    }

    /// The back end's own word, or what its status says; a login that ended is the app's own.
    private static func error(of response: HTTPResponse) -> PaymentError {
        let refusal = try? JSONBody.decode(FinixDeviceMessage.Refusal.self, from: response.body)
        let status = "HTTP \(response.status)"
        switch response.status {
        case 401: return PaymentError(.appLoginExpired, vendorCode: status)
        case 403: return PaymentError(.accessDenied, vendorCode: status)
        case 400...: break
        default: return PaymentError(.malformedAnswer, vendorCode: status)
        }
        if let error = refusal?.paymentError { return error }
        switch response.status {
        case 429: return PaymentError(.rateLimited, vendorCode: status)
        case 500...: return PaymentError(.acquirerUnavailable, vendorCode: status)
        default: return PaymentError(.requestRejected, vendorCode: status)
        }
    }
}
