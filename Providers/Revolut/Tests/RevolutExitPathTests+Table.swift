import AcquirerSimulation
import PaymentCore
import ReaderSimulation
import RevolutSimulation
import Simulation

extension RevolutExitPathTests {
    /// Every exit path of the specification's table, by its number.
    static let paths: [ExitPath] = payments + refusals + killed + series + setUps

    private static let payments: [ExitPath] = [
        ExitPath(1, "paid by tap", calls: ExitPath.paid, told: ["approved"], charged: [1_000]),
        ExitPath(
            2,
            "paid without a receipt",
            calls: ["success", "end"],
            told: ["approved"],
            charged: [1_000]
        ) { $0.stage.script.givesReceipts = false },
        ExitPath(
            3,
            "declined",
            calls: ExitPath.failed,
            told: ["declined insufficientFunds"],
            charged: [],
            card: "declined-funds"
        ),
        ExitPath(
            4,
            "declined, then paid",
            calls: ExitPath.paid,
            told: ["approved"],
            charged: [1_000],
            card: nil
        ) {
            $0.stage.script.retriesDeclines = true
            $0.world.device.control.nextCards(
                ["declined-funds", "visa-credit"].compactMap { SimulatedCard.named($0) }
            )
        },
        ExitPath(
            5,
            "cancelled, with a report",
            calls: ExitPath.failed,
            told: ["cancelled"],
            charged: [],
            card: nil
        ) { $0.customerCancels() },
        ExitPath(
            6,
            "cancelled, without one",
            calls: ["end"],
            told: ["cancelled"],
            charged: [],
            card: nil
        ) {
            $0.stage.script.cancelShape = .completionAlone
            $0.customerCancels()
        },
        ExitPath(7, "paid by code", calls: ExitPath.paid, told: ["approved"], charged: [1_000]) {
            $0.tapImpossible { shop, order in
                shop.world.time.clock.schedule(after: .seconds(5)) {
                    shop.emulator.payByCode(order)
                }
            }
        },
        ExitPath(8, "code ran out", calls: ExitPath.failed, told: ["cancelled"], charged: []) {
            $0.stage.script.codePatience = .seconds(30)
            $0.tapImpossible { _, _ in }
        },
        ExitPath(
            9,
            "code closed by the merchant, with a report",
            calls: ExitPath.failed,
            told: ["cancelled"],
            charged: []
        ) { $0.codeClosed(isPaid: false) },
        ExitPath(
            9,
            "code closed by the merchant, without one",
            calls: ["end"],
            told: ["cancelled"],
            charged: []
        ) {
            $0.stage.script.cancelShape = .completionAlone
            $0.codeClosed(isPaid: false)
        },
        ExitPath(
            9,
            "code closed after a decline",
            calls: ExitPath.failed,
            told: ["declined issuerRefused"],
            charged: []
        ) {
            $0.tapImpossible { shop, order in
                shop.world.time.clock.schedule(after: .seconds(3)) {
                    shop.emulator.refuseByCode(order)
                }
                shop.world.time.clock.schedule(after: .seconds(5)) { shop.stage.screen.close() }
            }
        },
        ExitPath(
            10,
            "paid while it is closed, with a report",
            calls: ExitPath.failed,
            told: ["approved"],
            charged: [1_000]
        ) { $0.codeClosed(isPaid: true) },
        ExitPath(
            10,
            "paid while it is closed, without one",
            calls: ["end"],
            told: ["approved"],
            charged: [1_000]
        ) {
            $0.stage.script.cancelShape = .completionAlone
            $0.codeClosed(isPaid: true)
        },
        ExitPath(
            11,
            "never given a token",
            calls: ExitPath.signedOut,
            told: ["failed signedOut"],
            charged: []
        ) { $0.stage.tokenFault = { .unauthorized } },
        ExitPath(
            12,
            "signed out amid the charge, which was not booked",
            calls: ExitPath.signedOut,
            told: ["cancelled"],
            charged: []
        ) { $0.signOutAmidCharge(isBooked: false) },
        ExitPath(
            12,
            "signed out amid the charge, which was booked",
            calls: ExitPath.signedOut,
            told: ["approved"],
            charged: [1_000]
        ) { $0.signOutAmidCharge(isBooked: true) },
        ExitPath(
            13,
            "lost before the charge",
            calls: ExitPath.failed,
            told: ["cancelled"],
            charged: []
        ) { $0.emulator.loseNextCharge(booked: false) },
        ExitPath(
            14,
            "lost after the charge",
            calls: ExitPath.failed,
            told: ["approved"],
            charged: [1_000]
        ) { $0.emulator.loseNextCharge(booked: true) },
        ExitPath(
            17,
            "currency not accepted",
            calls: ExitPath.failed,
            told: ["unresolved"],
            charged: []
        ) { $0.emulator.accept(currencies: ["EUR"]) },
        ExitPath(
            28,
            "a PIN that cannot be given",
            calls: ExitPath.failed,
            told: ["declined otherInterface"],
            charged: []
        ) { $0.world.device.control.throwAtNext(.cardDetected, ReaderError(.pinNotAllowed)) },
    ]

