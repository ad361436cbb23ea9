import PaymentCore
import RevolutSimulation
import Simulation
import Testing

@testable import RevolutPayments

/// The values behind a flow, with no kit and no clock.
@Suite struct RevolutFlowTests {
    private static let total = Money.zero(.gbp)

    private static func answer(_ calls: [String], refusal: PaymentError? = nil) -> String {
        var state = RevolutFlowState()
        for call in calls {
            switch call {
            case "paid": state.reported(.paid)
            case "failed": state.reported(.failed)
            case "end": _ = state.completed()
            case "out": state.loggedOut()
            default: state.givenUp()
            }
        }
        return state.answer(tokenRefusal: refusal, total: total).name
    }

    @Test(arguments: [
        (["paid", "end"], "approved"), (["end"], "unknown unclassified"),
        (["failed", "end"], "unknown unclassified"),
        (["out", "failed", "end"], "unknown signedOut"),
        (["failed", "out", "end"], "unknown signedOut"),
        (["failed", "end", "out"], "unknown signedOut"), (["out", "paid", "end"], "approved"),
        (["end", "paid"], "unknown unclassified"), (["end", "failed"], "unknown unclassified"),
        (["paid", "end", "failed"], "unknown unclassified"),
        (["paid", "paid", "end"], "unknown unclassified"),
        (["paid", "failed", "end"], "unknown unclassified"),
        (["failed", "paid", "end"], "unknown unclassified"),
        (["paid", "out", "given up"], "unknown signedOut"),
    ])
    func `R-122 a late report and R-134 a second one leave the end unknown`(
        calls: [String],
        answer: String
    ) {
        #expect(Self.answer(calls) == answer)
    }

    @Test func `R-123 a second end is an anomaly, and is no second end`() {
        var state = RevolutFlowState()
        state.reported(.paid)
        let ends = [state.completed(), state.completed()]
        #expect(ends == [true, false])
        #expect(state.anomalies == ["a second end"])
    }

    @Test(arguments: [["failed", "end"], ["end"], ["out", "failed", "end"]])
    func `R-135 a failure shows that no money moved only if no token was ever handed out`(
        calls: [String]
    ) {
        #expect(Self.answer(calls).hasPrefix("unknown"))
        let refused = PaymentError(.signedOut)
        #expect(Self.answer(calls, refusal: refused) == "notCharged signedOut")
        #expect(Self.answer(["paid", "end"], refusal: refused) == "approved")
        for odd in [["failed", "paid", "end"], ["end", "paid"], ["given up", "paid"]] {
            #expect(Self.answer(odd, refusal: refused).hasPrefix("unknown"), "\(odd)")
        }
    }

    @Test func `R-024 a callback is taken in before it returns, R-023 on whichever thread`() async {
        for _ in 0..<200 {
            let flow = RevolutFlow { _ in }
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    flow.report(.paid)
                    flow.complete()
                }
                group.addTask { flow.logOut() }
            }
            let state = await flow.ended()
            #expect(state.isComplete && state.report == .paid && state.anomalies.isEmpty)
        }
    }

    @Test func `R-022 a sign-out may come from any thread, at any moment of a series too`() async {
        for count in 0..<100 {
            let flow = RevolutSeriesFlow()
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    for _ in 0..<count { flow.report(.paid) }
                    flow.complete()
                }
                group.addTask { flow.logOut() }
            }
            var reports = 0
            while case .report = await flow.next() { reports += 1 }
            #expect(reports == count)
        }
    }

    @Test(arguments: [
        (["report", "end"], "closed"), (["end"], "closed"), (["end", "report"], "unknown"),
        (["end", "end"], "unknown"), (["report", "give up"], "unknown"),
    ])
    func `R-143 a series that ends as it should has told all there is`(
        calls: [String],
        end: String
    ) {
        var state = RevolutSeriesState()
        for call in calls {
            switch call {
            case "report": state.reported(.paid)
            case "end": state.completed()
            default: state.givenUp()
            }
        }
        while let step = state.step() { if case .end = step { break } }
        let told =
            switch state.end(tokenRefusal: nil) {
            case .closed: "closed"
            case .unused: "unused"
            case .unknown: "unknown"
            }
        #expect(told == end)
        var isUnused = false
        if case .unused = state.end(tokenRefusal: PaymentError(.signedOut)) { isUnused = true }
        // Without a token nothing was charged, unless the kit says that something was.
        #expect(isUnused == !calls.contains("report"))
    }

    @Test func `R-355 a mark stands last, is at most 40 letters, and is found again`() {
        for seed in UInt64(0)..<200 {
            let attempt = AttemptID(from: SimulatedTime(seed: seed).environment)
            for text in [nil, "", "Table 4", "~m:other", "ends in a blank "] as [String?] {
                let description = RevolutMarker.description(text, attempt)
                #expect(RevolutMarker.marker(in: description) == attempt.description)
                let mark = description.dropFirst((text ?? "").count)
                #expect(mark.utf8.count <= 40 && mark.utf8.allSatisfy { $0 < 0x80 })
            }
        }
    }

    @Test func `R-097 a kit instance counts from zero`() {
        #expect(RevolutTokenRounds().strikes == 0 && !RevolutTokenRounds().isSignedOut)
    }
}

extension ProviderAnswer {
    fileprivate var name: String {
        switch self {
        case .approved: "approved"
        case .partlyApproved: "partlyApproved"
        case .authorized: "authorized"
        case .declined: "declined"
        case .cancelled: "cancelled"
        case .notCharged(let error): "notCharged \(error.code)"
        case .unknown(let error): "unknown \(error.code)"
        }
    }
}
