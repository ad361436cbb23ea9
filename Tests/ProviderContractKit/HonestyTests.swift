import AcquirerSimulation
import PaymentCore
import Testing

@testable import ProviderContractKit

@Suite struct HonestyTests {
    private static func runner(
        _ deviations: [ContractDeviation] = [],
        fails: Bool = false
    ) throws -> ContractRunner {
        var harness = DeviatingHarness(deviations: deviations)
        if fails {
            harness.sound.change.perform = { _, _, _, _ in
                .notCharged(PaymentError(.requestRejected, detail: "it is not written yet"))
            }
        }
        return try ContractRunner(harness)
    }

    private static func report(
        _ selection: String?,
        _ deviations: [ContractDeviation] = [],
        fails: Bool = false
    ) throws -> ContractReport {
        let rules = try ProviderContract.rules(selection)
        let runner = try runner(deviations, fails: fails)
        return ContractReport(runner, of: rules, results: rules.map { runner.run($0) })
    }

    // MARK: The catalogue

    @Test func `the catalogue has 120 rules at least, with ids of their families`() {
        let rules = ProviderContract.catalogue
        #expect(rules.count >= 120)
        #expect(Set(rules.map(\.id)).count == rules.count)
        #expect(Set(rules.map(\.sentence)).count == rules.count)
        #expect(rules.allSatisfy { $0.family != nil && $0.since == "1.0.0" })
        #expect(rules.allSatisfy { !$0.sentence.isEmpty && !$0.likelyCause.isEmpty })
        let families = Set(rules.compactMap(\.family))
        #expect(families == Set(ContractRule.Family.allCases))
    }

    @Test func `every capability that may be missing is attacked where it is`() {
        let attacked = Set(ProviderContract.catalogue.flatMap(\.absent))
        let declared: Set<ContractCapability> = [
            .sale, .authorization, .refundToCard, .tip, .surcharge, .noDecimals, .threeDecimals,
            .refund, .capture, .void, .cancelFromCode, .qrFallback, .close, .link, .signsOut,
        ]
        #expect(declared.subtracting(attacked) == [])
    }

    // MARK: Executed and skipped

    @Test func `a run from which a result is missing is invalid`() throws {
        let rules = try ProviderContract.rules("sale")
        let runner = try Self.runner()
        let results = rules.dropLast().map { runner.run($0) }
        let report = ContractReport(runner, of: rules, results: Array(results))
        #expect(!report.isGood)
        #expect(report.problems.first == "never ran: SALE-32")
        #expect(report.closingLine.contains("INVALID"))
    }

    @Test func `a run in which nothing ran is invalid`() throws {
        let runner = try Self.runner()
        #expect(!ContractReport(runner, of: [], results: []).isGood)
        let skipped = try Self.report("CAPA-01")
        #expect(skipped.count(.skipped) == 1)
        #expect(skipped.problems == ["nothing ran"])
        #expect(!skipped.isGood)
    }

    @Test func `executed and skipped are the whole catalogue`() throws {
        let report = try Self.report(nil)
        let executed = report.count(.passed) + report.count(.failed)
        #expect(executed + report.count(.skipped) == ProviderContract.catalogue.count)
        #expect(report.isGood)
    }

    // MARK: Deviations

    @Test func `a declared deviation that fails is told and spoils nothing`() throws {
        let deviation = ContractDeviation("SALE-01", "the kit is not there yet")
        let report = try Self.report("SALE-01", [deviation], fails: true)
        #expect(report.isGood)
        #expect(report.count(.deviates) == 1)
        #expect(report.closingLine.contains("1 deviating"))
        #expect(report.results.first?.failure?.got == "failed requestRejected")
    }

    @Test func `a declared deviation that passes fails the run`() throws {
        let report = try Self.report("SALE-01", [ContractDeviation("SALE-01", "no more")])
        #expect(!report.isGood)
        #expect(report.count(.deviationPasses) == 1)
        #expect(report.failures.first?.contains("remove the declaration") == true)
    }

