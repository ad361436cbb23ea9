public import PaymentCore
import ReaderSimulation
public import Simulation

/// A run that was written down: the scenario, its seeds, and everything that happened.
///
/// As text it is one JSON object a line, the first with what is needed to play it again.
public struct ScenarioRecording: Sendable {
    /// The scenario, as its file had it.
    public let source: String
    /// What all chance followed from.
    public let seed: UInt64
    /// What picked the order of what could happen at once.
    public let schedule: UInt64?
    /// Everything that happened.
    public let lines: [Trace.Line]

    private struct Header: Codable {
        let trace: String
        let seed: UInt64
        let schedule: UInt64?
        let scenario: String
    }

    private static let format = "reader-trace/1"

    /// Writes a run down.
    public init(source: String, seed: UInt64, schedule: UInt64?, lines: [Trace.Line]) {
        self.source = source
        self.seed = seed
        self.schedule = schedule
        self.lines = lines
    }

    /// The recording as text.
    public var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let header = Header(trace: Self.format, seed: seed, schedule: schedule, scenario: source)
        let first = (try? encoder.encode(header)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return first + "\n" + Trace.jsonLines(lines)
    }

    /// Reads recordings that stand in one text, one after the other.
    ///
    /// - Parameter text: The text.
    /// - Returns: The recordings.
    /// - Throws: ``RecordingError`` with the line that is none of a recording.
    public static func read(_ text: String) throws(RecordingError) -> [ScenarioRecording] {
        var recordings: [(header: Header, lines: [Trace.Line])] = []
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, line) in lines.enumerated() where !line.isEmpty {
            if let header = try? JSONDecoder().decode(Header.self, from: Data(line.utf8)) {
                guard header.trace == format else {
                    throw RecordingError(line: index + 1, "found format \"\(header.trace)\"")
                }
                recordings.append((header, []))
            } else if let line = Trace.line(json: line), !recordings.isEmpty {
                recordings[recordings.count - 1].lines.append(line)
            } else {
                throw RecordingError(line: index + 1, "found no line of a trace")
            }
        }
        if recordings.isEmpty { throw RecordingError(line: 1, "found nothing") }
        return recordings.map { header, lines in
            ScenarioRecording(
                source: header.scenario,
                seed: header.seed,
                schedule: header.schedule,
                lines: lines
            )
        }
    }

    /// Plays it again and compares line by line.
    ///
    /// - Parameter client: The program under test.
    /// - Returns: The first difference; nil when there is none.
    /// - Throws: What is wrong with the scenario inside.
    public func replay(
        client: any ScenarioClient = ReferenceClient()
    ) throws(ConfigurationProblems) -> Trace.Difference? {
        let scenario = try Scenario.read(Array(source.utf8), file: "scenario in the trace")
        let report = ScenarioRun(scenario, seed: seed, schedule: schedule, client: client).play()
        return Trace.difference(lines, report.trace)
    }
}

/// Why a text is no recording.
public struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, counted from one.
    public let line: Int
    /// What was found.
    public let problem: String

    init(line: Int, _ problem: String) {
        self.line = line
        self.problem = problem
    }

    /// Line and problem.
    public var description: String {
        "line \(line): \(problem); accepted is a trace that was written by a run"
    }
}
