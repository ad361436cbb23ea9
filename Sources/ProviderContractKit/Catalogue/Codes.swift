import AcquirerSimulation
import PaymentCore
import ReaderSimulation
import Simulation

/// Codes to pay by when a tap is impossible.
enum Codes {
    static let rules: [ContractRule] = shown + none

    private static let shown: [ContractRule] = [
        ("01", 3, true, "soon"), ("02", 60, true, "after a minute"),
        ("03", 300, true, "after five minutes"), ("04", 5_000, false, "never in time"),
    ].map { number, seconds, isPaid, name in
        ContractRule(
            "CODE-\(number)",
            needs: [.sale, .qrFallback, .codes],
            "a code that the customer pays \(name) is told as the ledger has it, and charged once",
            likelyCause: "what became of a code is not looked up, or it can be paid after its end"
        ) { bench in
            bench.control.setUnsupported(ReaderError(.deviceUnsupported))
            let paying = ContractHappening.customerPaysCode(after: .seconds(seconds))
            try bench.expect("the harness has customers pay", bench.stage.make(paying))
            let pointOfSale = try await bench.open()
            try? await pointOfSale.prepare()
            let told = try await bench.sale(at: pointOfSale)
            let outcome = told.outcome
            try bench.expect("paid", outcome?.money == .moved, isPaid)
            try bench.expectMoney(charged: isPaid ? 1_250 : 0)
            await bench.pass(.seconds(10_000))
            try bench.expectMoney(charged: isPaid ? 1_250 : 0)
            if isPaid {
                try bench.expect("the method", told.receipt?.method, .qr)
                let again = try await bench.sale(at: pointOfSale)
                try bench.expect("the order again", again.name, "refused alreadyPaid")
            }
        }
    }

    private static let none: [ContractRule] = [
        ContractRule(
            "CODE-11",
            needs: [.sale],
            absent: [.qrFallback],
            "an adapter without codes shows none when a tap is impossible",
            likelyCause: "the capability `qrFallback` is not declared"
        ) { bench in
            bench.control.setUnsupported(ReaderError(.deviceUnsupported))
            let pointOfSale = try await bench.open()
            try? await pointOfSale.prepare()
            let told = try await bench.sale(at: pointOfSale)
            try bench.expect("a code", told.phases.contains("showQRCode"), false)
            try bench.expect("links", bench.wire.count(.link), 0)
            try bench.expectMoney()
        }
    ]
}