    @Test func `a deviation that names no rule, or one that is skipped, is a problem`() throws {
        let misspelt = try Self.report("SALE-01", [ContractDeviation("SALE-O1", "typo")])
        #expect(misspelt.problems == ["the deviation SALE-O1 names no rule; did you mean SALE-01?"])
        let runner = try Self.runner([ContractDeviation("CAPA-01", "skipped")])
        let rules = try ProviderContract.rules("CAPA-01,SALE-01")
        let report = ContractReport(runner, of: rules, results: rules.map { runner.run($0) })
        #expect(report.problems == ["the deviation CAPA-01 is about a rule that is skipped"])
    }

    // MARK: Selecting

    @Test(arguments: ["SALE-99", "sales", "", "SALE-01,", "SALE-01,nope"])
    func `a word that names no rule is an error`(selection: String) {
        #expect(throws: ContractSelectionError.self) { try ProviderContract.rules(selection) }
    }

    @Test func `rules are chosen by id, family and letters`() throws {
        #expect(try ProviderContract.rules("sale-01").map(\.id) == ["SALE-01"])
        let byName = try ProviderContract.rules("lookUp").map(\.id)
        #expect(byName == (try ProviderContract.rules("LOOK").map(\.id)))
        #expect(byName.allSatisfy { $0.hasPrefix("LOOK-") })
        #expect(try ProviderContract.rules("holds, JRNL").count > 10)
        let error = #expect(throws: ContractSelectionError.self) {
            try ProviderContract.rules("refund")
        }
        #expect(error?.description.contains("did you mean refunds?") == true)
    }

    // MARK: Texts

    @Test func `a failure tells all there is to know, and the command to see it again`() throws {
        let report = try Self.report("SALE-01", fails: true)
        let text = try #require(report.failures.first)
        for part in [
            "SALE-01 an approved sale is told as approved and charged exactly once",
            "steps:     open", "prepare",
            "sale of 12.50 EUR for o1: failed requestRejected (it is not written yet)",
            "wire:      0ms GET /reader-token", "expected:  approved",
            "got:       failed requestRejected", "likely:    ", "seed:      1",
            "again:     CONTRACT_RULE=SALE-01 CONTRACT_SEED=1 swift test",
        ] {
            #expect(text.contains(part), "\(part)\nis missing in\n\(text)")
        }
    }

    @Test func `reports are the same for the same seed, and tell where they differ`() throws {
        let first = try Self.report("sale")
        #expect(try first.json == Self.report("sale").json)
        #expect(try ContractReport(json: first.json) == first)
        let second = try Self.report("sale", fails: true)
        let lines = ContractReport.difference(first, second)
        #expect(lines.contains("SALE-01: passed -> failed"))
        #expect(ContractReport.difference(first, first) == [])
    }

    @Test(arguments: [2, 3, 99, UInt64.max])
    func `a sound adapter keeps the contract whatever the seed`(seed: UInt64) throws {
        let report = try ProviderContract.run(MutantHarness(base: .full), seed: seed)
        #expect(report.failures == [])
    }

    @Test func `an adapter that never comes to an end fails, and the run goes on`() throws {
        var change = Change()
        change.prepare = { _, _, _ throws(PaymentError) in
            while true { await Task.yield() }
        }
        let report = try ProviderContract.run(
            MutantHarness(base: .full, change: change),
            rules: "REDY-01,CAPA-22"
        )
        #expect(report.results.map(\.status) == [.failed, .passed])
        #expect(report.results.first?.failure?.got.contains("steps") == true)
    }

    @Test func `an adapter that cannot be made is one failure that says why`() throws {
        var change = Change()
        change.make = { section in
            section.reject("merchant", "there is no such merchant")
            return nil
        }
        let harness = MutantHarness(base: .full, change: change)
        let error = #expect(throws: ContractFailure.self) { try ContractRunner(harness) }
        #expect(error?.got.contains("there is no such merchant") == true)
    }
}

/// A sound adapter that declares deviations.
struct DeviatingHarness: ContractHarness {
    var sound = MutantHarness(base: .full)
    var deviations: [ContractDeviation]
    var provider: String { sound.provider }
    var section: String { sound.section }
    var currency: Currency { sound.currency }
    var facets: Set<ContractCapability> { sound.facets }
    var secrets: [String] { sound.secrets }

    func stage(in world: SimulatedWorld, tokens: ContractTokens) -> ContractStage {
        sound.stage(in: world, tokens: tokens)
    }
}
