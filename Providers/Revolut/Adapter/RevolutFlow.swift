import PaymentCore
import Synchronization

/// What the callbacks of one flow add up to; a value with no clock and no task.
struct RevolutFlowState: Sendable {
    private(set) var report: RevolutChargeReport?
    /// The reports that do not count, and must not be forgotten.
    private(set) var others: [RevolutChargeReport] = []
    private(set) var anomalies: [String] = []
    private(set) var isComplete = false
    private(set) var isLoggedOut = false
    private(set) var isGivenUp = false

    /// Whether nobody waits any more, so that what comes is too late for the answer.
    var isOver: Bool { isComplete || isGivenUp }

    /// Takes a charge report; the first one counts.
    mutating func reported(_ next: RevolutChargeReport) {
        guard !isOver, report == nil else {
            others.append(next)
            return anomalies.append(isOver ? "a report after the end" : "a second report")
        }
        report = next
    }

    /// Takes the end; true the first time.
    mutating func completed() -> Bool {
        guard !isComplete else {
            anomalies.append("a second end")
            return false
        }
        isComplete = true
        return true
    }

    /// Takes a sign-out in mid-flow.
    mutating func loggedOut() { isLoggedOut = true }

    /// Takes that nobody waits for the end any more.
    mutating func givenUp() { isGivenUp = !isComplete }

    /// What the flow means, once it is over.
    ///
    /// - Parameters:
    ///   - tokenRefusal: Why no token was ever handed to this kit; nil when one was.
    ///   - total: The amount that the call fixed.
    /// - Returns: What the adapter answers.
    func answer(tokenRefusal: PaymentError?, total: Money) -> ProviderAnswer {
        if let report, report.failure == nil, anomalies.isEmpty, !isGivenUp {
            let approval = Approval(amount: .reported(total), url: report.receipt)
            return .approved(approval)
        }
        let isReportedPaid = ([report].compactMap(\.self) + others).contains { $0.failure == nil }
        if !isReportedPaid, let tokenRefusal { return .notCharged(tokenRefusal) }
        let detail =
            anomalies.isEmpty
            ? isGivenUp ? "the kit did not end after a sign-out" : reportDetail
            : anomalies.joined(separator: ", ")
        return .unknown(
            PaymentError(
                isLoggedOut ? .signedOut : .unclassified,
                vendorCode: report?.failure,
                detail: detail
            )
        )
    }
}

extension RevolutFlowState {
    private var reportDetail: String {
        report == nil ? "the kit ended without a report" : "the kit reported a failure"
    }
}

/// A flow of the kit's that a sign-out may leave without an end.
protocol RevolutRunningFlow: Sendable {
    /// Takes a sign-out in mid-flow.
    func logOut()
    /// Ends the flow as it stands.
    func giveUp()
}

/// Collects the callbacks of one flow as they come, and wakes whoever waits for its end.
final class RevolutFlow: RevolutRunningFlow {
    private let state = Mutex(RevolutFlowState())
    private let first = OneShot<RevolutChargeReport?>()
    private let end = OneShot<RevolutFlowState>()
    private let tellLate: @Sendable (RevolutChargeReport) -> Void

    /// Creates a flow.
    ///
    /// - Parameter tellLate: Takes the reports that come when nobody waits for one any more.
    init(tellLate: @escaping @Sendable (RevolutChargeReport) -> Void) { self.tellLate = tellLate }

    func report(_ report: RevolutChargeReport) {
        let isLate = state.withLock { state in
            defer { state.reported(report) }
            return state.isOver
        }
        if isLate { tellLate(report) }
        first.resolve(report)
    }

    func complete() {
        let final = state.withLock { state in state.completed() ? state : nil }
        first.resolve(nil)
        if let final { end.resolve(final) }
    }

    func logOut() { state.withLock { $0.loggedOut() } }

    /// Ends the flow as it stands; later callbacks change nothing.
    func giveUp() {
        let final = state.withLock { state in
            state.givenUp()
            return state
        }
        first.resolve(nil)
        end.resolve(final)
    }

    /// The first charge report; nil when the flow ended without one.
    func reported() async -> RevolutChargeReport? { await first.value() }

    /// How the flow stood at its end.
    func ended() async -> RevolutFlowState { await end.value() }
}
