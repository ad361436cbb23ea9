import Foundation
import Testing

@Suite struct ContractProgramTests {
    private static func contract(_ line: String, in till: Till? = nil) throws -> Run {
        try Run(line.split(separator: " ").map(String.init), of: "contract", in: till)
    }

    @Test(arguments: ["finix", "revolut"])
    func `an adapter keeps the contract, and the closing line says so`(name: String) throws {
        let till = try Till()
        let run = try Self.contract("run \(name) --seed 3", in: till)
        #expect(run.code == 0, "\(run.output.suffix(2_000))")
        let last = try #require(run.output.split(separator: "\n").last)
        let counts = try #require(
            last.firstMatch(
                of:
                    /^contract 1\.0\.0 (\w+) .*: (\d+) passed, 0 failed, (\d+) skipped \(.*\), seed 3$/
            )
        )
        #expect(counts.output.1 == name)
        let listed = try Self.contract("list").output.split(separator: "\n").count
        #expect((Int(counts.output.2) ?? 0) + (Int(counts.output.3) ?? 0) == listed)
        let report = try Data(contentsOf: URL(fileURLWithPath: till.path + "/contract-report.json"))
        let object = try #require(try JSONSerialization.jsonObject(with: report) as? [String: Any])
        #expect(object["adapter"] as? String == name)
        #expect((object["results"] as? [Any])?.count == listed)
        #expect(object["suiteVersion"] as? String == "1.0.0")
        #expect(object["seed"] as? Int == 3)
    }

    @Test func `one rule or family is run alone`() throws {
        let one = try Self.contract("run finix --rule SALE-01")
        #expect(one.code == 0)
        #expect(one.output.contains(": 1 passed, 0 failed, 0 skipped, seed 1"))
        #expect(try Self.contract("run finix --rule declines").code == 0)
    }

    @Test func `nothing that ran is a failure`() throws {
        let run = try Self.contract("run finix --rule CAPA-01")
        #expect(run.code == 1)
        #expect(run.errors.contains("nothing ran"))
    }

    @Test(arguments: [
        "run", "run stripe", "run finix --rule SALE-0l", "run finix --seed x", "explain SALE-99",
        "diff a", "diff nothing.json nothing.json", "new", "new lower", "new Acme", "sail",
    ])
    func `what cannot be carried out is told as usage`(line: String) throws {
        let run = try Self.contract(line)
        #expect(run.code == 64, "\(line): \(run.output)\(run.errors)")
        #expect(!run.errors.isEmpty)
    }

    @Test func `a misspelt rule is answered with the nearest`() throws {
        #expect(
            try Self.contract("run finix --rule SALE-0l").errors.contains("did you mean SALE-0")
        )
        #expect(try Self.contract("run finx").errors.contains("did you mean \"finix\""))
    }

    @Test func `rules are listed and explained`() throws {
        let list = try Self.contract("list")
        #expect(list.code == 0)
        let lines = list.output.split(separator: "\n")
        #expect(lines.count >= 120)
        #expect(lines.allSatisfy { $0.firstMatch(of: /^[A-Z]{3,4}-\d\d\s/) != nil })
        let explained = try Self.contract("explain HOLD-12").output
        for part in ["HOLD-12 a capture in part", "must", "1.0.0", "followUp.capture", "likely"] {
            #expect(explained.contains(part))
        }
    }

    @Test func `reports are compared`() throws {
        let till = try Till()
        _ = try Self.contract("run finix --rule sale --report a.json", in: till)
        _ = try Self.contract("run finix --rule sale --report b.json", in: till)
        _ = try Self.contract("run revolut --rule sale --report c.json", in: till)
        #expect(try Self.contract("diff a.json b.json", in: till).code == 0)
        let other = try Self.contract("diff a.json c.json", in: till)
        #expect(other.code == 1)
        #expect(other.output.contains("adapter: finix -> revolut"))
        #expect(other.output.contains("capability: - kind.authorization"))
    }

    @Test func `a new adapter is a package that says what to do next`() throws {
        let till = try Till()
        let line = "new Zebra --at zebra --package \(Repository.root.path)"
        let run = try Self.contract(line, in: till)
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.contains("swift test"))
        let folder = till.path + "/zebra"
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
        for file in [
            "Package.swift", "Sources/Zebra/ZebraProvider.swift",
            "Sources/Zebra/ZebraBackOffice.swift", "Sources/Zebra/ZebraEmulator.swift",
            "Tests/ZebraTests/ZebraHarness.swift", "Tests/ZebraTests/ContractTests.swift",
        ] {
            #expect(files.contains(file))
        }
        let manifest = try Data(contentsOf: URL(fileURLWithPath: folder + "/Package.swift"))
        #expect(String(decoding: manifest, as: UTF8.self).contains(Repository.root.path))
        let again = try Self.contract(line, in: till)
        #expect(again.code == 64)
        #expect(again.errors.contains("is not empty"))
    }
}
