import Foundation
import Testing

@Suite struct RememberingTests {
    // FC-041
    @Test func `N-021 an order is paid once, also by another process`() throws {
        let till = try Till()
        #expect(try till.run("pay 12.50 USD --order o1").code == 0)
        let again = try till.run("pay 12.50 USD --order o1 --json")
        #expect(again.code == 13)
        #expect(try again.member("refusal") == "alreadyPaid")
        #expect(try again.object()["receipt"] != nil)
        #expect(try till.run("pay 12.50 USD --order o1/1of2").code == 13)
        #expect(try till.booked("charge") == [1_250])
    }

    @Test(arguments: [("before-tap", 20, []), ("after-tap", 0, [900])])
    func `N-024 a payment that was killed is open, and resolved by the books`(
        moment: String,
        code: Int32,
        charged: [Int]
    ) throws {
        let till = try Till()
        let killed = try till.run(
            "pay 9.00 USD --order k1",
            environment: ["CHECKOUT_TEST_KILL": moment]
        )
        #expect(killed.code == -9)
        #expect(try till.run("attempts").output.contains("  open  "))
        let refused = try till.run("pay 9.00 USD --order k1 --json")
        #expect(refused.code == 13)
        #expect(try refused.member("refusal") == "open")
        let resolved = try till.run("resolve k1")
        #expect(resolved.code == code)
        #expect(try till.booked("charge") == charged)
        if code == 0 { #expect(try till.run("pay 9.00 USD --order k1").code == 13) }
    }

    @Test func `N-022 hold, capture in part and refund are three commands`() throws {
        let till = try Till()
        #expect(try till.run("pay 20.00 USD --kind authorization --order h1").code == 0)
        let capture = try till.run("capture h1 15.00 USD --id c1 --json")
        #expect(capture.code == 0)
        #expect(try capture.member("outcome") == "pending")
        #expect(try capture.member("money") == "pending")
        #expect(try till.run("capture h1 15.00 USD --id c1").code == 0)
        #expect(try till.run("capture h1 5.00 USD").code == 13)
        #expect(try till.run("void h1").code == 13)
        #expect(try till.run("refund h1 5.00 USD").code == 0)
        #expect(try till.run("refund h1 10.01 USD").code == 13)
        let rest = try till.run("refund h1 --json")
        #expect(try rest.member("outcome") == "done")
        #expect(try till.booked("hold") == [2_000])
        #expect(try till.booked("charge") == [1_500])
        #expect(try till.booked("refund") == [500, 1_000])
        #expect(try till.run("history h1").output.split(separator: "\n").count >= 10)
        #expect(try till.run("receipt h1").output.contains("CAPTURE"))
    }

    @Test func `F-187 a void releases the hold`() throws {
        let till = try Till()
        #expect(try till.run("pay 20.00 USD --kind authorization --order h1").code == 0)
        let void = try till.run("void h1 --json")
        #expect(try void.member("money") == "released")
        #expect(try till.booked("release") == [2_000])
    }

    @Test func `N-025 an answer lost with the books is found by a later command`() throws {
        let till = try Till()
        let lost = try till.run(
            "pay 7.00 USD --order l1 --simulate answer-lost --simulate back-office-down"
        )
        #expect(lost.code == 20)
        #expect(try till.run("resolve").code == 0)
        #expect(try till.run("resolve l1 --json").member("outcome") == "approved")
        #expect(try till.booked("charge") == [700])
    }

    @Test func `N-034 nothing that is kept holds a card number or a payload`() throws {
        let till = try Till()
        _ = try till.run("pay 12.50 USD --order o1")
        for file in [till.journal, till.journal + ".world"] {
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(!text.contains("SIM1.") && !text.contains("424242"))
            #expect(!LeakTests.digitRuns(in: text).contains(where: LeakTests.passesLuhn))
        }
    }

    @Test func `N-027 a journal that cannot be used ends with 73 and charges nothing`() throws {
        let till = try Till()
        let foreign = try till.write("hello\n", to: "notes.txt")
        for place in [
            till.path, till.path + "/no/such/till.journal", foreign, "/proc/till.journal",
        ] {
            let run = try Run(["pay", "1.00", "USD", "--journal", place, "--json"], in: till)
            #expect(run.code == 73, "\(run.errors)")
            #expect(run.errors.split(separator: "\n").count == 1)
            #expect(try run.member("problem") != nil)
        }
        #expect(try String(contentsOfFile: foreign, encoding: .utf8) == "hello\n")
    }
}

@Suite struct ConfigurationCommandTests {
    private static let good = """
        { "provider": "finix", "journal": "till-1.journal", "settling": { "patience": "20s" },
          "failover": { "to": [], "on": [] },
          "providers": { "finix": { "environment": "simulated", "merchant": "MU-9",
            "merchantName": "Nine", "device": null,
            "credentials": { "username": { "env": "FINIX_USERNAME" },
                             "password": { "file": "finix.password" } },
            "backOffice": "direct" } } }
        """

