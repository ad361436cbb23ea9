import AcquirerSimulation
import PaymentCore
import ReaderSimulation
import Simulation

/// An outcome that nobody knows, at every step.
enum Unknowns {
    static let rules: [ContractRule] =
        payments + hang + withoutBooks + early + deaths + followUps + strange + mistaken

    private static let cause =
        "what may have been submitted is told as failed or declined, or is submitted again"

    /// The submission goes wrong in every way; the books can be asked.
    private static let payments: [ContractRule] = zip(
        1...,
        ContractWire.Fault.allCases.filter { $0 != .hangs }
    ).map { index, fault in
        ContractRule(
            "UNKN-\(index < 10 ? "0" : "")\(index)",
            needs: [.sale, .books],
            "a sale whose submission meets \(fault) is told as the ledger has it, and charged once",
            likelyCause: cause
        ) { bench in
            let pointOfSale = try await bench.ready()
            bench.wire.fail(.payment, by: fault)
            try await bench.prove(try await bench.sale(at: pointOfSale), at: pointOfSale)
        }
    }

    /// The same, while the books are out of reach.
    private static let withoutBooks: [ContractRule] = zip(
        21...,
        ContractWire.Fault.allCases.filter { $0 != .hangs }
    ).map { number, fault in
        ContractRule(
            "UNKN-\(number)",
            needs: [.sale, .books],
            "a sale whose submission meets \(fault) while the books are out of reach is charged once",
            likelyCause: cause
        ) { bench in
            let pointOfSale = try await bench.ready()
            bench.wire.fail(.payment, by: fault)
            bench.wire.cutBooks()
            try await bench.prove(try await bench.sale(at: pointOfSale), at: pointOfSale)
        }
    }

    /// The acquirer answers in words that did not exist when the adapter was written.
    private static let strange: [ContractRule] = [
        ContractRule(
            "UNKN-91",
            needs: [.sale, .books],
            "a payment in a state that nobody knows is told as the ledger has it, and charged once",
            likelyCause: "a state that is not known is taken for a failure"
        ) { bench in
            let pointOfSale = try await bench.ready()
            bench.wire.change(.payment, by: \.withStrangeStates)
            try await bench.prove(try await bench.sale(at: pointOfSale), at: pointOfSale)
        },
        ContractRule(
            "UNKN-92",
            needs: [.sale, .books],
            "a declined payment in a state that nobody knows is never told as approved",
            likelyCause: "a state that is not known is taken for success"
        ) { bench in
            let pointOfSale = try await bench.ready()
            bench.world.issuer.script([.decline(.generic)])
            bench.wire.change(.payment, .lookUp, times: nil, by: \.withStrangeStates)
            let told = try await bench.sale(at: pointOfSale)
            try bench.expect("the sale", told.word, oneOf: ["unresolved", "declined"])
            try bench.expectMoney()
            bench.wire.heal()
            try await bench.prove(told, at: pointOfSale)
        },
        ContractRule(
            "UNKN-93",
            needs: [.sale, .books],
            "books in which every state is one that nobody knows leave a lost payment open",
            likelyCause: "a record in a state that is not known is taken for an end"
        ) { bench in
            let pointOfSale = try await bench.ready()
            bench.wire.fail(.payment, by: .answerLost)
            bench.wire.change(.lookUp, times: nil, by: \.withStrangeStates)
            let told = try await bench.sale(at: pointOfSale)
            try bench.expect("the sale", told.name, "unresolved")
            try await bench.prove(told, at: pointOfSale)
        },
        ContractRule(
            "UNKN-94",
            needs: [.sale, .books],
            "an answer that lacks its amounts is told as the ledger has it, and charged once",
            likelyCause: "an answer that cannot be read is told as a failure"
        ) { bench in
            let pointOfSale = try await bench.ready()
            bench.wire.change(.payment) { tree in
                tree.mapped { name, value in value.number == nil ? value : nil }
            }
            try await bench.prove(try await bench.sale(at: pointOfSale), at: pointOfSale)
        },
    ]

