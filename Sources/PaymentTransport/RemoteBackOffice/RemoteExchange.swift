import PaymentCore

/// The phone's half of the contract: one question, one answer, and how sure a failure is.
struct RemoteExchange: Sendable {
    /// Whose money it is about; nil for what concerns all accounts of the token.
    var account: Account?
    let origin: String
    let path: String
    let transport: any HTTPTransport
    let tokens: SharedToken
    let environment: PaymentEnvironment

    /// Asks a question that changes nothing, again if need be.
    func read<Answer: Codable & Sendable>(
        _ operation: some RawRepresentable<String> & Sendable,
        _ content: some Codable & Sendable,
        as type: Answer.Type
    ) async throws(WireError) -> Answer {
        let (request, id) = try await request(operation, content)
        let response: HTTPResponse
        do throws(TransportError) {
            response = try await ReadRetry(transport, environment: environment).send(request)
        } catch {
            throw WireError(error)
        }
        return try Self.answer(response, id, as: type)
    }

    /// Asks for something that changes something, once.
    func act(
        _ operation: RemoteWire.Operation,
        _ content: some Codable & Sendable
    ) async throws(WireError) -> RemoteWire.Answer {
        let (request, id) = try await request(operation, content)
        let response: HTTPResponse
        do throws(TransportError) {
            response = try await transport.send(request)
        } catch {
            throw WireError(error)
        }
        return try Self.answer(response, id, as: RemoteWire.Answer.self)
    }

    private func request(
        _ operation: some RawRepresentable<String>,
        _ content: some Codable & Sendable
    ) async throws(WireError) -> (HTTPRequest, id: String) {
        let id = RandomText.letters(16, from: environment)
        var request = HTTPRequest(.post, origin, path + "/" + operation.rawValue)
        do throws(PaymentError) {
            try request.checkConfidential()
            request.body = try RemoteWire.encode(
                RemoteWire.Question(id: id, account: account, content: content)
            )
            let token = try await tokens.token()
            request.headers["Authorization"] = "Bearer " + token.reveal()
        } catch {
            throw WireError(error, mayHaveActed: false)
        }
        request.headers["Content-Type"] = "application/json"
        request.headers["Accept"] = "application/json"
        return (request, id)
    }

    // MARK: Answers

    private static func answer<Answer: Codable & Sendable>(
        _ response: HTTPResponse,
        _ id: String,
        as type: Answer.Type
    ) throws(WireError) -> Answer {
        guard response.body.count <= mostBytes else {
            throw unreadable(response, "has more than \(mostBytes) bytes")
        }
        guard response.isSuccess else { throw failure(response) }
        guard let first = response.body.first(where: { !blanks.contains($0) }) else {
            throw unreadable(response, "is empty")
        }
        guard first != UInt8(ascii: "<") else { throw unreadable(response, "is HTML, not JSON") }
        let reply: RemoteWire.Reply<Answer>
        do throws(PaymentError) {
            let version = try RemoteWire.decode(RemoteWire.Versioned.self, from: response.body)
                .version
            guard version == RemoteWire.version else {
                throw PaymentError(.malformedAnswer, detail: "the answer is of version \(version)")
            }
            reply = try RemoteWire.decode(RemoteWire.Reply<Answer>.self, from: response.body)
        } catch {
            throw WireError(error, status: response.status, mayHaveActed: true)
        }
        guard reply.id == id else { throw unreadable(response, "belongs to another question") }
        if let content = reply.content { return content }
        throw WireError(
            reply.error ?? PaymentError(.malformedAnswer, detail: "the answer has no content"),
            status: response.status,
            mayHaveActed: true
        )
    }

    private static func unreadable(_ response: HTTPResponse, _ problem: String) -> WireError {
        WireError(
            PaymentError(
                .malformedAnswer,
                vendorCode: "HTTP \(response.status)",
                detail: "the back end's answer \(problem)"
            ),
            status: response.status,
            mayHaveActed: true
        )
    }

    /// Only a refusal in the contract's own words proves that nothing was done: anything else may
    /// come from whatever stands in between.
    private static func failure(_ response: HTTPResponse) -> WireError {
        if 400..<500 ~= response.status,
            let refusal = try? RemoteWire.decode(RemoteWire.Refusal.self, from: response.body)
        {
            let error = PaymentError(
                RemoteRefusal(rawValue: refusal.refused)?.code ?? .requestRejected,
                vendorCode: "HTTP \(response.status) \(refusal.refused)",
                detail: refusal.message
            )
            return WireError(error, status: response.status, mayHaveActed: false)
        }
        if 300..<400 ~= response.status {
            return unreadable(response, "is a redirect, which is not followed")
        }
        let error = PaymentError(
            code(response.status),
            vendorCode: "HTTP \(response.status)",
            detail: "the back end answered without the contract's words"
        )
        return WireError(error, status: response.status, mayHaveActed: true)
    }

    private static func code(_ status: Int) -> PaymentError.Code {
        switch status {
        case 401: .appLoginExpired
        case 403: .accessDenied
        case 404, 405: .notConfigured
        case 429: .rateLimited
        case 400..<500: .requestRejected
        case 500..<600: .acquirerUnavailable
        default: .malformedAnswer
        }
    }

    private static let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]

    /// The largest answer that is read.
    private static let mostBytes = 16 << 20
}
