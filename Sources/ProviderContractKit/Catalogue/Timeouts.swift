import AcquirerSimulation
import PaymentCore
import ReaderSimulation
import Simulation

/// What takes too long.
enum Timeouts {
    static let rules: [ContractRule] = [
        ContractRule(
            "TIME-01",
            needs: [.sale],
            "a payment without a card ends by itself, and nothing is charged",
            likelyCause: "the adapter waits for a callback that never comes"
        ) { bench in
            bench.control.alwaysThisCard = nil
            let pointOfSale = try await bench.ready()
            let told = try await bench.sale(at: pointOfSale)
            try bench.expect("the sale", told.word, oneOf: ["failed", "cancelled"])
            try bench.expectMoney()
            try await bench.prove(told, at: pointOfSale)
        },
        ContractRule(
            "TIME-02",
            needs: [.sale],
            "an answer that takes 20 seconds is waited for",
            likelyCause: "the adapter gives up on a payment that was submitted"
        ) { bench in
            let pointOfSale = try await bench.ready()
            bench.wire.delay(.payment, by: .seconds(20))
            let told = try await bench.sale(at: pointOfSale)
            try bench.expect("the sale", told.name, "approved")
            try bench.expectMoney(charged: 1_250)
        },
        ContractRule(
            "TIME-03",
            needs: [.sale, .books],
            "an answer that takes five minutes is never told as a failure",
            likelyCause: "the adapter's own deadline is told as not charged"
        ) { bench in
            let pointOfSale = try await bench.ready()
            bench.wire.delay(.payment, by: .seconds(300))
            try await bench.prove(try await bench.sale(at: pointOfSale), at: pointOfSale)
        },
        ContractRule(
            "TIME-04",
            needs: [.sale, .books],
            "an answer that takes half an hour keeps the order blocked until it is known",
            likelyCause: "a late answer is lost"
        ) { bench in
            let pointOfSale = try await bench.ready()
            bench.wire.delay(.payment, by: .seconds(1_800))
            let told = try await bench.sale(at: pointOfSale)
            bench.wire.heal()
            await bench.pass(.seconds(3_600))
            if told.name == "unresolved" { try await bench.settle(pointOfSale) }
            let again = try await bench.again(at: pointOfSale)
            try bench.expect("the order again", again.name, "refused alreadyPaid")
            try bench.expectMoney(charged: 1_250)
        },
        ContractRule(
            "TIME-05",
            needs: [.sale, .books],
            "books that take ten seconds to answer do not change what is told",
            likelyCause: "the books side gives up and takes silence for absence"
        ) { bench in
            let pointOfSale = try await bench.ready()
            bench.wire.fail(.payment, by: .answerLost)
            bench.wire.delay(.lookUp, by: .seconds(10), times: 3)
            try await bench.prove(try await bench.sale(at: pointOfSale), at: pointOfSale)
        },
        ContractRule(
            "TIME-06",
            needs: [.sale, .books],
            "books that never answer leave a lost payment unresolved, and found later",
            likelyCause: "the books side takes silence for absence"
        ) { bench in
            let pointOfSale = try await bench.ready()
            bench.wire.fail(.payment, by: .answerLost)
            bench.wire.fail(.lookUp, by: .hangs, times: nil)
            let told = try await bench.sale(at: pointOfSale)
            try bench.expect("the sale", told.name, oneOf: ["unresolved", "approved"])
            try await bench.prove(told, at: pointOfSale)
        },
        ContractRule(
            "TIME-07",
            needs: [.sale, .refund],
            "a refund that takes 20 seconds is waited for, and made once",
            likelyCause: "the adapter gives up on a refund and sends it again"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let receipt = try await bench.paid(at: pointOfSale)
            bench.wire.delay(.refund, by: .seconds(20))
            let told = try await bench.refund(receipt, 800, at: pointOfSale)
            try bench.expect("the refund", told.isAccepted, got: told.name)
            try bench.expectMoney(charged: 2_000, refunded: 800)
        },
        ContractRule(
            "TIME-08",
            needs: [.sale, .readerTokens],
            "a preparation that hangs ends, and the next one works",
            likelyCause: "a preparation that hangs blocks all that follow"
        ) { bench in
            let pointOfSale = try await bench.open()
            bench.wire.fail(.token, by: .hangs)
            var wasReady = true
            do throws(PaymentError) { try await pointOfSale.prepare() } catch { wasReady = false }
            try bench.expect("ready", wasReady, false)
            bench.wire.heal()
            let told = try await bench.again(at: pointOfSale)
            try bench.expect("the sale", told.name, "approved")
            try bench.expectMoney(charged: 1_250)
        },
        ContractRule(
            "TIME-09",
            needs: [.sale, .pending, .books],
            "a payment that stays pending is not told as approved, and blocks its order",
            likelyCause: "pending is taken for approved"
        ) { bench in
            let pointOfSale = try await bench.ready()
            try bench.expect(
                "the harness leaves payments pending",
                bench.stage.make(.pending(.seconds(300), thenSucceeds: true))
            )
            let told = try await bench.sale(at: pointOfSale)
            try bench.expect("the sale", told.name, "unresolved")
            try bench.expectMoney()
            try await bench.prove(told, at: pointOfSale)
            try bench.expectMoney(charged: 1_250)
        },
        ContractRule(
            "TIME-10",
            needs: [.sale, .pending, .books],
            "a payment that stays pending and then fails frees its order",
            likelyCause: "pending is taken for approved"
        ) { bench in
            let pointOfSale = try await bench.ready()
            try bench.expect(
                "the harness leaves payments pending",
                bench.stage.make(.pending(.seconds(300), thenSucceeds: false))
            )
            let told = try await bench.sale(at: pointOfSale)
            try bench.expect("the sale", told.name, "unresolved")
            try await bench.prove(told, at: pointOfSale)
        },
    ]
}
