import PaymentCore

/// What every question passes before it is answered: the path, and the app's token.
struct RemoteDoor: Sendable {
    let path: String
    let accounts: @Sendable (AccessToken) async -> Set<Account>?

    /// Which operation a request asks for.
    func operation<Operation: RawRepresentable<String>>(
        _ request: HTTPRequest,
        _ type: Operation.Type
    ) throws(RemoteRefused) -> Operation {
        guard request.path.hasPrefix(path + "/"),
            let operation = Operation(
                rawValue: String(request.path.dropFirst(path.count + 1))
            )
        else { throw RemoteRefused(.notFound, "no such operation") }
        guard request.method == .post else {
            throw RemoteRefused(.methodNotAllowed, "accepted is POST")
        }
        return operation
    }

    /// The accounts that a request's token may ask about.
    func allowed(_ request: HTTPRequest) async throws(RemoteRefused) -> Set<Account> {
        let fields = request.headers.all("Authorization")
        let words = fields.first?.split(separator: " ", omittingEmptySubsequences: false) ?? []
        guard fields.count == 1, words.count == 2, words[0].lowercased() == "bearer",
            !words[1].isEmpty,
            let allowed = await accounts(AccessToken(String(words[1])))
        else { throw RemoteRefused(.unauthenticated, "the token is missing or not accepted") }
        return allowed
    }
}

/// Why a question is not answered; nothing was done.
struct RemoteRefused: Error {
    let refusal: RemoteRefusal
    let message: String

    init(_ refusal: RemoteRefusal, _ message: String) {
        self.refusal = refusal
        self.message = message
    }

    // No WWW-Authenticate: some clients drop the body of an answer that challenges.
    var response: HTTPResponse {
        let body = RemoteWire.Refusal(refused: refusal.rawValue, message: message)
        var response = HTTPResponse.remote(body, status: refusal.status)
        if refusal == .methodNotAllowed { response.headers["Allow"] = "POST" }
        return response
    }
}

/// A question whose heading was read.
struct RemoteQuestion {
    let heading: RemoteWire.Heading
    private let body: Data

    init(_ request: HTTPRequest) throws(RemoteRefused) {
        body = request.body ?? Data()
        guard body.count <= Self.mostBytes else {
            throw RemoteRefused(.tooLarge, "a question has at most \(Self.mostBytes) bytes")
        }
        let version = try Self.read(RemoteWire.Versioned.self, body).version
        guard version == RemoteWire.version else {
            throw RemoteRefused(
                .versionUnsupported,
                "the question is of version \(version); accepted is \(RemoteWire.version)"
            )
        }
        heading = try Self.read(RemoteWire.Heading.self, body)
    }

    func content<Content: Codable & Sendable>(
        _ type: Content.Type
    ) throws(RemoteRefused) -> Content {
        try Self.read(RemoteWire.Question<Content>.self, body).content
    }

    /// Whose money it is about.
    func account() throws(RemoteRefused) -> Account {
        guard let account = heading.account else {
            throw RemoteRefused(.malformed, "at account: is missing")
        }
        return account
    }

    /// The attempt that the question is about, and whose payment is the same account's.
    func attempt() throws(RemoteRefused) -> PaymentAttempt {
        let content = try content(RemoteWire.Attempt.self)
        let account = try account()
        guard content.belongs(to: account) else {
            throw RemoteRefused(.accountRefused, "the payment is another account's")
        }
        guard let attempt = content.attempt(of: account) else {
            throw RemoteRefused(
                .malformed,
                "the operation is not known, or lacks what belongs to it"
            )
        }
        return attempt
    }

    func reply(_ content: some Codable & Sendable) -> HTTPResponse {
        HTTPResponse.remote(RemoteWire.Reply(id: heading.id, content: content))
    }

    func reply(error: PaymentError) -> HTTPResponse {
        HTTPResponse.remote(
            RemoteWire.Reply<RemoteWire.Nothing>(id: heading.id, error: error)
        )
    }

    private static func read<Message: Decodable>(
        _ type: Message.Type,
        _ body: Data
    ) throws(RemoteRefused) -> Message {
        do throws(PaymentError) {
            return try RemoteWire.decode(type, from: body)
        } catch {
            throw RemoteRefused(.malformed, error.detail ?? "the question cannot be read")
        }
    }

    /// The largest question that is read.
    private static let mostBytes = 1 << 20
}

extension HTTPResponse {
    /// A message of the contract as an answer.
    static func remote(_ message: some Encodable, status: Int = 200) -> HTTPResponse {
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