    /// What is refused touches no kit; the callbacks are those of the call before.
    private static let refusals: [ExitPath] = [
        ExitPath(
            15,
            "an amount of zero",
            .nothing,
            calls: [],
            told: ["invalidRequest"],
            charged: []
        ),
        ExitPath(
            16,
            "a currency in small letters",
            .sale(in: "gbp"),
            calls: [],
            told: ["lowerCase"],
            charged: []
        ),
        ExitPath(
            16,
            "a currency that is none",
            .sale(in: "ZZZ"),
            calls: [],
            told: ["unknown"],
            charged: []
        ),
        ExitPath(
            18,
            "a second call amid the first",
            .twoAtOnce,
            calls: ExitPath.failed,
            told: ["busy", "cancelled"],
            charged: [],
            card: nil
        ),
        ExitPath(
            19,
            "a call after the sign-out",
            .twoSales,
            calls: ExitPath.signedOut,
            told: ["failed signedOut", "signedOut"],
            charged: []
        ) { $0.stage.tokenFault = { .unauthorized } },
    ]

    private static let killed: [ExitPath] = [
        ExitPath(
            20,
            "killed after the charge and before the report",
            .killed { $0.charged > 0 },
            calls: [],
            told: ["o1 interrupted", "open", "approved"],
            charged: [1_000]
        ) { $0.emulator.delayCharges(by: .seconds(30)) },
        ExitPath(
            21,
            "killed between report and end",
            .killed { shop in
                shop.journal.read { $0.open.contains { !$0.references.isEmpty } }
            },
            calls: ["success+receipt"],
            told: ["o1 interrupted", "open", "approved"],
            charged: [1_000]
        ) {
            // The kit's result is on screen, and nobody closes it.
            $0.stage.script.anomaly = .noCompletion
        },
    ]

    private static let series: [ExitPath] = [
        ExitPath(
            22,
            "a series of two paid and one declined",
            .series,
            calls: ["success+receipt", "internalError", "success+receipt", "end"],
            told: ["market-1 approved", "market-2 unresolved", "market-3 approved"],
            charged: [500, 900]
        ) {
            $0.merchantTypes(
                [500, 700, 900],
                cards: ["visa-credit", "declined-funds", "visa-credit"]
            )
        },
        ExitPath(
            23,
            "a series closed with nothing reported",
            .series,
            calls: ["end"],
            told: [],
            charged: []
        ) { $0.merchantTypes([], cards: []) },
    ]

    /// By our rule a failed set-up may have moved money, and says nothing of the device.
    private static let setUps: [ExitPath] = [
        ExitPath(
            24,
            "a set-up whose terms are refused",
            .setUp,
            calls: ["end internalError"],
            told: ["unknown unclassified", "unresolved"],
            charged: []
        ) {
            $0.world.device.control.throwAtNext(
                .linkSheetShown,
                ReaderError(.accountLinkCancelled)
            )
        },
        ExitPath(
            25,
            "a set-up without the test payment",
            .setUp,
            calls: ["end success"],
            told: ["done", "cancelled"],
            charged: []
        ) { $0.stage.hands.takesTestPayment = false },
        ExitPath(
            26,
            "a set-up with the test payment",
            .setUp,
            calls: ["end success+receipt"],
            told: ["done", "approved"],
            charged: [1]
        ),
        ExitPath(
            27,
            "a set-up whose test payment is declined",
            .setUp,
            calls: ["end internalError"],
            told: ["unknown unclassified", "unresolved"],
            charged: [],
            card: "declined-funds"
        ),
    ]
}
