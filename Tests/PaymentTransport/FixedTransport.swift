import PaymentCore
import PaymentTransport
import Synchronization

/// Gives its answers in order, the last one for ever, and keeps what was sent.
final class FixedTransport: HTTPTransport {
    private let answers: [HTTPResponse]
    private let sent = Mutex<[HTTPRequest]>([])

    init(_ answers: [HTTPResponse]) { self.answers = answers }

    var requests: [HTTPRequest] { sent.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let index = sent.withLock { sent in
            sent.append(request)
            return sent.count - 1
        }
        return answers[min(index, answers.count - 1)]
    }
}