    /// The acquirer answers with the record of another payment, which this process knows nothing of.
    private static let mistaken: [ContractRule] = [
        ContractRule(
            "UNKN-95",
            needs: [.sale, .books, .marker],
            "a declined sale that is answered with another payment's record is never approved",
            likelyCause: "an answer is believed without a look at which payment it is about"
        ) { bench in
            let pointOfSale = try await another(bench)
            try await declined(bench, at: pointOfSale)
        },
        ContractRule(
            "UNKN-96",
            needs: [.sale, .books, .marker],
            "a sale that is answered with another payment's record is found with its own",
            likelyCause: "an answer is believed without a look at which payment it is about"
        ) { bench in
            let pointOfSale = try await another(bench)
            let told = try await bench.sale(1_250, "o2", at: pointOfSale)
            try bench.expect("the sale", told.word, oneOf: ["unresolved", "approved"])
            try await bench.settle(pointOfSale)
            let names = await pointOfSale.receipt(for: "o2")?.references.map(\.value) ?? []
            let records = bench.world.ledger.entries(.charge).map(\.record)
            try bench.expect("charges in the ledger", records.count, 2)
            try bench.expect("its record", names.contains(records[1]), got: "\(names)")
            try bench.expect("the other's", !names.contains(records[0]), got: "\(names)")
        },
        ContractRule(
            "UNKN-97",
            needs: [.sale, .books],
            "a declined sale that is answered with an earlier payment's record is never approved",
            likelyCause: "an answer is believed without a look at which payment it is about"
        ) { bench in
            let pointOfSale = try await bench.ready()
            bench.wire.answerAsBefore(.payment)
            _ = try await bench.paid(1_250, "o1", at: pointOfSale)
            try? await pointOfSale.prepare()
            try await declined(bench, at: pointOfSale)
        },
    ]

    /// A second sale is declined, whatever answers it.
    private static func declined(
        _ bench: ContractBench,
        at pointOfSale: PointOfSale
    ) async throws {
        bench.world.issuer.script([.decline(.generic)])
        let told = try await bench.sale(1_250, "o2", at: pointOfSale)
        try bench.expect("the sale", told.word, oneOf: ["unresolved", "declined", "failed"])
        try await bench.settle(pointOfSale)
        try bench.expect("a receipt", await pointOfSale.receipt(for: "o2") == nil)
        try bench.expectMoney(charged: 1_250)
    }

    /// Has a sale paid whose answer is also the next one's, and starts the app without its memory.
    private static func another(_ bench: ContractBench) async throws -> PointOfSale {
        bench.wire.answerAsBefore(.payment)
        _ = try await bench.paid(1_250, "o1", at: try await bench.ready())
        return try await bench.restart(from: [])
    }

    /// The acquirer never answers.
    private static let hang = [
        ContractRule(
            "UNKN-19",
            needs: [.sale, .books],
            "a sale whose submission hangs for a day stays blocked, and is known afterwards",
            likelyCause: cause
        ) { bench in
            let pointOfSale = try await bench.ready()
            bench.wire.fail(.payment, by: .hangs)
            let told = try await bench.sale(at: pointOfSale)
            try bench.expect("the sale", told.word, oneOf: ["unresolved", "cancelled"])
            if told.word == "unresolved" {
                let again = try await bench.sale(at: pointOfSale)
                try bench.expect("again", again.name, oneOf: ["refused busy", "refused open"])
            }
            await bench.pass(.seconds(25 * 3_600))
            try await bench.settle(pointOfSale)
            let again = try await bench.again(at: pointOfSale)
            try bench.expect("the order at last", again.name, "approved")
            try bench.expectMoney(charged: 1_250)
        }
    ]

