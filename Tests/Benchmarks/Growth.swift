import PaymentCore

/// How the cost of a payment changes as payments pile up.
struct Growth {
    private let most: Int

    init(_ options: BenchOptions) { most = options.most }

    /// Prints one row for each power of ten.
    func print() async throws {
        let sizes = [100, 1_000, 10_000, 100_000, 1_000_000].filter { $0 <= most }
        Swift.print("payments    in memory   journaled   a sync      opening     a payment done")
        for size in sizes {
            let memory = try await inMemory(size)
            let journaled = try await journaled(size)
            let opening = try await RecoveryBenchmark.opening(size * 2)
            let kept = try await MemoryBenchmark.growth(max(size, 512))
            let cells = [
                String(size), Unit.nanoseconds.text(memory),
                Unit.nanoseconds.text(journaled.subject),
                Unit.nanoseconds.text(journaled.reference),
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

    /// The same with a journal that already holds the others, and what a sync beside it costs.
    private func journaled(_ size: Int) async throws -> Pair {
        let folder = try ScratchFolder()
        let path = folder.path + "/a.journal"
        let (last, rounds) = (min(size, 100), 5)
        if size > last { _ = try await GrownJournal.write((size - last) * 2, to: path) }
        let journal = try await FileAttemptJournal.open(path: path, environment: .live)
        let file = try SyncedFile(folder.path + "/reference")
        let pointOfSale = try await Shop.open(ApprovingProvider(), journal: journal)
        var taken = 0
        let pair = try await Measuring.alternate(rounds: rounds) {
            let orders = taken..<taken + last / rounds
            taken = orders.upperBound
            return try await Measuring.nanoseconds(each: orders.count) {
                try await Shop.take(orders, at: pointOfSale)
            }
        } reference: {
            try Measuring.nanosecondsNow(each: last) {
                for _ in 0..<last { try file.append() }
            }
        }
        await journal.close()
        return pair
    }
}
