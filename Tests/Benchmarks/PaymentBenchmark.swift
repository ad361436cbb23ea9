import PaymentCore
import ReaderSimulation
import Simulation

/// A payment through the point of sale with nothing slow behind it.
enum PaymentBenchmark {
    static func run(_ options: BenchOptions) async throws -> [Finding] {
        let (rounds, count) = options.isQuick ? (2, 100) : (7, 2_000)
        let reading = try await Measuring.rounds(rounds) { try readerRound(count) }
        let pointOfSale = try await Shop.open(ApprovingProvider())
        var next = 0
        let alone = try await Measuring.rounds(rounds) {
            let orders = next..<next + count
            next += count
            return try await Measuring.nanoseconds(each: count) {
                try await Shop.take(orders, at: pointOfSale)
            }
        }
        let observed = try await observing(rounds, count)
        let least = await Measuring.rounds(rounds) {
            await Measuring.nanoseconds(each: count) { await tasks(count) }
        }
        return [
            .limit("payment.reader", reading, .nanoseconds, 3_000).gated(within: 500),
            .told("payment.task", Unit.nanoseconds.text(least.median)),
            .limit("payment.layer", alone, .nanoseconds, 3_000).gated(within: 500),
            // A difference of two figures, of which noise is most in a short run.
            .limit("payment.observer", [observed], .nanoseconds, 500).gated(within: 5_000),
        ]
    }

    /// The least that a payment can cost which does not end with whoever asked for it: a task that is
    /// started and waited for, in which a vendor is called twice.
    static func tasks(_ count: Int) async {
        let provider: any PaymentProvider = ApprovingProvider()
        for _ in 0..<count {
            await withCheckedContinuation { continuation in
                Task {
                    keep(await provider.device())
                    keep(await provider.device())
                    continuation.resume()
                }
            }
        }
    }

    /// Payments in a simulation whose reader takes no time.
    static func readerRound(_ count: Int) throws -> Double {
        let time = SimulatedTime()
        let reader = SimulatedReader(device: ReadingProvider.device(time))
        let taken = try time.run("payments") { () async -> Result<Double, any Error> in
            do {
                let pointOfSale = try await Shop.open(
                    ReadingProvider(reader: reader),
                    environment: time.environment
                )
                return .success(
                    try await Measuring.nanoseconds(each: count) {
                        try await Shop.take(0..<count, at: pointOfSale)
                    }
                )
            } catch {
                return .failure(error)
            }
        }
        return try taken.get()
    }

    /// What it costs that somebody looks at every event.
    private static func observing(_ rounds: Int, _ count: Int) async throws -> Double {
        let pointOfSale = try await Shop.open(ApprovingProvider())
        var next = 0
        var seen = 0
        func orders() -> Range<Int> {
            defer { next += count }
            return next..<next + count
        }
        let pair = try await Measuring.alternate(rounds: rounds) {
            try await Measuring.nanoseconds(each: count) {
                try await Shop.take(orders(), at: pointOfSale) { event in
                    if case .finished = event.kind { seen += 1 }
                }
            }
        } reference: {
            try await Measuring.nanoseconds(each: count) {
                try await Shop.take(orders(), at: pointOfSale)
            }
        }
        keep(seen)
        return max(0, pair.subject - pair.reference)
    }
}

/// Subjects that are run alone, so that callgrind can count their instructions.
enum Repeating {
    static let names = ["task", "payment", "reader", "refund"]

    static func run(_ name: String, _ count: Int) async throws {
        switch name {
        case "task": await PaymentBenchmark.tasks(count)
        case "payment":
            try await Shop.take(0..<count, at: try await Shop.open(ApprovingProvider()))
        case "reader": keep(try PaymentBenchmark.readerRound(count))
        default: try await AdapterBenchmark.refund(count)
        }
    }
}
