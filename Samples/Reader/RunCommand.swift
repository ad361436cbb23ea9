import AcquirerSimulation
import CommandLineSupport
import Dispatch
import PaymentCore
import ReaderSimulation
import Simulation

/// `reader run` and `reader replay`.
enum RunCommand {
    static let all = [run, replay]

    private static let run = Command(
        CommandSyntax(
            "run",
            "run scenarios and check what must come of them",
            arguments: ["[FILE…]"],
            options: [
                RunOptions.seed,
                OptionSyntax("schedule", "N", help: "picks the order of what could happen at once"),
                OptionSyntax("trace", "FILE", help: "write down everything that happened"),
                OptionSyntax(
                    "speed",
                    "N",
                    help: "virtual seconds a real second (default: instant)"
                ),
                RunOptions.quiet, RunOptions.help,
            ],
            details: """
                A FILE is a path or the name of a shipped scenario; without one all that are
                shipped are run. The exit code is 0 when everything held, 1 when something did
                not or nothing ran, 65 when a file is wrong.
                """
        )
    ) { arguments throws(UsageError) in
        let seed = try arguments.wholeNumber("seed", 0...UInt64.max)
        let schedule = try arguments.wholeNumber("schedule", 0...UInt64.max)
        let speed = try arguments.value("speed", accepted: "a number from 0.01 to 10000") { text in
            Double(text).flatMap { 0.01...10_000 ~= $0 ? $0 : nil }
        }
        let terminal = Terminal(isJSON: false, isQuiet: arguments.has("quiet"))
        switch ScenarioFile.read(arguments.words) {
        case .failure(let problems): return .badFiles(problems)
        case .success(let files):
            var summary = Summary(terminal: terminal)
            var recordings = ""
            for file in files {
                let run = ScenarioRun(file.scenario, seed: seed, schedule: schedule)
                let report = run.play(driving: pace(speed))
                summary.add(report)
                guard arguments.has("trace") else { continue }
                recordings +=
                    ScenarioRecording(
                        source: file.source,
                        seed: seed ?? file.scenario.seed,
                        schedule: schedule,
                        lines: report.trace
                    ).text
            }
            if let path = arguments["trace"], let problem = write(recordings, to: path) {
                return summary.report(trouble: problem)
            }
            return summary.report()
        }
    }

    private static let replay = Command(
        CommandSyntax(
            "replay",
            "run what was written down again, and compare line by line",
            arguments: ["TRACE"],
            options: [RunOptions.quiet, RunOptions.help],
            details: "TRACE is a file that `reader run --trace` wrote; the exit codes are the same."
        )
    ) { arguments in
        let path = arguments.words[0]
        let terminal = Terminal(isJSON: false, isQuiet: arguments.has("quiet"))
        let bytes: [UInt8]
        do throws(BoundedFile.Failure) {
            bytes = try BoundedFile.read(path, limit: 256 << 20)
        } catch {
            return .problem(.badScript, ["\(path): the file \(error)"])
        }
        do throws(RecordingError) {
            let recordings = try ScenarioRecording.read(String(decoding: bytes, as: UTF8.self))
            var summary = Summary(terminal: terminal)
            for (index, recording) in recordings.enumerated() {
                do throws(ConfigurationProblems) {
                    summary.add(
                        "recording \(index + 1)",
                        problems: try recording.replay().map { ["\($0)"] } ?? []
                    )
                } catch {
                    return .badFiles(error)
                }
            }
            return summary.report()
        } catch {
            return .problem(.badScript, ["\(path): \(error)"])
        }
    }

    /// Lets a person follow, where a pace is wanted.
    private static func pace(_ speed: Double?) -> Driving {
        var driving = Driving()
        guard let speed else { return driving }
        driving.beforeWaiting = { wait in
            DispatchSemaphore(value: 0).wait(for: wait / speed)
        }
        return driving
    }

    /// Writes a file; what went wrong, if something did.
    static func write(_ text: String, to path: String) -> String? {
        do {
            try BoundedFile.write(Data(text.utf8), to: path)
            return nil
        } catch {
            return "\(path): the trace cannot be written"
        }
    }
}

/// Counts what held and what did not, and tells each as it comes.
struct Summary {
    private let terminal: Terminal
    private var passed = 0
    private var failed: [String] = []

    init(terminal: Terminal) { self.terminal = terminal }

    mutating func add(_ report: ScenarioReport) {
        let told = report.told.map(\.description).joined(separator: ", ")
        let end = told.isEmpty ? "nothing told" : told
        let time = ScenarioDuration.seconds(report.duration)
        add(
            "\(report.name): \(end), \(report.charges) charged, \(time)",
            problems: report.problems
        )
    }

    mutating func add(_ line: String, problems: [String]) {
        guard !problems.isEmpty else {
            passed += 1
            return terminal.progress("passed  \(line)")
        }
        failed.append(line)
        Terminal.write("FAILED  \(line)", to: 1)
        for problem in problems { Terminal.write("        \(problem)", to: 1) }
    }

    func report(trouble: String? = nil) -> Report {
        let isGood = failed.isEmpty && passed > 0 && trouble == nil
        var diagnostics = trouble.map { [$0] } ?? []
        if passed + failed.count == 0 { diagnostics.append("nothing ran") }
        return Report(
            isGood ? .success : .checkFailed,
            lines: ["\(passed) passed, \(failed.count) failed"],
            diagnostics: diagnostics
        )
    }
}

extension ScenarioDuration {
    /// Seconds of a simulation, for a person.
    static func seconds(_ duration: Duration) -> String {
        let parts = duration.components
        let hundredths = parts.attoseconds / 10_000_000_000_000_000
        return "\(parts.seconds).\(hundredths < 10 ? "0" : "")\(hundredths) s"
    }
}
