import Foundation
import Testing

/// Every option that a command accepts has an effect there.
@Suite struct IdleOptionTests {
    /// A command line, at a till where something was paid and something is open.
    struct Line: CustomTestStringConvertible, Sendable {
        let program: String
        let words: String
        /// The scripts that change nothing by themselves, or nothing that is printed.
        let silent: Set<String>

        init(_ program: String, _ words: String, silent: Set<String> = []) {
            self.program = program
            self.words = words
            self.silent = silent
        }

        var testDescription: String { "\(program) \(words)" }
    }

    // Terms that nobody accepted yet are accepted where a person may be asked.
    private static let lines = [
        Line("checkout", "pay 12.50 USD --order n1"), Line("checkout", "resolve u1"),
        Line("checkout", "refund p1"), Line("checkout", "capture h1"), Line("checkout", "void h1"),
        Line("finix", "sale 12.50 USD --order n1"),
        Line("finix", "authorize 12.50 USD --order n1"), Line("finix", "status u1"),
        Line("finix", "refund 2.00 USD --tap --order n1"), Line("finix", "refund p1 2.00 USD"),
        Line("finix", "cancel 12.50 USD --order n1"), Line("finix", "prepare"),
        Line("finix", "cancel 12.50 USD --late --order n1"), Line("finix", "provision"),
        Line("finix", "link", silent: ["not-linked"]), Line("finix", "devices"),
        Line("finix", "transfers"), Line("revolut", "orders"), Line("revolut", "status u1"),
        Line("revolut", "pay 12.50 USD --order n1", silent: ["not-linked"]),
        Line("revolut", "series USD 5.00 --id n1", silent: ["not-linked"]),
        Line("revolut", "identify s-1"),
        Line("revolut", "setup USD --order n1", silent: ["not-linked", "back-office-down"]),
        Line("revolut", "setup USD --skip-test", silent: ["not-linked"]),
    ]

    private static let before = [
        "checkout": [
            "pay 12.50 USD --order p1", "pay 20.00 USD --order h1 --kind authorization",
        ],
        "finix": ["sale 12.50 USD --order p1"],
        "revolut": ["pay 12.50 USD --order p1", "series USD 5.00 --id s"],
    ]

    @Test(arguments: lines)
    func `what a command lets one script is noticed there`(_ line: Line) throws {
        let shop = try Till()
        let pay = line.program == "finix" ? "sale" : "pay"
        let lost = "\(pay) 3.00 USD --order u1 --simulate answer-lost --simulate back-office-down"
        for earlier in (Self.before[line.program] ?? []) + [lost] {
            _ = try shop.run(earlier + " --seed 1", of: line.program)
        }
        let command = String(line.words.prefix { $0 != " " })
        let help = try Run([command, "--help"], of: line.program).output
        let scripts = try #require(help.firstMatch(of: /simulated world: ([a-z, \n-]*)\n  --/))
            .output.1
            .split { $0 == "," || $0.isWhitespace }.map(String.init)
        let seed = help.contains("--seed") ? " --seed 7" : ""
        func told(_ script: String?) throws -> String {
            let till = try Till(copyOf: shop)
            let words = line.words + seed + (script.map { " --simulate \($0)" } ?? "")
            let run = try till.run(words, of: line.program)
            return "\(run.code)\n\(run.output)\n\(run.errors)"
                .replacing(/\d\d\d\d-\d\d-\d\d[T ]\d\d:\d\d(:[\d.]+)?/, with: "")
                .replacing(/[A-Za-z0-9_-]{15,}/, with: "")
        }
        let plain = try told(nil)
        #expect(try told(nil) == plain)
        for script in scripts where !line.silent.contains(script) {
            let scripted = try told(script)
            #expect(scripted != plain, "\(script)")
        }
    }

    @Test(arguments: [
        ("checkout", "history o --simulate no-card", "unknown option \"--simulate\""),
        ("checkout", "attempts --seed 7", "unknown option \"--seed\""),
        ("checkout", "capture o --card visa-credit", "unknown option \"--card\""),
        ("checkout", "refund o --simulate answer-lost", "no effect here; accepted is one of back"),
        (
            "checkout", "capture o --simulate pending",
            "no effect here; accepted is back-office-down"
        ),
        ("checkout", "pay 1.00 USD --till till-2", "goes with --claims"),
        ("checkout", "pay 1.00 USD --json --columns 30", "leave --columns out"),
        (
            "checkout", "pay 1.00 USD --receipt html --ground light",
            "no effect on a receipt in html"
        ),
        ("checkout", "pay 1.00 USD --receipt json --qr", "no effect on a receipt in json"),
        ("checkout", "resolve --receipt html", "about one ORDER"),
        ("checkout", "pay 1.00 GBP --provider revolut --simulate pending", "no effect at revolut"),
        ("finix", "cancel 1.00 USD --simulate answer-lost", "no effect here"),
        ("finix", "cancel 1.00 USD --card visa-credit", "--late"),
        ("finix", "refund o --card visa-credit", "--tap"),
        ("finix", "sale 1.00 USD --provider finix", "unknown option"),
        ("revolut", "pay 1.00 GBP --simulate pending", "no effect here"),
        ("revolut", "identify s-1 --by Ann", "REVOLUT-ORDER"),
        ("revolut", "setup GBP --skip-test --card visa-credit", "--skip-test"),
        ("revolut", "orders --quiet", "unknown option"),
    ])
    func `an option without an effect is refused`(
        program: String,
        line: String,
        reason: String
    ) throws {
        let run = try Till().run(line, of: program)
        #expect(run.code == 64)
        #expect(run.errors.contains(reason), "\(run.errors)")
    }

    @Test func `a receipt without a page says that it shows no code`() throws {
        let run = try Till().run("pay 12.50 USD --qr")
        #expect(run.code == 0 && run.errors.contains("no page"))
    }
}
