import PaymentCore

/// How the cost of a payment changes as payments pile up.
struct Growth {
    private let most: Int

    init(_ options: BenchOptions) { most = options.most }

    /// Prints one row for each power of ten.
    func print() async throws {
        let sizes = [100, 1_000, 10_000, 100_000, 1_000_000].filter { $0 <= most }
        Swift.print("payments   in memory   journaled    opening      a payment done")
        for size in sizes {
            let memory = try await inMemory(size)
            let journaled = try await journaled(size)
            let opening = try await RecoveryBenchmark.opening(size * 2)
            let kept = try await MemoryBenchmark.growth(max(size, 512))
            let cells = [
                String(size), Unit.nanoseconds.text(memory), Unit.nanoseconds.text(journaled),
                Unit.nanoseconds.text(opening.time), Unit.bytes.text(kept),
            ]
            let padded = cells.map { $0 + String(repeating: " ", count: max(1, 12 - $0.count)) }
            Swift.print(padded.joined())
        }
    }

    /// What the last of so many payments cost, in memory.
    private func inMemory(_ size: Int) async throws -> Double {
        let pointOfSale = try await Shop.open(ApprovingProvider())
        let last = min(size, 1_000)
        try await Shop.take(last..<size, at: pointOfSale)
        return try await Measuring.nanoseconds(each: last) {
            try await Shop.take(0..<last, at: pointOfSale)
        }
    }

    /// The same with a journal that already holds the others.
    private func journaled(_ size: Int) async throws -> Double {
        let folder = try ScratchFolder()
        let path = folder.path + "/a.journal"
        let last = min(size, 100)
        if size > last { _ = try await GrownJournal.write((size - last) * 2, to: path) }
        let journal = try await FileAttemptJournal.open(path: path, environment: .live)
        let pointOfSale = try await Shop.open(ApprovingProvider(), journal: journal)
        // The first sync also waits for what was written to make the journal so large.
        try await Shop.take(last..<last + 1, at: pointOfSale)
        let time = try await Measuring.nanoseconds(each: last) {
            try await Shop.take(0..<last, at: pointOfSale)
        }
        await journal.close()
        return time
    }
}
