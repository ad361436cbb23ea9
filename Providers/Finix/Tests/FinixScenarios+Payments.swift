import AcquirerSimulation
import FinixSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation

extension FinixScenario {
    /// What Finix does with a payment whose card was read.
    static let payments: [FinixScenario] = [
        FinixScenario(
            name: "SC-01 F-067 a sale is approved",
            told: ["approved"],
            ledger: ["charge 1250"],
            events: told
        ) { stage in try await stage.pay(with: try await stage.ready()) },
        FinixScenario(
            name: "SC-02 F-191 a hold is no payment",
            told: ["authorized"],
            ledger: ["hold 1250"],
            events: told
        ) { stage in try await stage.pay("o1", .authorization, with: try await stage.ready()) },
        FinixScenario(
            name: "SC-03 F-198 money is given to the card that is tapped",
            told: ["approved"],
            ledger: ["refund 1250"],
            events: told
        ) { stage in try await stage.pay("o1", .refundToCard, with: try await stage.ready()) },
        FinixScenario(
            name: "SC-04 F-211 a state of failed is a decline",
            told: ["declined"],
            ledger: [],
            events: checked,
            card: "declined-funds"
        ) { stage in try await stage.pay(with: try await stage.ready()) },
        FinixScenario(
            name: "SC-05 F-094 F-244 pending, then succeeded, which nobody announces",
            told: ["unresolved", "unresolved", "approved"],
            ledger: ["charge 1250"],
            events: checked
        ) { stage in try await pending(stage, succeeds: true) },
        FinixScenario(
            name: "SC-06 F-094 F-244 pending, then failed, which nobody announces",
            told: ["unresolved", "unresolved", "declined"],
            ledger: [],
            events: checked
        ) { stage in try await pending(stage, succeeds: false) },
        FinixScenario(
            name: "SC-07 F-101 processed, and the answer is lost",
            told: ["unresolved", "approved"],
            ledger: ["charge 1250"],
            events: checked
        ) { stage in
            let pointOfSale = try await stage.ready()
            stage.emulator.loseNextPayment(booked: true)
            try await stage.withoutBooks { try await stage.pay(with: pointOfSale) }
            await stage.resolve(with: pointOfSale)
        },
        FinixScenario(
            name: "SC-08 F-105 the request never arrives",
            told: ["unresolved", "unresolved", "failed notBooked", "approved"],
            ledger: ["charge 1250"],
            events: checked + told
        ) { stage in
            stage.emulator.loseNextPayment(booked: false)
            try await unbooked(stage)
        },
        FinixScenario(
            name: "SC-09 F-105 HTTP 500 before processing",
            told: ["unresolved", "unresolved", "failed notBooked", "approved"],
            ledger: ["charge 1250"],
            events: checked + told
        ) { stage in
            stage.emulator.answerNextPayment(status: 500)
            try await unbooked(stage)
        },
        FinixScenario(
            name: "SC-10 F-093 F-105 HTTP 422, which the kit hides",
            told: ["unresolved", "unresolved", "failed notBooked", "approved"],
            ledger: ["charge 1250"],
            events: checked + told
        ) { stage in
            stage.emulator.answerNextPayment(status: 422)
            try await unbooked(stage)
        },
    ]

    private static func pending(_ stage: FinixStage, succeeds: Bool) async throws {
        stage.emulator.leavePending(until: .seconds(600), succeeds: succeeds)
        let pointOfSale = try await stage.ready()
        try await stage.pay(with: pointOfSale)
        await stage.resolve(with: pointOfSale)
        await stage.wait(601)
        await stage.resolve(with: pointOfSale)
    }

    /// Takes a payment that is not booked: before its time is over nobody knows, afterwards the
    /// order is free again.
    private static func unbooked(_ stage: FinixStage) async throws {
        let pointOfSale = try await stage.ready()
        try await stage.pay(with: pointOfSale)
        await stage.resolve(with: pointOfSale)
        await stage.wait(301)
        await stage.resolve(with: pointOfSale)
        try await pointOfSale.prepare()
        try await stage.pay(with: pointOfSale)
    }
}

extension FinixEmulator {
    /// Answers the next payment so, without doing anything.
    fileprivate func answerNextPayment(status: Int) {
        host.faults.add(.answer(HTTPResponse(status: status)), times: 1) { $0.method == .post }
    }
}
