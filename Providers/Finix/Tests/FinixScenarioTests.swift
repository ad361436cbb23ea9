import Testing

/// One scenario: what happens, what the app is told, what the ledger holds, and the events.
struct FinixScenario: Sendable, CustomTestStringConvertible {
    /// Number, rules and sentence.
    let name: String
    /// What the app was told, in order.
    let told: [String]
    /// What was booked, in order.
    let ledger: [String]
    /// The events of all payments, in order.
    let events: [String]
    /// The card at the reader; none where nobody taps.
    var card: String? = "visa-credit"
    /// What happens.
    let play: @Sendable (FinixStage) async throws -> Void

    var testDescription: String { name }

    static let reading = ["started", "preparing", "presentCard"]
    static let submitted = reading + ["cardRead", "submitting"]
    /// A payment whose end the kit told.
    static let told = submitted + ["finished"]
    /// A payment whose end the books had to tell.
    static let checked = submitted + ["checking", "finished"]
    /// A payment that ended before a card was read.
    static let unread = reading + ["finished"]

    static let all = payments + reads + settingUp + oddities + books
}

@Suite struct FinixScenarioTests {
    @Test(arguments: FinixScenario.all)
    func `the app, the ledger and the events agree`(_ scenario: FinixScenario) throws {
        let stage = FinixStage(card: scenario.card)
        try stage.shop.run { try await scenario.play(stage) }
        #expect(stage.told == scenario.told)
        #expect(stage.ledger == scenario.ledger)
        #expect(stage.events == scenario.events)
    }

    @Test func `every scenario of the specification is in the table, once`() {
        let numbers = FinixScenario.all.map { String($0.name.prefix(5)) }
        let expected = (1...34).map { "SC-" + ($0 < 10 ? "0" : "") + "\($0)" }
        #expect(numbers == expected)
    }
}
