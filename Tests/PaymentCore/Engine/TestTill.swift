import Simulation

@testable import PaymentCore

/// A till with a scripted vendor and scripted books, in a world of its own.
struct TestTill: Sendable {
    static let account = Account(provider: "test", merchant: "M1", environment: .simulated)
    let time: SimulatedTime
    let journal: any AttemptJournal
    let books: ScriptedBooks
    let provider: ScriptedProvider
    let acquirer: Acquirer
    let engine: PaymentEngine
    let pointOfSale: PointOfSale

    init(
        _ scripts: VendorScript...,
        hasBooks: Bool = true,
        canClose: Bool = false,
        repeats: RepeatProtection? = nil,
        followUps: Set<AttemptKind> = [.refund],
        provider capabilities: ProviderCapabilities = ScriptedProvider.able,
        settling: SettlingPolicy = SettlingPolicy(),
        schedule: UInt64? = nil,
        journal: any AttemptJournal = MemoryAttemptJournal(),
        claiming: OrderClaiming? = nil,
        seed: UInt64 = 3,
        isLive: Bool = false
    ) {
        time = SimulatedTime(seed: seed, scheduleSeed: schedule)
        var able = BackOfficeCapabilities()
        able.canClose = canClose
        if let repeats {
            able.followUps = followUps
            able.repeats = [.refund: repeats]
        }
        books = ScriptedBooks(time: time, capabilities: able)
        provider = ScriptedProvider(
            time: time,
            books: books,
            capabilities: capabilities,
            scripts: scripts
        )
        let environment = isLive ? PaymentEnvironment.live : time.environment
        acquirer = Acquirer(
            account: Self.account,
            provider: provider,
            backOffice: hasBooks ? books : nil,
            merchantName: "Corner Shop"
        )
        self.journal = journal
        engine = PaymentEngine(
            acquirers: [acquirer],
            journal: journal,
            settling: settling,
            claiming: claiming,
            environment: environment
        )
        pointOfSale = PointOfSale(engine: engine, environment: environment)
    }

    /// Runs something in the till's own time.
    func run<Value: Sendable>(
        _ operation: @escaping @Sendable () async -> Value
    ) throws(SimulationStop) -> Value {
        try time.run("the test", operation)
    }

    /// Takes one payment and tells how it went.
    func take(
        _ minorUnits: Int64 = 1_000,
        _ order: Order = "o1",
        kind: PaymentRequest.Kind = .sale
    ) async -> Told {
        let request = PaymentRequest(kind, .usd(minorUnits), for: order)
        var events: [PaymentEvent] = []
        do throws(PaymentRefusal) {
            let outcome = try await pointOfSale.take(request) { events.append($0) }
            return Told(name: outcome.name, outcome: outcome, events: events, at: elapsed)
        } catch {
            return Told(name: "refused \(error.code)", outcome: nil, events: events, at: elapsed)
        }
    }

    /// The virtual time since the start.
    var elapsed: Duration { time.clock.now.offset }

    /// How the point of sale stands.
    var now: PointOfSaleState { pointOfSale.states.feed.now }

    /// What the journal says of a payment.
    func attempt(_ order: Order = "o1") async -> AttemptBook.Attempt? {
        await journal.read { $0.attempts(forOrderID: order.id).last }
    }
}

/// What an app was told.
struct Told: Sendable {
    let name: String
    let outcome: PaymentOutcome?
    let events: [PaymentEvent]
    let at: Duration

    /// The last words of the events' wording keys.
    var phases: [String] {
        events.map { String($0.messageKey.description.split(separator: ".")[1]) }
    }

    /// How many of the events were an end.
    var ends: Int {
        events.count { if case .finished = $0.kind { true } else { false } }
    }

    var endedLast: Bool {
        if case .finished? = events.last?.kind { true } else { false }
    }
}

extension Money {
    /// An amount in dollars and cents.
    static func usd(_ minorUnits: Int64) -> Money { Money(checked: minorUnits, currency: .usd) }
}

extension PaymentOutcome {
    /// The case's name, with the reason where there is one.
    var name: String {
        switch self {
        case .approved: "approved"
        case .partlyApproved: "partlyApproved"
        case .authorized: "authorized"
        case .declined: "declined"
        case .cancelled: "cancelled"
        case .failed(let error): "failed \(error.code)"
        case .unresolved(let payment): "unresolved \(payment.reason.name)"
        }
    }
}

extension Resolution {
    var name: String {
        switch self {
        case .payment(let outcome): outcome.name
        case .followUp: "followUp"
        }
    }
}

/// A record as the acquirer would keep it for an attempt.
func record(
    _ value: String = "R1",
    _ state: AcquirerRecord.State = .succeeded,
    _ minorUnits: Int64 = 1_000,
    kind: AttemptKind = .sale,
    at time: Date,
    device: String? = "till",
    marker: String? = nil
) -> AcquirerRecord {
    var record = AcquirerRecord(
        reference: AcquirerReference(kind: "payment", value: value),
        kind: kind,
        amount: .usd(minorUnits),
        state: state,
        createdAt: time
    )
    record.device = device
    record.marker = marker
    return record
}

/// What a vendor says that approved something.
func approval(_ value: String? = "R1", _ amount: ApprovedAmount = .reported(.usd(1_000)))
    -> Approval
{
    Approval(
        references: value.map { [AcquirerReference(kind: "payment", value: $0)] } ?? [],
        amount: amount
    )
}
