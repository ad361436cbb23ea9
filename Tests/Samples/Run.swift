import Foundation
import Testing

/// Runs a built program as a person or a script would.
struct Run {
    let code: Int32
    let output: String
    let errors: String

    /// Runs a command line to its end, with a state folder of its own unless one is given, and with
    /// an output that takes nothing where it cannot write, or with streams that are not open at all.
    init(
        _ arguments: [String],
        of program: String = "checkout",
        in till: Till? = nil,
        environment: [String: String] = [:],
        input: String? = nil,
        canWrite: Bool = true,
        closing streams: String? = nil
    ) throws {
        let till = try till ?? Till()
        let process = Process()
        process.executableURL = try Self.program(program)
        process.arguments = arguments
        if let streams, let path = process.executableURL?.path {
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", "exec \"$0\" \"$@\" \(streams)", path] + arguments
        }
        process.currentDirectoryURL = URL(fileURLWithPath: till.path)
        process.environment = ProcessInfo.processInfo.environment
            .merging(["XDG_STATE_HOME": till.path, "HOME": till.path]) { $1 }
            .merging(environment) { $1 }
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = canWrite ? output : FileHandle(forReadingAtPath: "/dev/null")
        process.standardError = errors
        if !canWrite { try output.fileHandleForWriting.close() }
        if let input {
            let file = till.path + "/input"
            try Data(input.utf8).write(to: URL(fileURLWithPath: file))
            process.standardInput = FileHandle(forReadingAtPath: file)
        } else {
            process.standardInput = FileHandle.nullDevice
        }
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let diagnostics = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        code =
            process.terminationReason == .exit
            ? process.terminationStatus : -process.terminationStatus
        self.output = String(decoding: text, as: UTF8.self)
        self.errors = String(decoding: diagnostics, as: UTF8.self)
    }

    /// Where a built program is.
    static func program(_ name: String) throws -> URL {
        let tests = try #require(Bundle.main.executableURL).resolvingSymlinksInPath()
        return tests.deletingLastPathComponent().appendingPathComponent(name)
    }

    /// The JSON object on standard output.
    func object() throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(output.utf8))
        return try #require(object as? [String: Any])
    }

    /// A member of the JSON object on standard output.
    func member(_ name: String) throws -> String? { try object()[name].map { "\($0)" } }
}

/// A till's folder, which goes away with the test.
final class Till {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// A till as another one stands.
    convenience init(copyOf other: Till) throws {
        try self.init()
        for name in try FileManager.default.contentsOfDirectory(atPath: other.path) {
            try FileManager.default.copyItem(
                atPath: other.path + "/" + name,
                toPath: path + "/" + name
            )
        }
    }

    /// Runs a command line, split at blanks, on the till's own journal.
    func run(
        _ line: String,
        of program: String = "checkout",
        environment: [String: String] = [:]
    ) throws -> Run {
        let words = line.split(separator: " ").map(String.init) + ["--journal", journal]
        return try Run(words, of: program, in: self, environment: environment)
    }

    var journal: String { path + "/till.journal" }

    /// What the simulated acquirers booked, in minor units by kind.
    func booked(_ kind: String) throws -> [Int] {
        let data = try Data(contentsOf: URL(fileURLWithPath: journal + ".world"))
        let world = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        let ledger = world?["ledger"] as? [[String: Any]] ?? []
        return ledger.filter { $0["kind"] as? String == kind }
            .compactMap { $0["minorUnits"] as? Int }
    }

    func write(_ text: String, to name: String) throws -> String {
        let file = path + "/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        return file
    }
}
