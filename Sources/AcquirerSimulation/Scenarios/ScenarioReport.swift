public import ReaderSimulation
public import Simulation

/// What came of one run of a scenario.
public struct ScenarioReport: Sendable {
    /// The scenario's name.
    public let name: String
    /// Everything that does not hold: invariants, expectations, things never reached.
    public let problems: [String]
    /// The events that the app heard.
    public let events: [ReaderEvent]
    /// Everything the cashier was told, in order.
    public let told: [ClientOutcome]
    /// How often money moved.
    public let charges: Int
    /// How much moved and stayed, in minor units.
    public let moved: Int64
    /// Where the reader was at the end.
    public let state: ReaderState
    /// Everything that happened.
    public let trace: [Trace.Line]
    /// How long it took in the simulation.
    public let duration: Duration

    /// The faults whose step was never passed.
    public let unusedFaults: [ReaderFault]

    /// Whether everything held.
    public var passed: Bool { problems.isEmpty }

    /// How the last sale ended.
    public var outcome: ClientOutcome? { told.last }

    init(_ stage: ScenarioStage, problems stopped: [String]) {
        let world = stage.world
        name = stage.scenario.name
        events = stage.events
        told = stage.journal.told
        charges = world.ledger.entries(.charge).count
        moved = world.ledger.entries.reduce(0) { sum, entry in
            switch entry.kind {
            case .charge: sum + entry.minorUnits
            case .refund: sum - entry.minorUnits
            case .hold, .release: sum
            }
        }
        state = world.device.control.state
        trace = world.time.trace.lines
        duration = world.time.clock.now.offset
        let expectation = stage.scenario.expect
        let exceptions = expectation.exceptions
        var problems = stopped
        if let audit = world.device.control.audit {
            problems += ReaderInvariant.allCases.compactMap { $0.violation(in: audit) }
        }
        problems += MoneyInvariants(stage).violations
        problems += TextInvariant.violations(trace)
        unusedFaults = world.device.control.unusedFaults
        problems += stage.unused.map { "I-13 \($0)" }
        if let problem = stage.recover() { problems.append("I-9 \(problem)") }
        problems.removeAll { problem in
            exceptions.contains { problem.hasPrefix("\($0) ") }
        }
        self.problems =
            problems
            + Self.unmet(expectation, events, told, charges: charges, moved: moved, state)
    }

    private static func unmet(
        _ expect: Scenario.Expectation,
        _ events: [ReaderEvent],
        _ told: [ClientOutcome],
        charges: Int,
        moved: Int64,
        _ state: ReaderState
    ) -> [String] {
        var problems: [String] = []
        func check(_ what: String, _ wanted: String?, _ found: String) {
            guard let wanted, wanted != found else { return }
            problems.append("expected \(what) \(wanted), found \(found)")
        }
        if let wanted = expect.events {
            let groups = Set(wanted.map(ReaderEvent.group))
            let heard = events.map(\.scenarioName).filter { groups.contains(ReaderEvent.group($0)) }
            check("events", "\(wanted)", "\(heard)")
        }
        check("outcome", expect.outcome, told.last?.description ?? "none")
        check("told", expect.told.map { "\($0)" }, "\(told.map(\.description))")
        check("charges", expect.charges.map(String.init), "\(charges)")
        check("moved", expect.moved.map { String($0) }, "\(moved)")
        check("state", expect.state, state.phase.traceName)
        return problems
    }
}

extension ReaderEvent {
    /// Which part of a payment an event tells about.
    fileprivate static func group(_ name: String) -> Int {
        if name.hasPrefix("link") || name == "termsAccepted" { return 0 }
        let isPreparation =
            name.hasPrefix("session") || name.hasPrefix("preparation") || name == "notReady"
        return isPreparation ? 1 : 2
    }
}

extension ScenarioStage {
    /// Whether documented calls lead from here to a session, once everything outside is in order.
    func recover() -> String? {
        let control = world.device.control
        control.audit = nil
        control.clearFaults()
        guard control.traits.hasReader else { return nil }
        control.traits = DeviceTraits()
        control.network(.up)
        control.endCall()
        control.foreground()
        let reader = SimulatedReader(device: world.device)
        let token = ReaderToken(
            text: "recovery",
            merchant: scenario.merchant,
            issuedAt: world.time.clock.now.advanced(by: .nanoseconds(1))
        )
        do throws(SimulationStop) {
            return try world.time.run("recovery") {
                // Terms that somebody was still to close or to fail at are met first.
                for _ in 0..<control.waitingTerms { try? await reader.link(token: token) }
                do throws(ReaderError) {
                    try await reader.link(token: token)
                    try await reader.prepare(token: token)
                    return nil
                } catch {
                    return "ready cannot be reached: \(error)"
                }
            }
        } catch {
            return "ready cannot be reached: \(error)"
        }
    }
}
