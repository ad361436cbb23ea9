public import PaymentCore
public import PaymentTransport

/// The back end's half of ``FinixDeviceEndpoint``: a function from request to response, which an
/// integrator mounts in any server.
public struct FinixDeviceService: Sendable {
    private let source: any FinixDeviceSource
    private let permission: @Sendable (AccessToken) async -> Permission

    /// What the bearer of a token may do.
    public enum Permission: Hashable, Sendable {
        /// Provision Devices for these merchants.
        case merchants(Set<String>)
        /// Nothing until they have signed in to the app again.
        case loginExpired
        /// Nothing.
        case nothing
    }

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - source: Who provisions; a ``FinixDeviceProvisioner`` merges what phones ask at once.
    ///   - permission: What the bearer of one of the app's own tokens may do.
    public init(
        source: any FinixDeviceSource,
        permission: @escaping @Sendable (AccessToken) async -> Permission
    ) {
        self.source = source
        self.permission = permission
    }

    /// Answers a request of a phone's, whatever it holds.
    ///
    /// - Parameter request: The request; only its method, headers and body are looked at.
    /// - Returns: The answer, with a JSON body.
    public func answer(_ request: HTTPRequest) async -> HTTPResponse {
        guard request.method == .post else {
            return Self.refusal(405, PaymentError(.requestRejected, detail: "accepted is POST"))
        }
        guard let token = Self.token(of: request) else {
            return Self.refusal(401, PaymentError(.appLoginExpired))
        }
        switch await permission(token) {
        case .loginExpired: return Self.refusal(401, PaymentError(.appLoginExpired))
        case .nothing: return Self.refusal(403, PaymentError(.accessDenied))
        case .merchants(let merchants): return await answer(request, to: merchants)
        }
    }

    private func answer(
        _ request: HTTPRequest,
        to merchants: Set<String>
    ) async -> HTTPResponse {
        do throws(PaymentError) {
            let question = try Self.question(in: request)
            let wanted = try question.request()
            guard merchants.contains(wanted.merchant) else {
                return Self.refusal(403, PaymentError(.accessDenied))
            }
            return try Self.success(await answer(question, wanted))
        } catch {
            return Self.refusal(Self.status(of: error), error)
        }
    }

    private func answer(
        _ question: FinixDeviceMessage.Question,
        _ wanted: FinixDeviceRequest
    ) async throws(PaymentError) -> FinixDeviceMessage.Answer {
        switch question.action {
        case .provision:
            return .init(device: try await source.provision(wanted), enabled: true)
        case .check:
            guard let device = question.device else {
                throw PaymentError(.requestRejected, detail: "device: is missing")
            }
            return .init(
                device: device,
                enabled: try await source.isEnabled(device, for: wanted)
            )
        }
    }

    private static func token(of request: HTTPRequest) -> AccessToken? {
        let values = request.headers.all("Authorization")
        guard values.count == 1, let value = values.first, value.hasPrefix("Bearer ") else {
            return nil
        }
        let token = AccessToken(String(value.dropFirst("Bearer ".count)))
        return token.isBlank ? nil : token
    }

    private static func question(
        in request: HTTPRequest
    ) throws(PaymentError) -> FinixDeviceMessage.Question {
        let body = request.body ?? Data()
        guard body.count <= longestBody else {
            throw PaymentError(.requestRejected, detail: "accepted are \(longestBody) bytes")
        }
        do throws(PaymentError) {
            let question = try JSONBody.decode(FinixDeviceMessage.Question.self, from: body)
            guard question.version == FinixDeviceMessage.version else {
                throw PaymentError(.requestRejected, detail: "version: accepted is 1")
            }
            return question
        } catch {
            throw PaymentError(.requestRejected, detail: error.detail)
        }
    }

    private static let longestBody = 16_384

    /// The phone's own mistakes are told from what Finix, or the way there, did not do.
    private static func status(of error: PaymentError) -> Int {
        switch error.code {
        case .requestRejected, .notConfigured: 422
        case .rateLimited, .acquirerUnavailable, .networkUnavailable, .timedOut: 503
        default: 502
        }
    }

    private static func success(
        _ answer: FinixDeviceMessage.Answer
    ) throws(PaymentError) -> HTTPResponse {
        response(200, try JSONBody.encode(answer))
    }

    private static func refusal(_ status: Int, _ error: PaymentError) -> HTTPResponse {
        let body = try? JSONBody.encode(FinixDeviceMessage.Refusal(error))
        return response(status, body ?? Data())
    }

    private static func response(_ status: Int, _ body: Data) -> HTTPResponse {
        var headers = HTTPHeaders()
        headers["Content-Type"] = "application/json"
        headers["Cache-Control"] = "no-store"
        return HTTPResponse(status: status, headers: headers, body: body)
    }
}
