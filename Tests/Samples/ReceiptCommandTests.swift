import Foundation
import Testing

@Suite struct ReceiptCommandTests {
    @Test(arguments: [
        ("", 0, "SALE - APPROVED"), ("--card declined-funds", 10, "SALE - DECLINED"),
        ("--simulate customer-cancels", 11, "SALE - CANCELLED"),
        ("--card damaged", 12, "SALE - NOT COMPLETED"),
        ("--simulate partial-approval", 14, "SALE - APPROVED IN PART"),
        ("--simulate pending", 20, "SALE - NOT KNOWN YET"),
        ("--kind authorization", 0, "HOLD - NOT PAID YET"),
    ])
    func `F-269 every payment ends with a receipt, also when it is asked for later`(
        options: String,
        code: Int32,
        title: String
    ) throws {
        let till = try Till()
        let run = try till.run("pay 12.50 USD --order o1 --quiet " + options)
        #expect(run.code == code)
        #expect(run.output.hasPrefix("SIMULATED - NO MONEY MOVED\n"))
        #expect(run.output.contains(title), "\(run.output)")
        let later = try till.run("receipt o1")
        #expect(later.code == 0)
        #expect(later.output == run.output)
    }

    @Test func `with html or json standard output holds the receipt alone`() throws {
        let page = try Run(
            ["pay", "10.00", "EUR", "--provider", "revolut", "--language", "de"]
                + ["--receipt", "html"]
        )
        #expect(page.code == 0)
        #expect(page.output.hasPrefix("<!DOCTYPE html>\n<html lang=\"de\""))
        #expect(page.output.hasSuffix("</html>\n"))
        let object = try Run(["pay", "12.50", "USD", "--receipt", "json", "--copy", "merchant"])
        #expect(try object.member("status") == "approved")
        #expect(try object.member("copy") == "merchant")
        #expect(try object.object()["account"] != nil)
    }

    @Test func `N-013 the language is that of progress, message and receipt`() throws {
        let till = try Till()
        let run = try till.run("pay 12.50 USD --order o1 --language fr --columns 32")
        #expect(run.output.contains("Carte lue"))
        #expect(run.output.contains("VENTE - ACCEPTÉ"))
        let later = try till.run("receipt o1 --language ja --columns free")
        #expect(later.output.contains("合計: USD 12.50\n"))
    }

    @Test func `N-013 an unknown language is English, and standard error says so`() throws {
        let run = try Run(["pay", "12.50", "USD", "--language", "sv"])
        #expect(run.code == 0)
        #expect(run.errors.contains("no wording for language \"sv\"; English is used"))
        #expect(run.output.contains("SALE - APPROVED"))
    }

    @Test(arguments: [
        (["--columns", "0"], "26 to 400"), (["--columns", "25"], "26 to 400"),
        (["--columns", "99999999999999999999"], "26 to 400"), (["--copy", "bank"], "merchant"),
        (["--receipt", "pdf"], "text, html, json"), (["--receipt", "html", "--json"], "leave"),
        (["--ground", "grey"], "dark or light"),
    ])
    func `N-033 a receipt that cannot be printed is one message and exit 64`(
        options: [String],
        hint: String
    ) throws {
        let run = try Run(["pay", "12.50", "USD"] + options)
        #expect(run.code == 64)
        #expect(run.errors.contains(hint), "\(run.errors)")
    }

    @Test
    func `R-395 a code on the kit's screen is drawn with amount, state and what closing does`()
        throws
    {
        let run = try Run([
            "pay", "10.00", "GBP", "--provider", "revolut", "--simulate", "tap-impossible",
        ])
        #expect(run.code == 0)
        #expect(run.output.contains("Scan to pay GBP\u{A0}10.00\n"))
        #expect(run.output.contains("\u{2588}\u{2580}"))
        #expect(run.output.contains("\nWaiting for payment\n"))
        #expect(run.output.contains("\nIf you close this, "))
    }

    @Test func `a refund has its own receipt, found by its name`() throws {
        let till = try Till()
        _ = try till.run("pay 12.50 USD --order o1")
        let refund = try till.run("refund o1 2.50 USD --id r1 --quiet")
        #expect(refund.output.contains("REFUND - DONE"))
        #expect(try till.run("receipt o1 --id r1").output == refund.output)
        #expect(try till.run("receipt o1").output.contains("SALE - APPROVED"))
        #expect(try till.run("receipt o1 --id r2").code == 13)
        #expect(try till.run("receipt o2").code == 13)
    }

    @Test func `F-269 a capture that may still fail says so, also when it is asked about again`()
        throws
    {
        let till = try Till()
        _ = try till.run("pay 20.00 USD --order o1 --kind authorization")
        let capture = try till.run("capture o1 --id c1")
        #expect(capture.output.contains("CAPTURE - ACCEPTED"))
        #expect(capture.output.contains("can still fail"))
        #expect(try till.run("receipt o1 --id c1").output.contains("CAPTURE - ACCEPTED"))
        let resolved = try till.run("resolve o1 --receipt json")
        #expect(resolved.code == 0)
        #expect(try resolved.member("kind") == "capture")
        #expect(try resolved.member("status") == "pending")
    }

    @Test func `R-176 a text becomes a code, or an error that says how much too long it is`() throws
    {
        let dark = try Run(["code", "https://example.com"])
        let light = try Run(["code", "https://example.com", "--ground", "light"])
        #expect(dark.code == 0 && light.code == 0)
        #expect(dark.output != light.output)
        #expect(try Run(["code", "a", "--svg"]).output.hasPrefix("<svg "))
        let long = try Run(["code", String(repeating: "a", count: 2_400)])
        #expect(long.code == 64)
        #expect(long.errors.contains("2400 bytes do not fit: 69 too many"))
    }
}
