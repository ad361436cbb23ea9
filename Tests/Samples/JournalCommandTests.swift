import Foundation
import Testing

@Suite struct JournalCommandTests {
    private func till() throws -> Till {
        let till = try Till()
        #expect(try till.run("pay 12.50 USD --order a1").code == 0)
        #expect(try till.run("pay 10.00 USD --order b1 --card declined-funds").code == 10)
        let lost = "pay 5.00 USD --order a2 --simulate answer-lost --simulate back-office-down"
        #expect(try till.run(lost).code == 20)
        return till
    }

    @Test func `attempts are found by order, amount, card, and whether they are open`() throws {
        let till = try till()
        let found = try [
            "", "--order a", "10.00 USD", "--open", "--last-four 0000", "--order b --open",
        ].map { try till.run("attempts \($0)").output.split(separator: "  sale ").count - 1 }
        #expect(found == [3, 2, 1, 1, 0, 0])
        let digits = try #require(
            try till.run("receipt a1").output.firstMatch(of: /(?:\*|•|X)+ ?([0-9]{4})/)
        )
        let output = try till.run("attempts --last-four \(digits.1)").output
        #expect(output.contains("  a1  "))
        let times = ["--since 2020-01-01", "--until 2020-01-01", "--since 2999-01-01T00:00:00Z"]
        let counts = try times.map {
            try till.run("attempts \($0)").output.split(separator: "  sale ").count - 1
        }
        #expect(counts == [3, 0, 0])
        for wrong in [
            "attempts --since yesterday", "attempts --since 2026-02-01 --until 2026-02-01",
        ] {
            #expect(try till.run(wrong).code == 64)
        }
        for wrong in ["attempts 10.00", "attempts --last-four 12a4", "attempts 0 USD"] {
            #expect(try till.run(wrong).code == 64)
        }
    }

    @Test func `what support gets is JSON by the line, and names no card`() throws {
        let till = try till()
        let lines = try till.run("export --order a1").output.split(separator: "\n")
        #expect(lines.count >= 3)
        for line in lines {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(object?["order"] as? String == "a1")
            #expect(object?["card"] == nil && !line.contains("4242") && !line.contains("VISA"))
        }
        #expect(try till.run("export --order nobody").code == 13)
    }

    @Test func `N-021 a smaller journal still refuses a second charge, and knows what is open`()
        throws
    {
        let till = try till()
        let before = try till.run("attempts").output
        let report = try till.run("compact --keep 0")
        #expect(report.code == 0)
        let counts = report.output.matches(of: /([0-9]+) before, ([0-9]+) now/)
            .map { (Int($0.1) ?? 0, Int($0.2) ?? 0) }
        #expect(counts.count == 2 && counts.allSatisfy { $0.0 > $0.1 && $0.1 > 0 })
        #expect(try till.run("attempts").output == before)
        #expect(try till.run("pay 12.50 USD --order a1").code == 13)
        #expect(try till.run("pay 5.00 USD --order a2").code == 13)
        #expect(try till.run("resolve a2").code == 0)
        #expect(try till.run("compact --keep 1.5").code == 64)
    }

    @Test func `N-019 a person settles what the books cannot, once, with name and reason`() throws {
        let till = try till()
        let who = "--by Ann --reason statement"
        for wrong in ["settle a2 paid", "settle a2 maybe \(who)", "settle a2 not-paid --by Ann"] {
            #expect(try till.run(wrong).code == 64)
        }
        #expect(try till.run("settle a1 not-paid \(who)").code == 13)
        #expect(try till.run("pay 5.00 USD --order a2").code == 13)
        #expect(try till.run("settle a2 not-paid \(who)").code == 0)
        #expect(try till.run("explain a2").output.contains("Ann decided: not paid"))
        #expect(try till.run("settle a2 paid \(who)").code == 13)
        #expect(try till.run("pay 5.00 USD --order a2").code == 0)
    }

    @Test func `N-019 what a person notes stays on its line, and does nothing to the terminal`()
        throws
    {
        let till = try till()
        let note = ["--by", "Ann\u{1B}[2J", "--reason", "seen\r\n  ended as approved\u{202E}"]
        let journal = ["--journal", till.journal]
        #expect(try Run(["settle", "a2", "not-paid"] + note + journal, in: till).code == 0)
        for command in ["history", "explain"] {
            let told = try till.run("\(command) a2").output
            #expect(told.contains("seen    ended as approved"), "\(told)")
            #expect(told.contains("Ann [2J"), "\(told)")
            #expect(!told.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
        }
    }

    @Test(arguments: ["", " ", "a\nb", "\u{1B}[2J", String(repeating: "x", count: 129)])
    func `N-022 a follow-up's name is one that can be seen`(name: String) throws {
        let till = try till()
        for words in [["refund", "a1"], ["receipt", "a1"]] {
            let run = try Run(words + ["--id", name, "--journal", till.journal], in: till)
            #expect(run.code == 64)
            #expect(run.errors.contains("accepted is 1 to 128 visible characters"))
        }
        #expect(try till.booked("refund").isEmpty)
    }

    @Test(arguments: [
        "resolve", "resolve a1", "attempts", "export", "history a1", "explain a1", "receipt a1",
        "refund a1", "settle a1 paid --by Ann --reason statement",
    ])
    func `a journal that is named and not there is a mistake, and is not made`(
        line: String
    ) throws {
        let till = try Till()
        let run = try till.run(line)
        #expect(run.code == 73)
        #expect(run.errors.contains("there is no such journal"))
        #expect(!FileManager.default.fileExists(atPath: till.journal))
    }
}
