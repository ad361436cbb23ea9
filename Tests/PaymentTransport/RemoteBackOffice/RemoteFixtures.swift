import PaymentCore
import PaymentTransport
import Simulation
import Synchronization

/// A back office whose answers are set, and that keeps what it was asked.
final class ScriptedBackOffice: BackOffice {
    struct Script: Sendable {
        var capabilities = BackOfficeCapabilities()
        var listing: Result<RecordListing, PaymentError> = .failure(PaymentError(.unclassified))
        var close = CloseAnswer.unsupported
        var perform = BackOfficeAnswer.unknown(PaymentError(.unclassified))
        var link = LinkAnswer.unsupported
    }

    struct Asked: Sendable {
        var queries: [RecordQuery] = []
        var closed: [AcquirerReference] = []
        var attempts: [PaymentAttempt] = []

        var count: Int { queries.count + closed.count + attempts.count }
    }

    private let script: Script
    private let state = Mutex(Asked())

    init(_ script: Script = Script()) { self.script = script }

    var asked: Asked { state.withLock { $0 } }
    var capabilities: BackOfficeCapabilities { script.capabilities }

    func records(_ query: RecordQuery) throws(PaymentError) -> RecordListing {
        state.withLock { $0.queries.append(query) }
        return try script.listing.get()
    }

    func close(_ reference: AcquirerReference) -> CloseAnswer {
        state.withLock { $0.closed.append(reference) }
        return script.close
    }

    func perform(_ attempt: PaymentAttempt) -> BackOfficeAnswer {
        state.withLock { $0.attempts.append(attempt) }
        return script.perform
    }

    func link(for attempt: PaymentAttempt) -> LinkAnswer {
        state.withLock { $0.attempts.append(attempt) }
        return script.link
    }
}

/// Carries requests to a function, and keeps them.
final class FunctionTransport: HTTPTransport {
    typealias Answer = @Sendable (HTTPRequest) async throws -> HTTPResponse
    private let answer: Answer
    private let sent = Mutex<[HTTPRequest]>([])

    init(_ answer: @escaping Answer) { self.answer = answer }

    var requests: [HTTPRequest] { sent.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        if let problem = request.problem { throw TransportError(.notSent, problem) }
        sent.withLock { $0.append(request) }
        do {
            return try await answer(request)
        } catch {
            throw error as? TransportError ?? TransportError(.maybeReceived, "the exchange broke")
        }
    }
}

/// Gives out one token, or an error.
struct FixedTokens: TokenProvider {
    var text = "session-a"
    var error: (any Error)?

    func token() throws -> AccessToken {
        if let error { throw error }
        return AccessToken(text)
    }
}

/// Both halves of the contract, joined without a network.
struct RemotePair {
    static let account = Account(provider: "p", merchant: "m", environment: .simulated)
    static let other = Account(provider: "p", merchant: "m2", environment: .simulated)
    static let origin = "https://shop.example"
    let time = SimulatedTime()
    let books: ScriptedBackOffice
    let transport: FunctionTransport
    let phone: RemoteBackOffice

    /// Joins both halves; `answer` replaces what the back end answers.
    init(
        _ script: ScriptedBackOffice.Script = .init(),
        capabilities: BackOfficeCapabilities? = nil,
        tokens: any TokenProvider = FixedTokens(),
        origin: String = Self.origin,
        answer: (@Sendable (HTTPResponse) async throws -> HTTPResponse)? = nil
    ) {
        let books = ScriptedBackOffice(script)
        let service = Self.service(books)
        let transport = FunctionTransport { request in
            let response = await service.answer(request)
            return try await answer?(response) ?? response
        }
        self.books = books
        self.transport = transport
        phone = RemoteBackOffice(
            account: Self.account,
            origin: origin,
            capabilities: capabilities ?? script.capabilities,
            transport: transport,
            tokenProvider: tokens,
            environment: time.environment
        )
    }

    static func service(_ books: ScriptedBackOffice) -> RemoteBackOfficeService {
        RemoteBackOfficeService([account: books, other: books]) { token in
            token.reveal() == "session-a" ? [account] : nil
        }
    }

    func run<Value: Sendable>(
        _ operation: @escaping @Sendable (RemoteBackOffice) async -> Value
    ) throws -> Value {
        try time.run { [phone] in await operation(phone) }
    }

    /// What a listing brings.
    func records(_ query: RecordQuery) throws -> Result<RecordListing, PaymentError> {
        try run { phone in
            do throws(PaymentError) {
                return .success(try await phone.records(query))
            } catch {
                return .failure(error)
            }
        }
    }
}

// MARK: Answers as comparable values

extension CloseAnswer {
    var parts: [AnyHashable] {
        switch self {
        case .closed(let record): ["closed", record]
        case .alreadyFinal(let record): ["alreadyFinal", record]
        case .notClosed(let error): ["notClosed", error]
        case .unsupported: ["unsupported"]
        }
    }

    var name: String { parts[0] as? String ?? "" }
}

extension BackOfficeAnswer {
    var parts: [AnyHashable] {
        switch self {
        case .done(let approval): ["done", approval]
        case .pending(let approval): ["pending", approval]
        case .declined(let decline): ["declined", decline]
        case .notDone(let error): ["notDone", error]
        case .unknown(let error): ["unknown", error]
        }
    }

    var name: String { parts[0] as? String ?? "" }
    var error: PaymentError? { parts[1] as? PaymentError }
}

extension LinkAnswer {
    var parts: [AnyHashable] {
        switch self {
        case .link(let url, let reference, let expiresAt): ["link", url, reference, expiresAt]
        case .notMade(let error): ["notMade", error]
        case .unknown(let error): ["unknown", error]
        case .unsupported: ["unsupported"]
        }
    }

    var name: String { parts[0] as? String ?? "" }
}

extension PaymentAttempt {
    var parts: [AnyHashable] {
        let detail: [AnyHashable] =
            switch operation {
            case .take(let request): ["take", request]
            case .capture(let authorization): ["capture", authorization]
            case .void(let authorization): ["void", authorization]
            case .refund(let receipt): ["refund", receipt]
            }
        return [id, account, startedAt, amount] + detail
    }
}
