import Foundation
import Testing

/// Every rule of Finix's specification is proven by a test, or is none that code could keep.
@Suite struct FinixRuleTests {
    /// Rules that no code here can keep or break, and why.
    static let elsewhere: [Int: String] = [
        9: "which of Apple's environments counts is decided by the account on the phone",
        80: "when a merchant's profile has changed is known at Finix alone",
        128: "which merchants a key may serve is decided at Finix; a refusal is F-210's",
        163: "the limits of Finix's sandbox are not published; 429 is F-162's",
        217: "that a sandbox moves no money is Finix's promise",
        218: "which account a phone is signed in to is decided on the phone",
        242: "webhooks go to an integrator's back end; nothing here receives one of Finix's",
        243: "webhooks go to an integrator's back end; nothing here receives one of Finix's",
        270: "how a receipt reaches its buyer is the app's choice",
        275: "an app with a lower deployment target guards its own code; ours begins at iOS 18",
        281: "how a merchant learns to use the reader is the app's to show",
        283: "entitlements are granted to an app by Apple",
        284: "Apple's settings cannot be opened by anyone",
        285: "a property list is the app's",
        286: "what the vendor's SDK declares about itself",
        287: "what the vendor's SDK logs by itself",
        288: "what the vendor's SDK lets an app switch off",
        293: "what becomes of Apple's link when an app is deleted is Apple's to say",
    ]

    private static func cited() throws -> Set<Int> {
        let files = try Repository.files { path in
            path.hasSuffix(".swift") && path.contains("Tests/") && !path.contains("FinixRuleTests")
                || path.contains("/Scenarios/Shipped/")
        }
        var cited: Set<Int> = []
        for file in files {
            for match in try Repository.text(file).matches(of: /F-(\d{3})/) {
                cited.insert(Int(match.output.1) ?? 0)
            }
        }
        return cited
    }

    /// The rules that are cited by this file's own tests.
    private static let here: Set<Int> = [4, 62, 289]

    @Test func `every rule is cited by a test, or stands among those that concern no code`() throws
    {
        let cited = try Self.cited().union(Self.here)
        let missing = Set(1...299).subtracting(cited).subtracting(Self.elsewhere.keys)
        #expect(missing.isEmpty, "\(missing.sorted())")
        #expect(cited.intersection(Self.elsewhere.keys).sorted() == [])
        #expect(cited.subtracting(1...299).sorted() == [])
        #expect(Self.elsewhere.values.allSatisfy { $0.count > 20 })
    }

    private static let adapter = "Providers/Finix/Adapter/"

    @Test func `F-062 no amount of the adapter's is a binary fraction`() throws {
        let files = try Repository.files { $0.hasPrefix(Self.adapter) && $0.hasSuffix(".swift") }
        #expect(files.count > 15)
        for file in files {
            let text = try Repository.text(file)
            #expect(text.firstMatch(of: /\b(Double|Float|CGFloat|Decimal)\b/) == nil, "\(file)")
        }
    }

    @Test func `F-289 the adapter names no host but Finix's two`() throws {
        var hosts: Set<String> = []
        let files = try Repository.files { $0.hasPrefix(Self.adapter) && $0.hasSuffix(".swift") }
        for file in files {
            for match in try Repository.text(file).matches(of: /https?:\/\/([a-z0-9.-]+)/) {
                hosts.insert(String(match.output.1))
            }
        }
        // What a configuration may name, or an error's example does, is nobody's host.
        hosts = hosts.filter { !$0.hasSuffix(".example") }.subtracting(["127.0.0.1", "localhost"])
        #expect(hosts == ["finix.sandbox-payments-api.com", "finix.live-payments-api.com"])
    }

    @Test func `F-004 the shim keeps the vendor's class, which crosses no tasks, on one actor`()
        throws
    {
        let stub = try Repository.text("Tests/VendorStubs/FinixTapToPaySDK/FinixTapToPay.swift")
        #expect(stub.contains("public final class FinixTapToPay {"))
        let shim = try Repository.text("Samples/VendorShims/FinixDriverShim.swift")
        #expect(shim.contains("@MainActor\nfinal class FinixDriverShim: FinixDriver {"))
        #expect(!shim.contains("@unchecked Sendable") && !shim.contains("nonisolated(unsafe)"))
        // Whether it compiles in Swift 6 mode is checked against that stub.
        #expect(try Repository.text(".ci/run").contains("bash .ci/shims"))
    }
}
