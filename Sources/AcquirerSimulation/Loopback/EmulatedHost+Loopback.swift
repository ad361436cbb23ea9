public import PaymentTransport

extension EmulatedHost {
    /// Does with a request from another process what the plan of faults says, in real time.
    ///
    /// Whatever is lost in simulated time is cut here, so that a client need not wait for it; what
    /// hangs is never answered. No virtual time passes.
    ///
    /// - Parameter request: The request as it was read.
    /// - Returns: What the server has to do.
    public func serve(_ request: HTTPRequest) -> LoopbackReply {
        let requestID = nextRequestID()
        switch faults.fault(for: request) {
        case .unreachable, .loseRequest, .cut: return .cut
        case .hang: return .silence
        case .loseAnswer, .cutAfter:
            _ = handled(request, requestID)
            return .cut
        case .hangAfter:
            _ = handled(request, requestID)
            return .silence
        case .answer(let answer): return .answer(stamped(answer, requestID))
        case .answerAfter(let answer):
            _ = handled(request, requestID)
            return .answer(stamped(answer, requestID))
        case .changeAnswer(let change):
            return .answer(stamped(change(handled(request, requestID)), requestID))
        case .delay(let delay):
            return .later(stamped(handled(request, requestID), requestID), after: delay)
        case nil: return .answer(stamped(handled(request, requestID), requestID))
        }
    }
}
