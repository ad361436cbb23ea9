import Foundation
import Testing

@Suite struct ProveTests {
    @Test(.timeLimit(.minutes(5)))
    func `N-021 N-025 no schedule charges twice or tells what the ledger does not hold`() throws {
        let run = try Run(["--depth", "1"], of: "prove")
        #expect(run.code == 0, "\(run.output)")
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines.suffix(5).dropFirst(2).first == "violations 0")
        #expect(lines.contains("seeded bugs found 8 of 8"))
        let points = try #require(lines.last?.split(separator: " ").compactMap { Int($0) })
        #expect(points.count == 2 && points[0] == points[1] && points[0] >= 8)
    }

    /// What the system tells of a process; nil when it is gone.
    private func status(of id: Int32) -> (name: Substring, state: Substring, parent: Substring)? {
        guard let text = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
            let start = text.firstIndex(of: "("), let end = text.lastIndex(of: ")")
        else { return nil }
        let words = text[end...].split(separator: " ")
        guard words.count > 2 else { return nil }
        return (text[start..<end].dropFirst(), words[1], words[2])
    }

    /// The process that a process started; nil when there is none.
    private func child(of parent: Int32, called name: String) throws -> Int32? {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }
            .first { id in
                guard let status = status(of: id) else { return false }
                return status.name == name && status.parent == "\(parent)"
            }
    }

    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/stat")),
        .timeLimit(.minutes(5))
    )
    func `a proof that is stopped leaves nothing running behind`() throws {
        let till = try Till()
        let process = Process()
        process.executableURL = try Run.program("prove")
        process.arguments = ["--depth", "1"]
        process.environment = ["TMPDIR": till.path, "PATH": "/usr/bin:/bin"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        // The first of the till's processes shows that the emulator serves.
        while process.isRunning, try child(of: process.processIdentifier, called: "prove") == nil {}
        let emulator = try #require(
            try child(of: process.processIdentifier, called: "emulator")
        )
        kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 1)
        // One that has ended and that nobody asked about is a zombie.
        while let status = status(of: emulator), status.state != "Z" {}
    }

    @Test(arguments: [("--depth 4", 64), ("--nonsense", 64), ("till fly", 64), ("--help", 0)])
    func `N-033 a command line that cannot be carried out is told`(line: String, code: Int32) throws
    {
        #expect(try Run(line.split(separator: " ").map(String.init), of: "prove").code == code)
    }
}
