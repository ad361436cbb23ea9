public import PaymentCore

/// The server half of ``RemoteBackOffice``: a plain function from request to response, for any server.
///
/// It runs where the API keys are. Every question needs a token that the integrator accepts, and is
/// answered for the accounts of that token alone.
public struct RemoteBackOfficeService: Sendable {
    private let backOffices: [Account: any BackOffice]
    private let door: RemoteDoor

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - backOffices: The direct back office of each account that is served.
    ///   - path: Where the contract is served; the same as the phone's.
    ///   - accounts: The accounts that a token may ask about; nil when the token is not good.
    public init(
        _ backOffices: [Account: any BackOffice],
        path: String = RemoteBackOffice.usualPath,
        accounts: @escaping @Sendable (AccessToken) async -> Set<Account>?
    ) {
        self.backOffices = backOffices
        door = RemoteDoor(path: path, accounts: accounts)
    }

    /// Answers a question.
    ///
    /// - Parameter request: The request as the integrator's server read it: method, path, header
    ///   fields and body.
    /// - Returns: The answer, always; nothing was done unless its status is 200, or 500 for an
    ///   answer that could not be written.
    public func answer(_ request: HTTPRequest) async -> HTTPResponse {
        do throws(RemoteRefused) {
            let operation = try door.operation(request, RemoteWire.Operation.self)
            let allowed = try await door.allowed(request)
            let question = try RemoteQuestion(request)
            let account = try question.account()
            guard allowed.contains(account), let backOffice = backOffices[account] else {
                throw RemoteRefused(.accountRefused, "the token is not for this account")
            }
            return try await answer(operation, question, backOffice)
        } catch {
            return error.response
        }
    }

    private func answer(
        _ operation: RemoteWire.Operation,
        _ question: RemoteQuestion,
        _ backOffice: any BackOffice
    ) async throws(RemoteRefused) -> HTTPResponse {
        switch operation {
        case .capabilities:
            return question.reply(RemoteWire.Capabilities(backOffice.capabilities))
        case .records: return try await records(question, backOffice)
        case .close:
            let closing = try question.content(RemoteWire.Closing.self)
            let answer = await backOffice.close(closing.reference)
            return question.reply(RemoteWire.Answer(answer))
        case .perform:
            let attempt = try question.attempt()
            return question.reply(RemoteWire.Answer(await backOffice.perform(attempt)))
        case .link:
            let attempt = try question.attempt()
            return question.reply(RemoteWire.Answer(await backOffice.link(for: attempt)))
        }
    }

    private func records(
        _ question: RemoteQuestion,
        _ backOffice: any BackOffice
    ) async throws(RemoteRefused) -> HTTPResponse {
        let content = try question.content(RemoteWire.Query.self)
        guard let query = content.query(of: try question.account()) else {
            throw RemoteRefused(.malformed, "the span ends before it begins")
        }
        do throws(PaymentError) {
            var listing = try await backOffice.records(query)
            let rule = RemoteWire.Absence(backOffice.capabilities)
            // A phone that would take absence for proof too soon gets none.
            if !content.absence.isAsStrict(as: rule) { listing.isComplete = false }
            return question.reply(RemoteWire.Listing(listing))
        } catch {
            return question.reply(error: error)
        }
    }
}
