import PaymentCore
import ReaderSimulation
import Testing

@Suite struct MagicAmountTests {
    @Test(
        arguments: [
            (.neutral, 34), (.stripe, 9), (.adyen, 27), (.finix, 20), (.none, 0),
        ] as [(MagicAmounts.Profile, Int)]
    )
    func `S-172 each profile is a table without doubles`(
        profile: MagicAmounts.Profile,
        rows: Int
    ) {
        let table = MagicAmounts.table(profile)
        #expect(table.rows.count == rows)
        #expect(Set(table.rows.map(\.digits)).count == rows)
    }

    @Test(
        arguments: [
            (.neutral, 1_051, .decline(.insufficientFunds)), (.neutral, 51, .approve),
            (.neutral, 100, .approve), (.neutral, 101, .decline(.callIssuer)),
            (.neutral, 123_469, .noAnswer(charged: true)), (.neutral, 177, .approve),
            (.stripe, 5, .decline(.generic)), (.stripe, 1_260, .decline(.pinRequiredElsewhere)),
            (.adyen, 5_124, .decline(.insufficientFunds)), (.adyen, 24, .approve),
            (.finix, 102, .decline(.generic)), (.finix, 1_102, .approve),
            (.none, 1_051, .approve),
        ] as [(MagicAmounts.Profile, Int64, MagicAmounts.Effect)]
    )
    func `S-172 an amount is looked up by the digits that count`(
        profile: MagicAmounts.Profile,
        minorUnits: Int64,
        effect: MagicAmounts.Effect
    ) {
        #expect(MagicAmounts.table(profile).effect(of: minorUnits) == effect)
    }

    private func read(_ card: String, _ minorUnits: Int64) throws -> (
        Result<ReadResult, ReaderError>, [ReaderEvent]
    ) {
        var device = SimulatedDeviceConfiguration(linkedMerchants: ["merchant-1"], configured: 100)
        device.magic = .neutral
        let world = try TestWorld(device).prepared()
        world.control.alwaysThisCard = SimulatedCard.named(card)
        let request = ReadRequest(kind: .purchase, minorUnits: minorUnits, currency: "USD")
        return (try world.read(request), world.events)
    }

    @Test(
        arguments: [
            (1_080, nil), (1_081, nil), (1_082, .readFailed), (1_084, .cardNotSupported),
            (1_085, .anotherInterfaceNeeded), (1_086, nil), (1_087, .tapTimedOut),
            (1_088, .interrupted), (1_089, nil), (1_051, nil),
        ] as [(Int64, ReaderError.Code?)]
    )
    func `S-172 amounts that concern the reader act at the reader`(
        minorUnits: Int64,
        code: ReaderError.Code?
    ) throws {
        let (result, events) = try read("visa-credit", minorUnits)
        #expect(result.failure?.code == code)
        let retries = [1_080, 1_081, 1_086].contains(minorUnits)
        #expect(events.contains(.retry(reason: nil)) == retries)
    }

    @Test func `S-172 a card with an outcome of its own ignores the amount`() throws {
        #expect(try read("declined-lost", 1_082).0.isSuccess)
        #expect(try read("damaged", 1_000).0.failure?.code == .cardReadFailed)
        #expect(try read("declined-lost", 1_087).0.isSuccess)
    }

    @Test func `S-087 an amount can have the card refuse`() throws {
        #expect(try read("visa-credit", 1_083).0.get().outcome == .cardDeclined)
    }
}
