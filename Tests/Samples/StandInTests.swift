import AcquirerSimulation
import FinixPayments
import FinixSimulation
import PaymentCore
import ReaderSimulation
import RevolutPayments
import RevolutSimulation
import Simulation
import Testing

/// What came of a scenario at one acquirer's stand-in.
private struct Ending: Equatable, CustomStringConvertible {
    let told: String
    let charges: Int
    let events: [String]

    var description: String { "\(told), \(charges) charged, \(events)" }
}

/// Plays one scenario file, unchanged, through the stand-in of an acquirer.
private func play(_ name: String, at acquirer: String) throws -> Ending {
    try play(try #require(try ShippedScenarios.scenario(name)), at: acquirer)
}

/// Plays a scenario through the stand-in of an acquirer, in the shape that it names.
private func play(_ played: Scenario, at acquirer: String) throws -> Ending {
    var scenario = played
    scenario.device.linkedMerchants = ["MU-demo", "demo"]
    let world = SimulatedWorld(
        time: SimulatedTime(seed: scenario.seed),
        device: scenario.device
    )
    world.time.trace.isKept = false
    let director = ScenarioDirector(scenario, world: world)
    director.arm()
    let (sale, standIns) = (scenario.sale, scenario.standIns)
    let (told, events) = try world.time.run(scenario.name) { () async -> (String, [String]) in
        var events: [String] = []
        do {
            let pointOfSale = try await PointOfSale.open(
                PointOfSaleConfiguration(text: configuration(acquirer)),
                providers: [finix(world, standIns["finix"]), revolut(world, standIns["revolut"])],
                journal: MemoryAttemptJournal(),
                environment: world.environment
            )
            // What a scenario leaves out is euros, which not every acquirer takes.
            let code = sale.currency == "EUR" ? "USD" : sale.currency
            let currency = try #require(Currency(code: code))
            let amount = try Money(minorUnits: sale.minorUnits, currency: currency)
            try? await pointOfSale.prepare()
            let told = try await withThrowingTaskGroup(of: String?.self) { group in
                group.addTask {
                    await director.play()
                    return nil
                }
                let outcome = try await pointOfSale.take(.sale(amount, for: "o1")) { event in
                    events.append("\(event.kind)".prefix { $0 != "(" }.description)
                }
                group.cancelAll()
                return "\(outcome)".prefix { $0 != "(" }.description
            }
            return (told, events)
        } catch let refusal as PaymentRefusal {
            return ("refused \(refusal.code)", events)
        } catch {
            return ("threw \(error)", events)
        }
    }
    return Ending(told: told, charges: world.ledger.entries(.charge).count, events: events)
}

private func configuration(_ acquirer: String) -> String {
    """
    { "provider": "\(acquirer)", "providers": {
        "finix": { "environment": "simulated", "merchant": "MU-demo", "merchantName": "Shop" },
        "revolut": { "environment": "simulated", "clientID": "demo", "merchantName": "Shop",
                     "apiKey": { "env": "KEY" }, "backOffice": "direct" } } }
    """
}

private func finix(_ world: SimulatedWorld, _ shape: String?) -> ProviderFactory {
    ProviderFactory(name: "finix") { section, environment in
        FinixConfiguration(section).map { configuration in
            let emulator = FinixEmulator(
                world: world,
                merchant: configuration.account.merchant,
                devices: [configuration.deviceID: true]
            )
            let phone = FinixPhone(world: world, emulator: emulator)
            phone.quirks.repeatsFailure = shape == "failsTwice"
            phone.quirks.omitsCancelEvent = shape == "cancelsSilently"
            return .simulatedFinix(
                configuration,
                world: world,
                emulator: emulator,
                phone: phone,
                environment: environment
            )
        }
    }
}

private func revolut(_ world: SimulatedWorld, _ shape: String?) -> ProviderFactory {
    .simulatedRevolut(world: world) { _, _ in
        var stage = RevolutStage()
        stage.script.cancelShape =
            shape == "completesAlone" ? .completionAlone : .reportThenCompletion
        stage.script.retriesDeclines = shape == "retriesDeclines"
        return stage
    }
}

private let begun = ["started", "preparing", "presentCard"]
private let sent = begun + ["cardRead", "submitting"]

@Suite struct StandInTests {
    @Test(
        arguments: [
            ("tap", "approved", sent, "approved", false),
            ("phone", "approved", sent, "approved", false),
            ("phone-locked", "approved", sent, "approved", false),
            ("taken-away-early", "approved", sent, "approved", false),
            ("pin-always", "approved", sent, "approved", false),
            ("slow-approval-25", "approved", sent, "approved", false),
            ("events-swapped", "approved", sent, "approved", false),
            ("event-missing", "approved", sent, "approved", false),
            ("expired-card", "declined", sent + ["checking"], "declined", true),
            ("card-refuses-in-result", "declined", sent + ["checking"], "declined", true),
            ("lost-reply", "approved", sent + ["checking"], "approved", true),
            ("impatient-and-lost", "approved", sent + ["checking"], "approved", true),
            ("lost-request", "unresolved", sent + ["checking"], "cancelled", true),
            ("customer-closes-sheet", "cancelled", begun, "cancelled", true),
            ("nobody-taps", "failed", begun, "cancelled", true),
            ("damaged-card", "failed", begun, "cancelled", true),
            ("read-fails-inside", "failed", begun, "cancelled", true),
            ("background-with-card", "failed", begun, "cancelled", true),
        ] as [(String, String, [String], String, Bool)]
    )
    func `N-045 one scenario runs unchanged through both stand-ins, told as each may hide it`(
        name: String,
        finix: String,
        finixEvents: [String],
        revolut: String,
        isChecked: Bool
    ) throws {
        let charges = finix == "approved" ? 1 : 0
        let first = try play(name, at: "finix")
        #expect(
            first == Ending(told: finix, charges: charges, events: finixEvents + ["finished"])
        )
        let second = try play(name, at: "revolut")
        let events = isChecked ? ["started", "checking", "finished"] : ["started", "finished"]
        #expect(second == Ending(told: revolut, charges: charges, events: events))
    }

    @Test func `S-140 S-173 a part is told at the one, and not taken at the other`() throws {
        #expect(try play("partial", at: "finix").told == "partlyApproved")
        #expect(
            try play("partial", at: "revolut")
                == Ending(
                    told: "declined",
                    charges: 0,
                    events: ["started", "checking", "finished"]
                )
        )
    }

    @Test func `S-010 every action at every step, through both stand-ins in each shape`() throws {
        let base = try #require(try ShippedScenarios.scenario("tap"))
        let steps: [ReaderTransition] = [
            .prepareStarted, .sessionIssued, .readStarted, .cardDetected, .cardDataRead,
            .readCompleted, .resultDelivered, .submitStarted, .submitReceived, .replySent,
            .replyReceived,
        ]
        for (acquirer, shapes) in Scenario.standInShapes {
            for shape in shapes {
                for step in steps {
                    for action in ReaderAction.samples where action != .crash {
                        var scenario = base
                        scenario.standIns = [acquirer: shape]
                        scenario.faults = [ReaderFault(action, .after, step)]
                        let ending = try play(scenario, at: acquirer)
                        #expect(
                            isTrue(ending),
                            "\(acquirer) \(shape), \(step) \(action): \(ending)"
                        )
                    }
                }
            }
        }
    }

    /// Whether what was told agrees with the ledger.
    private func isTrue(_ ending: Ending) -> Bool {
        switch ending.told {
        case "approved", "partlyApproved": ending.charges == 1
        case "unresolved": ending.charges <= 1
        case "declined", "cancelled", "failed": ending.charges == 0
        case _ where ending.told.hasPrefix("refused "): ending.charges == 0
        default: false
        }
    }

    @Test func `N-011 whatever scenario is played, what was told agrees with the ledger`() throws {
        var played = 0
        // A code that is none and less than nothing make no amount, so no payment either.
        for name in ShippedScenarios.names
        where !["bad-currency", "negative-amount"].contains(name) {
            for acquirer in ["finix", "revolut"] {
                let ending = try play(name, at: acquirer)
                #expect(isTrue(ending), "\(name) at \(acquirer): \(ending)")
                played += 1
            }
        }
        #expect(played > 250)
    }
}
