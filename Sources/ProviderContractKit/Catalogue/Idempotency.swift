import AcquirerSimulation
import PaymentCore
import ReaderSimulation
import Simulation

/// The same thing asked for twice.
enum Idempotency {
    static let rules: [ContractRule] = refunds + captures + restarts

    private static let refunds: [ContractRule] = [
        ContractRule(
            "IDEM-01",
            needs: [.sale, .refund],
            "a refund asked for again under its name gives the first answer and nothing more",
            likelyCause: "the acquirer's key is made anew for each call"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let receipt = try await bench.paid(at: pointOfSale)
            for index in 0..<3 {
                let told = try await bench.refund(receipt, 800, at: pointOfSale)
                try bench.expect("call \(index)", told.isAccepted, got: told.name)
            }
            try bench.expectMoney(charged: 2_000, refunded: 800)
            try bench.expect("requests", bench.wire.count(.refund), 1)
        },
        ContractRule(
            "IDEM-02",
            needs: [.sale, .refund],
            "a name that was used for one amount is refused for another",
            likelyCause: "a refund is told as done and never made"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let receipt = try await bench.paid(at: pointOfSale)
            let first = try await bench.refund(receipt, 800, at: pointOfSale)
            try bench.expect("the first", first.isAccepted, got: first.name)
            let told = try await bench.refund(receipt, 900, at: pointOfSale)
            try bench.expect("the other amount", told.word, "refused")
            try bench.expectMoney(charged: 2_000, refunded: 800)
        },
        ContractRule(
            "IDEM-03",
            needs: [.sale, .refund],
            "two calls at once under one name are one refund",
            likelyCause: "the acquirer's key is made anew for each call"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let receipt = try await bench.paid(at: pointOfSale)
            async let one = bench.refund(receipt, 800, at: pointOfSale)
            async let other = bench.refund(receipt, 800, at: pointOfSale)
            _ = try await (one, other)
            try await bench.settle(pointOfSale)
            try bench.expectMoney(charged: 2_000, refunded: 800)
        },
        ContractRule(
            "IDEM-04",
            needs: [.sale, .refund],
            "two calls at once under two names never give back more than was paid",
            likelyCause: "the adapter tells a refund as done that the acquirer refused"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let receipt = try await bench.paid(at: pointOfSale)
            async let one = bench.refund(receipt, 1_500, id: "a", at: pointOfSale)
            async let other = bench.refund(receipt, 1_500, id: "b", at: pointOfSale)
            let told = try await (one, other)
            let accepted = [told.0, told.1].count(where: \.isAccepted)
            try bench.expect("accepted", accepted, 1)
            try bench.expectMoney(charged: 2_000, refunded: 1_500)
        },
        ContractRule(
            "IDEM-05",
            needs: [.sale, .refund, .books],
            "a refund whose answer was lost is made once, and found or put to a person",
            likelyCause: "a repeat goes out with another key, and the books are not read"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let receipt = try await bench.paid(at: pointOfSale)
            bench.wire.fail(.refund, by: .answerLost, times: nil)
            bench.wire.cutBooks()
            _ = try await bench.refund(receipt, 800, at: pointOfSale)
            bench.wire.heal()
            _ = try await bench.refund(receipt, 800, at: pointOfSale)
            try await found(bench, pointOfSale)
            let told = try await bench.refund(receipt, 800, at: pointOfSale)
            try bench.expect("the refund at last", told.isAccepted, got: told.name)
            try bench.expectMoney(charged: 2_000, refunded: 800)
        },
    ]

    /// Looks until the open refund is found; where the acquirer's records do not carry its key, a
    /// person picks the one candidate.
    private static func found(_ bench: ContractBench, _ pointOfSale: PointOfSale) async throws {
        guard let payment = await pointOfSale.unresolved.first else { return }
        await bench.pass(.seconds(1_200))
        let looked = await pointOfSale.resolve(payment)
        bench.step("resolve the refund: \(looked.name)")
        guard case .followUp(.unresolved(let open)) = looked else { return }
        try bench.expect("candidates for a person", open.candidates.map(\.amount.minorUnits), [800])
        let decision = PersonalVerdict.Decision.moved(open.candidates.first?.reference)
        let verdict = PersonalVerdict(decision, name: "Ada", reason: "it is the only one")
        try await pointOfSale.settle(open, as: verdict)
    }

