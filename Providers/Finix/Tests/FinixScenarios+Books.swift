import AcquirerSimulation
import FinixSimulation
import PaymentCore
import PaymentTransport

extension FinixScenario {
    /// What follows a payment.
    static let books: [FinixScenario] = [
        FinixScenario(
            name: "SC-31 F-185 capture above the hold, twice, and after it lapsed",
            told: [
                "authorized", "refused invalidRequest", "pending", "refused invalidRequest",
                "authorized", "failed expired",
            ],
            ledger: ["hold 1250", "charge 600", "hold 1250"],
            events: told + told
        ) { stage in
            let pointOfSale = try await stage.ready()
            try await hold("o1", stage, pointOfSale) { hold in
                for (amount, id) in [(Int64(1_251), "a"), (600, "b"), (600, "c")] {
                    let money = try stage.usd(amount)
                    await stage.follow { () throws(PaymentRefusal) in
                        try await pointOfSale.capture(hold, amount: money, id: .init(id))
                    }
                }
            }
            try await pointOfSale.prepare()
            try await hold("o2", stage, pointOfSale) { hold in
                await stage.wait(7 * 86_400 + 1)
                await stage.follow { () throws(PaymentRefusal) in
                    try await pointOfSale.capture(hold, amount: hold.amount, id: "d")
                }
            }
        },
        FinixScenario(
            name: "SC-32 F-193 refunds that add up to more than the amount",
            told: ["approved", "done", "done", "refused invalidRequest"],
            ledger: ["charge 1250", "refund 1000", "refund 250"],
            events: told
        ) { stage in
            try await refund([1_000, 250, 1], stage)
        },
        FinixScenario(
            name: "SC-33 F-195 a refund is accepted and fails later",
            told: ["approved", "pending", "declined"],
            ledger: ["charge 1250"],
            events: told
        ) { stage in
            stage.emulator.leaveRefundPending(until: .seconds(3_600), succeeds: false)
            let pointOfSale = try await refund([1_250], stage)
            await stage.wait(3_601)
            await stage.resolve(with: pointOfSale)
        },
        FinixScenario(
            name: "SC-34 F-203 F-204 one idempotency id: the same body, another, and legacy mode",
            told: ["approved", "201", "201 the same", "422", "422", "done"],
            ledger: ["charge 1250", "refund 400", "refund 300"],
            events: told
        ) { stage in try await repeatRefund(stage) },
    ]

    private static func hold(
        _ order: Order,
        _ stage: FinixStage,
        _ pointOfSale: PointOfSale,
        _ body: (Authorization) async throws -> Void
    ) async throws {
        let outcome = try await stage.pay(order, .authorization, with: pointOfSale)
        guard case .authorized(let hold)? = outcome else { return }
        try await body(hold)
    }

    @discardableResult
    private static func refund(
        _ amounts: [Int64],
        _ stage: FinixStage
    ) async throws -> PointOfSale {
        let pointOfSale = try await stage.ready()
        guard case .approved(let receipt)? = try await stage.pay(with: pointOfSale) else {
            return pointOfSale
        }
        for amount in amounts {
            let money = try stage.usd(amount)
            await stage.follow { () throws(PaymentRefusal) in
                try await pointOfSale.refund(receipt, amount: money, id: .init("r\(amount)"))
            }
        }
        return pointOfSale
    }

    /// Repeats a refund over REST, then has the adapter repeat one whose answer was lost at a
    /// Finix that refuses every repeat.
    private static func repeatRefund(_ stage: FinixStage) async throws {
        let pointOfSale = try await stage.ready()
        guard case .approved(let receipt)? = try await stage.pay(with: pointOfSale),
            let transfer = receipt.references.first
        else { return }
        let path = "/transfers/\(transfer.value)/reversals"
        func reverse(_ amount: Int64) async -> (status: Int, id: String?) {
            await stage.post(
                path,
                ["refund_amount": .number(amount), "idempotency_id": .text("i")]
            )
        }
        let first = await reverse(400)
        stage.tell("\(first.status)")
        let again = await reverse(400)
        stage.tell("\(again.status) \(again.id == first.id ? "the same" : "another")")
        stage.tell("\(await reverse(401).status)")
        stage.emulator.modes.refusesRepeats = true
        stage.tell("\(await reverse(400).status)")
        stage.emulator.host.faults.add(.loseAnswer, times: 1) { $0.path == path }
        let money = try stage.usd(300)
        await stage.follow { () throws(PaymentRefusal) in
            try await pointOfSale.refund(receipt, amount: money, id: "r300")
        }
    }
}
