import AcquirerSimulation
import PaymentCore
import ReaderSimulation
import Simulation

/// What happens at once, in other orders.
enum Concurrency {
    static let rules: [ContractRule] = schedules + cancels + rest

    private static let cause = "two things of the adapter's depend on which of them comes first"

    private static let schedules: [ContractRule] = (1...5).map { index in
        ContractRule(
            "CONC-0\(index)",
            needs: [.sale],
            "a sale and one that is refused meanwhile are one charge, in order \(index)",
            likelyCause: cause,
            schedule: UInt64(index) * 7_919
        ) { bench in
            let pointOfSale = try await bench.ready()
            async let one = bench.sale(at: pointOfSale)
            async let other = bench.sale(1_250, "o2", at: pointOfSale)
            async let readiness = pointOfSale.acquirers[0].provider.readiness()
            let told = try await (one, other)
            _ = await readiness
            let names = [told.0.name, told.1.name].sorted()
            try bench.expect("both", names, ["approved", "refused busy"])
            try bench.expectMoney(charged: 1_250)
        }
    }

    private static let cancels: [ContractRule] = (1...5).map { index in
        ContractRule(
            "CONC-1\(index)",
            needs: [.sale, .cancelFromCode],
            "two requests to cancel at once are told as the ledger has it, in order \(index)",
            likelyCause: cause,
            schedule: UInt64(index) * 104_729
        ) { bench in
            let pointOfSale = try await bench.ready()
            async let told = bench.sale(at: pointOfSale)
            try? await bench.world.time.clock.sleep(for: .milliseconds(3 * index))
            async let one = pointOfSale.cancel("o1")
            async let other = pointOfSale.cancel("o1")
            _ = await (one, other)
            let end = try await told
            try bench.expect("the sale", end.name, oneOf: ["approved", "cancelled"])
            try await bench.prove(end, at: pointOfSale)
        }
    }

    private static let rest: [ContractRule] = [
        ContractRule(
            "CONC-21",
            needs: [.sale, .books],
            "resolving from two places at once finds one payment",
            likelyCause: cause,
            schedule: 31
        ) { bench in
            let pointOfSale = try await bench.ready()
            bench.wire.fail(.payment, by: .answerLost)
            bench.wire.cutBooks()
            let told = try await bench.sale(at: pointOfSale)
            guard case .unresolved(let payment) = told.outcome else {
                throw bench.unexpected("the sale", "unresolved", told.name)
            }
            bench.wire.heal()
            async let one = pointOfSale.resolve(payment)
            async let other = pointOfSale.resolve(payment)
            let found = await [one.name, other.name]
            try bench.expect("both", found, ["approved", "approved"])
            try bench.expectMoney(charged: 1_250)
        },
        ContractRule(
            "CONC-22",
            needs: [.sale, .refund],
            "a sale and a refund of an earlier one do not disturb each other",
            likelyCause: cause,
            schedule: 37
        ) { bench in
            let pointOfSale = try await bench.ready()
            let receipt = try await bench.paid(at: pointOfSale)
            try? await pointOfSale.prepare()
            async let sale = bench.sale(at: pointOfSale)
            async let refund = bench.refund(receipt, 800, at: pointOfSale)
            let told = try await (sale, refund)
            try bench.expect("the sale", told.0.name, "approved")
            try bench.expect("the refund", told.1.isAccepted, got: told.1.name)
            try bench.expectMoney(charged: 3_250, refunded: 800)
        },
        ContractRule(
            "CONC-23",
            .should,
            needs: [.sale],
            "the same seed gives the same run, to the last request",
            likelyCause: "the adapter takes time or chance from elsewhere than its environment"
        ) { bench in
            _ = try await bench.sale(at: try await bench.ready())
            let lines = bench.wire.requests.map(\.line)
            let twin = ContractBench(bench.harness, seed: bench.world.time.seed)
            let end = bench.world.time.clock.now.offset
            let told: [String]? = try? twin.world.time.run("twin") {
                _ = try? await twin.sale(at: twin.ready())
                return twin.wire.requests.map(\.line)
            }
            try bench.expect("requests", told ?? [], lines)
            try bench.expect("the end", twin.world.time.clock.now.offset, end)
        },
    ]
}
