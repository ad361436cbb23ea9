import Foundation
import PaymentCore
import Testing

@testable import ProviderContractKit

@Suite struct BridgeTests {
    private static let failing: MutantHarness = {
        var change = Change()
        change.perform = { _, _, _, _ in .notCharged(PaymentError(.requestRejected)) }
        return MutantHarness(base: .plain, change: change)
    }()

    /// A session whose report is nobody's.
    private static func session(
        _ harness: MutantHarness,
        _ variables: [String: String] = [:]
    ) -> ContractSession {
        ContractSession(harness) { name in
            variables[name] ?? (name == "CONTRACT_REPORT" ? "/dev/null" : nil)
        }
    }

    @Test func `each rule that is called for is a case of its own, named by its id`() throws {
        let runner = try ContractRunner(MutantHarness(base: .plain))
        let called = ProviderContract.catalogue.filter {
            $0.isCalledFor(by: runner.capabilities)
        }
        let cases = ProviderContract.cases(of: MutantHarness(base: .plain)).map(\.description)
        #expect(cases.dropLast() == called.map(\.description)[...])
        #expect(cases.last?.hasPrefix("CONTRACT ") == true)
    }

    @Test func `a broken rule fails its case, and the drawing up`() throws {
        let cases = ProviderContract.cases(of: Self.failing)
        let sale = try #require(cases.first { $0.description.hasPrefix("SALE-01 ") })
        let error = #expect(throws: ContractBroken.self) { try sale.check() }
        #expect(error?.description.contains("got:       failed requestRejected") == true)
        #expect(throws: ContractBroken.self) { try cases.last?.check() }
    }

    @Test func `every failure is handed to XCTest with its whole text`() {
        var told: [String] = []
        ProviderContract.verify(Self.session(Self.failing)) { told.append($0) }
        #expect(told.count > 100)
        #expect(told.contains { $0.hasPrefix("SALE-01 ") && $0.contains("again:     ") })
        var sound: [String] = []
        ProviderContract.verify(Self.session(MutantHarness(base: .plain))) { sound.append($0) }
        #expect(sound == [])
    }

    @Test func `the environment narrows a run, and a misspelt rule is a case that fails`() throws {
        let narrow = Self.session(
            MutantHarness(base: .full),
            ["CONTRACT_RULE": "SALE-01,SALE-02", "CONTRACT_SEED": "7"]
        )
        #expect(narrow.called.compactMap(\.?.id) == ["SALE-01", "SALE-02"])
        try narrow.check(nil)
        for wrong in [["CONTRACT_RULE": "SAIL-01"], ["CONTRACT_SEED": "seven"]] {
            let session = Self.session(MutantHarness(base: .full), wrong)
            #expect(session.called.isEmpty)
            #expect(throws: ContractBroken.self) { try session.check(nil) }
        }
    }

    @Test func `a report that was asked for and cannot be written fails the drawing up`() throws {
        let session = Self.session(
            MutantHarness(base: .full),
            ["CONTRACT_RULE": "SALE-01", "CONTRACT_REPORT": "/dev/null/report.json"]
        )
        let error = #expect(throws: ContractBroken.self) { try session.check(nil) }
        #expect(error?.description == "the report cannot be written to /dev/null/report.json")
    }

    @Test func `the kit imports no test framework`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let folder = root.appendingPathComponent("Sources/ProviderContractKit")
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".swift") }
        #expect(names.count > 20)
        for name in names {
            let url = folder.appendingPathComponent(name)
            let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
            for line in text.split(separator: "\n") where line.contains("import ") {
                #expect(!line.contains("Testing") && !line.contains("XCTest"), "\(name)")
            }
        }
    }
}
