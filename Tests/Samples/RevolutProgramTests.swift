import Foundation
import Testing

@Suite struct RevolutProgramTests {
    private func revolut(_ line: String, in till: Till) throws -> Run {
        let words = line.split(separator: " ").map(String.init)
        return try Run(words + ["--journal", till.journal], of: "revolut", in: till)
    }

    @Test func `R-130 pay takes one payment through Revolut`() throws {
        let till = try Till()
        let run = try revolut("pay 10.00 GBP --json", in: till)
        #expect(run.code == 0, "\(run.errors)")
        #expect(try run.member("outcome") == "approved")
        #expect(try till.booked("charge") == [1_000])
    }

    @Test func `R-140 where no tap is possible a code is on the screen, and is paid`() throws {
        let till = try Till()
        let run = try revolut("pay 10.00 GBP --simulate tap-impossible", in: till)
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.contains("On the kit's screen: a code for https://"))
        #expect(run.output.contains("█") || run.output.contains("▀"))
        #expect(try till.booked("charge") == [1_000])
    }

    @Test func `R-082 after a revocation two rounds are refused, one sign-out, nothing booked`()
        throws
    {
        let till = try Till()
        #expect(try revolut("signin", in: till).code == 0)
        #expect(try revolut("revoke", in: till).code == 0)
        let run = try revolut("pay 10.00 GBP", in: till)
        #expect(run.code == 12, "\(run.output)\(run.errors)")
        #expect(run.output.components(separatedBy: "Token round: unauthorized").count == 3)
        #expect(run.output.components(separatedBy: "The kit signed out").count == 2)
        #expect(try till.booked("charge") == [])
        #expect(try revolut("status", in: till).code == 12)
        #expect(try revolut("revoke", in: till).code == 13)
        #expect(try revolut("signin", in: till).code == 0)
        #expect(try revolut("status", in: till).code == 0)
        #expect(try revolut("pay 10.00 GBP", in: till).code == 0)
        #expect(try till.booked("charge") == [1_000])
    }

    @Test func `orders, status and refund speak of the same books`() throws {
        let till = try Till()
        #expect(try revolut("pay 10.00 GBP --order t1", in: till).code == 0)
        #expect(try revolut("refund t1 4.00 GBP", in: till).code == 0)
        let orders = try revolut("orders --json", in: till).object()["orders"] as? [[String: Any]]
        #expect(orders?.compactMap { $0["type"] as? String }.sorted() == ["payment", "refund"])
        #expect(try revolut("status t1", in: till).code == 0)
        #expect(try revolut("status nobody", in: till).code == 13)
        #expect(try revolut("pay 10.00 GBP --order t1", in: till).code == 13)
    }

    @Test func `R-152 setup introduces once, tries a payment of one minor unit, and may skip it`()
        throws
    {
        let till = try Till()
        let first = try revolut("setup GBP --order s1", in: till)
        #expect(first.code == 0, "\(first.errors)")
        #expect(first.output.contains("what Tap to Pay can do"))
        #expect(try till.booked("charge") == [1])
        let second = try revolut("setup GBP --skip-test", in: till)
        #expect(second.code == 0, "\(second.errors)")
        #expect(!second.output.contains("what Tap to Pay can do"))
        #expect(second.output.contains("no payment was tried"))
        #expect(try till.booked("charge") == [1])
        // The kit names no order, and nothing marks this one: Revolut's own app refunds it.
        #expect(try revolut("refund s1", in: till).code == 12)
        #expect(try revolut("setup GBP --card declined-funds", in: till).code == 20)
        #expect(try revolut("setup gbp", in: till).code == 64)
    }

    @Test func `R-141 series takes piped payments by tap or code, and identify finds an amount`()
        throws
    {
        let till = try Till()
        let words = ["series", "GBP", "--id", "m", "--journal", till.journal]
        let run = try Run(words, of: "revolut", in: till, input: "5.00\n\n7.00 code\n")
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.contains("m-1  approved  amount not known yet"))
        #expect(run.output.contains("On the kit's screen: a code for https://"))
        #expect(try till.booked("charge") == [500, 700])
        #expect(try revolut("refund m-1 1.00 GBP", in: till).code == 13)
        let records = try revolut("identify m-2 --json", in: till).object()["records"]
        let names = (records as? [[String: Any]])?.compactMap { $0["reference"] as? String }
        let order = try #require(names?.last?.split(separator: " ").last)
        #expect(try revolut("identify m-2 \(order)", in: till).code == 64)
        #expect(try revolut("identify m-2 \(order) --by Ann", in: till).code == 0)
        #expect(try revolut("identify m-1 \(order) --by Ann", in: till).code == 13)
        #expect(try revolut("refund m-2 1.00 GBP", in: till).code == 0)
        #expect(try revolut("status m-2", in: till).output.contains("sale 7.00 GBP  approved"))
    }

    @Test(arguments: [
        ("series GBP 5.00 7.00:code", 0), ("series GBP 5.00 --card declined-funds", 20),
        ("series GBP 5.00 --simulate customer-cancels", 20), ("series GBP 5.001", 64),
        ("series GBP 5.00:cash", 64), ("series gbp 5.00", 64), ("series GBP 0", 64),
        ("series GBP 5.00 --id m/1of2", 64), ("series", 64), ("identify nobody", 73),
        ("series GBP 5.00 --simulate back-office-down --card declined-funds", 20),
    ])
    func `R-144 series ends as its worst payment`(line: String, code: Int32) throws {
        let till = try Till()
        #expect(try revolut(line, in: till).code == code)
    }

    @Test func `R-128 a series whose app is killed leaves one payment open`() throws {
        let till = try Till()
        let words = ["series", "GBP", "5.00", "--id", "m", "--journal", till.journal]
        let run = try Run(
            words,
            of: "revolut",
            in: till,
            environment: ["CHECKOUT_TEST_KILL": "before-tap"]
        )
        #expect(run.code == -9)
        let status = try revolut("status", in: till)
        #expect(status.code == 20)
        #expect(status.output.contains("m-1, an amount in GBP that is not known yet"))
    }

    @Test(arguments: [
        ("pay 10.00 GBP --card declined-funds", 10), ("pay 10.00 GBP --simulate answer-lost", 0),
        ("pay 10.00 GBP --simulate customer-cancels", 11), ("pay 10.00 GBP --provider finix", 64),
        ("pay 10.00 GBP --kind authorization", 13), ("pay 10.001 GBP", 64), ("signin now", 64),
        ("sell 1.00 GBP", 64),
    ])
    func `N-033 revolut ends as checkout does`(line: String, code: Int32) throws {
        let till = try Till()
        #expect(try revolut(line, in: till).code == code)
    }

    @Test func `R-303 webhook verify believes what was signed, and nothing else`() throws {
        let till = try Till()
        let body =
            #"{"event":"ORDER_COMPLETED","order_id":"11111111-2222-4333-8444-555555555555","#
            + #""merchant_order_ext_ref":"till-7/42"}"#
        let file = try till.write(body, to: "body.json")
        let secret = try till.write("wsk_example_secret_A\r\n", to: "secret")
        let time = "17356" + "89600000"
        let good = "v1=a3a1e1e33f648494fa1bf48f4764975372dbdfe74a9139c20a92bf4454f20e11"
        let words = ["webhook", "verify", "--secret-file", secret, "--at", time]
        func verify(_ rest: [String], input: String? = nil) throws -> Run {
            try Run(words + rest, of: "revolut", in: till, input: input)
        }
        let signed = ["--timestamp", time, "--signature", good]
        let believed = try verify(signed + [file])
        #expect(believed.code == 0, "\(believed.errors)")
        #expect(believed.output.contains("ORDER_COMPLETED"))
        #expect(try verify(signed, input: body).code == 0)
        #expect(try verify(signed, input: body + " ").code == 1)
        #expect(try verify(["--timestamp", time], input: body).code == 1)
        let late = try Run(
            words.dropLast() + ["17356" + "90600000"] + signed + [file],
            of: "revolut",
            in: till
        )
        #expect(late.code == 1)
        #expect(late.errors.contains("tooOld"))
        #expect(try Run(["webhook", "verify", file], of: "revolut", in: till).code == 64)
        #expect(try Run(["webhook", "check"], of: "revolut", in: till).code == 64)
    }
}
