import AcquirerSimulation
import PaymentCore
import ReaderSimulation
import Simulation

/// A sale from tap to receipt.
enum Sales {
    static let rules: [ContractRule] = basics + texts + cards + parts

    private static let basics: [ContractRule] = [
        ContractRule(
            "SALE-01",
            needs: [.sale],
            "an approved sale is told as approved and charged exactly once",
            likelyCause: "the adapter's answer says more than its acquirer did, or it submits twice"
        ) { bench in
            let told = try await bench.sale(at: try await bench.ready())
            try bench.expect("the sale", told.name, "approved")
            try bench.expectMoney(charged: 1_250)
            try bench.expect("movements", bench.world.ledger.entries.count, 1)
        },
        ContractRule(
            "SALE-02",
            needs: [.sale],
            "an approved sale submits the card exactly once",
            likelyCause: "the adapter or its transport sends a payment again by itself"
        ) { bench in
            _ = try await bench.sale(at: try await bench.ready())
            try bench.expect("submissions", bench.wire.count(.payment), 1)
        },
        ContractRule(
            "SALE-03",
            needs: [.sale],
            "an order that is paid is refused, with nothing sent, also after a restart",
            likelyCause: "readiness, device or construction sends payments"
        ) { bench in
            let pointOfSale = try await bench.ready()
            _ = try await bench.paid(1_250, "o1", at: pointOfSale)
            try await bench.expectRefused("the order again", "alreadyPaid") {
                try await bench.sale(at: pointOfSale).name
            }
            let next = try await bench.restart()
            try await bench.expectRefused("the order after a restart", "alreadyPaid") {
                try await bench.sale(at: next).name
            }
            try bench.expectMoney(charged: 1_250)
        },
        ContractRule(
            "SALE-04",
            needs: [.sale],
            "two orders of one amount are two charges with two references",
            likelyCause: "the key or the reference does not depend on the attempt"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let first = try await bench.paid(1_250, "o1", at: pointOfSale)
            try? await pointOfSale.prepare()
            let second = try await bench.paid(1_250, "o2", at: pointOfSale)
            try bench.expectMoney(charged: 2_500)
            try bench.expect(
                "one reference",
                first.references.first == second.references.first,
                false
            )
        },
        ContractRule(
            "SALE-05",
            needs: [.sale],
            "ten sales in a row are ten charges",
            likelyCause: "something of a payment is left behind and spoils a later one"
        ) { bench in
            let pointOfSale = try await bench.ready()
            for index in 0..<10 {
                let told = try await bench.again(
                    100 + Int64(index),
                    Order(id: "n\(index)"),
                    at: pointOfSale
                )
                try bench.expect("sale \(index)", told.name, "approved")
            }
            try bench.expectMoney(charged: 1_045)
        },
        ContractRule(
            "SALE-06",
            needs: [.sale],
            absent: [.partialApproval],
            "an issuer that would give only half leads to nothing that the ledger does not say",
            likelyCause: "the adapter tells the amount that was asked for"
        ) { bench in
            let pointOfSale = try await bench.ready()
            bench.world.issuer.approveInPart()
            let told = try await bench.sale(1_000, at: pointOfSale)
            bench.wire.heal()
            guard let outcome = told.outcome else {
                throw bench.unexpected("the sale", "an outcome", told.name)
            }
            try bench.agrees(outcome, 1_000)
            try bench.expect("an end", outcome.money != .unknown)
        },
        ContractRule(
            "SALE-07",
            needs: [.sale, .partialApproval],
            "an approval for half is told as one for half, with the rest named",
            likelyCause: "the adapter tells the amount that was asked for"
        ) { bench in
            let pointOfSale = try await bench.ready()
            bench.world.issuer.approveInPart()
            let told = try await bench.sale(1_000, at: pointOfSale)
            try bench.expect("the sale", told.name, "partlyApproved")
            try bench.expectMoney(charged: 500)
            guard case .partlyApproved(_, let remaining) = told.outcome else { return }
            try bench.expect("what remains", remaining.minorUnits, 500)
        },
    ]

    private static let texts: [ContractRule] = [
        ("11", "a description", ContractCapability.description),
        ("12", "a customer reference", .sale), ("13", "a language", .sale),
        ("14", "a merchant name", .sale),
    ].map { number, name, capability in
        ContractRule(
            "SALE-\(number)",
            needs: [.sale, capability],
            "a sale with \(name) beyond ASCII is charged like any other",
            likelyCause: "the text breaks the request, or is taken for something else"
        ) { bench in
            var request = PaymentRequest.sale(try bench.money(1_250), for: "o1")
            switch number {
            case "11": request.description = "Käse & \"Brot\" + 1/2 Ω"
            case "12": request.customerReference = "kunde-ä+1"
            case "13": request.language = "de-CH"
            default: request.merchantName = "Crêperie \"Ω\" & Söhne"
            }
            let told = await bench.take(request, at: try await bench.ready())
            try bench.expect("the sale", told.name, "approved")
            try bench.expectMoney(charged: 1_250)
        }
    }

    private static let cards: [ContractRule] = zip(
        21...,
        ["visa-debit", "mc-credit", "amex", "maestro", "phone-visa", "pin-online"]
    ).map { number, card in
        ContractRule(
            "SALE-\(number)",
            needs: [.sale],
            "the card \(card) pays, and the receipt never shows more than four of its digits",
            likelyCause: "the adapter takes one brand, length or verification for granted"
        ) { bench in
            bench.control.alwaysThisCard = SimulatedCard.named(card)
            let told = try await bench.sale(9_900, at: try await bench.ready())
            try bench.expect("the sale", told.name, "approved")
            try bench.expectMoney(charged: 9_900)
            let shown = told.receipt?.card?.lastFour ?? ""
            try bench.expect("digits shown", shown.count <= 4, got: "\(shown.count)")
            if !shown.isEmpty {
                try bench.expect("last four", shown, SimulatedCard.named(card)?.lastFour ?? "")
            }
        }
    }

    private static let parts: [ContractRule] = [
        ContractRule(
            "SALE-31",
            needs: [.sale],
            "the parts of one order are charged once each",
            likelyCause: "the key depends on the order and not on the attempt"
        ) { bench in
            let pointOfSale = try await bench.ready()
            for part in ["t1/1of2", "t1/2of2"] {
                let told = try await bench.again(600, try Order(text: part), at: pointOfSale)
                try bench.expect("part \(part)", told.name, "approved")
            }
            try bench.expectMoney(charged: 1_200)
            let again = try await bench.again(600, "t1/1of2", at: pointOfSale)
            try bench.expect("a part again", again.name, "refused alreadyPaid")
        },
        ContractRule(
            "SALE-32",
            needs: [.sale],
            "after a decline the same order can be paid by another card, once",
            likelyCause: "a decline leaves something that blocks, or that can still be paid"
        ) { bench in
            let pointOfSale = try await bench.ready()
            bench.world.issuer.script([.decline(.insufficientFunds)])
            let told = try await bench.sale(at: pointOfSale)
            try bench.expect("the first card", told.word, "declined")
            try bench.expectMoney()
            let next = try await bench.again(at: pointOfSale)
            try bench.expect("the second card", next.name, "approved")
            try bench.expectMoney(charged: 1_250)
        },
    ]
}
