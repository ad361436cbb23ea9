import AcquirerSimulation
import FinixPayments
import FinixSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation

extension FinixScenario {
    /// Preparing, linking, the app's life and the phone's Device.
    static let settingUp: [FinixScenario] = [
        FinixScenario(
            name: "SC-17 F-055 preparing fails with 2011, 2012, 2013 and another number",
            told: [
                "readerConfigurationInvalid", "tokenInvalid", "merchantNotEnabled",
                "preparationFailed",
            ],
            ledger: [],
            events: []
        ) { stage in
            let pointOfSale = try await stage.open()
            for number in [2011, 2012, 2013, 2019] {
                stage.control.traits.preparationFailure = number
                await stage.prepare(pointOfSale)
            }
        },
        FinixScenario(
            name: "SC-18 F-043 the link is missing, unknown, and missing by an old answer alone",
            told: ["notDone linkCancelled", "notLinked", "unknown", "ready", "linked"],
            ledger: [],
            events: []
        ) { stage in
            stage.control.revokeLink()
            stage.control.nextTerms([.closes])
            let closed = try await stage.open()
            try await setUp(closed, stage)
            stage.tell(await closed.acquirers[0].provider.readiness().link.rawValue)
            let other = try await stage.open()
            stage.tell(await other.acquirers[0].provider.readiness().link.rawValue)
            // The phone is linked elsewhere while the kit still keeps the old answer.
            stage.control.acceptTerms(merchant: "MUdemo")
            await stage.prepare(other)
            stage.tell(await other.acquirers[0].provider.readiness().link.rawValue)
        },
        FinixScenario(
            name: "SC-19 F-035 linking finds the account linked",
            told: ["done"],
            ledger: [],
            events: []
        ) { stage in
            // Both questions about the link go unanswered, so that it comes to linking.
            stage.emulator.host.faults.add(.unreachable, times: 2) {
                $0.path == "/tap_to_pay_token"
            }
            try await setUp(try await stage.open(), stage)
        },
        FinixScenario(
            name: "SC-20 F-267 the app leaves the screen while it prepares, reads and submits",
            told: ["inBackground", "ready", "failed cardNotRead", "ready", "approved"],
            ledger: ["charge 1250"],
            events: unread + FinixScenario.told
        ) { stage in try await leaveTheScreen(stage) },
        // The card was read, so that no error proves anything before the books do: rule F-084.
        FinixScenario(
            name: "SC-21 F-084 F-140 F-141 the Device is switched off",
            told: ["unresolved", "ready", "1 activated", "approved", "failed notBooked"],
            ledger: ["charge 1250"],
            events: checked + FinixScenario.told
        ) { stage in try await switchOff(stage) },
        FinixScenario(
            name: "SC-22 F-142 another reader identifier needs another Device",
            told: ["false", "true"],
            ledger: [],
            events: []
        ) { stage in
            let provisioner = stage.provisioner(MemoryFinixDeviceStore())
            let first = try await provisioner.device(for: stage.device(reader: "r1"))
            let second = try await provisioner.device(for: stage.device(reader: "r2"))
            let again = try await provisioner.device(for: stage.device(reader: "r1"))
            stage.tell("\(first == second)")
            stage.tell("\(first == again)")
        },
        FinixScenario(
            name: "SC-23 F-050 two preparations at once are one",
            told: ["ready", "ready", "2 tokens"],
            ledger: [],
            events: []
        ) { stage in
            let pointOfSale = try await stage.open()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<2 { group.addTask { await stage.prepare(pointOfSale) } }
            }
            // One to ask about the link and one for the session.
            stage.tell("\(stage.tokens) tokens")
        },
    ]

    private static func setUp(_ pointOfSale: PointOfSale, _ stage: FinixStage) async throws {
        let options = SetUpOptions(mayAcceptTerms: true)
        stage.tell(try await pointOfSale.setUp(options).state.name)
    }

    private static func leaveTheScreen(_ stage: FinixStage) async throws {
        let pointOfSale = try await stage.open()
        stage.phone.background()
        await stage.prepare(pointOfSale)
        stage.phone.foreground()
        await stage.prepare(pointOfSale)
        let card = stage.control.alwaysThisCard
        stage.control.alwaysThisCard = nil
        try await stage.pay("o1", with: pointOfSale) { event in
            if event.word == "presentCard" { stage.phone.background() }
        }
        // The kit renews its session by itself before the app asks for one.
        stage.phone.foreground()
        await stage.wait(5)
        stage.control.alwaysThisCard = card
        await stage.prepare(pointOfSale)
        try await stage.pay("o2", with: pointOfSale) { event in
            if event.word == "submitting" { stage.phone.background() }
        }
    }

    /// The payment that meets a Device which is off, and the one provisioning that follows.
    private static func switchOff(_ stage: FinixStage) async throws {
        let pointOfSale = try await stage.open(FinixStage.provisioned)
        try await pointOfSale.prepare()
        for device in stage.emulator.devices.keys { stage.emulator.disable(device: device) }
        try await stage.pay("o1", with: pointOfSale)
        let before = stage.count("PUT /devices")
        await stage.prepare(pointOfSale)
        stage.tell("\(stage.count("PUT /devices") - before) activated")
        try await stage.pay("o2", with: pointOfSale)
        await stage.wait(301)
        await stage.resolve("o1", with: pointOfSale)
    }
}
