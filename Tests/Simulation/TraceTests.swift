import PaymentCore
import Simulation
import Testing

@Suite struct TraceTests {
    private let lines = [
        Trace.Line(milliseconds: 0, origin: "reader", text: "call \"read\"\n"),
        Trace.Line(milliseconds: 1_400, origin: "desk", text: "received"),
    ]

    @Test func `S-011 a trace is written and read as one object a line`() throws {
        let text = Trace.jsonLines(lines)
        let rows = text.split(separator: "\n")
        #expect(rows.count == 2)
        #expect(rows.map { Trace.line(json: $0) } == lines)
        #expect(Trace.line(json: "{}") == nil)
    }

    @Test func `S-012 the first difference is told with both lines`() {
        #expect(Trace.difference(lines, lines) == nil)
        let shorter = Trace.difference(lines, Array(lines.prefix(1)))
        #expect(shorter?.number == 2 && shorter?.first == lines[1] && shorter?.second == nil)
        let other = Trace.Line(milliseconds: 1, origin: "reader", text: "call")
        #expect(Trace.difference(lines, [other, lines[1]])?.number == 1)
    }

    @Test func `S-003 a hang names the calls that are pending`() throws {
        let time = SimulatedTime()
        let error = #expect(throws: SimulationStop.self) {
            try time.run("sale") {
                let call = time.pending.begin("reader.read")
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
                time.pending.end(call)
            }
        }
        #expect(error == .hang("sale; pending: reader.read"))
    }

    @Test func `S-157 a clock that is set changes the time of day and nobody's waiting`() throws {
        let time = SimulatedTime()
        let before = time.wallTime
        time.jumpWallTime(by: .seconds(-3_600))
        #expect(time.wallTime == before.addingTimeInterval(-3_600))
        try time.run {
            async let wait: Void? = try? time.clock.sleep(for: .seconds(5))
            try? await time.clock.sleep(for: .seconds(1))
            time.jumpWallTime(by: .seconds(7_200))
            _ = await wait
        }
        #expect(time.clock.now.offset == .seconds(5))
    }

    @Test func `S-011 a simulation that runs for very long keeps no lines`() {
        let time = SimulatedTime()
        time.trace.isKept = false
        time.trace.add("reader", "call")
        #expect(time.trace.lines.isEmpty)
    }
}
