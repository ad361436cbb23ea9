import Foundation
import Testing

@Suite struct FinixProgramTests {
    private static func run(_ line: String, in till: Till) throws -> Run {
        let words = line.split(separator: " ").map(String.init)
        return try Run(words + ["--journal", till.journal], of: "finix", in: till)
    }

    @Test(arguments: [
        ("sale 12.50 USD", 0, "approved", "moved"), ("sale 1.02 USD", 10, "declined", "none"),
        ("sale 1.03 USD", 11, "cancelled", "none"),
        ("sale 12.50 USD --simulate answer-lost", 0, "approved", "moved"),
        ("sale 12.50 USD --simulate partial-approval", 14, "partlyApproved", "partly"),
        ("sale 12.50 USD --simulate pending", 20, "unresolved", "unknown"),
        ("sale 12.50 USD --simulate not-linked", 12, "failed", "none"),
        ("authorize 12.50 USD", 0, "authorized", "held"),
        ("refund 12.50 USD --tap", 0, "approved", "moved"),
        ("cancel 12.50 USD", 11, "cancelled", "none"),
        ("cancel 12.50 USD --late", 0, "approved", "moved"),
    ])
    func `N-010 finix ends as checkout does, and says where the money is`(
        line: String,
        code: Int32,
        outcome: String,
        money: String
    ) throws {
        let run = try Self.run(line + " --json", in: Till())
        #expect(run.code == code)
        #expect(try run.member("outcome") == outcome)
        #expect(try run.member("money") == money)
    }

    @Test func `F-237 a magic amount declines with its code and advice`() throws {
        let till = try Till()
        let run = try Self.run("sale 1.02 USD --json", in: till)
        let decline = try #require(try run.object()["decline"] as? [String: Any])
        #expect(decline["code"] as? String == "GENERIC_DECLINE")
        #expect(decline["advice"] as? String == "otherCard")
        #expect(run.errors.contains("GENERIC_DECLINE"))
        #expect(try till.booked("charge") == [])
    }

    @Test func `N-025 what stayed open is found by a later command`() throws {
        let till = try Till()
        let lost = "sale 12.50 USD --order o1 --simulate answer-lost --simulate back-office-down"
        let open = try Self.run(lost, in: till)
        #expect(open.code == 20)
        #expect(open.output.contains("finix status o1"))
        #expect(try Self.run("sale 12.50 USD --order o1", in: till).code == 13)
        #expect(try Self.run("status", in: till).code == 0)
        let told = try Self.run("status o1 --json", in: till)
        #expect(try told.member("outcome") == "approved")
        #expect(try till.booked("charge") == [1_250])
    }

    @Test func `F-198 a hold, its capture, refunds and a refund to a card are all booked`() throws {
        let till = try Till()
        #expect(try Self.run("authorize 20.00 USD --order h1", in: till).code == 0)
        #expect(try Self.run("capture h1 15.00 USD", in: till).code == 0)
        #expect(try Self.run("refund h1 5.00 USD", in: till).code == 0)
        #expect(try Self.run("refund h1 10.01 USD", in: till).code == 13)
        #expect(try Self.run("refund 4.00 USD --tap --order r1", in: till).code == 0)
        #expect(try Self.run("authorize 8.00 USD --order h2", in: till).code == 0)
        #expect(try Self.run("void h2", in: till).code == 0)
        #expect(try till.booked("hold") == [2_000, 800])
        #expect(try till.booked("charge") == [1_500])
        #expect(try till.booked("refund") == [500, 400])
        #expect(try till.booked("release") == [800])
        let transfers = try Self.run("transfers --json", in: till)
        let kinds = (try transfers.object()["records"] as? [[String: Any]])?
            .compactMap { $0["kind"] as? String }
        #expect(kinds == ["refundToCard", "refund", "capture"])
        let holds = try Self.run("transfers --holds", in: till).output
        #expect(holds.split(separator: "\n").count == 2)
    }

    @Test func `N-015 a cancel that comes too late says so, and the sale is told`() throws {
        let asked = try Self.run("cancel 12.50 USD --json", in: Till())
        #expect(try asked.member("cancellation") == "asked")
        let late = try Self.run("cancel 12.50 USD --late --json", in: Till())
        #expect(try late.member("cancellation") == "tooLate")
        let refused = try Self.run("cancel 1000 JPY --json", in: Till())
        #expect(refused.code == 13)
        #expect(try refused.member("cancellation") == nil)
    }

    @Test func `F-292 linking asks first, and has four ends`() throws {
        let till = try Till()
        for (line, code, outcome) in [
            ("link", 0, "done"), ("link --simulate not-linked", 0, "done"),
            ("link --simulate terms-closed", 11, "failed"),
            ("link --simulate not-linked --ask-only", 20, "unknown"),
            ("link --simulate tap-impossible", 12, "failed"),
            ("prepare", 0, "done"), ("prepare --simulate not-linked", 12, "failed"),
        ] {
            let run = try Self.run(line + " --json", in: till)
            #expect(run.code == Int32(code), "\(line)")
            #expect(try run.member("outcome") == outcome, "\(line)")
        }
    }

