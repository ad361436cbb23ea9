import AcquirerSimulation
import PaymentCore
import ReaderSimulation
import Simulation

/// Holds, captures, voids and expiry.
enum Holds {
    static let rules: [ContractRule] = holds + followUps + faults

    private static let holds: [ContractRule] = [
        ContractRule(
            "HOLD-01",
            needs: [.authorization],
            "a hold holds the amount and charges nothing",
            likelyCause: "a hold is sent as a sale"
        ) { bench in
            let hold = try await bench.hold(at: try await bench.ready())
            try bench.expectMoney(held: 2_000)
            try bench.expect("the amount", hold.amount.minorUnits, 2_000)
            // Rules that spoil a submission spoil nothing unless the harness knows it as one.
            try bench.expect("submissions", bench.wire.count(.payment), 1)
        },
        ContractRule(
            "HOLD-02",
            needs: [.authorization],
            "an order that is held is refused, with nothing sent",
            likelyCause: "readiness, device or construction sends payments"
        ) { bench in
            let pointOfSale = try await bench.ready()
            _ = try await bench.hold(2_000, "o1", at: pointOfSale)
            let request = PaymentRequest.authorization(try bench.money(2_000), for: "o1")
            try await bench.expectRefused("the order again", "alreadyAuthorized") {
                await bench.take(request, at: pointOfSale).name
            }
        },
        ContractRule(
            "HOLD-03",
            needs: [.authorization, .capture],
            "a hold is found again after a restart, and can be captured then",
            likelyCause: "the hold's reference is not kept, or only in memory"
        ) { bench in
            _ = try await bench.hold(at: try await bench.ready())
            let next = try await bench.restart()
            guard let hold = await next.authorization(for: "h1") else {
                throw bench.unexpected("the hold", "one", "none")
            }
            let told = try await bench.capture(hold, 2_000, at: next)
            try bench.expect("the capture", told.isAccepted, got: told.name)
            try bench.expect("charged", bench.charged, 2_000)
        },
        ContractRule(
            "HOLD-04",
            needs: [.authorization],
            "a hold that is declined holds nothing and frees the order",
            likelyCause: "a declined hold is told as one"
        ) { bench in
            bench.world.issuer.script([.decline(.insufficientFunds)])
            let request = PaymentRequest.authorization(try bench.money(2_000), for: "h1")
            let pointOfSale = try await bench.ready()
            let told = await bench.take(request, at: pointOfSale)
            try bench.expect("the hold", told.word, "declined")
            try bench.expectMoney()
            try? await pointOfSale.prepare()
            _ = try await bench.hold(at: pointOfSale)
            try bench.expectMoney(held: 2_000)
        },
        ContractRule(
            "HOLD-05",
            needs: [.authorization, .capture, .holdsExpire],
            "a hold that has lapsed cannot be captured, and the refusal is no success",
            likelyCause: "the answer to a capture is not read, only its status"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let hold = try await bench.hold(at: pointOfSale)
            await bench.pass(.seconds(11 * 24 * 3_600))
            let told = try await bench.capture(hold, 2_000, at: pointOfSale)
            try bench.expect("the capture", told.word, oneOf: ["declined", "failed"])
            try bench.expect("charged", bench.charged, 0)
        },
    ]

