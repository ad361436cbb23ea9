import Foundation
import Testing

/// What `--json` says in words that a program can act on, beside sentences for people.
@Suite struct ReportObjectTests {
    private func object(_ line: String, of program: String, in till: Till) throws -> [String: Any] {
        try till.run(line + " --json", of: program).object()
    }

    @Test func `how the merchant stands is one word, and consents are counted`() throws {
        let till = try Till()
        #expect(
            try object("status", of: "revolut", in: till)["standing"] as? String == "notSignedIn"
        )
        #expect(try object("revoke", of: "revolut", in: till)["refusal"] as? String != nil)
        #expect(try object("signin", of: "revolut", in: till)["standing"] as? String == "signedIn")
        #expect(try object("revoke", of: "revolut", in: till)["withdrawn"] as? Int == 1)
        #expect(try till.run("pay 1.00 GBP", of: "revolut").code == 12)
        let status = try object("status", of: "revolut", in: till)
        #expect(status["standing"] as? String == "needsConsent")
        #expect((status["attempts"] as? [Any])?.isEmpty == true)
    }

    @Test func `why a payment is open is one word, with the time until when and the error`() throws
    {
        let till = try Till()
        let down = "--simulate back-office-down"
        let asked = try object(
            "pay 1.00 USD --order a --simulate answer-lost \(down)",
            of: "checkout",
            in: till
        )
        let open = try #require(asked["unresolved"] as? [String: Any])
        #expect(open["code"] as? String == "cannotAsk")
        #expect(open["error"] as? String == "timedOut")
        let lost = try object(
            "pay 1.00 USD --simulate answer-lost-before-booking",
            of: "checkout",
            in: Till()
        )
        let missing = try #require(lost["unresolved"] as? [String: Any])
        #expect(missing["code"] as? String == "mayStillAppear")
        #expect((missing["until"] as? String)?.hasSuffix("Z") == true)
    }

    @Test func `a list from the books says whether it is complete`() throws {
        let till = try Till()
        #expect(try till.run("sale 1.00 USD", of: "finix").code == 0)
        #expect(try object("transfers", of: "finix", in: till)["isComplete"] as? Bool == true)
        #expect(try object("orders", of: "revolut", in: till)["isComplete"] as? Bool == true)
    }

    @Test func `what compacting did is told in numbers`() throws {
        let till = try Till()
        #expect(try till.run("pay 1.00 USD").code == 0)
        let told = try object("compact --keep 0", of: "checkout", in: till)["compaction"]
        let numbers = try #require(told as? [String: Int])
        #expect(numbers.count == 4 && numbers.values.allSatisfy { $0 > 0 })
    }

    @Test func `a device that is set up without a payment is told as done`() throws {
        let till = try Till()
        let done = try object("setup GBP --skip-test", of: "revolut", in: till)
        #expect(done["outcome"] as? String == "done")
    }
}
