import AcquirerSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import Simulation
import Synchronization

/// The way between an adapter and its acquirer: what was sent, and what goes wrong there.
public final class ContractWire: Sendable {
    /// What goes wrong with a request.
    enum Fault: String, CaseIterable, Sendable {
        case unreachable, requestLost, answerLost, hangs
        case error500Before, error500After, error503Before, error429Before
        case garbledBefore, garbledAfter, emptyAfter

        var fault: FaultPlan.Fault {
            switch self {
            case .unreachable: .unreachable
            case .requestLost: .loseRequest
            case .answerLost: .loseAnswer
            case .hangs: .hang
            case .error500Before: .answer(HTTPResponse(status: 500))
            case .error500After: .answerAfter(HTTPResponse(status: 500))
            case .error503Before: .answer(HTTPResponse(status: 503))
            case .error429Before: .answer(HTTPResponse(status: 429))
            case .garbledBefore: .answer(HTTPResponse(status: 502, body: Self.page))
            case .garbledAfter: .answerAfter(HTTPResponse(status: 200, body: Self.page))
            case .emptyAfter: .answerAfter(HTTPResponse(status: 200))
            }
        }

        private static let page = Data("<html>Bad gateway</html>".utf8)
    }

    /// One request that was sent.
    struct Sent: Sendable {
        let step: ContractStep?
        let line: String
        let journaled: Int
    }

    private let host: EmulatedHost
    private let step: @Sendable (HTTPRequest) -> ContractStep?
    private let sent = Mutex<[Sent]>([])
    private let healed = Mutex(0)

    init(_ stage: ContractStage, time: SimulatedTime, journal: @escaping @Sendable () -> Int) {
        host = stage.host
        step = stage.step
        // The first entry of the plan sees every request and spoils none.
        host.faults.add(.hang) { [weak self] request in
            let offset = time.clock.now.offset / .milliseconds(1)
            self?.sent.withLock { sent in
                let line = Scrubbing.scrub("\(request)")
                sent.append(
                    Sent(
                        step: stage.step(request),
                        line: "\(Int(offset))ms \(line)",
                        journaled: journal()
                    )
                )
            }
            return false
        }
    }

    /// Spoils the next requests of a step.
    func fail(_ steps: ContractStep..., by fault: Fault, times: Int? = 1) {
        spoil(Set(steps), fault.fault, times: times)
    }

    /// Makes requests of a step take longer.
    func delay(_ steps: ContractStep..., by duration: Duration, times: Int? = 1) {
        spoil(Set(steps), .delay(duration), times: times)
    }

    /// Refuses the credentials of requests.
    func refuse(_ steps: ContractStep..., times: Int? = nil) {
        spoil(Set(steps), .answer(HTTPResponse(status: 401)), times: times)
    }

    /// Changes what the acquirer answers.
    func change(
        _ steps: ContractStep...,
        times: Int? = 1,
        by change: @escaping @Sendable (JSONTree) -> JSONTree
    ) {
        let fault = FaultPlan.Fault.changeAnswer { response in
            guard let members = JSONTree.members(of: response.body) else { return response }
            var changed = HTTPResponse.json(response.status, change(.object(members)))
            changed.headers = response.headers
            return changed
        }
        spoil(Set(steps), fault, times: times)
    }

    /// Has the acquirer answer the request after the next of a step as it answered the next one.
    func answerAsBefore(_ step: ContractStep) {
        let earlier = EarlierAnswer()
        spoil([step], .changeAnswer { earlier.answer(in: $0) }, times: 2)
    }

    /// Cuts the way to the books.
    func cutBooks() {
        spoil([.lookUp, .close], .unreachable, times: nil)
    }

    private func spoil(_ steps: Set<ContractStep>, _ fault: FaultPlan.Fault, times: Int?) {
        let era = healed.withLock { $0 }
        host.faults.add(fault, times: times) { [step, weak self] request in
            guard let self, healed.withLock({ $0 == era }) else { return false }
            return step(request).map { steps.contains($0) } ?? false
        }
    }

    /// Nothing goes wrong any more.
    func heal() { healed.withLock { $0 += 1 } }

    /// Everything that was sent, in order.
    var requests: [Sent] { sent.withLock { $0 } }

    /// How many requests were sent.
    var total: Int { requests.count }

    /// How many requests of a step were sent.
    func count(_ step: ContractStep) -> Int { requests.count { $0.step == step } }
}

/// The first of several answers, which is given in place of all later ones.
private final class EarlierAnswer: Sendable {
    private let first = Mutex<HTTPResponse?>(nil)

    func answer(in place: HTTPResponse) -> HTTPResponse {
        first.withLock { first in
            if let first { return first }
            first = place
            return place
        }
    }
}
