public import PaymentCore

/// The server half of ``RemoteBackOffice``: a plain function from request to response, for any server.
///
/// It runs where the API keys are. Every question needs a token that the integrator accepts, and is
/// answered for the accounts of that token alone.
public struct RemoteBackOfficeService: Sendable {
    private let backOffices: [Account: any BackOffice]
    private let path: String
    private let accounts: @Sendable (AccessToken) async -> Set<Account>?

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
        self.path = path
        self.accounts = accounts
    }

    /// Answers a question.
    ///
    /// - Parameter request: The request as the integrator's server read it: method, path, header
    ///   fields and body.
    /// - Returns: The answer, always; nothing was done unless its status is 200, or 500 for an
    ///   answer that could not be written.
    public func answer(_ request: HTTPRequest) async -> HTTPResponse {
        do throws(Refused) {
            let operation = try operation(request)
            let allowed = try await allowed(request)
            let question = try Question(request)
            guard allowed.contains(question.heading.account),
                let backOffice = backOffices[question.heading.account]
            else { throw Refused(.accountRefused, "the token is not for this account") }
            return try await answer(operation, question, backOffice)
        } catch {
            return error.response
        }
    }

    private func operation(_ request: HTTPRequest) throws(Refused) -> RemoteWire.Operation {
        guard request.path.hasPrefix(path + "/"),
            let operation = RemoteWire.Operation(
                rawValue: String(request.path.dropFirst(path.count + 1))
            )
        else { throw Refused(.notFound, "no such operation") }
        guard request.method == .post else { throw Refused(.methodNotAllowed, "accepted is POST") }
        return operation
    }

    private func allowed(_ request: HTTPRequest) async throws(Refused) -> Set<Account> {
        let fields = request.headers.all("Authorization")
        let words = fields.first?.split(separator: " ", omittingEmptySubsequences: false) ?? []
        guard fields.count == 1, words.count == 2, words[0].lowercased() == "bearer",
            !words[1].isEmpty,
            let allowed = await accounts(AccessToken(String(words[1])))
        else { throw Refused(.unauthenticated, "the token is missing or not accepted") }
        return allowed
    }

    private func answer(
        _ operation: RemoteWire.Operation,
        _ question: Question,
        _ backOffice: any BackOffice
    ) async throws(Refused) -> HTTPResponse {
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
        _ question: Question,
        _ backOffice: any BackOffice
    ) async throws(Refused) -> HTTPResponse {
        let content = try question.content(RemoteWire.Query.self)
        guard let query = content.query(of: question.heading.account) else {
            throw Refused(.malformed, "the span ends before it begins")
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

extension RemoteBackOfficeService {
    /// Why a question is not answered; nothing was done.
    struct Refused: Error {
        let refusal: RemoteRefusal
        let message: String

        init(_ refusal: RemoteRefusal, _ message: String) {
            self.refusal = refusal
            self.message = message
        }

        // No WWW-Authenticate: some clients drop the body of an answer that challenges.
        var response: HTTPResponse {
            let body = RemoteWire.Refusal(refused: refusal.rawValue, message: message)
            var response = RemoteBackOfficeService.json(body, status: refusal.status)
            if refusal == .methodNotAllowed { response.headers["Allow"] = "POST" }
            return response
        }
    }

    /// A question whose heading was read.
    struct Question {
        let heading: RemoteWire.Heading
        private let body: Data

        init(_ request: HTTPRequest) throws(Refused) {
            body = request.body ?? Data()
            guard body.count <= Self.mostBytes else {
                throw Refused(.tooLarge, "a question has at most \(Self.mostBytes) bytes")
            }
            let version = try Self.read(RemoteWire.Versioned.self, body).version
            guard version == RemoteWire.version else {
                throw Refused(
                    .versionUnsupported,
                    "the question is of version \(version); accepted is \(RemoteWire.version)"
                )
            }
            heading = try Self.read(RemoteWire.Heading.self, body)
        }

        func content<Content: Codable & Sendable>(
            _ type: Content.Type
        ) throws(Refused) -> Content {
            try Self.read(RemoteWire.Question<Content>.self, body).content
        }

        /// The attempt that the question is about, and whose payment is the same account's.
        func attempt() throws(Refused) -> PaymentAttempt {
            let content = try content(RemoteWire.Attempt.self)
            guard content.belongs(to: heading.account) else {
                throw Refused(.accountRefused, "the payment is another account's")
            }
            guard let attempt = content.attempt(of: heading.account) else {
                throw Refused(
                    .malformed,
                    "the operation is not known, or lacks what belongs to it"
                )
            }
            return attempt
        }

        func reply(_ content: some Codable & Sendable) -> HTTPResponse {
            RemoteBackOfficeService.json(RemoteWire.Reply(id: heading.id, content: content))
        }

        func reply(error: PaymentError) -> HTTPResponse {
            RemoteBackOfficeService.json(
                RemoteWire.Reply<RemoteWire.Nothing>(id: heading.id, error: error)
            )
        }

        private static func read<Message: Decodable>(
            _ type: Message.Type,
            _ body: Data
        ) throws(Refused) -> Message {
            do throws(PaymentError) {
                return try RemoteWire.decode(type, from: body)
            } catch {
                throw Refused(.malformed, error.detail ?? "the question cannot be read")
            }
        }

        /// The largest question that is read.
        private static let mostBytes = 1 << 20
    }

    static func json(_ message: some Encodable, status: Int = 200) -> HTTPResponse {
        var response = HTTPResponse(status: status)
        do throws(PaymentError) {
            response.body = try RemoteWire.encode(message)
            response.headers["Content-Type"] = "application/json"
        } catch {
            response.status = 500
        }
        response.headers["Cache-Control"] = "no-store"
        return response
    }
}
