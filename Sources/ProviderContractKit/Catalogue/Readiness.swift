import AcquirerSimulation
import PaymentCore
import ReaderSimulation
import Simulation

/// Readiness and preparation.
enum Readiness {
    static let rules: [ContractRule] = [
        ContractRule(
            "REDY-01",
            needs: [.sale],
            "preparing moves no money and submits nothing",
            likelyCause: "preparation makes a test payment"
        ) { bench in
            let pointOfSale = try await bench.ready()
            _ = await pointOfSale.acquirers[0].provider.readiness()
            _ = await pointOfSale.acquirers[0].provider.device()
            try bench.expect("submissions", bench.wire.count(.payment), 0)
            try bench.expectMoney()
        },
        ContractRule(
            "REDY-02",
            needs: [.sale],
            "a prepared reader is told as supported, prepared and not signed out",
            likelyCause: "readiness is not kept up to date"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let readiness = await pointOfSale.acquirers[0].provider.readiness()
            try bench.expect("supported", readiness.isSupported)
            try bench.expect("prepared", readiness.isPrepared)
            try bench.expect("signed out", readiness.isSignedOut, false)
            try bench.expect("linked", "\(readiness.link)", oneOf: ["linked", "notNeeded"])
        },
        ContractRule(
            "REDY-03",
            needs: [.sale],
            "preparations at once are one, and the sale after them works",
            likelyCause: "two preparations meet in the reader"
        ) { bench in
            let pointOfSale = try await bench.open()
            async let one: Void? = try? pointOfSale.prepare()
            async let other: Void? = try? pointOfSale.prepare()
            let ready = await (one, other)
            try bench.expect("ready", ready.0 != nil && ready.1 != nil)
            let told = try await bench.sale(at: pointOfSale)
            try bench.expect("the sale", told.name, "approved")
        },
        ContractRule(
            "REDY-04",
            needs: [.sale],
            "a sale without any preparation ends truly, and the order can be paid",
            likelyCause: "a payment that could not begin is told as unknown"
        ) { bench in
            let pointOfSale = try await bench.open()
            let told = try await bench.sale(at: pointOfSale)
            try bench.expect("the sale", told.word, oneOf: ["approved", "failed", "cancelled"])
            try await bench.prove(told, at: pointOfSale)
        },
        ContractRule(
            "REDY-05",
            needs: [.sale],
            "preparing twice in a row is no fault",
            likelyCause: "the adapter cannot prepare what is prepared"
        ) { bench in
            let pointOfSale = try await bench.ready()
            try await pointOfSale.prepare()
            let told = try await bench.sale(at: pointOfSale)
            try bench.expect("the sale", told.name, "approved")
        },
        ContractRule(
            "REDY-06",
            needs: [.sale],
            absent: [.qrFallback],
            "a device that cannot read cards charges nothing, and its failure is no unknown",
            likelyCause: "a payment that could not begin is told as unknown, or as approved"
        ) { bench in
            bench.control.setUnsupported(ReaderError(.deviceUnsupported))
            let pointOfSale = try await bench.open()
            try? await pointOfSale.prepare()
            let told = try await bench.sale(at: pointOfSale)
            try bench.expect("the sale", told.word, "failed")
            try bench.expectMoney()
            try bench.expect("submissions", bench.wire.count(.payment), 0)
        },
        ContractRule(
            "REDY-07",
            needs: [.sale],
            "a preparation without a network fails, or the sale after it does, and neither charges",
            likelyCause: "a failure before the card was read is told as unknown"
        ) { bench in
            let pointOfSale = try await bench.open()
            bench.control.network(.down)
            bench.wire.fail(.token, .create, by: .unreachable, times: nil)
            try? await pointOfSale.prepare()
            let told = try await bench.sale(at: pointOfSale)
            try bench.expectMoney()
            bench.control.network(.up)
            bench.wire.heal()
            try await bench.prove(told, at: pointOfSale)
        },
        ContractRule(
            "REDY-08",
            .should,
            needs: [.sale],
            "a sale works after every earlier one without a call to prepare",
            likelyCause: "the session of the reader is given up with each payment"
        ) { bench in
            let pointOfSale = try await bench.ready()
            for order in ["o1", "o2", "o3"] as [Order] {
                let told = try await bench.sale(500, order, at: pointOfSale)
                try bench.expect("the sale of \(order)", told.name, "approved")
            }
            try bench.expectMoney(charged: 1_500)
        },
    ]
}
