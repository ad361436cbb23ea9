import Foundation
import Testing

@Suite struct LintTests {
    /// Where a task of its own is allowed; everybody else asks the environment for one.
    private static let owners = [
        "Sources/PaymentCore/PaymentEnvironment.swift", "Sources/Simulation/SimulatedTime.swift",
        "Samples/CommandLine/BlockingWork.swift", "Samples/Shop/Session.swift",
        "Providers/Finix/Simulation/FinixTapToPay+Preparing.swift",
        "Providers/Revolut/Simulation/RevolutTapToPayKit.swift",
    ]

    private static func shipped() throws -> [String] {
        try Repository.files { path in
            path.hasSuffix(".swift")
                && (path.hasPrefix("Sources/") || path.hasPrefix("Samples/")
                    || path.hasPrefix("Providers/") && !path.contains("/Tests/"))
        }
    }

    @Test func `DT-4 no task runs outside of the environment's executor`() throws {
        let files = try Self.shipped()
        #expect(files.count > 80)
        for file in files {
            let lines = try Repository.text(file).split(separator: "\n")
            for line in lines where !line.contains("//") {
                #expect(!line.contains("Task.detached"), "\(file): \(line)")
                #expect(!line.contains("Task.sleep"), "\(file): \(line)")
                guard line.firstMatch(of: /(^|[^.\w])Task ?(\{|\(priority|\(exec)/) != nil else {
                    continue
                }
                #expect(Self.owners.contains(file), "\(file) starts a task")
                // Without a preference only where there is no executor.
                #expect(
                    line.contains("executorPreference")
                        || line.contains("guard let executor else"),
                    "\(file): \(line)"
                )
            }
        }
    }

    @Test func `N-030 the core names no acquirer, and adapters import no simulation`() throws {
        for file in try Self.shipped() {
            let text = try Repository.text(file)
            if file.hasPrefix("Sources/PaymentCore/") {
                for line in text.split(separator: "\n") where !line.contains("///") {
                    #expect(line.firstMatch(of: /(?i)finix|revolut/) == nil, "\(file): \(line)")
                }
            }
            if file.contains("/Adapter/") {
                #expect(text.firstMatch(of: /import \w*Simulation/) == nil, "\(file)")
            }
        }
    }

    @Test func `the reader and its command line import no more than FoundationEssentials`() throws {
        let files = try Self.shipped().filter { file in
            file.hasPrefix("Samples/Reader/") || file.hasPrefix("Samples/CommandLine/")
        }
        #expect(files.count > 15)
        for file in files {
            let large = try Repository.text(file)
                .firstMatch(of: /import (Foundation(Networking)?|PaymentReceipts|ShopSupport)\b/)
            #expect(large == nil, "\(file)")
        }
    }

    @Test func `the reader is linked without formatting data and without networking`() throws {
        let large = ["libFoundation.so", "lib_FoundationICU.so", "libFoundationNetworking.so"]
        for name in large { #expect(try !Self.links(name, in: "reader"), "\(name)") }
        // Only where the libraries are called so can anything be found.
        let isElsewhere = try !Self.links("libFoundationEssentials.so", in: "reader")
        #expect(try isElsewhere || Self.links(large[0], in: "checkout"))
    }

    private static func links(_ library: String, in program: String) throws -> Bool {
        let url = try Run.program(program)
        let bytes = try Data(contentsOf: url, options: .mappedIfSafe)
        return bytes.range(of: Data(library.utf8) + [0]) != nil
    }

    @Test func `every feature of the reader is cited by a scenario or a test`() throws {
        let files = try Repository.files { path in
            path.hasSuffix(".swift") && path.contains("Tests/")
                || path.contains("/Scenarios/Shipped/")
        }
        var cited: Set<Int> = []
        for file in files {
            for match in try Repository.text(file).matches(of: /S-(\d{3})/) {
                cited.insert(Int(match.output.1) ?? 0)
            }
        }
        // Storing and forwarding is not simulated.
        let missing = Set(1...193).subtracting(182...189).subtracting(cited)
        #expect(missing.isEmpty, "\(missing.sorted())")
    }
}
