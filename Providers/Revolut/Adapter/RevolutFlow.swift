import PaymentCore
import Synchronization

/// What the callbacks of one flow add up to; a value with no clock and no task.
struct RevolutFlowState: Sendable {
    private(set) var report: RevolutChargeReport?
    private(set) var anomalies: [String] = []
    private(set) var isComplete = false
    private(set) var isLoggedOut = false
    private(set) var isGivenUp = false

    /// Takes a charge report; the first one counts.
    mutating func reported(_ next: RevolutChargeReport) {
        if isComplete { return anomalies.append("a report after the end") }
        guard report == nil else { return anomalies.append("a second report") }
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
        if report?.failure != nil || report == nil, let tokenRefusal {
            return .notCharged(tokenRefusal)
        }
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

    func report(_ report: RevolutChargeReport) {
        state.withLock { $0.reported(report) }
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
