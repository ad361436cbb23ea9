import AcquirerSimulation
import PaymentCore
import ReaderSimulation
import Simulation
import Synchronization

/// Runs rules at one adapter, each in a world of its own.
public struct ContractRunner: Sendable {
    /// The adapter.
    public let harness: any ContractHarness
    /// What all chance follows from.
    public let seed: UInt64
    /// What the adapter declares and the harness can make happen.
    public let capabilities: Set<ContractCapability>
    private let command: @Sendable (_ rule: String, _ seed: UInt64) -> String

    /// Prepares to run rules.
    ///
    /// - Parameters:
    ///   - harness: The adapter.
    ///   - seed: What all chance follows from.
    ///   - command: The command that runs one rule again.
    /// - Throws: ``ContractFailure`` when the adapter cannot even be made.
    public init(
        _ harness: any ContractHarness,
        seed: UInt64 = 1,
        command: @escaping @Sendable (_ rule: String, _ seed: UInt64) -> String = Self.testCommand
    ) throws(ContractFailure) {
        self.harness = harness
        self.seed = seed
        self.command = command
        let bench = ContractBench(harness, seed: seed)
        let opened = Self.run(bench, "making the adapter") {
            let acquirers = try await bench.open().acquirers
            return acquirers.first.map(ContractCapability.declared) ?? []
        }
        capabilities = try opened.get().union(harness.facets)
    }

    /// How a rule is run again by a package's own tests.
    public static func testCommand(_ rule: String, _ seed: UInt64) -> String {
        "CONTRACT_RULE=\(rule) CONTRACT_SEED=\(seed) swift test"
    }

    /// Finds out about one rule.
    ///
    /// - Parameters:
    ///   - rule: The rule.
    ///   - whateverIsDeclared: Whether it is run even where the capabilities do not call for it.
    /// - Returns: What became of it.
    public func run(
        _ rule: ContractRule,
        whateverIsDeclared: Bool = false
    ) -> ContractResult {
        let deviation = harness.deviations.first { $0.rule == rule.id }
        if !whateverIsDeclared, let reason = rule.reasonToSkip(with: capabilities) {
            return ContractResult(rule: rule.id, status: .skipped, reason: reason, failure: nil)
        }
        let bench = ContractBench(harness, seed: seed, schedule: rule.schedule)
        let checked = Self.run(bench, rule.id) { try await rule.check(bench) }
        switch checked {
        case .success where deviation != nil:
            return ContractResult(
                rule: rule.id,
                status: .deviationPasses,
                reason: "it is declared as a deviation, and is kept: remove the declaration",
                failure: nil
            )
        case .success:
            return ContractResult(rule: rule.id, status: .passed, reason: nil, failure: nil)
        case .failure(let failure):
            return ContractResult(
                rule: rule.id,
                status: deviation == nil ? .failed : .deviates,
                reason: deviation?.reason,
                failure: told(failure, about: rule, bench)
            )
        }
    }

    private func told(
        _ failure: ContractFailure,
        about rule: ContractRule,
        _ bench: ContractBench
    ) -> ContractResult.Failure {
        ContractResult.Failure(
            subject: failure.subject,
            expected: Scrubbing.scrub(failure.expected),
            got: Scrubbing.scrub(failure.got),
            steps: bench.steps.map(Scrubbing.scrub),
            wire: bench.wire.requests.suffix(Self.mostRequests).map(\.line),
            likelyCause: rule.likelyCause,
            seed: seed,
            command: command(rule.id, seed)
        )
    }

    /// Runs something in a bench's own time; a hang, an endless loop and a refusal are failures.
    private static func run<Value: Sendable>(
        _ bench: ContractBench,
        _ name: String,
        _ body: @escaping @Sendable () async throws -> Value
    ) -> Result<Value, ContractFailure> {
        var driving = Driving()
        let count = Counter()
        driving.isAbandoned = { count.next() > mostSteps }
        do {
            return try bench.world.time.run(name, driving: driving) {
                () async -> Result<Value, ContractFailure> in
                do {
                    return .success(try await body())
                } catch let failure as ContractFailure {
                    return .failure(failure)
                } catch {
                    return .failure(
                        ContractFailure(name, expected: "no error", got: "\(error)")
                    )
                }
            }
        } catch SimulationStop.hang(let what) {
            return .failure(
                ContractFailure(
                    "the end of what was asked for",
                    expected: "one",
                    got: "a hang: \(what)"
                )
            )
        } catch {
            return .failure(
                ContractFailure(
                    "the end of what was asked for",
                    expected: "one",
                    got: "more than \(mostSteps) steps"
                )
            )
        }
    }

    /// After so many steps nobody believes in an end any more.
    private static let mostSteps = 400_000
    /// How many requests the report of a failure shows.
    private static let mostRequests = 40
}

/// Counts from one.
private final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
