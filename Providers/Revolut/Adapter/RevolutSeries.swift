public import PaymentCore
import Synchronization

/// What the kit is asked to do in a series: its own screen asks for each amount.
public struct RevolutSeries: Hashable, Sendable {
    /// The ISO 4217 code of all payments.
    public var currency: String
    /// The name on the receipts.
    public var merchantName: String?

    /// Creates a series.
    public init(currency: String, merchantName: String?) {
        self.currency = currency
        self.merchantName = merchantName
    }
}

extension RevolutProvider {
    /// Takes payments whose amounts the merchant types at the kit, until the kit is closed.
    ///
    /// The kit passes no text on, so nothing marks the orders of a series: the books never settle
    /// its payments by themselves, and a person finds each amount.
    public func performSeries(
        _ series: SeriesRequest,
        context: SeriesContext
    ) async -> SeriesEnd {
        guard driver.isSupported else {
            await context.report(.notCharged(PaymentError(.deviceUnsupported)))
            return .unused
        }
        let flow = RevolutSeriesFlow()
        guard session.begin(flow) else {
            await context.report(.notCharged(PaymentError(.signedOut)))
            return .unused
        }
        defer { session.end() }
        let request = RevolutSeries(
            currency: series.currency.code,
            merchantName: series.merchantName
        )
        driver.performPayments(request) {
            flow.report($0)
        } completion: {
            flow.complete()
        }
        while true {
            switch await flow.next() {
            case .report(let report, let isLoggedOut):
                await context.report(report.answer(tokens.refusal, isLoggedOut))
            case .end(let state): return state.end(tokenRefusal: tokens.refusal)
            }
        }
    }
}

extension RevolutChargeReport {
    /// What a report of a series means; the amount is the kit's secret.
    fileprivate func answer(_ tokenRefusal: PaymentError?, _ isLoggedOut: Bool) -> ProviderAnswer {
        guard let failure else { return .approved(Approval(amount: .unknown, url: receipt)) }
        if let tokenRefusal { return .notCharged(tokenRefusal) }
        return .unknown(
            PaymentError(
                isLoggedOut ? .signedOut : .unclassified,
                vendorCode: failure,
                detail: "the kit reported a failure"
            )
        )
    }
}

/// What the callbacks of a series add up to; a value with no clock and no task.
struct RevolutSeriesState: Sendable {
    private var reports: [RevolutChargeReport] = []
    private(set) var anomalies: [String] = []
    private(set) var isComplete = false
    private(set) var isLoggedOut = false
    private(set) var isGivenUp = false
    private var isReportedPaid = false

    /// What comes next for whoever listens.
    enum Step: Sendable {
        case report(RevolutChargeReport, isLoggedOut: Bool)
        case end(RevolutSeriesState)
    }

    /// Takes a charge report; none may follow the end.
    mutating func reported(_ report: RevolutChargeReport) {
        if report.failure == nil { isReportedPaid = true }
        if isComplete || isGivenUp { return anomalies.append("a report after the end") }
        reports.append(report)
    }

    /// Takes the end.
    mutating func completed() {
        if isComplete { return anomalies.append("a second end") }
        isComplete = true
    }

    /// Takes a sign-out in mid-flow.
    mutating func loggedOut() { isLoggedOut = true }

    /// Takes that nobody waits for the end any more.
    mutating func givenUp() { isGivenUp = !isComplete }

    /// The next step, once there is one; reports come before the end.
    mutating func step() -> Step? {
        if !reports.isEmpty { return .report(reports.removeFirst(), isLoggedOut: isLoggedOut) }
        return isComplete || isGivenUp ? .end(self) : nil
    }

    /// What is known of the time after the last report.
    func end(tokenRefusal: PaymentError?) -> SeriesEnd {
        if tokenRefusal != nil, !isReportedPaid { return .unused }
        if isGivenUp {
            let detail = "the kit did not end after a sign-out"
            return .unknown(PaymentError(.signedOut, detail: detail))
        }
        guard anomalies.isEmpty else {
            let detail = anomalies.joined(separator: ", ")
            return .unknown(PaymentError(.unclassified, detail: detail))
        }
        return .closed
    }
}

/// Collects the callbacks of a series as they come, for the one who listens.
final class RevolutSeriesFlow: RevolutRunningFlow {
    private let state = Mutex((flow: RevolutSeriesState(), waiter: OneShot<Bool>?.none))

    func report(_ report: RevolutChargeReport) { change { $0.reported(report) } }

    func complete() { change { $0.completed() } }

    func logOut() { change { $0.loggedOut() } }

    func giveUp() { change { $0.givenUp() } }

    private func change(_ change: (inout RevolutSeriesState) -> Void) {
        let waiter = state.withLock { state in
            change(&state.flow)
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resolve(true)
    }

    /// The next report or the end.
    func next() async -> RevolutSeriesState.Step {
        while true {
            let waiter = OneShot<Bool>()
            let step = state.withLock { state in
                let step = state.flow.step()
                if step == nil { state.waiter = waiter }
                return step
            }
            if let step { return step }
            _ = await waiter.value()
        }
    }
}
