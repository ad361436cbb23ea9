import AcquirerSimulation
import PaymentCore
import ReaderSimulation
import Simulation
import Testing

@Suite struct SweepTests {
    @Test(arguments: ["tap", "long-way"])
    func `S-010 S-008 no action at any step breaks an invariant`(name: String) throws {
        let base = try #require(try ShippedScenarios.scenario(name))
        let cells = ScenarioSweep(base).run()
        #expect(cells.count == ReaderTransition.allCases.count * ReaderAction.samples.count * 2)
        for cell in cells {
            #expect(cell.problem == nil, "\(cell.fault): \(cell.problem ?? "")")
        }
        let unreached = Set(cells.filter { !$0.wasReached }.map(\.fault.at))
        let reached = Set(cells.filter(\.wasReached).map(\.fault.at))
        if name == "long-way" { #expect(reached == Set(ReaderTransition.allCases)) }
        #expect(reached.isDisjoint(with: unreached) || name == "long-way")
    }

    @Test func `S-010 a client that charges again on a guess is named with its cell`() throws {
        let base = try #require(try ShippedScenarios.scenario("tap"))
        let broken = ScenarioSweep(base, client: HastyClient()).run().filter { $0.problem != nil }
        let fault = ReaderFault(.fail(ReaderError(.serviceUnavailable)), .before, .replySent)
        let cell = try #require(broken.first { $0.fault == fault })
        #expect(cell.problem?.hasPrefix("I-7 ") == true || cell.problem?.hasPrefix("I-8 ") == true)
        let table = ScenarioSweep.table(broken)
        #expect(table.contains { $0.hasPrefix("replySent") && $0.contains("X") })
    }

    @Test func `I-8 a PIN that is asked for in an answer that was lost is not charged`() throws {
        var scenario = try #require(try ShippedScenarios.scenario("pin-after-tap"))
        scenario.expect = Scenario.Expectation()
        scenario.faults = [ReaderFault(.networkFlap(3), .after, .submitReceived)]
        let report = ScenarioRun(scenario).play()
        #expect(report.problems.isEmpty, "\(report.problems)")
        #expect(report.told == [.unknown, .notCharged] && report.charges == 0)
    }

    @Test(arguments: ["link-closed", "link-fails"])
    func `I-9 terms that were never shown keep nobody from ready`(name: String) throws {
        var scenario = try #require(try ShippedScenarios.scenario(name))
        scenario.expect = Scenario.Expectation()
        scenario.faults = [ReaderFault(.fail(ReaderError(.networkAuthFailed)), .before, .linkAsked)]
        let problems = ScenarioRun(scenario).play().problems
        #expect(problems.allSatisfy { $0.hasPrefix("I-13 ") }, "\(problems)")
    }

    @Test func `S-169 two keys for one attempt are found as a double charge`() throws {
        let base = try #require(try ShippedScenarios.scenario("lost-reply"))
        var scenario = base
        let visa = try #require(SimulatedCard.named("visa-credit"))
        scenario.script.append(ScenarioStep(.present([visa], hold: nil)))
        let report = ScenarioRun(scenario, client: HastyClient()).play()
        #expect(report.problems.contains { $0.hasPrefix("I-7 ") }, "\(report.problems)")
        #expect(report.charges == 2)
    }

    @Test func `S-004 every schedule keeps the invariants, and repeats exactly`() throws {
        let scenario = try #require(try ShippedScenarios.scenario("cancel-while-waiting"))
        let found = ScenarioExploration(scenario, schedules: 200)
        #expect(found.failures.isEmpty)
        #expect(found.outcomes == ["cancelled": 200])
        for schedule in UInt64(0)..<20 {
            let runs = (0..<2).map { _ in ScenarioRun(scenario, schedule: schedule).play().trace }
            #expect(Trace.difference(runs[0], runs[1]) == nil)
        }
    }

    @Test func `S-004 a client that breaks under some schedules is found with the schedule`()
        throws
    {
        let scenario = try #require(try ShippedScenarios.scenario("tap"))
        let found = ScenarioExploration(scenario, schedules: 100, client: RacingClient())
        let failure = try #require(found.failures.first)
        #expect(found.failures.count < 100)
        let again = ScenarioRun(scenario, schedule: failure.schedule, client: RacingClient()).play()
        #expect(again.problems == failure.problems)
    }

    @Test func `S-012 a recording is played again, and a changed line is found`() throws {
        let source = String(
            decoding: try #require(ShippedScenarios.text("pin-always")),
            as: UTF8.self
        )
        let scenario = try Scenario.read(Array(source.utf8))
        let report = ScenarioRun(scenario, schedule: 4).play()
        let recording = ScenarioRecording(
            source: source,
            seed: scenario.seed,
            schedule: 4,
            lines: report.trace
        )
        let read = try #require(try ScenarioRecording.read(recording.text).first)
        #expect(read.lines == report.trace)
        #expect(try read.replay() == nil)
        var lines = report.trace
        lines[5] = Trace.Line(milliseconds: 1, origin: "reader", text: "something else")
        let changed = ScenarioRecording(source: source, seed: 1, schedule: 4, lines: lines)
        #expect(try changed.replay()?.number == 6)
        let fromElsewhere = recording.text.split(separator: "\n").joined(separator: "\r\n")
        #expect(try ScenarioRecording.read(fromElsewhere).first?.lines == report.trace)
        #expect(throws: RecordingError.self) { try ScenarioRecording.read("{}\n") }
        #expect(throws: RecordingError.self) { try ScenarioRecording.read("") }
    }
}

/// Sends again under a new key when no answer came: what must never be done.
private struct HastyClient: ScenarioClient {
    func run(_ seat: ClientSeat) async {
        guard let attempt = seat.journal.begin(sale: 1) else { return }
        for number in 1...2 {
            guard let token = try? await seat.tokens.fetch() else { break }
            try? await seat.reader.prepare(token: token)
            let request = ReadRequest(kind: .purchase, minorUnits: 2_000, currency: "EUR")
            guard let read = try? await seat.reader.read(request) else { break }
            let submission = SubmissionDesk.Submission(
                payload: read.payload,
                key: "\(attempt)-\(number)",
                attempt: attempt,
                merchant: seat.merchant,
                minorUnits: 2_000,
                currency: "EUR"
            )
            if case .approved? = try? await seat.submit(submission) {
                return seat.journal.set(attempt, .ended(.approved))
            }
        }
        seat.journal.set(attempt, .ended(.failed(.networkUnavailable)))
    }
}

/// Tells an end from whichever of two tasks is first: what some schedules make wrong.
private struct RacingClient: ScenarioClient {
    func run(_ seat: ClientSeat) async {
        let first = await withTaskGroup(of: ClientOutcome.self) { group in
            group.addTask { .cancelled }
            group.addTask { .notSent }
            let first = await group.next() ?? .cancelled
            await group.waitForAll()
            return first
        }
        guard first == .notSent, let attempt = seat.journal.begin(sale: 1) else {
            return await ReferenceClient().run(seat)
        }
        seat.journal.set(attempt, .ended(.approved))
    }
}
