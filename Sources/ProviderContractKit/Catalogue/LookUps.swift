import AcquirerSimulation
import PaymentCore
import ReaderSimulation
import Simulation

/// Asking the acquirer afterwards.
enum LookUps {
    static let rules: [ContractRule] = evidence + clocks + rest

    private static let evidence: [ContractRule] = [
        ContractRule(
            "LOOK-01",
            needs: [.sale, .books],
            "a payment whose answer was lost is found, with its reference and its amount",
            likelyCause: "the books side cannot find a record by what the attempt left there"
        ) { bench in
            let pointOfSale = try await bench.ready()
            bench.wire.fail(.payment, by: .answerLost)
            let told = try await bench.sale(at: pointOfSale)
            try bench.expect("the sale", told.name, "approved")
            let record = bench.world.ledger.entries(.charge).first?.record
            let names = told.receipt?.references.map(\.value) ?? []
            try bench.expect("its reference", names.contains(record ?? ""), got: "\(names)")
            try bench.expect("sure of the amount", told.receipt?.isConfirmed, true)
        },
        ContractRule(
            "LOOK-02",
            needs: [.sale, .books],
            "a payment that never arrived is told as not booked, but only once none can appear",
            likelyCause: "an empty list is told as complete too early, or never"
        ) { bench in
            let pointOfSale = try await bench.ready()
            bench.wire.fail(.payment, by: .requestLost)
            let told = try await bench.sale(at: pointOfSale)
            try bench.expect("the sale", told.word, oneOf: ["unresolved", "cancelled"])
            try await bench.prove(told, at: pointOfSale)
        },
        ContractRule(
            "LOOK-03",
            needs: [.sale, .books],
            "books that answer with errors or garbage prove nothing",
            likelyCause: "an answer that cannot be read is taken for an empty list"
        ) { bench in
            let pointOfSale = try await bench.ready()
            bench.wire.fail(.payment, by: .answerLost)
            bench.wire.fail(.lookUp, by: .garbledAfter, times: nil)
            let told = try await bench.sale(at: pointOfSale)
            try bench.expect("the sale", told.name, oneOf: ["unresolved", "approved"])
            if case .unresolved(let payment) = told.outcome {
                await bench.pass(.seconds(7_200))
                let looked = await pointOfSale.resolve(payment)
                try bench.expect("resolving", looked.name, "unresolved")
            }
            try await bench.prove(told, at: pointOfSale)
        },
        ContractRule(
            "LOOK-04",
            needs: [.sale, .books],
            "two payments of one amount whose answers were lost are each found as themselves",
            likelyCause: "records are told apart by amount and time alone"
        ) { bench in
            let pointOfSale = try await bench.ready()
            bench.wire.fail(.payment, by: .answerLost, times: 2)
            let first = try await bench.sale(at: pointOfSale)
            let second = try await bench.again(1_250, "o2", at: pointOfSale)
            try await bench.settle(pointOfSale)
            try bench.expectMoney(charged: 2_500)
            let one = await pointOfSale.receipt(for: "o1")?.references.first
            let other = await pointOfSale.receipt(for: "o2")?.references.first
            try bench.expect("found", one != nil && other != nil, got: first.name + second.name)
            try bench.expect("the same record", one == other, false)
        },
        ContractRule(
            "LOOK-05",
            needs: [.sale, .books],
            "a payment of which one try was lost and one went through is charged once for each order",
            likelyCause: "the record of a later payment is taken for the lost one's"
        ) { bench in
            let pointOfSale = try await bench.ready()
            bench.wire.fail(.payment, by: .requestLost)
            bench.wire.cutBooks()
            let lost = try await bench.sale(at: pointOfSale)
            bench.wire.heal()
            let paid = try await bench.again(1_250, "o2", at: pointOfSale)
            try bench.expect("the second", paid.name, oneOf: ["approved", "unresolved"])
            if lost.name == "unresolved" { try await bench.settle(pointOfSale) }
            try bench.expect("the lost one's receipt", await pointOfSale.receipt(for: "o1") == nil)
            try bench.expectMoney(charged: 1_250)
        },
        ContractRule(
            "LOOK-06",
            needs: [.sale, .books],
            "books out of reach leave the payment open, and say that they could not be asked",
            likelyCause: "a failed look is taken for an empty list"
        ) { bench in
            let pointOfSale = try await bench.ready()
            bench.wire.fail(.payment, by: .answerLost)
            bench.wire.cutBooks()
            let told = try await bench.sale(at: pointOfSale)
            guard case .unresolved(let payment) = told.outcome else {
                throw bench.unexpected("the sale", "unresolved", told.name)
            }
            guard case .cannotAsk = payment.reason else {
                throw bench.unexpected("the reason", "cannotAsk", "\(payment.reason)")
            }
            await bench.pass(.seconds(7_200))
            let looked = await pointOfSale.resolve(payment)
            try bench.expect("resolving", looked.name, "unresolved")
            try await bench.prove(told, at: pointOfSale)
        },
        ContractRule(
            "LOOK-07",
            needs: [.sale, .books],
            "asking twice gives the same answer",
            likelyCause: "a look changes what it looks at"
        ) { bench in
            let pointOfSale = try await bench.ready()
            bench.wire.fail(.payment, by: .answerLost)
            bench.wire.cutBooks()
            let told = try await bench.sale(at: pointOfSale)
            guard case .unresolved(let payment) = told.outcome else {
                throw bench.unexpected("the sale", "unresolved", told.name)
            }
            bench.wire.heal()
            let first = await pointOfSale.resolve(payment).name
            let second = await pointOfSale.resolve(payment).name
            try bench.expect("the first", first, "approved")
            try bench.expect("the second", second, first)
            try bench.expectMoney(charged: 1_250)
        },
        ContractRule(
            "LOOK-08",
            needs: [.sale, .books, .close],
            "a closed payment can no longer be paid",
            likelyCause: "closing is told as done and was refused"
        ) { bench in
            let pointOfSale = try await bench.ready()
            bench.wire.fail(.payment, by: .requestLost)
            bench.wire.cutBooks()
            let told = try await bench.sale(at: pointOfSale)
            bench.wire.heal()
            if case .unresolved(let payment) = told.outcome {
                _ = await pointOfSale.close(payment)
                try await bench.settle(pointOfSale)
            }
            try bench.expectMoney()
            let again = try await bench.again(at: pointOfSale)
            try bench.expect("the order again", again.name, "approved")
            try bench.expectMoney(charged: 1_250)
        },
    ]

