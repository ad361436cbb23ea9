import AcquirerSimulation
import PaymentCore
import ReaderSimulation
import Simulation

/// What a screen is told meanwhile.
enum Events {
    static let rules: [ContractRule] = endings + order + notices

    /// A situation, and what it takes to get there.
    private static let situations:
        [(number: String, name: String, arrange: @Sendable (ContractBench) -> Void)] = [
            ("01", "an approval", { _ in }),
            ("02", "a decline", { $0.world.issuer.script([.decline(.generic)]) }),
            ("03", "a customer's cancel", { $0.control.customerWillCancel() }),
            ("04", "a lost answer", { $0.wire.fail(.payment, by: .answerLost) }),
            (
                "05", "an outcome that nobody knows",
                {
                    $0.wire.fail(.payment, by: .answerLost)
                    $0.wire.cutBooks()
                }
            ),
            ("06", "no card", { $0.control.alwaysThisCard = nil }),
        ]

    private static let endings: [ContractRule] = situations.map { situation in
        ContractRule(
            "EVNT-\(situation.number)",
            needs: [.sale],
            "\(situation.name) is told by events of one attempt: started first, finished once and last",
            likelyCause: "progress is reported after the answer, or under another attempt"
        ) { bench in
            let pointOfSale = try await bench.ready()
            situation.arrange(bench)
            let told = try await bench.sale(at: pointOfSale)
            await bench.pass(.seconds(60))
            try bench.expect("the first", told.phases.first, "started")
            try bench.expect("the last", told.phases.last, "finished")
            try bench.expect("ends", told.phases.count { $0 == "finished" }, 1)
            try bench.expect("attempts", Set(told.events.map(\.attempt)).count, 1)
            guard case .finished(let outcome)? = told.events.last?.kind, let end = told.outcome
            else { throw bench.unexpected("the end", "an outcome", told.name) }
            try bench.expect("the outcome in the last event", outcome.name, end.name)
            try bench.agrees(end, 1_250)
        }
    }

    /// The acquirer, or the vendor's kit, tells one end twice.
    private static let notices: [ContractRule] = [
        ("21", "an approval", false, true), ("22", "an approval whose answer was lost", true, true),
        ("23", "a decline", false, false),
    ].map { number, name, isLost, isApproved in
        ContractRule(
            "EVNT-\(number)",
            needs: [.sale, .books, .duplicateNotices],
            "\(name) that is told twice is one end, and no end of the next payment",
            likelyCause: "a second notice is taken for another payment, or for a contradiction"
        ) { bench in
            let makes = bench.stage.make(.duplicateNotices)
            try bench.expect("the harness tells ends twice", makes)
            let pointOfSale = try await bench.ready()
            if isLost { bench.wire.fail(.payment, by: .answerLost) }
            if !isApproved { bench.world.issuer.script([.decline(.generic)]) }
            let told = try await bench.sale(at: pointOfSale)
            try bench.expect("the sale", told.word, isApproved ? "approved" : "declined")
            try bench.expect("ends", told.phases.count { $0 == "finished" }, 1)
            let next = try await bench.again(500, "o2", at: pointOfSale)
            try bench.expect("the next sale", next.name, "approved")
            try bench.expectMoney(charged: isApproved ? 1_750 : 500)
            try bench.expect("open", await pointOfSale.unresolved.count, 0)
        }
    }

    private static let order: [ContractRule] = [
        ContractRule(
            "EVNT-11",
            needs: [.sale],
            "what is told of a sale comes in the order in which it happens",
            likelyCause: "progress is reported from several tasks"
        ) { bench in
            let told = try await bench.sale(at: try await bench.ready())
            let ranks = ["preparing", "presentCard", "cardRead", "submitting"]
            let seen = told.phases.compactMap { ranks.firstIndex(of: $0) }
            try bench.expect("the order", seen, seen.sorted())
            try bench.expect("the sale", told.name, "approved")
        },
        ContractRule(
            "EVNT-12",
            needs: [.sale],
            "nothing tells a card as read, or money as submitted, without a card",
            likelyCause: "progress is reported ahead of time"
        ) { bench in
            bench.control.alwaysThisCard = nil
            let told = try await bench.sale(at: try await bench.ready())
            try bench.expect("card read", told.phases.contains("cardRead"), false)
            try bench.expect("submitting", told.phases.contains("submitting"), false)
        },
        ContractRule(
            "EVNT-13",
            needs: [.sale, .books],
            "asking the books is told as checking",
            likelyCause: "an unknown outcome is answered as if it were known"
        ) { bench in
            let pointOfSale = try await bench.ready()
            bench.wire.fail(.payment, by: .answerLost)
            let told = try await bench.sale(at: pointOfSale)
            try bench.expect("checking", told.phases.contains("checking"))
            try bench.expect("the sale", told.name, "approved")
        },
        ContractRule(
            "EVNT-14",
            needs: [.sale],
            "the events of a second sale hold nothing of the first",
            likelyCause: "the vendor's late events are taken for the next payment's"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let first = try await bench.sale(at: pointOfSale)
            let second = try await bench.again(1_250, "o2", at: pointOfSale)
            let shared = Set(first.events.map(\.attempt)).intersection(second.events.map(\.attempt))
            try bench.expect("shared attempts", shared.count, 0)
            try bench.expect("ends of the second", second.phases.count { $0 == "finished" }, 1)
            try bench.expect("the second", second.name, "approved")
        },
    ]
}
