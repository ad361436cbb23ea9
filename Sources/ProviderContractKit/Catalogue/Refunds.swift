import AcquirerSimulation
import PaymentCore
import ReaderSimulation
import Simulation

/// Refunds, after a sale and to a tapped card.
enum Refunds {
    static let rules: [ContractRule] = amounts + limits + faults + toCard

    private static let amounts: [ContractRule] = [
        ("01", [2_000], "a refund in full gives everything back"),
        ("02", [1], "a refund of one minor unit gives one back"),
        ("03", [500, 700, 800], "refunds in parts add up to the payment"),
        ("04", [999, 1], "two refunds of different amounts are two"),
        ("05", [300, 300], "two refunds of one amount under two names are two"),
    ].map { number, amounts, sentence in
        ContractRule(
            "RFND-\(number)",
            needs: [.sale, .refund],
            sentence,
            likelyCause: "the refund names another amount, or its key is not its own"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let receipt = try await bench.paid(at: pointOfSale)
            for (index, amount) in amounts.enumerated() {
                let id = FollowUpID("r\(index)")
                let told = try await bench.refund(receipt, Int64(amount), id: id, at: pointOfSale)
                try bench.expect("refund \(index)", told.isAccepted, got: told.name)
                let approved = told.outcome?.receipt?.approved.money?.minorUnits
                try bench.expect("its receipt", approved, Int64(amount))
            }
            try bench.expectMoney(charged: 2_000, refunded: Int64(amounts.reduce(0, +)))
        }
    }

    private static let limits: [ContractRule] = [
        ContractRule(
            "RFND-11",
            needs: [.sale, .refund],
            "a refund of more than was paid is refused, with nothing sent",
            likelyCause: "readiness, device or construction sends requests"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let receipt = try await bench.paid(at: pointOfSale)
            try await bench.expectRefused("the refund", "invalidRequest") {
                try await bench.refund(receipt, 2_001, at: pointOfSale).name
            }
        },
        ContractRule(
            "RFND-12",
            needs: [.sale, .refund],
            "what was refunded in part cannot be refunded in full afterwards",
            likelyCause: "a refund is told as done and never made"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let receipt = try await bench.paid(at: pointOfSale)
            _ = try await bench.refund(receipt, 500, at: pointOfSale)
            let told = try await bench.refund(receipt, 2_000, id: "r2", at: pointOfSale)
            try bench.expect("the second refund", told.name, "refused invalidRequest")
            try bench.expectMoney(charged: 2_000, refunded: 500)
        },
        ContractRule(
            "RFND-13",
            needs: [.sale, .refund],
            "a payment of an earlier process can be refunded",
            likelyCause: "the reference to refund is kept in memory alone"
        ) { bench in
            _ = try await bench.paid(at: try await bench.ready())
            let next = try await bench.restart()
            guard let receipt = await next.receipt(for: "p1") else {
                throw bench.unexpected("the receipt", "one", "none")
            }
            let told = try await bench.refund(receipt, 2_000, at: next)
            try bench.expect("the refund", told.isAccepted, got: told.name)
            try bench.expectMoney(charged: 2_000, refunded: 2_000)
        },
        ContractRule(
            "RFND-14",
            needs: [.sale, .refund],
            "a refund moves no money of another payment",
            likelyCause: "the refund goes to the latest payment"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let first = try await bench.paid(2_000, "p1", at: pointOfSale)
            try? await pointOfSale.prepare()
            let second = try await bench.paid(900, "p2", at: pointOfSale)
            _ = try await bench.refund(first, 2_000, at: pointOfSale)
            let told = try await bench.refund(second, 900, id: "r2", at: pointOfSale)
            try bench.expect("the second refund", told.isAccepted, got: told.name)
            try bench.expectMoney(charged: 2_900, refunded: 2_900)
        },
    ]

    private static let faults: [ContractRule] = zip(
        21...,
        ContractWire.Fault.allCases.filter { $0 != .hangs }
    ).map { number, fault in
        ContractRule(
            "RFND-\(number)",
            needs: [.sale, .refund, .books],
            "a refund that meets \(fault) is told as the ledger has it, and once under its name",
            likelyCause: "a refund that may have been made is told as failed, or made again"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let receipt = try await bench.paid(at: pointOfSale)
            bench.wire.fail(.refund, by: fault)
            let told = try await bench.refund(receipt, 800, at: pointOfSale)
            try await bench.prove(told, at: pointOfSale, moved: { bench.refunded }, 800) {
                try await bench.refund(receipt, 800, at: pointOfSale)
            }
        }
    }

    private static let toCard: [ContractRule] = [
        ContractRule(
            "RFND-41",
            needs: [.refundToCard],
            "a refund to a tapped card gives money and takes none",
            likelyCause: "a refund to a card is sent as a sale"
        ) { bench in
            let request = PaymentRequest.refundToCard(try bench.money(700), for: "g1")
            let told = await bench.take(request, at: try await bench.ready())
            try bench.expect("the refund", told.name, "approved")
            try bench.expectMoney(refunded: 700)
        },
        ContractRule(
            "RFND-42",
            needs: [.refundToCard],
            "a refund to a card that is declined gives nothing",
            likelyCause: "a decline is told as approved"
        ) { bench in
            bench.world.issuer.script([.decline(.generic)])
            let request = PaymentRequest.refundToCard(try bench.money(700), for: "g1")
            let told = await bench.take(request, at: try await bench.ready())
            try bench.expect("the refund", told.word, "declined")
            try bench.expectMoney()
        },
        ContractRule(
            "RFND-43",
            needs: [.refundToCard, .books],
            "a refund to a card whose answer is lost is made once",
            likelyCause: "an error after the card was read is told as a failure"
        ) { bench in
            let pointOfSale = try await bench.ready()
            bench.wire.fail(.payment, by: .answerLost)
            let request = PaymentRequest.refundToCard(try bench.money(700), for: "g1")
            let told = await bench.take(request, at: pointOfSale)
            if told.name == "unresolved" { try await bench.settle(pointOfSale) }
            try? await pointOfSale.prepare()
            let again = await bench.take(request, at: pointOfSale)
            try bench.expect("the refund again", again.name, "refused alreadyPaid")
            try bench.expectMoney(refunded: 700)
        },
    ]
}
