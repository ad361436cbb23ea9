import Testing

/// Programs whose output cannot be written, as on a disk that is full.
@Suite struct OutputTests {
    private func run(_ line: String, of program: String, in till: Till) throws -> Run {
        let words = line.split(separator: " ").map(String.init)
        return try Run(words, of: program, in: till, canWrite: false)
    }

    @Test(
        arguments: [
            ("checkout", "attempts"), ("checkout", "export"), ("checkout", "receipt o1"),
            ("checkout", "history o1 --json"), ("checkout", "--help"), ("checkout", "pay --help"),
            ("reader", "cards"), ("reader", "run tap"), ("contract", "list"),
            ("emulator", "--help"), ("backend", "--version"),
        ])
    func `what nobody can read is no success`(program: String, line: String) throws {
        let till = try Till()
        #expect(try Run(["pay", "1.00", "USD", "--order", "o1"], in: till).code == 0)
        let run = try run(line, of: program, in: till)
        #expect(run.code == 74)
        #expect(run.errors.hasPrefix("the output cannot be written: "), "\(run.errors)")
    }

    @Test(arguments: ["<&-", ">&-", "<&- >&-", "<&- 2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
    func `N-026 what nobody hears does not end in the journal`(streams: String) throws {
        let till = try Till()
        let words = ["pay", "1.00", "USD", "--order", "o1"]
        #expect(try Run(words, in: till, closing: streams).code == 0)
        #expect(try Run(["history", "o1"], in: till).output.contains("approved"))
        #expect(try Run(["refund", "o1"], in: till, closing: streams).code == 0)
        #expect(try Run(["attempts"], in: till).output.contains("refund 1.00 USD  done"))
    }

    @Test func `what is told on the way is missed as the end is`() throws {
        let run = try Run(["play"], of: "reader", input: "state\n", canWrite: false)
        #expect(run.code == 74)
        #expect(run.errors.hasPrefix("the output cannot be written: "), "\(run.errors)")
    }

    @Test(
        arguments: [
            ("reader", "play"), ("revolut", "series GBP"),
            ("revolut", "webhook verify --timestamp 1 --signature v1=00 --secret-env HOME"),
        ])
    func `an input that cannot be read is not an empty one`(program: String, line: String) throws {
        let words = line.split(separator: " ").map(String.init)
        for streams in ["<&-", "</"] {
            let run = try Run(words, of: program, closing: streams)
            #expect(run.code == 64)
            #expect(run.errors.contains("the standard input cannot be read"), "\(run.errors)")
        }
    }

    @Test(
        arguments: [
            ("pay 1.00 USD --order o2", 0), ("refund o1", 0),
            ("pay 1.00 USD --card declined-funds", 10), ("capture o1", 13),
        ] as [(String, Int32)]
    )
    func `where the money is, the exit code says all the same`(line: String, code: Int32) throws {
        let till = try Till()
        #expect(try Run(["pay", "1.00", "USD", "--order", "o1"], in: till).code == 0)
        let run = try run(line, of: "checkout", in: till)
        #expect(run.code == code)
        #expect(run.errors.contains("the output cannot be written: ") == (code != 13))
    }
}
