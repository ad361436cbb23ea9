import PaymentCore
import Synchronization

/// What payments that run, and payments that are done, keep in memory.
enum MemoryBenchmark {
    static func run(_ options: BenchOptions) async throws -> [Finding] {
        let running = options.isQuick ? 500 : 100_000
        let done = options.isQuick ? 1_024 : 1_000_000
        return [
            .limit("memory.running", [try await inFlight(running)], .bytes, 3_000),
            .limit("memory.done", [try await growth(done)], .bytes, 4).gated(within: 5_000),
        ]
    }

    /// The bytes a payment that waits for its acquirer.
    private static func inFlight(_ count: Int) async throws -> Double {
        let provider = WaitingProvider()
        let journal = MemoryAttemptJournal()
        var tills: [PointOfSale] = []
        for _ in 0..<count { tills.append(try await Shop.open(provider, journal: journal)) }
        let before = try ProcessMemory.resident
        return try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, till) in tills.enumerated() {
                group.addTask { try await Shop.take(number..<number + 1, at: till) }
            }
            while provider.waiting < count { await Task.yield() }
            let after = try ProcessMemory.resident
            provider.gate.resolve(true)
            try await group.waitForAll()
            return (after - before) / Double(count)
        }
    }

    /// The bytes that a payment leaves behind once it is done, with the journal on: by how much the
    /// memory of the process grew while so many were taken, divided by their number.
    ///
    /// What is measured is ``ProcessMemory/kept``. Some payments are taken before, because the journal
    /// keeps the latest that ended in memory, however many there are.
    static func growth(_ count: Int) async throws -> Double {
        let folder = try ScratchFolder()
        let journal = try await FileAttemptJournal.open(
            path: folder.path + "/a.journal",
            environment: .live
        )
        let payers = 512
        let each = max(1, count / payers)
        _ = try await GroupCommitBenchmark.pay(payers, 4, "first", journal)
        let before = try ProcessMemory.kept
        _ = try await GroupCommitBenchmark.pay(payers, each, "then", journal)
        let after = try ProcessMemory.kept
        await journal.close()
        return max(0, after - before) / Double(each * payers)
    }
}

/// An acquirer that answers nobody until a gate opens.
final class WaitingProvider: PaymentProvider {
    let capabilities = ApprovingProvider().capabilities
    let gate = OneShot<Bool>()
    private let count = Mutex(0)

    var waiting: Int { count.withLock { $0 } }

    func readiness() -> ProviderReadiness { ApprovingProvider().readiness() }
    func device() -> String? { "D1" }
    func prepare() {}
    func cancel(_ attempt: AttemptID) -> Cancellation { .asked }

    func perform(_ attempt: PaymentAttempt, context: AttemptContext) async -> ProviderAnswer {
        count.withLock { $0 += 1 }
        _ = await gate.value()
        return ApprovingProvider.approval(of: attempt)
    }
}
