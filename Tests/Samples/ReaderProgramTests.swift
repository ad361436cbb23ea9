import Foundation
import Testing

@Suite struct ReaderProgramTests {
    private func reader(
        _ line: String,
        in till: Till? = nil,
        input: String? = nil
    ) throws -> Run {
        try Run(line.split(separator: " ").map(String.init), of: "reader", in: till, input: input)
    }

    @Test func `S-006 the shipped scenarios all pass, from whatever folder`() throws {
        let run = try reader("run")
        #expect(run.code == 0)
        let lines = run.output.split(separator: "\n")
        let closing = try #require(lines.last)
        #expect(closing.hasSuffix(" passed, 0 failed"))
        #expect(closing.hasPrefix("\(lines.count - 1) "))
        #expect(try reader("run --quiet").output == closing + "\n")
    }

    @Test func `S-001 S-012 two runs give identical traces, which can be played again`() throws {
        let till = try Till()
        for name in ["a", "b"] {
            let run = try reader("run tap pin-always --schedule 3 --trace \(till.path)/\(name)")
            #expect(run.code == 0)
        }
        let traces = try ["a", "b"].map { name in
            try String(contentsOfFile: "\(till.path)/\(name)", encoding: .utf8)
        }
        #expect(traces[0] == traces[1] && traces[0].count > 1_000)
        #expect(try reader("replay \(till.path)/a").output.hasSuffix("2 passed, 0 failed\n"))
        let changed = traces[0].replacing("\"what\":\"event readyForTap\"", with: "\"what\":\"x\"")
        let file = try till.write(changed, to: "changed")
        let replay = try reader("replay \(file)", in: till)
        #expect(replay.code == 1 && replay.output.contains("now: "))
    }

    @Test func `a scenario that does not end as it says fails the run`() throws {
        let till = try Till()
        let file = try till.write(
            """
            { "schema": "reader-scenario/1", "name": "wrong",
              "device": { "linked": ["shop"], "configured": 100 },
              "expect": { "outcome": "approved" } }
            """,
            to: "wrong.json"
        )
        let run = try reader("run \(file)", in: till)
        #expect(run.code == 1)
        #expect(run.output.contains("expected outcome approved, found failed(tapTimedOut)"))
        #expect(run.output.hasSuffix("0 passed, 1 failed\n"))
    }

