import AcquirerSimulation
import PaymentCore
import ReaderSimulation
import Simulation

/// The journal, and starting from it.
enum Journaling {
    static let rules: [ContractRule] = replays + rest

    /// The process ends after so many entries of a payment that went wrong.
    private static let replays: [ContractRule] = zip(
        1...,
        [
            (1, ContractWire.Fault?.none), (2, nil), (1, .answerLost), (2, .answerLost),
            (3, .answerLost), (1, .requestLost), (2, .requestLost),
        ]
    ).map { index, situation in
        let (count, fault) = situation
        return ContractRule(
            "JRNL-0\(index)",
            needs: [.sale, .books],
            """
            starting again from the first \(count) entries of a sale \
            \(fault.map { "that met \($0)" } ?? "that went through") charges its order once
            """,
            likelyCause: "the adapter finds a payment again only by what is in memory"
        ) { bench in
            let pointOfSale = try await bench.ready()
            if let fault { bench.wire.fail(.payment, by: fault) }
            _ = try await bench.sale(at: pointOfSale)
            let left = Array(bench.journal.entries.prefix(count))
            let next = try await bench.restart(from: left)
            try await bench.settle(next)
            let before = bench.charged
            let again = try await bench.again(at: next)
            let expected = before == 0 ? "approved" : "refused alreadyPaid"
            try bench.expect("the order once more", again.name, expected)
            try bench.expectMoney(charged: 1_250)
        }
    }

    private static let rest: [ContractRule] = [
        ContractRule(
            "JRNL-11",
            needs: [.sale],
            "an attempt is in the journal before its card is submitted",
            likelyCause: "the adapter submits outside of `perform`"
        ) { bench in
            let pointOfSale = try await bench.ready()
            _ = try await bench.sale(at: pointOfSale)
            let submissions = bench.wire.requests.filter { $0.step == .payment }
            try bench.expect("submissions", submissions.count, 1)
            try bench.expect("entries by then", submissions.allSatisfy { $0.journaled >= 1 })
        },
        ContractRule(
            "JRNL-12",
            needs: [.sale],
            "a journal that is full refuses a sale, and no card is submitted",
            likelyCause: "the adapter submits outside of `perform`"
        ) { bench in
            let pointOfSale = try await bench.ready()
            bench.journal.fill()
            try await bench.expectRefused("the sale", "cannotRecord") {
                try await bench.sale(at: pointOfSale).name
            }
            try bench.expectMoney()
        },
        ContractRule(
            "JRNL-13",
            needs: [.sale, .refund],
            "a journal that is full refuses a refund, and none is sent",
            likelyCause: "the adapter sends requests outside of `perform`"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let receipt = try await bench.paid(at: pointOfSale)
            bench.journal.fill()
            try await bench.expectRefused("the refund", "cannotRecord") {
                try await bench.refund(receipt, 800, at: pointOfSale).name
            }
            try bench.expectMoney(charged: 2_000)
        },
        ContractRule(
            "JRNL-14",
            needs: [.sale],
            "a whole journal played again tells every order as it was told",
            likelyCause: "an answer of the adapter's cannot be kept"
        ) { bench in
            let pointOfSale = try await bench.ready()
            _ = try await bench.paid(700, "a1", at: pointOfSale)
            bench.world.issuer.script([.decline(.generic)])
            _ = try await bench.again(800, "a2", at: pointOfSale)
            let next = try await bench.restart()
            let paid = await next.receipt(for: "a1")?.approved.money?.minorUnits
            try bench.expect("the paid order", paid, 700)
            try bench.expect("the declined order", await next.receipt(for: "a2") == nil)
            try bench.expect("open", await next.unresolved.count, 0)
        },
        ContractRule(
            "JRNL-15",
            needs: [.sale, .books],
            "no record of the acquirer's settles two attempts",
            likelyCause: "a reference or marker does not depend on the attempt"
        ) { bench in
            let pointOfSale = try await bench.ready()
            for order in ["a1", "a2", "a3"] as [Order] {
                bench.wire.fail(.payment, by: .answerLost)
                _ = try await bench.again(700, order, at: pointOfSale)
            }
            try await bench.settle(pointOfSale)
            var references: [String] = []
            for order in ["a1", "a2", "a3"] as [Order] {
                let receipt = await pointOfSale.receipt(for: order)
                references += (receipt?.references.first).map { [$0.description] } ?? []
            }
            try bench.expect("references", Set(references).count, 3)
            try bench.expectMoney(charged: 2_100)
        },
    ]
}