    private static let followUps: [ContractRule] = [
        ContractRule(
            "HOLD-11",
            needs: [.authorization, .capture],
            "a capture in full charges what was held",
            likelyCause: "the capture names another amount, or is told without being made"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let hold = try await bench.hold(at: pointOfSale)
            let told = try await bench.capture(hold, 2_000, at: pointOfSale)
            try bench.expect("the capture", told.isAccepted, got: told.name)
            try bench.expect("charged", bench.charged, 2_000)
            try bench.expect(
                "the receipt",
                told.outcome?.receipt?.approved.money?.minorUnits,
                2_000
            )
            try bench.expect("captures on the wire", bench.wire.count(.capture) > 0)
        },
        ContractRule(
            "HOLD-12",
            needs: [.authorization, .capture],
            "a capture in part charges that part, and the receipt says so",
            likelyCause: "a capture always takes the whole hold"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let hold = try await bench.hold(at: pointOfSale)
            let told = try await bench.capture(hold, 700, at: pointOfSale)
            try bench.expect("the capture", told.isAccepted, got: told.name)
            try bench.expect("charged", bench.charged, 700)
            try bench.expect("the receipt", told.outcome?.receipt?.approved.money?.minorUnits, 700)
        },
        ContractRule(
            "HOLD-13",
            needs: [.authorization, .capture],
            "a captured hold cannot be captured again under another name",
            likelyCause: "the second capture is told as done since the first one was"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let hold = try await bench.hold(at: pointOfSale)
            _ = try await bench.capture(hold, 700, at: pointOfSale)
            let told = try await bench.capture(hold, 700, id: "c2", at: pointOfSale)
            try bench.expect("the second capture", told.isAccepted, false)
            try bench.expect("charged", bench.charged, 700)
        },
        ContractRule(
            "HOLD-14",
            needs: [.authorization, .void],
            "a void lets go of all that was held and charges nothing",
            likelyCause: "the void is told without being made"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let hold = try await bench.hold(at: pointOfSale)
            let told = await bench.void(hold, at: pointOfSale)
            try bench.expect("the void", told.isAccepted, got: told.name)
            try bench.expectMoney()
            try bench.expect("voids on the wire", bench.wire.count(.void) > 0)
        },
        ContractRule(
            "HOLD-15",
            needs: [.authorization, .capture, .void],
            "a captured hold cannot be voided",
            likelyCause: "the answer to a void is not read, only its status"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let hold = try await bench.hold(at: pointOfSale)
            _ = try await bench.capture(hold, 2_000, at: pointOfSale)
            let told = await bench.void(hold, at: pointOfSale)
            try bench.expect("the void", told.isAccepted, false)
            try bench.expect("charged", bench.charged, 2_000)
            try bench.expect("let go", bench.world.ledger.entries(.release).count, 0)
        },
        ContractRule(
            "HOLD-16",
            needs: [.authorization, .capture, .void],
            "a voided hold cannot be captured",
            likelyCause: "the answer to a capture is not read, only its status"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let hold = try await bench.hold(at: pointOfSale)
            _ = await bench.void(hold, at: pointOfSale)
            let told = try await bench.capture(hold, 2_000, at: pointOfSale)
            try bench.expect("the capture", told.isAccepted, false)
            try bench.expectMoney()
        },
        ContractRule(
            "HOLD-17",
            needs: [.authorization, .capture, .refund],
            "captured money can be given back",
            likelyCause: "the refund goes to the hold and not to the capture"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let hold = try await bench.hold(at: pointOfSale)
            let capture = try await bench.capture(hold, 2_000, at: pointOfSale)
            guard let receipt = capture.outcome?.receipt else {
                throw bench.unexpected("the capture", "a receipt", capture.name)
            }
            let told = try await bench.refund(receipt, 500, at: pointOfSale)
            try bench.expect("the refund", told.isAccepted, got: told.name)
            try bench.expect("refunded", bench.refunded, 500)
        },
    ]

    /// A hold whose submission goes wrong in every way.
    private static let faults: [ContractRule] = zip(
        21...,
        ContractWire.Fault.allCases.filter { $0 != .hangs }
    ).map { number, fault in
        ContractRule(
            "HOLD-\(number)",
            needs: [.authorization, .books],
            "a hold whose submission meets \(fault) is told as the ledger has it",
            likelyCause: "an error after the card was read is told as a failure"
        ) { bench in
            let pointOfSale = try await bench.ready()
            bench.wire.fail(.payment, by: fault)
            let request = PaymentRequest.authorization(try bench.money(2_000), for: "h1")
            let told = await bench.take(request, at: pointOfSale)
            guard var outcome = told.outcome else {
                throw bench.unexpected("the hold", "an outcome", told.name)
            }
            if case .unresolved = outcome,
                case .payment(let end) = try await bench.settle(pointOfSale).last
            {
                outcome = end
            }
            await bench.pass(.seconds(1_200))
            try bench.agrees(outcome, 2_000)
        }
    }
}