    @Test func `F-126 a provisioned Device is found again, and takes payments`() throws {
        let till = try Till()
        func device() throws -> String {
            let run = try Self.run("provision --reader r-7 --json", in: till)
            let devices = try run.object()["devices"] as? [[String: Any]]
            return try #require(devices?.first?["id"] as? String)
        }
        let id = try device()
        #expect(try device() == id)
        try FileManager.default.removeItem(atPath: till.journal + ".devices")
        #expect(try device() == id)
        #expect(try Self.run("devices", in: till).output.contains("\(id)  enabled  r-7  Till"))
        let configuration = """
            { "provider": "finix", "providers": { "finix": { "environment": "simulated",
              "merchant": "MU-demo", "merchantName": "Shop", "device": "\(id)" } } }
            """
        let file = try till.write(configuration, to: "till.json")
        #expect(try Self.run("sale 3.00 USD --config \(file)", in: till).code == 0)
        let unknown = configuration.replacingOccurrences(of: id, with: "DVunknown")
        let other = try till.write(unknown, to: "other.json")
        #expect(try Self.run("sale 3.00 USD --config \(other)", in: till).code == 12)
    }

    @Test(arguments: [
        ("refund f2 5.00 USD --tap", "AMOUNT CURRENCY"), ("refund f2 --order x", "--tap"),
        ("refund 5.00 USD --tap --id x", "--order"), ("sale 1.00 USD --provider revolut", "finix"),
        ("sale 1.00 USD --kind sale", "unknown option"), ("transfers --days 0", "3650"),
        ("cancel 1.00", "CURRENCY"), ("sell 1.00 USD", "sale"), ("status a b", "unexpected"),
    ])
    func `N-033 finix refuses what it cannot carry out with one message`(
        line: String,
        hint: String
    ) throws {
        let run = try Self.run(line, in: Till())
        #expect(run.code == 64)
        #expect(run.errors.contains(hint), "\(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1)
    }

    @Test func `a configuration for another acquirer is still about finix here`() throws {
        let till = try Till()
        let file = try till.write(
            """
            { "provider": "revolut", "providers": {
              "finix": { "environment": "simulated", "merchant": "MU1", "merchantName": "Shop" },
              "revolut": { "environment": "simulated", "clientID": "x", "merchantName": "Shop" } } }
            """,
            to: "two.json"
        )
        let run = try Self.run("sale 3.00 USD --json --config \(file)", in: till)
        let account = try run.object()["account"] as? [String: Any]
        #expect(account?["provider"] as? String == "finix")
        #expect(run.code == 0)
    }

    @Test func `F-126 F-140 a phone that is provisioned keeps its Device between commands`() throws
    {
        let till = try Till()
        let file = till.journal + ".json"
        try """
        { "provider": "finix", "providers": { "finix": { "environment": "simulated",
          "merchant": "MU-demo", "merchantName": "Shop", "provisioning": {
            "through": "direct", "bundle": "com.example.shop", "name": "Till" } } } }
        """.write(toFile: file, atomically: true, encoding: .utf8)
        let first = try Self.run("sale 12.50 USD --config \(file) --order o1", in: till)
        #expect(first.code == 0)
        // With the kept Device the reader is ready though nobody can ask Finix for one.
        let lost = "--order o2 --simulate answer-lost --simulate back-office-down"
        #expect(try Self.run("sale 12.50 USD --config \(file) \(lost)", in: till).code == 20)
        let status = try Self.run("status o2 --config \(file) --json", in: till)
        #expect(try status.member("outcome") == "approved")
        let devices = try Self.run("devices --config \(file) --json", in: till).object()["devices"]
        #expect((devices as? [Any])?.count == 1)
    }

    @Test func `F-126 what provisions by hand takes the name and the app that are configured`()
        throws
    {
        let till = try Till()
        let file = try till.write(
            """
            { "provider": "finix", "providers": { "finix": { "environment": "simulated",
              "merchant": "MU-demo", "merchantName": "Shop", "provisioning": {
                "through": "direct", "bundle": "com.shop.till", "name": "Counter 2" } } } }
            """,
            to: "shop.json"
        )
        func device(_ options: String) throws -> String? {
            let run = try Self.run("provision --config \(file) --json \(options)", in: till)
            return (try run.object()["devices"] as? [[String: Any]])?.first?["name"] as? String
        }
        #expect(try device("") == "Counter 2")
        #expect(try device("--name Bar --reader reader-2") == "Bar")
        // The phone's own Device was made for the configured app, and is found again.
        #expect(try Self.run("sale 12.50 USD --config \(file)", in: till).code == 0)
        let devices = try Self.run("devices --config \(file) --json", in: till).object()["devices"]
        #expect((devices as? [Any])?.count == 2)
    }

    @Test(arguments: [
        ("provision --reader --json", "--reader needs ID"),
        ("sale 1.00 USD --order --quiet", "--order needs"),
        ("devices extra", "unexpected argument \"extra\""), ("sale 12.50", "missing CURRENCY"),
    ])
    func `N-033 a command line that cannot be carried out says what is missing`(
        line: String,
        problem: String
    ) throws {
        let words = line.split(separator: " ").map(String.init)
        let till = try Till()
        let run = try Run(words, of: "finix", in: till)
        #expect(run.code == 64)
        #expect(run.errors.contains(problem), "\(run.errors)")
    }

    @Test func `N-025 with nothing open the status says so`() throws {
        let till = try Till()
        #expect(try Self.run("sale 12.50 USD", in: till).code == 0)
        #expect(try Self.run("status", in: till).output == "nothing is open\n")
    }
}