    /// What comes before the submission goes wrong: nothing may ever be charged for it.
    private static let early: [ContractRule] = zip(
        41...,
        [ContractWire.Fault.unreachable, .requestLost, .answerLost, .error500Before, .garbledAfter]
    ).map { number, fault in
        ContractRule(
            "UNKN-\(number)",
            needs: [.sale],
            "a sale whose tokens and records meet \(fault) ends, charges once at most, and recovers",
            likelyCause: cause
        ) { bench in
            let pointOfSale = try await bench.open()
            bench.wire.fail(.token, .create, by: fault)
            try? await pointOfSale.prepare()
            let told = try await bench.sale(at: pointOfSale)
            bench.wire.heal()
            try await bench.prove(told, at: pointOfSale)
        }
    }

    /// The app's process ends at a moment of the payment.
    private static let deaths: [ContractRule] = zip(
        51...,
        ["started", "presentCard", "cardRead", "submitting", "finished"]
    ).map { number, moment in
        ContractRule(
            "UNKN-\(number)",
            needs: [.sale, .books],
            "a process that ends at \(moment) leaves an order that is known and charged once",
            likelyCause: "the adapter cannot find a payment of an earlier process in the books"
        ) { bench in
            let pointOfSale = try await bench.ready()
            var left: [JournalEntry] = []
            _ = try await bench.sale(at: pointOfSale) { event in
                guard event.phase == moment, left.isEmpty else { return }
                left = bench.journal.entries
                bench.step("the process ends")
                // What a process has left before its end was told is not known to the next one.
                left.removeAll { $0.isEnd }
                // A process that ends early takes with it what it had not sent.
                if ["started", "presentCard"].contains(moment) { bench.control.network(.down) }
            }
            if left.isEmpty { left = bench.journal.entries.filter { !$0.isEnd } }
            let next = try await bench.restart(from: left)
            try await bench.settle(next)
            let before = bench.charged
            let again = try await bench.again(at: next)
            let expected = before == 0 ? "approved" : "refused alreadyPaid"
            try bench.expect("the order once more", again.name, expected)
            try bench.expectMoney(charged: 1_250)
        }
    }

    /// Captures and voids go wrong in every way.
    private static let followUps: [ContractRule] =
        zip(
            61...,
            ContractWire.Fault.allCases.filter { $0 != .hangs }
        ).map { number, fault in
            ContractRule(
                "UNKN-\(number)",
                needs: [.authorization, .capture, .books],
                "a capture that meets \(fault) is told as the ledger has it, and made once",
                likelyCause: "a capture that may have been made is told as failed, or made again"
            ) { bench in
                let pointOfSale = try await bench.ready()
                let hold = try await bench.hold(at: pointOfSale)
                bench.wire.fail(.capture, by: fault)
                let told = try await bench.capture(hold, 800, at: pointOfSale)
                try await bench.prove(told, at: pointOfSale, moved: { bench.charged }, 800) {
                    try await bench.capture(hold, 800, at: pointOfSale)
                }
            }
        }
        + zip(
            81...,
            [ContractWire.Fault.requestLost, .answerLost, .error500Before, .error500After]
        )
        .map { number, fault in
            ContractRule(
                "UNKN-\(number)",
                needs: [.authorization, .void, .books],
                "a void that meets \(fault) is told as the ledger has it, and made once",
                likelyCause: "a void that may have been made is told as failed"
            ) { bench in
                let pointOfSale = try await bench.ready()
                let hold = try await bench.hold(at: pointOfSale)
                bench.wire.fail(.void, by: fault)
                let told = await bench.void(hold, at: pointOfSale)
                let released = { 2_000 - bench.held }
                try await bench.prove(told, at: pointOfSale, moved: released, 2_000) {
                    await bench.void(hold, at: pointOfSale)
                }
            }
        }
}

extension JournalEntry {
    /// Whether it tells an attempt's end.
    var isEnd: Bool { if case .ended = fact { true } else { false } }
}