    private static let captures: [ContractRule] = [
        ContractRule(
            "IDEM-11",
            needs: [.authorization, .capture],
            "a capture asked for again under its name gives the first answer and nothing more",
            likelyCause: "a repeated capture is sent again"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let hold = try await bench.hold(at: pointOfSale)
            for index in 0..<2 {
                let told = try await bench.capture(hold, 800, at: pointOfSale)
                try bench.expect("call \(index)", told.isAccepted, got: told.name)
            }
            try bench.expect("charged", bench.charged, 800)
        },
        ContractRule(
            "IDEM-12",
            needs: [.authorization, .capture],
            "two captures at once under two names charge a hold once",
            likelyCause: "the adapter tells a capture as done that the acquirer refused"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let hold = try await bench.hold(at: pointOfSale)
            async let one = bench.capture(hold, 800, id: "a", at: pointOfSale)
            async let other = bench.capture(hold, 800, id: "b", at: pointOfSale)
            let told = try await (one, other)
            try bench.expect("accepted", [told.0, told.1].count(where: \.isAccepted), 1)
            try bench.expect("charged", bench.charged, 800)
        },
        ContractRule(
            "IDEM-13",
            needs: [.authorization, .capture, .void],
            "a capture and a void at once leave the hold either charged or let go",
            likelyCause: "the adapter tells a follow-up as done that the acquirer refused"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let hold = try await bench.hold(at: pointOfSale)
            async let one = bench.capture(hold, 2_000, at: pointOfSale)
            async let other = bench.void(hold, at: pointOfSale)
            let told = try await (one, other)
            try bench.expect("one of both", told.0.isAccepted != told.1.isAccepted)
            try bench.expect("charged", bench.charged, told.0.isAccepted ? 2_000 : 0)
            try bench.expect("held", bench.held, told.1.isAccepted ? 0 : 2_000)
        },
    ]

    private static let restarts: [ContractRule] = [
        ContractRule(
            "IDEM-21",
            needs: [.sale, .refund],
            "a refund asked for again after a restart gives the first answer and nothing more",
            likelyCause: "the adapter's key depends on the process"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let receipt = try await bench.paid(at: pointOfSale)
            _ = try await bench.refund(receipt, 800, at: pointOfSale)
            let next = try await bench.restart()
            let told = try await bench.refund(receipt, 800, at: next)
            try bench.expect("the refund", told.isAccepted, got: told.name)
            try bench.expectMoney(charged: 2_000, refunded: 800)
        },
        ContractRule(
            "IDEM-22",
            needs: [.sale, .refund, .books],
            "a refund that a process left without its end is found by the next one, or a person",
            likelyCause: "the books side does not list refunds by the payment that they belong to"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let receipt = try await bench.paid(at: pointOfSale)
            let began = bench.journal.entries.count
            _ = try await bench.refund(receipt, 800, at: pointOfSale)
            let left = Array(bench.journal.entries.prefix(began + 1))
            let next = try await bench.restart(from: left)
            try await found(bench, next)
            let told = try await bench.refund(receipt, 800, at: next)
            try bench.expect("the refund", told.isAccepted, got: told.name)
            try bench.expectMoney(charged: 2_000, refunded: 800)
        },
        ContractRule(
            "IDEM-23",
            needs: [.sale],
            "two takes of one order at once are one charge",
            likelyCause: "the adapter submits a payment twice"
        ) { bench in
            let pointOfSale = try await bench.ready()
            async let one = bench.sale(at: pointOfSale)
            async let other = bench.sale(at: pointOfSale)
            let told = try await (one, other)
            let names = [told.0.name, told.1.name].sorted()
            try bench.expect("both", names, ["approved", "refused busy"])
            try bench.expectMoney(charged: 1_250)
        },
    ]
}
