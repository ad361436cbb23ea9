import Foundation
import PaymentCore
import PaymentTransport

/// Kills real processes at every numbered point, against an emulator in a process of its own.
struct RealProcesses: Sendable {
    /// What came of all points.
    struct Outcome {
        var points = 0
        /// At how many of them everything was as it should be.
        var held = 0
        var violations: [String] = []
    }

    private let folder: URL
    private let bin: URL
    private let emulator: Process
    private let origin: String
    private let transport = LoopbackTransport()

    /// Starts the emulator; nil when it cannot be started.
    init?() {
        guard let program = Bundle.main.executableURL?.resolvingSymlinksInPath() else { return nil }
        bin = program.deletingLastPathComponent()
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        emulator = Process()
        emulator.executableURL = bin.appendingPathComponent("emulator")
        emulator.arguments = ["--port", "0"]
        let output = Pipe()
        emulator.standardOutput = output
        emulator.standardError = FileHandle.nullDevice
        emulator.standardInput = FileHandle.nullDevice
        let isRunning = (try? emulator.run()) != nil
        guard isRunning, let word = Self.lastWord(of: output) else {
            if isRunning { emulator.terminate() }
            try? FileManager.default.removeItem(at: folder)
            return nil
        }
        origin = word
    }

    /// The last word of a program's first line; nil when it ends without one.
    private static func lastWord(of output: Pipe) -> String? {
        var line = ""
        while !line.hasSuffix("\n") {
            let bytes = output.fileHandleForReading.availableData
            if bytes.isEmpty { return nil }
            line += String(decoding: bytes, as: UTF8.self)
        }
        return line.split(whereSeparator: \.isWhitespace).last.map(String.init)
    }

    /// Leaves neither the emulator nor a journal behind.
    func end() {
        emulator.terminate()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Goes through every point that a payment passes.
    func play() async -> Outcome {
        defer { end() }
        var outcome = Outcome()
        for kind in DeathPoint.Kind.allCases {
            for after in [false, true] {
                var number = 1
                while await die(at: DeathPoint(kind, number, after: after), &outcome) {
                    number += 1
                    // A payment has a handful of steps; more would mean that nothing ends.
                    guard number < 50 else {
                        outcome.violations.append("\(kind) never ended")
                        break
                    }
                }
            }
        }
        return outcome
    }

    /// Plays one point; false when a payment does not pass it any more.
    private func die(at point: DeathPoint, _ outcome: inout Outcome) async -> Bool {
        let journal = folder.appendingPathComponent("\(point).journal").path
        let violations = outcome.violations.count
        await ask("/_emu/reset")
        let (died, told) = till("pay", journal, ["--die", point.description])
        guard died else {
            let charges = await charges()
            if told != "approved" || charges != 1 {
                outcome.violations.append("\(point): told \(told), \(charges) charged")
            }
            return false
        }
        outcome.points += 1
        // Until the time of a payment that could still appear is over, nobody knows.
        var resolved = "unresolved"
        var ahead = 0
        while resolved == "unresolved", ahead < 4 * Self.pause {
            ahead += Self.pause
            await ask("/_emu/clock", #"{"seconds":\#(Self.pause)}"#)
            resolved = till("resolve", journal, ["--ahead", "\(ahead)"]).told
        }
        let charges = await charges()
        let truth = charges > 0 ? ["paid"] : ["not paid", "none"]
        if charges > 1 || !truth.contains(resolved) {
            outcome.violations.append("\(point): resolved as \(resolved), \(charges) charged")
        }
        let again = till("pay", journal, ["--ahead", "\(ahead)"]).told
        let wanted = charges == 1 ? "refused alreadyPaid" : "approved"
        let final = await self.charges()
        if again != wanted || final != 1 {
            outcome.violations.append("\(point): again \(again), \(final) charged in the end")
        }
        if outcome.violations.count == violations { outcome.held += 1 }
        return true
    }

    /// How many seconds pass between two looks into the books.
    private static let pause = 1_200

    /// Runs one process of the till.
    private func till(
        _ verb: String,
        _ journal: String,
        _ options: [String]
    ) -> (died: Bool, told: String) {
        let process = Process()
        process.executableURL = bin.appendingPathComponent("prove")
        process.arguments = ["till", verb, "--origin", origin, "--journal", journal] + options
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return (false, "cannot be started") }
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let told = String(decoding: text, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        return (process.terminationReason == .uncaughtSignal, told)
    }

    private struct LedgerAnswer: Decodable {
        struct Entry: Decodable {
            let kind: String
        }
        let entries: [Entry]
    }

    private func charges() async -> Int {
        let request = HTTPRequest(.get, origin, "/_emu/ledger")
        guard let response = try? await transport.send(request),
            let ledger = try? JSONBody.decode(LedgerAnswer.self, from: response.body)
        else { return -1 }
        return ledger.entries.count { $0.kind == "charge" }
    }

    private func ask(_ path: String, _ body: String = "{}") async {
        var request = HTTPRequest(.post, origin, path, body: Data(body.utf8))
        request.headers["Content-Type"] = "application/json"
        _ = try? await transport.send(request)
    }
}
