public import PaymentCore

extension Scenario {
    /// Reads a scenario, and checks all of it before anything runs.
    ///
    /// - Parameters:
    ///   - text: One JSON object in UTF-8.
    ///   - file: What problems call the text.
    /// - Returns: The scenario.
    /// - Throws: Everything that is wrong, each with its line and path.
    public static func read(
        _ text: [UInt8],
        file: String = "scenario"
    ) throws(ConfigurationProblems) -> Scenario {
        try ConfigurationSection.read(text, file: file, secrets: noSecrets, scenario)
    }

    /// Reads a scenario file.
    ///
    /// - Parameter path: The file.
    /// - Returns: The scenario.
    /// - Throws: Everything that is wrong, each with its line and path.
    public static func read(fileAt path: String) throws(ConfigurationProblems) -> Scenario {
        try ConfigurationSection.read(fileAt: path, secrets: noSecrets, scenario)
    }

    /// A scenario holds no credentials, so there is nothing to look up.
    private static let noSecrets = SecretSources(environment: { _ in nil }, file: { _ in [] })

    private static func scenario(_ section: ConfigurationSection) -> Scenario? {
        let schema = section.oneOf("schema", [Self.schema])
        let name = section.string("name")
        let note = section.string("note", default: "")
        let seed = section.wholeNumber("seed", in: 0...Int.max, default: 1)
        let device = ScenarioDevice.read(section)
        let tokens = ScenarioTokens.read(section)
        let sale = sale(section)
        let script = ScenarioScript.script(section)
        let faults = section.sections("faults").map { $0.map(ScenarioFaults.fault) }
        let standIns = standIns(section)
        let expect = expectation(section)
        section.finish()
        guard schema != nil, let name, let note, let seed, let device, let tokens, let sale,
            let steps = script, let faults, let standIns, let expect,
            case let known = faults.compactMap(\.self), known.count == faults.count
        else { return nil }
        guard ScenarioScript.canRun(steps, in: section) else { return nil }
        return Scenario(
            name,
            note: note,
            seed: UInt64(seed),
            device: device,
            tokens: tokens,
            sale: sale,
            script: steps.map(\.step),
            faults: known,
            standIns: standIns,
            expect: expect
        )
    }

    private static func sale(_ section: ConfigurationSection) -> Sale? {
        guard let section = section.sectionOrEmpty("sale") else { return nil }
        var sale = Sale()
        let kinds = ReadRequest.Kind.allCases.map(\.rawValue)
        let kind = section.oneOf("kind", kinds, default: sale.kind.rawValue)
        let amount = section.wholeNumber(
            "amount",
            in: Int.min...Int.max,
            default: Int(sale.minorUnits)
        )
        let currency = section.string("currency", default: sale.currency)
        let count = section.wholeNumber("count", in: 1...1_000, default: 1)
        let pause = section.duration("pause", default: .zero)
        let preferred = section.strings("preferredApplications", default: [])
        section.finish()
        guard let kind = kind.flatMap(ReadRequest.Kind.init), let amount, let currency, let count,
            let pause, let preferred
        else { return nil }
        sale.kind = kind
        sale.minorUnits = Int64(amount)
        sale.currency = currency
        sale.count = count
        sale.pause = pause
        sale.preferredApplications = preferred
        return sale
    }

    private static func standIns(_ section: ConfigurationSection) -> [String: String]? {
        guard let section = section.sectionOrEmpty("standIn") else { return nil }
        var shapes: [String: String] = [:]
        for (vendor, names) in Scenario.standInShapes.sorted(by: { $0.key < $1.key })
        where section.has(vendor) {
            guard let shape = section.oneOf(vendor, names) else { return nil }
            shapes[vendor] = shape
        }
        section.finish()
        return shapes
    }

    private static func expectation(_ section: ConfigurationSection) -> Expectation? {
        guard let section = section.sectionOrEmpty("expect") else { return nil }
        var expect = Expectation()
        expect.events = section.list("events", ScenarioScript.checkedEvent)
        expect.outcome = section.optionalString("outcome")
        expect.told = section.list("told") { _, text in text }
        expect.state = section.optionalString("state")
        if section.has("charges") {
            expect.charges = section.wholeNumber("charges", in: 0...1_000)
        }
        if section.has("moved") {
            expect.moved = section.wholeNumber("moved", in: 0...Int.max).map(Int64.init)
        }
        let exceptions = section.strings(
            "except",
            among: (1...14).map { "I-\($0)" },
            default: []
        )
        section.finish()
        guard let exceptions else { return nil }
        expect.exceptions = Set(exceptions)
        return expect
    }
}
