import AcquirerSimulation
import Foundation
import Testing

@Suite struct EmulatorCommandTests {
    private func run(
        _ arguments: [String],
        program: URL? = nil
    ) throws -> (code: Int32, output: String, errors: String) {
        let process = Process()
        process.executableURL = try program ?? Run.program("emulator")
        process.arguments = arguments
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let diagnostics = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (
            process.terminationStatus, String(decoding: text, as: UTF8.self),
            String(decoding: diagnostics, as: UTF8.self)
        )
    }

    @Test(arguments: [
        (["--port", "65536"], "from 0 to 65535"), (["--port", "-1"], "from 0 to 65535"),
        (["--port", ""], "from 0 to 65535"), (["--port"], "needs N"), (["--prot", "1"], "--port"),
        (["--address", "0.0.0.0"], "127.0.0.1"), (["--address", "example.com"], "127.0.0.1"),
        (["--port", "0", "--port", "1"], "given twice"),
        (["serve"], "emulator: unexpected argument"),
        (["--seed", "x"], "whole number"), (["--merchant", ""], "visible ASCII"),
        (["--ledger", ""], "path of a file"), (["--log=yes"], "takes no value"),
    ])
    func `N-033 a wrong command line ends with 64 and says what is accepted`(
        arguments: [String],
        part: String
    ) throws {
        let run = try run(arguments)
        #expect(run.code == 64)
        #expect(run.errors.contains(part) && !run.errors.contains("emulator: emulator:"))
        #expect(run.output.isEmpty)
    }

    @Test func `N-033 help tells options, controls and exit codes`() throws {
        let help = try run(["--help"])
        #expect(help.code == 0)
        for part in [
            "--port", "--ledger", "/_emu/faults", "64", "SIGTERM", "POST /_emu/modes",
            "refusesRepeats", "refusesNeedlessKeys",
        ] {
            #expect(help.output.contains(part))
        }
        #expect(try run(["--version"]).output.hasPrefix("emulator "))
    }

    @Test func `N-033 a port that is taken ends with 69`() throws {
        let server = try LoopbackServer()
        let run = try run(["--port", "\(server.port)"])
        #expect(run.code == 69)
        #expect(run.errors.contains("in use"))
    }

    @Test func `N-033 a ledger that cannot be read or written ends with 73, and is left alone`()
        throws
    {
        let till = try Till()
        let broken = try till.write("{ not a ledger", to: "broken.json")
        for file in [broken, till.path, till.path + "/none/books.json", "/proc/none"] {
            let run = try run(["--port", "0", "--ledger", file])
            #expect(run.code == 73)
            #expect(run.errors.contains(file))
        }
        #expect(try String(contentsOfFile: broken, encoding: .utf8) == "{ not a ledger")
    }

    @Test func `N-027 two emulators cannot keep one ledger at once`() throws {
        let till = try Till()
        let arguments = ["--ledger", till.path + "/books.json"]
        let first = try EmulatorProcess(arguments)
        let second = try run(["--port", "0"] + arguments)
        #expect(second.code == 73)
        #expect(second.errors.contains("another emulator"))
        #expect(first.end(SIGTERM) == 0)
        #expect(try EmulatorProcess(arguments).end(SIGTERM) == 0)
    }

    private static let curl = ["/usr/bin/curl", "/bin/curl", "/usr/local/bin/curl"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    @Test(.enabled(if: curl != nil))
    func `F-241 curl takes a sale, keeps its connection and sends chunks`() async throws {
        let program = URL(fileURLWithPath: try #require(Self.curl))
        let emulator = try EmulatorProcess()
        let tap = try run(
            ["-sS", "-d", #"{"amount":1250,"currency":"USD"}"#, emulator.origin + "/_emu/tap"],
            program: program
        )
        let object = try JSONSerialization.jsonObject(with: Data(tap.output.utf8)) as? [String: Any]
        let payload = try #require(object?["base64"] as? String)
        let url = emulator.origin + "/card_reader/transfers"
        let paid = try run(
            [
                "-sS", "-H", "Authorization: " + EmulatorProcess.basic, "-H",
                "Transfer-Encoding: chunked", "-H", "Expect: 100-continue", "-d",
                EmulatorProcess.payment(1_250, payload), "-w", "\n%{http_code} %{num_connects}\n",
                url, "--next", "-sS", "-w", "%{http_code} %{num_connects}\n", "-o", "/dev/null",
                emulator.origin + "/_emu/ledger",
            ],
            program: program
        )
        let lines = paid.output.split(separator: "\n")
        #expect(lines.first?.contains(#""state":"SUCCEEDED""#) == true, "\(paid)")
        #expect(lines.suffix(2) == ["201 1", "200 0"])
        #expect(try await emulator.booked() == ["charge 1250"])
    }
}
