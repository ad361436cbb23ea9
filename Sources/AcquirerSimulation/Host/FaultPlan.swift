public import PaymentTransport
import Synchronization

/// What goes wrong between a client and an emulated acquirer, and when.
public final class FaultPlan: Sendable {
    /// What goes wrong.
    public enum Fault: Sendable {
        /// No connection: nothing is sent.
        case unreachable
        /// The request is lost on its way.
        case loseRequest
        /// The request has its effect, and the answer is lost.
        case loseAnswer
        /// The acquirer answers so without doing anything.
        case answer(HTTPResponse)
        /// The request has its effect, and the acquirer answers so.
        case answerAfter(HTTPResponse)
        /// The request has its effect, and its answer is changed on the way.
        case changeAnswer(@Sendable (HTTPResponse) -> HTTPResponse)
        /// The answer takes so much longer.
        case delay(Duration)
        /// The acquirer never answers, and does nothing.
        case hang
        /// The request has its effect, and the acquirer never answers.
        case hangAfter
        /// The connection breaks at once, before the request has its effect.
        case cut
        /// The request has its effect, and then the connection breaks at once.
        case cutAfter
    }

    private struct Rule {
        let matches: @Sendable (HTTPRequest) -> Bool
        let fault: Fault
        var left: Int?
    }

    private let rules = Mutex<[Rule]>([])
    private let decision = Mutex<(@Sendable (HTTPRequest) -> Fault?)?>(nil)

    /// Creates a plan in which nothing goes wrong.
    public init() {}

    /// Adds a fault.
    ///
    /// - Parameters:
    ///   - fault: What goes wrong.
    ///   - times: How often; always when nil.
    ///   - matches: For which requests.
    public func add(
        _ fault: Fault,
        times: Int? = nil,
        when matches: @escaping @Sendable (HTTPRequest) -> Bool
    ) {
        rules.withLock { $0.append(Rule(matches: matches, fault: fault, left: times)) }
    }

    /// Has every request looked at first; what it says comes before all other faults.
    public func decide(_ decide: @escaping @Sendable (HTTPRequest) -> Fault?) {
        decision.withLock { $0 = decide }
    }

    /// Nothing goes wrong any more.
    public func clear() {
        rules.withLock { $0 = [] }
        decision.withLock { $0 = nil }
    }

    /// The fault for a request, which is used up by asking.
    func fault(for request: HTTPRequest) -> Fault? {
        if let decide = decision.withLock({ $0 }), let fault = decide(request) { return fault }
        return scripted(for: request)
    }

    private func scripted(for request: HTTPRequest) -> Fault? {
        rules.withLock { rules in
            guard let index = rules.firstIndex(where: { $0.left != 0 && $0.matches(request) })
            else { return nil }
            if let left = rules[index].left { rules[index].left = left - 1 }
            return rules[index].fault
        }
    }
}
