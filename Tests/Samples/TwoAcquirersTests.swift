import Foundation
import Testing

@Suite struct TwoAcquirersTests {
    private static func configuration(_ provider: String) -> String {
        """
        { "provider": "\(provider)",
          "providers": {
            "finix": { "environment": "simulated", "merchant": "MU-demo",
                       "merchantName": "Corner Shop" },
            "revolut": { "environment": "simulated", "clientID": "demo",
                         "merchantName": "Corner Shop", "apiKey": { "env": "REVOLUT_API_KEY" },
                         "backOffice": "direct" } } }
        """
    }

    /// What a program sees of a run, without what the acquirer itself supplies.
    private func trace(_ provider: String) throws -> [String] {
        let till = try Till()
        let file = try till.write(Self.configuration(provider), to: "till.json")
        var trace: [String] = []
        for line in [
            "pay 12.50 USD --order o1", "pay 12.50 USD --order o1", "receipt o1", "attempts",
            "pay 3.00 USD --order o2 --card declined-funds",
            "pay 4.00 USD --order o3 --simulate customer-cancels",
            "pay 5.00 USD --order o4 --simulate answer-lost", "refund o1 2.50 USD --id r1",
            "refund o1 20.00 USD --id r2", "pay 1.00 XAU",
        ] {
            let run = try till.run("\(line) --config \(file) --json --seed 7")
            let object = try run.object()
            trace.append("\(line): \(run.code)")
            // A refund is done at once at one acquirer, and pending for a while at the other.
            let names =
                ["refusal", "order", "amount"]
                + (line.hasPrefix("refund") ? [] : ["outcome", "money"])
            let seen = object.filter { names.contains($0.key) }
            let text = try JSONSerialization.data(withJSONObject: seen, options: .sortedKeys)
            trace.append(String(decoding: text, as: UTF8.self))
        }
        trace.append("charged \(try till.booked("charge")), refunded \(try till.booked("refund"))")
        return trace
    }

    @Test func `N-030 one word switches the acquirer, and nothing else changes`() throws {
        let finix = try trace("finix")
        #expect(finix == (try trace("revolut")))
        #expect(finix.last == "charged [1250, 500], refunded [250]")
    }

    @Test(arguments: [
        ("", 0, "approved"), ("--card declined-funds", 10, "declined"),
        ("--simulate customer-cancels", 11, "cancelled"),
        ("--simulate tap-impossible", 0, "approved"), ("--simulate answer-lost", 0, "approved"),
        ("--simulate answer-lost-before-booking", 11, "cancelled"),
    ])
    func `R-130 checkout takes payments through the second acquirer`(
        options: String,
        code: Int32,
        outcome: String
    ) throws {
        let till = try Till()
        let run = try till.run("pay 10.00 GBP --json --provider revolut \(options)")
        #expect(run.code == code)
        #expect(try run.member("outcome") == outcome)
    }

    @Test func `R-371 a decline without the books is open, and resolved to a decline`() throws {
        let till = try Till()
        let told = try till.run(
            """
            pay 10.00 GBP --order b1 --provider revolut --card declined-funds \
            --simulate back-office-down
            """
        )
        #expect(told.code == 20)
        #expect(try till.run("resolve b1").code == 10)
    }

    @Test func `N-032 a refusal names the acquirer that could`() throws {
        let run = try Run(["pay", "1000", "JPY"])
        #expect(run.code == 13)
        #expect(run.errors.contains("configured acquirers that can: revolut"))
    }

    @Test(arguments: [("before-tap", 0), ("after-tap", 1)])
    func `N-024 a killed payment is resolved at the second acquirer too`(
        moment: String,
        charges: Int
    ) throws {
        let till = try Till()
        let killed = try till.run(
            "pay 9.00 GBP --order k1 --provider revolut",
            environment: ["CHECKOUT_TEST_KILL": moment]
        )
        #expect(killed.code == -9)
        let resolved = try till.run("resolve k1 --json")
        #expect(try till.booked("charge").count == charges)
        #expect(try resolved.member("money") == (charges == 1 ? "moved" : "unknown"))
    }
}
