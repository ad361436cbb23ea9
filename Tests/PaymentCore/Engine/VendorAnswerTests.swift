import PaymentCore
import Simulation
import Synchronization
import Testing

/// A vendor that gives its answers in order, each after a while.
private final class Scripted: PaymentProvider {
    private let script: Mutex<[(after: Duration, answer: ProviderAnswer)]>
    private let clock: any Clock<Duration>

    init(_ script: [(after: Duration, answer: ProviderAnswer)], clock: any Clock<Duration>) {
        self.script = Mutex(script)
        self.clock = clock
    }

    var capabilities: ProviderCapabilities {
        var capabilities = ProviderCapabilities()
        capabilities.kinds = [.sale]
        return capabilities
    }

    func readiness() async -> ProviderReadiness {
        ProviderReadiness(isSupported: true, link: .notNeeded, isPrepared: true)
    }

    func device() async -> String? { nil }
    func prepare() async throws(PaymentError) {}
    func cancel(_ attempt: AttemptID) async -> Cancellation { .unsupported }

    func perform(_ attempt: PaymentAttempt, context: AttemptContext) async -> ProviderAnswer {
        let next = script.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        guard let next else { return .notCharged(PaymentError(.notPrepared)) }
        try? await clock.sleep(for: next.after)
        return next.answer
    }
}

@Suite struct VendorAnswerTests {
    private static let reference = AcquirerReference(kind: "transfer", value: "TR1")

    private static func approved(_ reference: AcquirerReference? = nil) -> ProviderAnswer {
        .approved(Approval(references: reference.map { [$0] } ?? []))
    }

    /// Takes a sale for each order, with a pause in between, and tells how each went.
    private func sales(
        _ orders: [Order],
        pause: Duration = .zero,
        _ script: [(after: Duration, answer: ProviderAnswer)]
    ) throws -> (told: [String], alarms: Int) {
        let time = SimulatedTime()
        let environment = time.environment
        let told = try time.run { () async -> Result<([String], Int), any Error> in
            do {
                let pointOfSale = try await PointOfSale.open(
                    PointOfSaleConfiguration(
                        text: #"{ "provider": "p", "providers": { "p": {} } }"#
                    ),
                    providers: [
                        ProviderFactory(name: "p") { _, environment in
                            Acquirer(
                                account: Account(
                                    provider: "p",
                                    merchant: "m",
                                    environment: .sandbox
                                ),
                                provider: Scripted(script, clock: environment.clock),
                                backOffice: nil
                            )
                        }
                    ],
                    journal: MemoryAttemptJournal(),
                    environment: environment
                )
                var told: [String] = []
                for order in orders {
                    let money = try Money(minorUnits: 500, currency: .eur)
                    do throws(PaymentRefusal) {
                        let outcome = try await pointOfSale.take(.sale(money, for: order))
                        told.append(outcome.messageKey.description)
                    } catch {
                        told.append(error.code)
                    }
                    try await environment.clock.sleep(for: pause)
                }
                var states = pointOfSale.states.makeAsyncIterator()
                return .success((told, await states.next()?.alarms.count ?? 0))
            } catch {
                return .failure(error)
            }
        }
        return try told.get()
    }

    @Test(arguments: [899_999, 900_000, 900_001])
    func `N-035 an answer around the deadline is never lost`(milliseconds: Int) throws {
        let script = [(after: Duration.milliseconds(milliseconds), answer: Self.approved())]
        let told = try sales(["o1", "o1"], pause: .seconds(5), script).told
        #expect(["outcome.approved", "outcome.unresolved"].contains(told[0]))
        #expect(told[1] == "alreadyPaid")
    }

    @Test func `N-035 the device stays busy until the vendor has answered`() throws {
        let script = [(after: Duration.seconds(1_000), answer: Self.approved())]
        let told = try sales(["o1", "o2"], script).told
        #expect(told == ["outcome.unresolved", "busy"])
    }

    // FC-064
    @Test func `N-028 an approval under another payment's record is not believed`() throws {
        let script = Array(
            repeating: (after: Duration.zero, answer: Self.approved(Self.reference)),
            count: 2
        )
        #expect(
            try sales(["o1", "o2"], script).told == ["outcome.approved", "outcome.unresolved"]
        )
    }

    @Test func `N-006 a part of an unknown amount is not told as approved`() throws {
        let script = [(after: Duration.zero, answer: ProviderAnswer.partlyApproved(Approval()))]
        #expect(try sales(["o1"], script).told == ["outcome.unresolved"])
    }
}

@Suite struct ContradictionTests {
    @Test func `N-021 money that shows up after a decline blocks the order`() throws {
        let began = JournalEntry.Began(
            account: Account(provider: "p", merchant: "m", environment: .sandbox),
            order: "o1",
            kind: .sale,
            amount: try Money(minorUnits: 500, currency: .eur)
        )
        let receipt = Receipt(
            of: AttemptID("a"),
            began: began,
            approval: Approval(),
            now: Date(timeIntervalSince1970: 0)
        )
        let facts: [JournalEntry.Fact] = [
            .contradicted(.approved(receipt)), .ended(.approved(receipt), by: .books),
        ]
        for late in facts {
            var book = AttemptBook()
            for fact in [.began(began), .ended(.declined(Decline(.generic)), by: .vendor), late] {
                book.apply(
                    JournalEntry(
                        at: Date(timeIntervalSince1970: 0),
                        attempt: AttemptID("a"),
                        fact: fact
                    )
                )
            }
            #expect(book[AttemptID("a")]?.ending?.name == "declined")
            let refusal = #expect(throws: PaymentRefusal.self) {
                try book.check(
                    JournalEntry(
                        at: Date(timeIntervalSince1970: 1),
                        attempt: AttemptID("b"),
                        fact: .began(began)
                    )
                )
            }
            #expect(refusal?.code == "alreadyPaid")
        }
    }
}
