import AcquirerSimulation
import FinixPayments
import FinixSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import Simulation

extension FinixScenario {
    /// What else may happen around a payment.
    static let oddities: [FinixScenario] = [
        FinixScenario(
            name: "SC-24 F-065 a second start during a read",
            told: ["refused busy", "approved"],
            ledger: ["charge 1250"],
            events: told
        ) { stage in
            stage.emulator.delayPayments(by: .seconds(3))
            let pointOfSale = try await stage.ready()
            let executor = stage.shop.world.time.executor
            try await stage.pay("o1", with: pointOfSale) { event in
                guard event.word == "presentCard" else { return }
                Task(executorPreference: executor) {
                    try await stage.pay("o2", with: pointOfSale)
                }
            }
        },
        FinixScenario(
            name: "SC-25 F-117 F-122 a late subscriber",
            told: ["approved", "nothing runs", "approved"],
            ledger: ["charge 1250", "charge 1250"],
            events: told + told
        ) { stage in
            let pointOfSale = try await stage.ready()
            try await stage.pay("o1", with: pointOfSale)
            var states = pointOfSale.states.makeAsyncIterator()
            stage.tell(await states.next()?.running == nil ? "nothing runs" : "a stale payment")
            try await pointOfSale.prepare()
            // The kit replays the first sale's end to the second sale's subscriber.
            try await stage.pay("o2", with: pointOfSale)
        },
        FinixScenario(
            name: "SC-26 F-108 F-109 the failure is told twice",
            told: ["declined"],
            ledger: [],
            events: checked,
            card: "declined-funds"
        ) { stage in
            stage.phone.quirks.repeatsFailure = true
            try await stage.pay(with: try await stage.ready())
        },
        FinixScenario(
            name: "SC-27 F-016 F-013 an error and an event that nobody knows",
            told: ["failed unclassified", "unresolved"],
            ledger: [],
            events: ["started", "preparing", "finished"]
                + ["started", "preparing", "cardRead", "checking", "finished"]
        ) { stage in
            for phases in [
                [FinixPhase.preparingTransaction, .other("warmer")],
                [.preparingTransaction, .other("warmer"), .cardRead],
            ] {
                let failure = FinixDriverError(code: "somethingNew", payload: "text")
                let end = FinixTransactionEnd(phases: phases, answer: .failure(failure))
                let pointOfSale = try await stage.open(driver: ScriptedFinixDriver(end: end))
                try await stage.pay(with: pointOfSale)
            }
        },
        FinixScenario(
            name: "SC-28 F-012 the processor's number cannot be had",
            told: ["failed acquirerUnavailable"],
            ledger: [],
            events: ["started", "preparing", "finished"]
        ) { stage in
            stage.emulator.host.faults.add(.unreachable) { $0.path == "/merchants/MUdemo" }
            try await stage.pay(with: try await stage.ready())
        },
        FinixScenario(
            name: "SC-29 F-252 a part of the amount is approved",
            told: ["partlyApproved", "6.25 USD", "6.26 USD to pay"],
            ledger: ["charge 625"],
            events: told
        ) { stage in
            stage.shop.world.issuer.approveInPart()
            let outcome = try await stage.pay(amount: 1_251, with: try await stage.ready())
            guard case .partlyApproved(let receipt, let rest)? = outcome else { return }
            stage.tell(receipt.approved.money?.description ?? "unknown")
            stage.tell("\(rest) to pay")
        },
        FinixScenario(
            name: "SC-30 F-099 the app is killed after the read",
            told: ["1 open", "refused open", "approved", "0 open"],
            ledger: ["charge 1250"],
            events: submitted
        ) { stage in
            stage.emulator.delayPayments(by: .seconds(10))
            let doomed = try await stage.ready()
            let executor = stage.shop.world.time.executor
            let killed = Task(executorPreference: executor) {
                let request = PaymentRequest.sale(try stage.usd(1_250), for: "o1")
                _ = try await doomed.take(request) { event in
                    if event.word != "finished" { stage.see(event) }
                }
            }
            await stage.wait(5)
            stage.kill()
            let next = try await stage.open()
            stage.tell("\(await next.unresolved.count) open")
            try await stage.pay(with: next)
            await stage.resolve(with: next)
            stage.tell("\(await next.unresolved.count) open")
            _ = await killed.result
        },
    ]
}
