import Foundation
import Testing

@Suite struct InterruptionTests {
    /// Starts a command on a till's journal, at a pace at which it can be interrupted.
    private func start(
        _ line: String,
        of program: String = "checkout",
        speed: String,
        at till: Till,
        output: Any = FileHandle.nullDevice
    ) throws -> Process {
        let process = Process()
        process.executableURL = try Run.program(program)
        process.arguments =
            line.split(separator: " ").map(String.init)
            + ["--journal", till.journal, "--speed", speed]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Interrupts a slow command once its attempt is in the journal, and again.
    private func interrupted(_ line: String, kind: String, at till: Till) throws -> Int32 {
        let process = try start(line, speed: "0.01", at: till)
        let began = "\"kind\":\"\(kind)\""
        while process.isRunning,
            try !String(contentsOfFile: till.journal, encoding: .utf8).contains(began)
        {}
        // Whoever presses again and again presses twice at least.
        while process.isRunning { kill(process.processIdentifier, SIGINT) }
        process.waitUntilExit()
        return process.terminationStatus
    }

    @Test(arguments: ["refund", "capture"])
    func `N-020 a follow-up that is given up on is open, and never told as not begun`(
        kind: String
    ) throws {
        let till = try Till()
        let hold = kind == "capture" ? " --kind authorization" : ""
        #expect(try till.run("pay 20.00 USD --order o1" + hold).code == 0)
        #expect(try interrupted("\(kind) o1 5.00 USD", kind: kind, at: till) == 20)
        #expect(try till.run("attempts --open").output.contains(kind))
        #expect(try till.run("\(kind) o1 5.00 USD --id other").code == 13)
    }

    @Test func `N-015 Ctrl-C never says of a refund that it will not begin`() throws {
        let till = try Till()
        #expect(try till.run("pay 20.00 USD --order o1").code == 0)
        let output = Pipe()
        let process = try start("refund o1 5.00 USD", speed: "0.2", at: till, output: output)
        while process.isRunning,
            try !String(contentsOfFile: till.journal, encoding: .utf8).contains("\"refund\"")
        {}
        kill(process.processIdentifier, SIGINT)
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(
            String(decoding: text, as: UTF8.self).contains("cannot be cancelled; its end follows")
        )
        #expect(try till.booked("refund") == [500])
    }

    /// Whether a process hears Ctrl-C by itself; nil where the system does not tell.
    private func hears(_ process: Process) -> Bool? {
        let path = "/proc/\(process.processIdentifier)/status"
        guard let status = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        // It is ignored at first, and caught as soon as Dispatch looks after it.
        let masks = status.matches(of: /Sig(?:Ign|Cgt):\s*([0-9a-f]+)/)
            .compactMap { UInt64($0.output.1, radix: 16) }
        guard masks.count == 2 else { return nil }
        return masks.contains { $0 & 1 << (SIGINT - 1) != 0 }
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")))
    func `what moves no money is given up at the first Ctrl-C`() throws {
        let till = try Till()
        let process = try start("link", of: "finix", speed: "0.01", at: till)
        while process.isRunning, hears(process) == false {}
        kill(process.processIdentifier, SIGINT)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 11)
    }

    @Test func `N-015 a payment that is cancelled before it began does not begin`() throws {
        let till = try Till()
        let output = Pipe()
        let process = try start("pay 3.00 USD --order o1", speed: "2", at: till, output: output)
        // It says what it is about, and then makes the reader ready.
        var text = ""
        while !text.contains("Seed") {
            let bytes = output.fileHandleForReading.availableData
            if bytes.isEmpty { break }
            text += String(decoding: bytes, as: UTF8.self)
        }
        kill(process.processIdentifier, SIGINT)
        _ = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 11)
        #expect(try till.booked("charge").isEmpty)
        #expect(try till.run("attempts").output.contains("o1") == false)
    }
}