    /// The device's clock is wrong.
    private static let clocks: [ContractRule] = zip(
        21...,
        [Duration.seconds(-5_400), .seconds(-90), .seconds(90), .seconds(5_400)]
    ).map { number, skew in
        ContractRule(
            "LOOK-\(number)",
            needs: [.sale, .books],
            "a lost answer is found by a device whose clock is \(skew) off",
            likelyCause: "the books side asks in the device's time and not in the acquirer's"
        ) { bench in
            let pointOfSale = try await bench.ready(skew: skew)
            bench.wire.fail(.payment, by: .answerLost)
            try await bench.prove(try await bench.sale(at: pointOfSale), at: pointOfSale)
        }
    }

    private static let rest: [ContractRule] = [
        ContractRule(
            "LOOK-31",
            needs: [.sale, .books],
            "a record behind fifty later ones is found",
            likelyCause: "only the first page of a list is read"
        ) { bench in
            let pointOfSale = try await bench.ready()
            bench.wire.fail(.payment, by: .answerLost, times: 1)
            bench.wire.cutBooks()
            let told = try await bench.sale(at: pointOfSale)
            bench.wire.heal()
            for index in 0..<52 {
                let other = try await bench.again(77, Order(id: "x\(index)"), at: pointOfSale)
                if other.word != "approved", other.word != "unresolved" {
                    throw bench.unexpected("sale \(index)", "approved", other.name)
                }
            }
            try await bench.settle(pointOfSale)
            try bench.expect("the first", told.name, "unresolved")
            try bench.expect("found", await pointOfSale.receipt(for: "o1") != nil)
        }
    ]
}

extension Receipt {
    /// Whether the books said the amount.
    var isConfirmed: Bool { if case .confirmed = approved { true } else { false } }
}
