import Dispatch
public import Foundation
public import PaymentTransport
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Carries requests over `URLSession`, for the acquirers' real hosts.
///
/// A redirect and an authentication challenge are answers: neither is followed, so credentials
/// never reach another host. Nothing is cached and no cookie is kept.
///
/// A request that changes something goes over a connection of its own: the system sends a request
/// again by itself when a connection that was kept ends without an answer, and then neither once
/// nor "not sent" would be true.
public struct URLSessionTransport: HTTPTransport {
    private let line: SessionLine
    private let timeLimit: TimeInterval

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - timeLimit: How long one exchange may take altogether, in seconds.
    ///   - connectionsPerHost: How many reads from one host run at the same time; more wait.
    public init(timeLimit: TimeInterval = 60, connectionsPerHost: Int = 6) {
        self.timeLimit = timeLimit
        line = SessionLine(timeLimit: timeLimit, connectionsPerHost: connectionsPerHost)
    }

    /// Sends a request and waits for the whole answer.
    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        if let problem = request.problem { throw TransportError(.notSent, problem) }
        guard let url = request.url else {
            throw TransportError(.notSent, "the address of \(request) is malformed")
        }
        var message = URLRequest(url: url)
        message.httpMethod = request.method.rawValue
        message.httpBody = request.body
        for field in request.headers.list {
            message.addValue(field.value, forHTTPHeaderField: field.name)
        }
        let isRead = request.method == .get
        let line = isRead ? line : SessionLine(timeLimit: timeLimit, connectionsPerHost: 1)
        defer { if !isRead { line.session.finishTasksAndInvalidate() } }
        let (body, answer) = try await exchange(message, over: line)
        guard let answer = answer as? HTTPURLResponse else {
            throw TransportError(.maybeReceived, "the answer is not HTTP")
        }
        var headers = HTTPHeaders()
        for (name, value) in answer.allHeaderFields {
            headers.add("\(name)", "\(value)")
        }
        return HTTPResponse(status: answer.statusCode, headers: headers, body: body)
    }

    private func exchange(
        _ message: URLRequest,
        over line: SessionLine
    ) async throws(TransportError) -> (Data, URLResponse?) {
        let shared = RunningTask()
        // Some systems count a time limit anew with each byte that comes.
        let limit = DispatchWorkItem { shared.expire() }
        DispatchQueue.global().asyncAfter(deadline: .now() + timeLimit, execute: limit)
        defer {
            limit.cancel()
            shared.end()
        }
        let (body, answer, error) = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let task = line.session.dataTask(with: message) { body, answer, error in
                    continuation.resume(returning: (body, answer, error))
                }
                shared.start(task)
            }
        } onCancel: {
            shared.cancel()
        }
        if let refused = line.delegate.takeRefused(shared.identifier) { return (Data(), refused) }
        if let error { throw Self.transportError(error, hasExpired: shared.hasExpired) }
        return (body ?? Data(), answer)
    }

    /// Only a failure to connect proves that nothing was sent.
    private static func transportError(_ error: any Error, hasExpired: Bool) -> TransportError {
        let code = (error as? URLError)?.code
        switch code {
        case .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet,
            .unsupportedURL, .badURL, .secureConnectionFailed, .serverCertificateUntrusted,
            .serverCertificateHasBadDate, .serverCertificateNotYetValid,
            .serverCertificateHasUnknownRoot:
            return TransportError(.notSent, "no connection (\(code?.rawValue ?? 0))")
        case .timedOut,
            .cancelled where hasExpired:
            return TransportError(.maybeReceived, "no answer in time")
        default:
            return TransportError(.maybeReceived, "the exchange broke (\(code?.rawValue ?? 0))")
        }
    }
}

/// A session and who answers its questions; the names of its tasks are its own.
private struct SessionLine: Sendable {
    let session: URLSession
    let delegate = RefusingDelegate()

    init(timeLimit: TimeInterval, connectionsPerHost: Int) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = timeLimit
        configuration.timeoutIntervalForResource = timeLimit
        configuration.httpMaximumConnectionsPerHost = connectionsPerHost
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        session = URLSession(
            configuration: configuration,
            delegate: delegate,
            delegateQueue: nil
        )
    }
}

/// The task of one exchange, for whoever cancels it.
private final class RunningTask: Sendable {
    private struct State {
        var task: URLSessionDataTask?
        var isCancelled = false
        var hasExpired = false
    }

    private let state = Mutex(State())

    var identifier: Int? { state.withLock { $0.task?.taskIdentifier } }

    /// Whether its time was over before it had ended.
    var hasExpired: Bool { state.withLock { $0.hasExpired } }

    /// It is over; whoever could still cancel it holds nothing of it any more.
    func end() { state.withLock { $0.task = nil } }

    func expire() {
        state.withLock { $0.hasExpired = true }
        cancel()
    }

    func start(_ task: URLSessionDataTask) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
        task.resume()
    }

    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            return state.task
        }?.cancel()
    }
}

/// Takes redirects and challenges as answers.
private final class RefusingDelegate: NSObject, URLSessionTaskDelegate {
    private let refused = Mutex<[Int: HTTPURLResponse]>([:])

    /// The answer that came with a challenge, once.
    func takeRefused(_ identifier: Int?) -> HTTPURLResponse? {
        identifier.flatMap { identifier in
            refused.withLock { $0.removeValue(forKey: identifier) }
        }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (
                URLSession.AuthChallengeDisposition, URLCredential?
            ) -> Void
    ) {
        let space = challenge.protectionSpace
        guard space.authenticationMethod != "NSURLAuthenticationMethodServerTrust" else {
            return completionHandler(.performDefaultHandling, nil)
        }
        // On Linux only a rejection ends the exchange, and it loses the answer: keep it here.
        if let answer = challenge.failureResponse as? HTTPURLResponse {
            refused.withLock { $0[task.taskIdentifier] = answer }
        }
        completionHandler(.rejectProtectionSpace, nil)
    }
}
