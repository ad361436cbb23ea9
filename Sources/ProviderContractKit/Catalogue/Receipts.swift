import AcquirerSimulation
import PaymentCore
import ReaderSimulation
import Simulation

/// What a receipt says.
enum Receipts {
    static let rules: [ContractRule] = [
        ContractRule(
            "RCPT-01",
            needs: [.sale],
            "a receipt names the acquirer's own record of the payment",
            likelyCause: "the reference is made up, or is the request's and not the record's"
        ) { bench in
            let receipt = try await bench.paid(at: try await bench.ready())
            let record = bench.world.ledger.entries(.charge).first?.record ?? ""
            let names = receipt.references.map(\.value)
            try bench.expect("references", names.contains(record), got: "\(names)")
        },
        ContractRule(
            "RCPT-02",
            needs: [.sale],
            "a receipt names account, order, kind and time",
            likelyCause: "the account of the answers is not the configured one, or its time is off"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let receipt = try await bench.paid(at: pointOfSale)
            try bench.expect("the account", receipt.account, pointOfSale.account)
            try bench.expect("the account's name", receipt.account.provider, bench.harness.provider)
            try bench.expect("the kind", receipt.kind, .sale)
            let age = bench.world.time.wallTime.timeIntervalSince(receipt.time)
            try bench.expect("its time", abs(age) < 60, got: "\(age) seconds away")
        },
        ContractRule(
            "RCPT-03",
            needs: [.sale],
            "the receipt that is kept is the one that was told, also after a restart",
            likelyCause: "the answer holds something that cannot be kept"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let told = try await bench.paid(at: pointOfSale)
            try bench.expect("kept", await pointOfSale.receipt(for: "p1"), told)
            let next = try await bench.restart()
            try bench.expect("after a restart", await next.receipt(for: "p1"), told)
            try bench.expect("approved", told.approved.money?.minorUnits, 2_000)
        },
        ContractRule(
            "RCPT-04",
            .should,
            needs: [.sale],
            "a receipt names the card's brand and last four digits",
            likelyCause: "the acquirer's answer is not read for the card"
        ) { bench in
            let receipt = try await bench.paid(at: try await bench.ready())
            try bench.expect("last four", receipt.card?.lastFour, "1111")
            try bench.expect("a brand", receipt.card?.brand?.isEmpty == false)
        },
        ContractRule(
            "RCPT-05",
            .should,
            needs: [.sale],
            "a receipt of a tap says that it was one",
            likelyCause: "the method is left unknown"
        ) { bench in
            let receipt = try await bench.paid(at: try await bench.ready())
            try bench.expect("the method", receipt.method, .tap)
        },
        ContractRule(
            "RCPT-06",
            .should,
            needs: [.sale],
            "a receipt holds the issuer's approval code",
            likelyCause: "the acquirer's answer is not read for the approval code"
        ) { bench in
            let receipt = try await bench.paid(at: try await bench.ready())
            try bench.expect("an approval code", receipt.approvalCode?.isEmpty == false)
        },
        ContractRule(
            "RCPT-07",
            needs: [.sale, .books],
            "the amount of a receipt is what the books say",
            likelyCause: "no reference is given, so that nobody can look, or the amount is echoed"
        ) { bench in
            let receipt = try await bench.paid(at: try await bench.ready())
            try bench.expect("sure of the amount", receipt.isConfirmed)
            try bench.expect("approved", receipt.approved.money?.minorUnits, bench.charged)
        },
        ContractRule(
            "RCPT-08",
            needs: [.sale, .refund],
            "a refund has a receipt of its own, with a reference of its own",
            likelyCause: "the refund's answer names the payment"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let receipt = try await bench.paid(at: pointOfSale)
            let told = try await bench.refund(receipt, 800, at: pointOfSale)
            let refund = told.outcome?.receipt
            try bench.expect("the kind", refund?.kind, .refund)
            try bench.expect("the amount", refund?.approved.money?.minorUnits, 800)
            let shared = refund?.references.first == receipt.references.first
            try bench.expect("the payment's reference", shared, false)
        },
        ContractRule(
            "RCPT-09",
            needs: [.sale],
            "a simulated payment says that it is simulated",
            likelyCause: "the configuration of the harness does not say `simulated`"
        ) { bench in
            let receipt = try await bench.paid(at: try await bench.ready())
            try bench.expect("simulated", receipt.isSimulated)
        },
        ContractRule(
            "RCPT-10",
            needs: [.authorization],
            "the receipt of a hold says that it is one, and for how much",
            likelyCause: "a hold is told as a sale"
        ) { bench in
            let hold = try await bench.hold(at: try await bench.ready())
            try bench.expect("the kind", hold.receipt.kind, .authorization)
            try bench.expect("the amount", hold.receipt.approved.money?.minorUnits, bench.held)
        },
    ]
}
