import Foundation
import Testing

@Suite struct CheckoutTests {
    @Test(arguments: [
        ("", 0, "approved", "moved"), ("--card declined-funds", 10, "declined", "none"),
        ("--simulate customer-cancels", 11, "cancelled", "none"),
        ("--card damaged", 12, "failed", "none"),
        ("--simulate partial-approval", 14, "partlyApproved", "partly"),
        ("--simulate answer-lost", 0, "approved", "moved"),
        ("--simulate answer-lost --simulate back-office-down", 20, "unresolved", "unknown"),
        ("--simulate answer-lost-before-booking", 20, "unresolved", "unknown"),
        ("--simulate pending", 20, "unresolved", "unknown"),
        ("--kind authorization", 0, "authorized", "held"),
    ])
    func `N-010 one object says how it ended and where the money is`(
        options: String,
        code: Int32,
        outcome: String,
        money: String
    ) throws {
        let run = try Run(
            ["pay", "12.50", "USD", "--json"] + options.split(separator: " ").map(String.init)
        )
        #expect(run.code == code)
        #expect(try run.member("outcome") == outcome)
        #expect(try run.member("money") == money)
    }

    // FC-014
    @Test func `N-032 a refusal names the capability`() throws {
        let run = try Run(["pay", "1000", "JPY", "--json"])
        #expect(run.code == 13)
        #expect(try run.member("refusal") == "missingCapability")
        #expect(run.errors.contains("minor-unit digits such as JPY"))
    }

    @Test(arguments: [
        (["12.505", "USD"], "character 4"), (["1,50", "USD"], "character 2"),
        (["0", "USD"], "zero"),
        (["1e3", "USD"], "exponent"), (["", "USD"], "nothing to read"),
        ([String(repeating: "1", count: 40), "USD"], "too large"), (["--", "-1", "USD"], "sign"),
        (["1.00", "usd"], "USD"), (["1.00", "XXZ"], "ISO 4217"), (["1.00", "XAU"], "minor unit"),
        (["1.00", "HRK"], "withdrawn"), (["1.00", "USD", "--provider", "fnix"], "finix"),
        (["1.00", "USD", "--card", "gold"], "visa-credit"),
        (["1.00", "USD", "--crad", "x"], "did you mean \"--card\"?"),
        (["1.00", "USD", "--order", "a/b"], "2of3"), (["1.00", "USD", "--speed", "0"], "0.01"),
        (["1.00", "USD", "--seed", "-1"], "--seed"), (["1.00"], "CURRENCY"),
        (["1.00", "USD", "--json", "--json"], "twice"),
    ])
    func `N-033 bad input is one message on standard error and exit 64`(
        arguments: [String],
        hint: String
    ) throws {
        let run = try Run(["pay"] + arguments)
        #expect(run.code == 64)
        #expect(run.errors.contains(hint), "\(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1)
    }

    @Test func `N-043 one seed gives one run`() throws {
        let arguments = ["pay", "12.50", "USD", "--seed", "7", "--order", "o1"]
        func words(_ run: Run) -> [Substring] {
            run.output.split(separator: "\n").filter { !$0.hasPrefix("Time") }
        }
        #expect(try words(Run(arguments)) == words(Run(arguments)))
    }

    @Test func `L-11 nothing that checkout prints holds a card number`() throws {
        for options in [
            [], ["--card", "declined-funds"], ["--json"], ["--simulate", "answer-lost"],
        ] {
            let run = try Run(["pay", "12.50", "USD"] + options)
            let runs = LeakTests.digitRuns(in: run.output + run.errors)
            #expect(!runs.contains(where: LeakTests.passesLuhn))
            #expect(!run.output.contains("424242"))
        }
    }
}