    @Test func `N-030 a configuration names acquirer, merchant and journal`() throws {
        let till = try Till()
        let file = try till.write(Self.good, to: "till.json")
        #expect(try Run(["config", "check", file], in: till).code == 0)
        let run = try Run(["pay", "3.00", "USD", "--config", file], in: till)
        #expect(run.code == 0)
        #expect(run.output.contains("Nine"))
        #expect(FileManager.default.fileExists(atPath: till.path + "/till-1.journal"))
    }

    // FC-100
    @Test func `N-033 three faults are three lines with their places`() throws {
        let till = try Till()
        let file = try till.write(
            """
            {
              "provider": "fnix",
              "providers": {
                "finix": { "environment": "prod", "merchant": "m", "merchantName": "n" }
              },
              "jurnal": "x"
            }
            """,
            to: "bad.json"
        )
        let run = try Run(["config", "check", file], in: till)
        #expect(run.code == 78)
        let lines = run.errors.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[0].hasPrefix("\(file):2:15: provider: ") && lines[0].contains("finix"))
        #expect(lines[1].hasPrefix("\(file):4:31: providers.finix.environment: "))
        #expect(lines[2].contains("jurnal") && lines[2].contains("journal"))
        #expect(try Run(["pay", "1.00", "USD", "--config", file], in: till).code == 78)
    }

    @Test(arguments: [
        "", "{", "// no\n{}", #"{ "provider": "finix", "provider": "finix" }"#, "[]",
        #"{ "provider": "finix", "providers": {} }"#,
        #"{ "provider": "finix", "failover": { "to": ["x"] }, "providers": { "finix": {} } }"#,
    ])
    func `N-033 a file that is no configuration ends with 78`(text: String) throws {
        let till = try Till()
        let run = try Run(["pay", "1.00", "USD", "--config", till.write(text, to: "c.json")])
        #expect(run.code == 78)
        #expect(!run.errors.isEmpty)
    }

    @Test func `N-036 an acquirer with open attempts cannot be dropped`() throws {
        let till = try Till()
        _ = try till.run(
            "pay 9.00 USD --order k1",
            environment: ["CHECKOUT_TEST_KILL": "before-tap"]
        )
        let file = try till.write(Self.good, to: "other.json")
        let run = try till.run("pay 1.00 USD --config \(file)")
        #expect(run.code == 78)
        #expect(run.errors.contains("MU-demo"))
    }

    @Test func `N-022 a refund of all that is left can be repeated under its name`() throws {
        let till = try Till()
        #expect(try till.run("pay 10.00 USD --order o1").code == 0)
        #expect(try till.run("refund o1 4.00 USD").code == 0)
        for _ in 0..<2 {
            let rest = try till.run("refund o1 --id r1 --json")
            #expect(rest.code == 0)
            let amount = try rest.object()["amount"] as? [String: Any]
            #expect(amount?["minorUnits"] as? Int == 600)
        }
        #expect(try till.booked("refund").reduce(0, +) == 1_000)
        let nothing = try till.run("refund o1")
        #expect(nothing.code == 13 && nothing.errors.contains("nothing to refund"))
    }
}