    @Test(arguments: [
        (#"{ "schema": "reader-scenario/1", "name": "n", "scrpt": [] }"#, "scrpt"),
        ("{ nonsense", ":1:"), ("", ":1:"), ("[]", "object"),
    ])
    func `N-033 a bad file is told with its place`(text: String, hint: String) throws {
        let till = try Till()
        let file = try till.write(text, to: "bad.json")
        let run = try reader("run \(file) tap", in: till)
        #expect(run.code == 65)
        #expect(run.errors.contains("bad.json:") && run.errors.contains(hint))
        #expect(run.output.isEmpty)
    }

    @Test(
        arguments: [
            ("run nonsuch", 65), ("run tpa", 65), ("run --seed x", 64), ("frobnicate", 64),
            ("amounts nonsuch", 64), ("explore", 64), ("explore tap --schedules 0", 64),
            ("replay nonsuch", 65), ("play --card nonsuch", 64), ("cards extra", 64),
            ("--help", 0), ("run --help", 0), ("--version", 0), ("amounts adyen", 0),
            ("explore tap --schedules 20", 0),
        ] as [(String, Int32)]
    )
    func `N-033 every command line ends as it should`(line: String, code: Int32) throws {
        let run = try reader(line)
        #expect(run.code == code, "\(run.errors)")
        #expect(run.output.isEmpty == (code != 0))
    }

    @Test func `C-01 cards are printed one a line, the id first`() throws {
        let lines = try reader("cards").output.split(separator: "\n")
        #expect(lines.count == 49)
        #expect(lines.first?.hasPrefix("visa-credit ") == true)
    }

    @Test func `S-010 the sweep of the happy path closes without a violated invariant`() throws {
        let run = try reader("sweep")
        #expect(run.code == 0)
        #expect(run.output.hasSuffix(" 0 with a violated invariant\n"))
    }

    @Test func `S-007 a reader can be operated by hand, and every action is in the trace`() throws {
        let till = try Till()
        let run = try Run(
            ["play", "--trace", till.path + "/trace"],
            of: "reader",
            in: till,
            input: """
                # a sale, then one that the customer walks away from
                prepare
                wait 4s
                sell 60.00 EUR
                wait 1s
                tap visa-credit
                wait 2s
                state
                pin correct
                wait 5s
                read 3 USD
                wait 1s
                home
                network sideways
                present
                read
                fly
                quit
                """
        )
        #expect(run.code == 65, "\(run.errors)")
        for text in [
            "event pinRequested", "state pinEntry(read)", "answers: approved(minorUnits: 6000)",
            "read throws interrupted; next: onForeground", "network: accepted is one of up, down",
            "present: accepted is the id of a card",
            "read: accepted is read AMOUNT CURRENCY", "unknown command \"fly\"",
        ] {
            #expect(run.output.contains(text), "\(text) in\n\(run.output)")
        }
        let trace = try String(contentsOfFile: till.path + "/trace", encoding: .utf8)
        #expect(trace.contains(#""from":"hand""#) && trace.contains("tap visa-credit"))
    }

    private func play(_ input: String) throws -> Run {
        try Run(["play"], of: "reader", input: input + "\n")
    }

    @Test(arguments: [
        "", "# nothing", "prepare\nread 3 USD\nwait 1s\ntap visa-credit", "crash\nprepare",
        "help\ncards\nstate\nquit\nfly",
    ])
    func `S-007 commands that were all understood end well, whatever came of them`(
        input: String
    ) throws {
        let run = try play(input)
        #expect(run.code == 0, "\(run.output)")
    }

    @Test(arguments: [
        "fly", "wait", "wait soon", "wait -3s", "wait 999999999h", "network sideways",
        "network up down", "present", "present visa-credit slow", "tap nobody",
        "both slow", "pin", "pin correct twice", "terms maybe", "read 3", "sell x EUR",
        "refund 3 XAU", "verify EUR", "expire", "expire token session", "home now", "link shop-1",
        "state please", "help me", "quit now",
    ])
    func `N-033 a piped command that is not understood is told, and the program ends so`(
        command: String
    ) throws {
        let run = try play("\(command)\nstate")
        #expect(run.code == 65, "\(run.output)")
        #expect(run.output.contains("accepted is") || run.output.contains("unknown command"))
        // What follows is done all the same.
        #expect(run.output.contains("state linked"))
    }

    @Test func `L-11 a card number that somebody types is neither printed nor written down`() throws
    {
        let till = try Till()
        let number = ["4242", "4242", "4242", "4242"].joined()
        let run = try Run(
            ["play", "--trace", till.path + "/trace"],
            of: "reader",
            in: till,
            input: "tap \(number)\n\(number)\nread \(number) \(number)\nwait \(number)\n"
        )
        #expect(run.code == 65)
        let trace = try String(contentsOfFile: till.path + "/trace", encoding: .utf8)
        for text in [run.output, run.errors, trace] { #expect(!text.contains(number), "\(text)") }
        #expect(trace.contains("tap [redacted]"))
    }

    @Test func `LT-6 S-192 nothing that the program prints holds a card number`() throws {
        let till = try Till()
        let file = till.path + "/trace"
        let outputs = try [
            reader("run --trace \(file)").output, reader("cards").output, reader("sweep").output,
        ]
        let trace = try String(contentsOfFile: file, encoding: .utf8)
        for text in outputs + [trace] {
            #expect(!text.contains("SIM1."))
            let runs = LeakTests.digitRuns(in: text)
            #expect(!runs.contains(where: LeakTests.passesLuhn), "\(runs)")
        }
    }
}
