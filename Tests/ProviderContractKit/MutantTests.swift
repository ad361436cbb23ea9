import ProviderContractKit
import Synchronization
import Testing

/// Which mutants a rule has killed.
struct KillTable: Sendable {
    private(set) var kills: [String: [String]] = [:]
    private(set) var escaped: [String] = []

    /// Runs a mutant in its families, at the rules that its sound adapter is called for.
    static func killers(of mutant: Mutant) throws -> [String] {
        let runner = try ContractRunner(MutantHarness(base: mutant.base, change: mutant.change))
        let sound = try ContractRunner(MutantHarness(base: mutant.base))
        let rules = ProviderContract.catalogue.filter { rule in
            rule.isCalledFor(by: sound.capabilities)
                && mutant.families?.contains { $0 == rule.family } ?? true
        }
        return rules.map(\.id).filter { id in
            // What a mutant declares must not save it: the sound adapter's rules are run.
            ProviderContract.rule(id).map { runner.run($0, whateverIsDeclared: true) }?.status
                == .failed
        }
    }

    mutating func add(_ mutant: Mutant, killedBy rules: [String]) {
        for rule in rules { kills[rule, default: []].append(mutant.description) }
        if rules.isEmpty { escaped.append(mutant.description) }
    }

    /// The rules that have killed nobody.
    var idle: [String] {
        ProviderContract.catalogue.map(\.id).filter { kills[$0] == nil }
    }

    /// Rule by rule, who was killed.
    var text: String {
        let names = Mutant.all.map(\.description)
        let rows = ProviderContract.catalogue.map { rule in
            let numbers = (kills[rule.id] ?? []).compactMap { names.firstIndex(of: $0) }
            let marks = names.indices.map { numbers.contains($0) ? "x" : "." }.joined()
            return rule.id + String(repeating: " ", count: 8 - rule.id.count) + marks
        }
        let legend = names.enumerated().map { "\($0.offset + 1) \($0.element)" }
        return (["rule × mutant"] + rows + legend).joined(separator: "\n")
    }
}

@Suite struct MutantTests {
    @Test(arguments: Mutant.Base.allCases)
    func `the sound adapters keep the contract`(base: Mutant.Base) throws {
        let report = try ProviderContract.run(MutantHarness(base: base))
        #expect(report.failures == [])
        #expect(report.isGood)
    }

    @Test func `every rule kills a mutant, and no mutant lives`() async throws {
        let table = try await withThrowingTaskGroup(of: (Mutant, [String]).self) { group in
            for mutant in Mutant.all {
                group.addTask { (mutant, try KillTable.killers(of: mutant)) }
            }
            var table = KillTable()
            for try await (mutant, rules) in group { table.add(mutant, killedBy: rules) }
            return table
        }
        print(table.text)
        #expect(table.idle == [])
        #expect(table.escaped == [])
    }
}
