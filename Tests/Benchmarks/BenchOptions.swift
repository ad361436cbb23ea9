/// What the command line asks for.
struct BenchOptions: Sendable {
    var names: [String] = []
    var isJSON = false
    var isQuick = false
    var showsGrowth = false
    var showsHelp = false
    /// The largest count of payments in a growth curve.
    var most = 1_000_000
    /// A subject that is only run so many times, for callgrind.
    var repeated: (name: String, count: Int)?

    static let help = """
        Usage: bench [NAME…] [--only NAME] [--quick] [--json] [--growth [--most N]]
               bench --repeat SUBJECT COUNT

        Without names every benchmark runs: \(Benchmark.all.map(\.name).joined(separator: ", ")).
          --quick    few rounds; counts are exact, times may be \(Limits.wide) times the target
          --json     one object in place of the table
          --growth   cost by the count of payments, from 1e2 to N (1000000)
          --repeat   runs a subject alone, for callgrind: \(Repeating.names.joined(separator: ", "))
        """

    init(_ words: [String]) throws(BenchUsage) {
        var words = words[...]
        while let word = words.popFirst() {
            switch word {
            case "--json": isJSON = true
            case "--quick": isQuick = true
            case "--growth": showsGrowth = true
            case "--help", "-h": showsHelp = true
            case "--only": names.append(try Self.name(words.popFirst()))
            case "--most": most = try Self.count(words.popFirst(), of: word)
            case "--repeat":
                guard let name = words.popFirst(), Repeating.names.contains(name) else {
                    throw BenchUsage(
                        "--repeat: accepted is one of \(Repeating.names.joined(separator: ", "))"
                    )
                }
                repeated = (name, try Self.count(words.popFirst(), of: word))
            default: names.append(try Self.name(word))
            }
        }
    }

    func picks(_ benchmark: Benchmark) -> Bool {
        names.isEmpty || names.contains(benchmark.name)
    }

    private static func name(_ word: String?) throws(BenchUsage) -> String {
        let known = Benchmark.all.map(\.name)
        guard let word, known.contains(word) else {
            throw BenchUsage(
                "no benchmark \"\(word ?? "")\"; accepted: \(known.joined(separator: ", "))"
            )
        }
        return word
    }

    private static func count(_ word: String?, of option: String) throws(BenchUsage) -> Int {
        guard let word, let count = Int(word), 1...10_000_000 ~= count else {
            throw BenchUsage("\(option): accepted is a whole number from 1 to 10000000")
        }
        return count
    }
}

/// What is wrong with a command line.
struct BenchUsage: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
