import AcquirerSimulation
import PaymentCore
import ReaderSimulation
import Simulation

/// Cancelling, in time and too late.
enum Cancelling {
    static let rules: [ContractRule] = byCode + races + byCustomer + unsupported

    private static let byCode: [ContractRule] = [
        ContractRule(
            "CANC-01",
            needs: [.sale, .cancelFromCode],
            "a payment that waits for a card is cancelled, and nothing is charged",
            likelyCause: "the request to cancel does not reach the vendor, or is not repeated"
        ) { bench in
            bench.control.alwaysThisCard = nil
            let pointOfSale = try await bench.ready()
            async let told = bench.sale(at: pointOfSale)
            await bench.pass(.seconds(2))
            let answer = await pointOfSale.cancel("o1")
            try bench.expect("the answer", answer, .asked)
            try bench.expect("the sale", try await told.name, "cancelled")
            try bench.expectMoney()
        },
        ContractRule(
            "CANC-02",
            needs: [.sale, .cancelFromCode],
            "cancelling another order leaves the running payment alone",
            likelyCause: "the adapter cancels whatever runs"
        ) { bench in
            bench.control.present(card: try card(), after: .seconds(10))
            bench.control.alwaysThisCard = nil
            let pointOfSale = try await bench.ready()
            async let told = bench.sale(at: pointOfSale)
            await bench.pass(.seconds(2))
            let answer = await pointOfSale.cancel("other")
            try bench.expect("the answer", answer, .nothingRunning)
            try bench.expect("the sale", try await told.name, "approved")
            try bench.expectMoney(charged: 1_250)
        },
        ContractRule(
            "CANC-03",
            needs: [.sale, .cancelFromCode],
            "a cancelled payment does not spoil the next one",
            likelyCause: "a remembered request to cancel reaches the next payment"
        ) { bench in
            bench.control.alwaysThisCard = nil
            let pointOfSale = try await bench.ready()
            async let told = bench.sale(at: pointOfSale)
            await bench.pass(.seconds(2))
            _ = await pointOfSale.cancel("o1")
            _ = await pointOfSale.cancel("o1")
            try bench.expect("the sale", try await told.name, "cancelled")
            bench.control.alwaysThisCard = try card()
            for order in ["o1", "o2"] as [Order] {
                let next = try await bench.again(1_250, order, at: pointOfSale)
                try bench.expect("the sale of \(order)", next.name, "approved")
            }
            try bench.expectMoney(charged: 2_500)
        },
        ContractRule(
            "CANC-04",
            needs: [.sale, .cancelFromCode],
            "a request to cancel that comes after the end touches nothing",
            likelyCause: "a request to cancel is kept for whatever comes next"
        ) { bench in
            let pointOfSale = try await bench.ready()
            _ = try await bench.sale(at: pointOfSale)
            let answer = await pointOfSale.cancel("o1")
            try bench.expect("the answer", answer, .nothingRunning)
            let next = try await bench.again(1_250, "o2", at: pointOfSale)
            try bench.expect("the next sale", next.name, "approved")
            try bench.expectMoney(charged: 2_500)
        },
    ]

    private static func card() throws -> SimulatedCard {
        guard let card = SimulatedCard.named(ContractBench.card) else {
            throw ContractFailure("the card", expected: ContractBench.card, got: "none")
        }
        return card
    }

    /// The payment is cancelled so many milliseconds after its start.
    private static let races: [ContractRule] = zip(
        11...,
        [0, 1, 2, 3, 5, 8, 12, 14, 16, 20, 30, 60, 100]
    ).map { number, milliseconds in
        ContractRule(
            "CANC-\(number)",
            needs: [.sale, .cancelFromCode],
            "a sale that is cancelled after \(milliseconds) ms is told as the ledger has it",
            likelyCause: "a payment is told as cancelled once it may have been submitted"
        ) { bench in
            let pointOfSale = try await bench.ready()
            async let told = bench.sale(at: pointOfSale)
            try? await bench.world.time.clock.sleep(for: .milliseconds(milliseconds))
            let answer = await pointOfSale.cancel("o1")
            bench.step("cancel after \(milliseconds) ms: \(answer)")
            let end = try await told
            try bench.expect("the sale", end.name, oneOf: ["approved", "cancelled"])
            try bench.expectMoney(charged: end.name == "approved" ? 1_250 : 0)
            if answer == .tooLate { try bench.expect("too late", end.name, "approved") }
            try await bench.prove(end, at: pointOfSale)
        }
    }

    private static let byCustomer: [ContractRule] = [
        ContractRule(
            "CANC-31",
            needs: [.sale],
            "a customer who closes the sheet has paid nothing, for good",
            likelyCause: "what a customer left unpaid can still be paid"
        ) { bench in
            bench.control.customerWillCancel()
            let pointOfSale = try await bench.ready()
            let told = try await bench.sale(at: pointOfSale)
            try bench.expect("the sale", told.word, oneOf: ["cancelled", "failed"])
            try bench.expectMoney()
            let next = try await bench.again(at: pointOfSale)
            try bench.expect("the order again", next.name, "approved")
            try bench.expectMoney(charged: 1_250)
        },
        ContractRule(
            "CANC-32",
            needs: [.sale],
            "cancelling the task that awaits a payment never loses its real outcome",
            likelyCause: "the adapter answers a cancelled task before the vendor has ended"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let told = try await withThrowingTaskGroup(of: Told.self) { group in
                group.addTask { try await bench.sale(at: pointOfSale) }
                try? await bench.world.time.clock.sleep(for: .milliseconds(60))
                group.cancelAll()
                return try await group.next() ?? Told()
            }
            try await bench.prove(told, at: pointOfSale)
        },
        ContractRule(
            "CANC-33",
            needs: [.sale],
            "cancelling the task at once never loses its real outcome",
            likelyCause: "the adapter answers a cancelled task before the vendor has ended"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let told = try await withThrowingTaskGroup(of: Told.self) { group in
                group.addTask { try await bench.sale(at: pointOfSale) }
                group.cancelAll()
                return try await group.next() ?? Told()
            }
            try await bench.prove(told, at: pointOfSale)
        },
    ]

    private static let unsupported: [ContractRule] = [
        ContractRule(
            "CANC-41",
            needs: [.sale],
            absent: [.cancelFromCode],
            "an adapter that cannot cancel says so, and the payment goes on to its real end",
            likelyCause: "the adapter pretends to cancel, or ends the payment without the vendor"
        ) { bench in
            let pointOfSale = try await bench.ready()
            async let told = bench.sale(at: pointOfSale)
            try? await bench.world.time.clock.sleep(for: .milliseconds(60))
            let answer = await pointOfSale.cancel("o1")
            try bench.expect("the answer", "\(answer)", oneOf: ["unsupported", "tooLate"])
            try bench.expect("the sale", try await told.name, "approved")
            try bench.expectMoney(charged: 1_250)
        }
    ]
}
