import AcquirerSimulation
import PaymentCore
import ReaderSimulation
import Simulation
import Synchronization
import Testing

/// A prepared reader and a desk, in one world.
private final class Counter: Sendable {
    let world: SimulatedWorld
    let desk: SubmissionDesk

    init(isLive: Bool = false, magic: MagicAmounts.Profile = .none) throws {
        var device = SimulatedDeviceConfiguration(linkedMerchants: ["shop"], configured: 100)
        device.magic = magic
        world = SimulatedWorld(time: SimulatedTime(seed: 3), device: device)
        desk = SubmissionDesk(world: world, isLive: isLive)
        let reader = world.reader
        try world.time.run {
            try? await reader.prepare(token: ReaderToken(text: "t", merchant: "shop"))
        }
    }

    func read(_ card: String = "visa-credit", _ minorUnits: Int64 = 2_000) throws -> ReadResult {
        world.device.control.alwaysThisCard = SimulatedCard.named(card)
        let request = ReadRequest(kind: .purchase, minorUnits: minorUnits, currency: "EUR")
        let reader = world.reader
        return try #require(try world.time.run { try? await reader.read(request) })
    }

    func submit(
        _ result: ReadResult,
        key: String = "k",
        merchant: String = "shop",
        minorUnits: Int64 = 2_000
    ) throws -> Result<SubmissionDesk.Reply, SubmissionDesk.Failure> {
        let submission = SubmissionDesk.Submission(
            payload: result.payload,
            key: key,
            attempt: "a",
            merchant: merchant,
            minorUnits: minorUnits,
            currency: "EUR"
        )
        return try world.time.run { [desk] in
            do throws(SubmissionDesk.Failure) {
                return .success(try await desk.submit(submission))
            } catch {
                return .failure(error)
            }
        }
    }
}

@Suite struct SubmissionDeskTests {
    @Test func `S-168 a repeat under one key is one charge with one answer`() throws {
        let counter = try Counter()
        let read = try counter.read()
        let first = try counter.submit(read)
        #expect(try counter.submit(read) == first)
        #expect(first == .success(.approved(minorUnits: 2_000)))
        #expect(counter.world.ledger.entries(.charge).count == 1)
        #expect(counter.desk.charges == ["a": [2_000]])
    }

    @Test func `S-171 one payload under two keys is taken once`() throws {
        let counter = try Counter()
        let read = try counter.read()
        _ = try counter.submit(read)
        #expect(try counter.submit(read, key: "other") == .success(.declined(.invalidPayload)))
        #expect(counter.world.ledger.entries(.charge).count == 1)
    }

    @Test func `S-178 S-179 another amount or another merchant is refused`() throws {
        let counter = try Counter()
        let read = try counter.read()
        #expect(try counter.submit(read, minorUnits: 1_999) == .success(.refused(422)))
        #expect(try counter.submit(read, merchant: "thief") == .success(.refused(422)))
        #expect(counter.world.ledger.entries.isEmpty)
    }

    @Test func `S-105 a payload that is a minute old is not sent`() throws {
        let counter = try Counter()
        let read = try counter.read()
        counter.world.time.advance(by: .seconds(61))
        #expect(try counter.submit(read) == .failure(.notSent(ReaderError(.resultExpired))))
        #expect(counter.desk.received == 0)
    }

    @Test func `S-019 nothing simulated is sent to a real acquirer`() throws {
        let counter = try Counter(isLive: true)
        let read = try counter.read()
        #expect(read.isSimulated && read.payload.reveal().hasPrefix("SIM1."))
        #expect(try counter.submit(read) == .failure(.notSent(ReaderError(.simulatedInLive))))
        #expect(counter.desk.received == 0)
    }

    @Test func `S-174 a refund may be accepted and fail later`() throws {
        for (card, end) in [
            ("refund-fails", SubmissionDesk.Reply.refused(402)), ("visa-credit", .reversed),
        ] {
            let counter = try Counter()
            _ = try counter.submit(try counter.read(card))
            let heard = Mutex<[SubmissionDesk.Reply]>([])
            counter.desk.hear { _, reply in heard.withLock { $0.append(reply) } }
            #expect(counter.desk.refund("a"))
            #expect(heard.withLock { $0.isEmpty })
            counter.world.time.advance(by: .seconds(60))
            #expect(heard.withLock { $0 } == [end])
        }
    }

    @Test(
        arguments: [
            ("visa-credit", "Visa", .none, "VISA CREDIT", "00"),
            ("phone-mc", "Mastercard", .device, "MASTERCARD", "00"),
            ("pin-online", "Visa", .onlinePIN, "VISA CREDIT", "00"),
            ("declined-lost", "Visa", .none, "VISA CREDIT", "41"),
            ("pin-blocked", "Mastercard", .failed, "MASTERCARD", "75"),
            ("interac", "Interac", .none, "INTERAC", "00"),
        ] as [(String, String, CardData.Verification, String, String)]
    )
    func `S-191 the answer has what a receipt must show`(
        card: String,
        brand: String,
        verification: CardData.Verification,
        label: String,
        response: String
    ) throws {
        let counter = try Counter()
        _ = try counter.submit(try counter.read(card))
        let data = try #require(counter.desk.cardData(of: "a"))
        #expect(data.brand == brand && data.applicationLabel == label)
        #expect(data.verification == verification)
        #expect(data.responseCode == response)
        #expect((data.approvalCode != nil) == (response == "00"))
        #expect(data.lastFour == SimulatedCard.named(card)?.lastFour)
        #expect(data.entryMode == "contactless" && data.isSimulated)
    }

    @Test func `S-193 the ledger lists every charge and reversal`() throws {
        let counter = try Counter()
        _ = try counter.submit(try counter.read())
        #expect(counter.desk.refund("a"))
        counter.world.time.advance(by: .seconds(60))
        #expect(counter.world.ledger.entries.map(\.kind) == [.charge, .refund])
        #expect(counter.world.ledger.balance(.eur) == 0)
        #expect(counter.desk.received == 1)
    }

    @Test func `C-24 a health card pays only where that is allowed`() throws {
        let counter = try Counter()
        #expect(try counter.submit(try counter.read("hsa")) == .success(.declined(.restrictedCard)))
        counter.world.issuer.allowHealthCards(at: "shop")
        let again = try counter.submit(try counter.read("hsa"), key: "again")
        #expect(again == .success(.approved(minorUnits: 2_000)))
    }
}
