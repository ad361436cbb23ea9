import Foundation

/// The spread of a figure over the rounds of a run.
struct Ratio: Sendable {
    var median: Double
    var least: Double
    var most: Double

    init(median: Double, least: Double, most: Double) {
        self.median = median
        self.least = least
        self.most = most
    }

    init(_ values: [Double]) {
        median = values.median
        least = values.min() ?? 0
        most = values.max() ?? 0
    }
}

/// What subject and reference took in the same run, in nanoseconds an operation.
struct Pair: Sendable {
    let subject: Double
    let reference: Double
    let ratio: Ratio
}

extension [Double] {
    var median: Double {
        guard !isEmpty else { return 0 }
        let sorted = sorted()
        let middle = count / 2
        return count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// The value that so large a part of all does not exceed.
    func quantile(_ part: Double) -> Double {
        guard !isEmpty else { return 0 }
        return sorted()[Swift.min(count - 1, Int(part * Double(count)))]
    }
}

/// How figures are written.
enum Unit: Sendable {
    case nanoseconds
    case bytes
    case each(String)

    func text(_ value: Double) -> String {
        switch self {
        case .nanoseconds:
            switch value {
            case ..<1_000: Self.short(value) + " ns"
            case ..<1_000_000: Self.short(value / 1e3) + " µs"
            case ..<1_000_000_000: Self.short(value / 1e6) + " ms"
            default: Self.short(value / 1e9) + " s"
            }
        case .bytes:
            switch value {
            case ..<10_000: Self.short(value) + " B"
            case ..<10_000_000: Self.short(value / 1e3) + " kB"
            default: Self.short(value / 1e6) + " MB"
            }
        case .each(let name): Self.short(value) + " " + name
        }
    }

    static func short(_ value: Double) -> String {
        if value == 0 { return "0" }
        let digits = abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : abs(value) >= 0.1 ? 2 : 4
        return String(format: "%.\(digits)f", value)
    }
}

/// Runs things and takes the time.
enum Measuring {
    /// The nanoseconds that something took, for each of so many operations.
    static func nanoseconds(each count: Int, _ body: () async throws -> Void) async rethrows
        -> Double
    {
        let clock = ContinuousClock()
        let start = clock.now
        try await body()
        return (clock.now - start).nanoseconds / Double(count)
    }

    /// The same for what does not wait.
    static func nanosecondsNow(each count: Int, _ body: () throws -> Void) rethrows -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        try body()
        return (clock.now - start).nanoseconds / Double(count)
    }

    /// Alternates subject and reference and drops the first round of both.
    static func alternate(
        rounds: Int,
        subject: () async throws -> Double,
        reference: () async throws -> Double
    ) async rethrows -> Pair {
        var subjects: [Double] = []
        var references: [Double] = []
        for round in 0...rounds {
            let one = try await subject()
            let other = try await reference()
            guard round > 0 else { continue }
            subjects.append(one)
            references.append(other)
        }
        let (one, other) = (subjects.median, references.median)
        let ratios = zip(subjects, references).map { $0 / $1 }
        return Pair(
            subject: one,
            reference: other,
            ratio: Ratio(
                median: one / other,
                least: ratios.min() ?? 0,
                most: ratios.max() ?? 0
            )
        )
    }

    /// Repeats something and drops its first round.
    static func rounds(_ count: Int, _ body: () async throws -> Double) async rethrows -> [Double] {
        _ = try await body()
        var values: [Double] = []
        for _ in 0..<count { values.append(try await body()) }
        return values
    }
}

extension Duration {
    var nanoseconds: Double {
        Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
    }
}

/// Keeps a result alive, so that what made it is not taken away.
@inline(never) func keep<Value>(_ value: borrowing Value) {}
