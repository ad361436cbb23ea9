public import ReaderSimulation
public import Simulation

/// Plays a scenario once with every action at every step, and checks what must hold in each.
public struct ScenarioSweep: Sendable {
    /// One place of the table.
    public struct Cell: Sendable {
        /// What was done, and where.
        public let fault: ReaderFault
        /// Whether the step was passed at all.
        public let wasReached: Bool
        /// The first thing that did not hold.
        public let problem: String?
        /// How the last sale ended.
        public let outcome: ClientOutcome?
        /// Everything that happened, where something did not hold.
        public let trace: [Trace.Line]
    }

    private let scenario: Scenario
    private let client: any ScenarioClient

    /// Prepares a sweep.
    ///
    /// - Parameters:
    ///   - scenario: The base.
    ///   - client: The program under test.
    public init(_ scenario: Scenario, client: any ScenarioClient = ReferenceClient()) {
        var base = scenario
        base.expect = Scenario.Expectation()
        // What is done in a cell may keep the rest of the base from being reached.
        base.expect.exceptions = scenario.expect.exceptions.union(["I-13"])
        self.scenario = base
        self.client = client
    }

    /// Plays one cell.
    public func cell(_ fault: ReaderFault) -> Cell {
        var scenario = scenario
        scenario.faults.append(fault)
        let report = ScenarioRun(scenario, client: client).play()
        return Cell(
            fault: fault,
            wasReached: !report.unusedFaults.contains(fault),
            problem: report.problems.first,
            outcome: report.outcome,
            trace: report.passed ? [] : report.trace
        )
    }

    /// Every place of the table, in order.
    public static var faults: [ReaderFault] {
        ReaderTransition.allCases.flatMap { transition in
            ReaderAction.samples.flatMap { action in
                ReaderFault.Side.allCases.map { ReaderFault(action, $0, transition) }
            }
        }
    }

    /// Plays every cell.
    ///
    /// - Parameter progress: Called after each.
    /// - Returns: The cells, in order.
    public func run(progress: (Cell) -> Void = { _ in }) -> [Cell] {
        Self.faults.map { fault in
            let cell = cell(fault)
            progress(cell)
            return cell
        }
    }
}

extension ScenarioSweep {
    /// The table: a line a step, a column an action; one letter for both sides of the step.
    ///
    /// `.` holds, `-` was never reached, `X` does not hold.
    public static func table(_ cells: [Cell]) -> [String] {
        let width = ReaderTransition.allCases.map(\.rawValue.count).max() ?? 0
        let names = ReaderAction.samples.map { String("\($0)".prefix { $0 != "(" }) }
        var lines = names.enumerated().map { index, name in
            String(repeating: " ", count: width + 1) + String(repeating: "|", count: index)
                + "+ \(name)"
        }
        for transition in ReaderTransition.allCases {
            let marks = ReaderAction.samples.map { action in
                mark(cells.filter { $0.fault.at == transition && $0.fault.action == action })
            }
            let name = transition.rawValue
            lines.append(
                name + String(repeating: " ", count: width + 1 - name.count) + marks.joined()
            )
        }
        return lines
    }

    private static func mark(_ cells: [Cell]) -> String {
        if cells.contains(where: { $0.problem != nil }) { return "X" }
        return cells.contains(where: \.wasReached) ? "." : "-"
    }
}
