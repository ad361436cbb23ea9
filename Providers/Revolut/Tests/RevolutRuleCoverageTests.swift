import Foundation
import Testing

/// Every rule of the specification is cited by a test, or stands here with the reason why not.
@Suite struct RevolutRuleCoverageTests {
    /// The numbers that the specification gives.
    private static let rules: [ClosedRange<Int>] = [
        1...27, 30...41, 50...62, 70...74, 80...84, 90...115, 120...136, 140...147, 150...163,
        170...184, 200...217, 220...225, 230...238, 240...244, 250...257, 260...278, 280...285,
        290...295, 300...321, 330...336, 340...347, 350...361, 370...371, 380...381, 390...398,
    ]

    /// The rules that nothing here can keep or break.
    private static let uncited: [Int: String] = [
        2: "which client ID belongs to which environment is known to Revolut alone",
        25: "the main actor is the shim's, which is checked by its types against the vendor's stub",
        30: "what kind of integration it is",
        31: "what the merchant has to have at Revolut",
        35: "what an integrator does before there is code",
        38: "when Revolut issues a client ID",
        177: "what Revolut's page offers to a customer",
        207: "how long Revolut keeps a version",
        208: "when Revolut makes a version",
        223: "earlier forms that are neither called nor emulated",
        257: "an operation that plays no part in a tap, and is not called",
        263: "line items are never sent",
        330: "payments pushed to a terminal are outside of the first adapter",
        331: "payments pushed to a terminal are outside of the first adapter",
        332: "payments pushed to a terminal are outside of the first adapter",
        333: "payments pushed to a terminal are outside of the first adapter",
        334: "payments pushed to a terminal are outside of the first adapter",
        353: "what Revolut means webhooks for; their own rules are tested",
        357: "somebody else's open question",
        390: "what an iPhone has to be",
        391: "what an app's entitlements have to be",
    ]

    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The numbers that the names of tests and scenarios hold, anywhere in this checkout.
    private static func cited() throws -> Set<Int> {
        var cited: Set<Int> = []
        for folder in ["Providers/Revolut/Tests", "Tests"] {
            let start = root.appendingPathComponent(folder).path
            let paths = try FileManager.default.subpathsOfDirectory(atPath: start)
            for path in paths
            where path.hasSuffix(".swift") && !path.hasSuffix("RevolutRuleCoverageTests.swift") {
                let file = URL(fileURLWithPath: start).appendingPathComponent(path)
                let text = try String(contentsOf: file, encoding: .utf8)
                for match in text.matches(of: /R-(\d{3})/) {
                    cited.insert(Int(match.output.1) ?? 0)
                }
            }
        }
        return cited
    }

    @Test func `every rule is cited by a test, or has a reason not to be`() throws {
        let rules = Set(Self.rules.flatMap { Array($0) })
        #expect(rules.count == 281)
        let cited = try Self.cited()
        let missing = rules.subtracting(cited).subtracting(Self.uncited.keys)
        #expect(missing.isEmpty, "\(missing.sorted()) are neither cited nor explained")
        let both = cited.intersection(Self.uncited.keys)
        #expect(both.isEmpty, "\(both.sorted()) are cited and explained")
        let unknown = cited.union(Self.uncited.keys).subtracting(rules)
        #expect(unknown.isEmpty, "\(unknown.sorted()) are no rules")
    }
}
