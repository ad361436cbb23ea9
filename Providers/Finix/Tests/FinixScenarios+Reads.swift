import AcquirerSimulation
import FinixSimulation
import PaymentCore
import ReaderSimulation
import Simulation

extension FinixScenario {
    /// What happens before, during and just after the read of a card.
    static let reads: [FinixScenario] = [
        FinixScenario(
            name: "SC-11 F-077 the buyer closes the sheet",
            told: ["cancelled"],
            ledger: [],
            events: unread,
            card: nil
        ) { stage in
            try await stage.pay(with: try await stage.ready()) { event in
                if event.word == "presentCard" { stage.control.customerCancels() }
            }
        },
        FinixScenario(
            name: "SC-12 F-073 the app cancels during the read",
            told: ["asked", "cancelled"],
            ledger: [],
            events: unread,
            card: nil
        ) { stage in try await cancelled(stage, at: "presentCard") },
        FinixScenario(
            name: "SC-13 F-075 the app cancels after the read",
            told: ["tooLate", "approved"],
            ledger: ["charge 1250"],
            events: told
        ) { stage in
            stage.emulator.delayPayments(by: .seconds(3))
            try await cancelled(stage, at: "cardRead")
        },
        FinixScenario(
            name: "SC-14 F-114 a cancel with a failure event and without one",
            told: ["asked", "cancelled", "asked", "cancelled"],
            ledger: [],
            events: unread + unread,
            card: nil
        ) { stage in
            for omits in [false, true] {
                stage.phone.quirks.omitsCancelEvent = omits
                try await cancelled(stage, at: "presentCard")
            }
        },
        FinixScenario(
            name: "SC-15 F-095 each of Apple's read errors",
            told: readErrors.map { _ in "failed cardNotRead" },
            ledger: [],
            events: readErrors.flatMap { _ in unread }
        ) { stage in
            let pointOfSale = try await stage.open()
            for name in readErrors {
                try await pointOfSale.prepare()
                stage.control.throwAtNext(.readStarted, .apple(name))
                try await stage.pay(with: pointOfSale)
            }
        },
        FinixScenario(
            name: "SC-16 F-060 there is no session",
            told: ["failed notPrepared"],
            ledger: [],
            events: ["started", "finished"]
        ) { stage in try await stage.pay(with: try await stage.open()) },
    ]

    /// Apple's read errors save the cancelled read, which is no failure.
    private static let readErrors = [
        "cardReadFailed", "cardNotSupported", "invalidAmount", "invalidCurrencyCode",
        "invalidPreferredAID", "nfcDisabled", "noReaderSession", "passcodeDisabled",
        "paymentCardDeclined", "paymentReadFailed", "pinCancelled", "pinEntryFailed",
        "pinEntryTimeout", "pinNotAllowed", "pinTokenInvalid", "readFromBackgroundError",
        "readNotAllowed", "readNotAllowedDuringCall", "readerInitializationFailed",
        "readerNotAvailable", "readerServiceConnectionError", "readerServiceError",
        "readerSessionAuthenticationError", "readerSessionBusy", "readerSessionExpired",
        "readerSessionNetworkError", "readerTokenExpired", "unknown",
    ]

    /// Cancels a sale as soon as an event is told.
    private static func cancelled(_ stage: FinixStage, at word: String) async throws {
        let pointOfSale = try await stage.ready()
        let executor = stage.shop.world.time.executor
        try await stage.pay(with: pointOfSale) { event in
            guard event.word == word else { return }
            Task(executorPreference: executor) {
                stage.tell(await pointOfSale.cancel("o1").rawValue)
            }
        }
    }
}
