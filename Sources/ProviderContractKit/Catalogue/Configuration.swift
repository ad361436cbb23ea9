import AcquirerSimulation
import PaymentCore
import ReaderSimulation
import Simulation

/// What the configuration says.
enum Configuration {
    static let rules: [ContractRule] = faults + rest

    private static let cause = "the factory does not read its section strictly, or not to its end"

    /// Sections with a fault; each is a problem with a place, and nothing is sent.
    private static let faults: [ContractRule] = [
        ("01", "an unknown key", #""colour": "red", "#),
        ("02", "a key with a typo", #""enviroment": "simulated", "#),
        ("03", "a key whose value is of another type", #""environment": 7, "#),
        ("04", "an environment that there is not", #""environment": "moon", "#),
    ].map { number, name, text in
        ContractRule(
            "CONF-\(number)",
            .must,
            "a section with \(name) is refused with its line and path, and nothing is sent",
            likelyCause: cause
        ) { bench in
            let problems = try problems(with: spoiled(bench.harness.section, with: text), bench)
            try bench.expect("problems", !problems.isEmpty, got: "none")
            let path = "providers.\(bench.harness.provider)"
            let told = problems.contains { "\($0)".contains(path) }
            try bench.expect("a problem at \(path)", told, got: "\(problems)")
            try bench.expect("requests", bench.wire.total, 0)
        }
    }

    private static func spoiled(_ section: String, with text: String) -> String {
        let member = /"environment"\s*:\s*"[^"]*"/
        if text.hasPrefix(#""environment""#), section.contains(member) {
            // In its place: a key that stands twice is a fault of its own.
            return section.replacing(member, with: String(text.dropLast(2)))
        }
        var section = section
        if let brace = section.firstIndex(of: "{") {
            section.insert(contentsOf: " " + text, at: section.index(after: brace))
        }
        return section
    }

    private static func problems(
        with section: String,
        _ bench: ContractBench
    ) throws -> [ConfigurationProblem] {
        let configuration = PointOfSaleConfiguration(text: bench.configuration(section: section))
        return configuration.problems([bench.stage.factory])?.problems ?? []
    }

    private static let rest: [ContractRule] = [
        ContractRule(
            "CONF-11",
            .must,
            "an empty section names at least one key that is missing",
            likelyCause: cause
        ) { bench in
            let problems = try problems(with: "{}", bench)
            try bench.expect("problems", !problems.isEmpty, got: "none")
        },
        ContractRule(
            "CONF-12",
            .must,
            "the harness's own section has no problem",
            likelyCause: "the harness's section is out of date"
        ) { bench in
            let problems = try problems(with: bench.harness.section, bench)
            try bench.expect("problems", problems.map(\.description), [])
        },
        ContractRule(
            "CONF-13",
            .must,
            "opening sends nothing",
            likelyCause: "the adapter talks to its acquirer as it is made"
        ) { bench in
            _ = try await bench.open()
            await bench.pass(.seconds(60))
            try bench.expect("requests", bench.wire.total, 0)
        },
        ContractRule(
            "CONF-14",
            .must,
            "two starts have one account",
            likelyCause: "the account holds something that differs from start to start"
        ) { bench in
            let first = try await bench.open().account
            let second = try await bench.open().account
            try bench.expect("the account", second, first)
            try bench.expect("its provider", first.provider, bench.harness.provider)
        },
        ContractRule(
            "CONF-15",
            .must,
            "what a wrong section says does not repeat the value of a secret",
            likelyCause: "a problem quotes what it found"
        ) { bench in
            let spoilt = spoiled(bench.harness.section, with: #""colour": "red", "#)
            let told = try problems(with: spoilt, bench).map(\.description).joined()
            for secret in bench.harness.secrets {
                try bench.expect("a secret", told.contains(secret), false)
            }
            try bench.expect("problems", !told.isEmpty, got: "none")
        },
    ]
}
