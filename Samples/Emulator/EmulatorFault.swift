import AcquirerSimulation
import FinixSimulation
import PaymentCore
import PaymentTransport
import RevolutSimulation

/// A fault, as a control describes it.
struct EmulatorFault {
    private enum Name: String, CaseIterable {
        case unreachable
        case loseRequest = "lose-request"
        case loseAnswer = "lose-answer"
        case answer
        case answerAfter = "answer-after"
        case delay
        case hang
        case hangAfter = "hang-after"
        case cut
        case cutAfter = "cut-after"
    }

    private let acquirer: String
    private let fault: FaultPlan.Fault
    private let times: Int?
    private let method: HTTPRequest.Method?
    private let path: String?

    init(_ body: ControlBody) throws(ControlProblem) {
        guard let acquirer = try body.text("acquirer"), ["finix", "revolut"].contains(acquirer)
        else {
            throw ControlProblem("acquirer", "finix or revolut")
        }
        self.acquirer = acquirer
        guard let name = try body.text("fault").flatMap(Name.init) else {
            throw ControlProblem(
                "fault",
                "one of " + Name.allCases.map(\.rawValue).joined(separator: ", ")
            )
        }
        times = try body.number("times", 1...1_000_000).map { Int($0) }
        let method = try body.text("method")
        self.method = method.flatMap(HTTPRequest.Method.init)
        guard (method == nil) == (self.method == nil) else {
            throw ControlProblem("method", "GET, POST, PUT, PATCH or DELETE")
        }
        path = try body.text("path")
        fault = try Self.fault(name, body)
        try body.finish()
    }

    private static func fault(
        _ name: Name,
        _ body: ControlBody
    ) throws(ControlProblem) -> FaultPlan.Fault {
        switch name {
        case .unreachable: return .unreachable
        case .loseRequest: return .loseRequest
        case .loseAnswer: return .loseAnswer
        case .answer: return .answer(try response(body))
        case .answerAfter: return .answerAfter(try response(body))
        case .delay: return .delay(.milliseconds(try body.required("milliseconds", 0...86_400_000)))
        case .hang: return .hang
        case .hangAfter: return .hangAfter
        case .cut: return .cut
        case .cutAfter: return .cutAfter
        }
    }

    private static func response(_ body: ControlBody) throws(ControlProblem) -> HTTPResponse {
        var response = HTTPResponse(status: Int(try body.required("status", 200...599)))
        response.headers["Content-Type"] = try body.text("type") ?? "application/json"
        response.headers["Retry-After"] = try body.text("retryAfter")
        response.body = Data((try body.text("body") ?? "").utf8)
        return response
    }

    /// Has it happen; a path that ends with a star stands for all that begin so.
    func add(to world: EmulatedAcquirers.World) {
        let host = acquirer == "finix" ? world.finix.host : world.revolut.host
        host.faults.add(fault, times: times) { [method, path] request in
            guard method == nil || method == request.method else { return false }
            guard let path else { return true }
            return path.hasSuffix("*")
                ? request.path.hasPrefix(String(path.dropLast())) : request.path == path
        }
    }
}
