/// One benchmark: a name, and what it finds.
struct Benchmark: Sendable {
    let name: String
    let run: @Sendable (BenchOptions) async throws -> [Finding]

    /// The twelve, in the order in which they are reported.
    static let all = [
        Benchmark(name: "payment", run: PaymentBenchmark.run),
        Benchmark(name: "journaled", run: JournaledBenchmark.run),
        Benchmark(name: "group-commit", run: GroupCommitBenchmark.run),
        Benchmark(name: "recovery", run: RecoveryBenchmark.run),
        Benchmark(name: "adapter", run: AdapterBenchmark.run),
        Benchmark(name: "loopback", run: LoopbackBenchmark.run),
        Benchmark(name: "in-flight", run: InFlightBenchmark.run),
        Benchmark(name: "memory", run: MemoryBenchmark.run),
        Benchmark(name: "emulator", run: EmulatorBenchmark.run),
        Benchmark(name: "contract", run: ContractBenchmark.run),
        Benchmark(name: "money", run: MoneyBenchmark.run),
        Benchmark(name: "start", run: StartBenchmark.run),
    ]
}

/// Something that a benchmark needs and this machine does not have; gates nothing.
struct Absence: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// How far figures may be from their targets in a quick run, which may also run unoptimized.
enum Limits {
    static let wide = 50.0
}

/// One figure against its target.
struct Finding: Sendable {
    enum Kind: Sendable {
        /// A time or a rate; depends on the machine, and is gated widely in a quick run.
        case time
        /// A count; the same on every machine.
        case count
        /// A figure without a target, for whoever reads the others.
        case told
        /// Not measured here.
        case absent
        /// The benchmark itself failed.
        case broken
    }

    let name: String
    let kind: Kind
    var subject = ""
    var reference = ""
    var ratio = Ratio(median: 0, least: 0, most: 0)
    var target = 0.0
    /// Whether more is better.
    var isAtLeast = false
    /// How far a quick run lets it be from its target.
    var gate = Limits.wide

    var isMet: Bool { isMet(within: 1) }

    /// Whether the target would be met if it were so many times wider.
    func isMet(within factor: Double) -> Bool {
        switch kind {
        case .absent, .told: true
        case .broken: false
        case .time, .count:
            isAtLeast ? ratio.median * factor >= target : ratio.median <= target * factor
        }
    }

    static func absent(_ name: String, _ why: String) -> Finding {
        Finding(name: name, kind: .absent, subject: why)
    }

    static func told(_ name: String, _ what: String) -> Finding {
        Finding(name: name, kind: .told, subject: what)
    }

    static func broken(_ name: String, _ why: String) -> Finding {
        Finding(name: name, kind: .broken, subject: why)
    }

    /// A subject in proportion to a reference of the same run.
    static func ratio(
        _ name: String,
        _ pair: Pair,
        _ unit: Unit,
        over reference: String,
        atMost target: Double
    ) -> Finding {
        Finding(
            name: name,
            kind: .time,
            subject: unit.text(pair.subject),
            reference: "\(unit.text(pair.reference)) \(reference)",
            ratio: pair.ratio,
            target: target
        )
    }

    /// A subject in proportion to a limit that is a number of its own.
    static func limit(
        _ name: String,
        _ samples: [Double],
        _ unit: Unit,
        _ limit: Double,
        kind: Kind = .time,
        isAtLeast: Bool = false
    ) -> Finding {
        Finding(
            name: name,
            kind: kind,
            subject: unit.text(samples.median),
            reference: "\(unit.text(limit)) allowed",
            ratio: Ratio(samples.map { $0 / limit }),
            target: 1,
            isAtLeast: isAtLeast
        )
    }

    /// The same with a gate of its own, for what is known to be far from its target.
    func gated(within factor: Double) -> Finding {
        var finding = self
        finding.gate = factor
        return finding
    }

    /// A count that is the same on every machine.
    static func count(
        _ name: String,
        _ value: Double,
        _ unit: Unit,
        atMost limit: Double
    ) -> Finding {
        Self.limit(name, [value], unit, limit, kind: .count)
    }
}
