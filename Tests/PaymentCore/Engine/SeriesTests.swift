import Simulation
import Synchronization
import Testing

@testable import PaymentCore

/// A vendor whose own screen takes payments as a test wrote down.
private final class SeriesVendor: PaymentProvider {
    let capabilities: ProviderCapabilities
    let named: String?
    let isSignedOut: Bool
    private let script: @Sendable (SeriesContext) async -> SeriesEnd

    init(
        device: String? = nil,
        takesSeries: Bool = true,
        isSignedOut: Bool = false,
        _ script: @escaping @Sendable (SeriesContext) async -> SeriesEnd
    ) {
        var capabilities = ScriptedProvider.able
        capabilities.series = takesSeries
        capabilities.signsOut = true
        self.capabilities = capabilities
        named = device
        self.isSignedOut = isSignedOut
        self.script = script
    }

    func readiness() -> ProviderReadiness {
        ProviderReadiness(
            isSupported: true,
            link: .notNeeded,
            isPrepared: true,
            isSignedOut: isSignedOut
        )
    }

    func device() -> String? { named }
    func prepare() {}
    func cancel(_ attempt: AttemptID) -> Cancellation { .unsupported }

    func perform(_ attempt: PaymentAttempt, context: AttemptContext) -> ProviderAnswer {
        .notCharged(PaymentError(.notPrepared))
    }

    func performSeries(_ series: SeriesRequest, context: SeriesContext) async -> SeriesEnd {
        await script(context)
    }
}

/// A till at which a series is taken.
private struct SeriesTill: Sendable {
    let time: SimulatedTime
    let journal: any AttemptJournal
    let books: ScriptedBooks

    /// The same till with an empty journal.
    init(at till: SeriesTill) {
        time = till.time
        books = till.books
        journal = MemoryAttemptJournal()
    }

    init(journal: any AttemptJournal = MemoryAttemptJournal()) {
        time = SimulatedTime(seed: 5)
        self.journal = journal
        var able = BackOfficeCapabilities()
        able.canClose = true
        books = ScriptedBooks(time: time, capabilities: able)
    }

    func open(
        _ vendor: SeriesVendor,
        hasBooks: Bool = true,
        claiming: OrderClaiming? = nil
    ) -> PointOfSale {
        let acquirer = Acquirer(
            account: TestTill.account,
            provider: vendor,
            backOffice: hasBooks ? books : nil,
            merchantName: "Corner Shop"
        )
        let engine = PaymentEngine(
            acquirers: [acquirer],
            journal: journal,
            settling: SettlingPolicy(),
            claiming: claiming,
            environment: time.environment
        )
        return PointOfSale(engine: engine, environment: time.environment)
    }

    /// Takes a series, and tells each payment as `order outcome`.
    func take(_ vendor: SeriesVendor, hasBooks: Bool = true) throws -> [String] {
        try time.run { await told(open(vendor, hasBooks: hasBooks)) }
    }

    func told(_ pointOfSale: PointOfSale, _ id: Order = "market") async -> [String] {
        var told: [String] = []
        do throws(PaymentRefusal) {
            let series = try await pointOfSale.takeSeries(SeriesRequest(id, currency: .usd))
            for await payment in series { told.append("\(payment.order) \(payment.outcome.name)") }
        } catch {
            told.append("refused \(error.code)")
        }
        return told
    }

    /// A record that no device and no attempt is named on.
    func book(_ value: String, _ minorUnits: Int64, _ state: AcquirerRecord.State = .succeeded) {
        books.add(record(value, state, minorUnits, at: time.wallTime, device: nil))
    }

    func wait(_ seconds: Int) async { try? await time.clock.sleep(for: .seconds(seconds)) }
}

private let paid = ProviderAnswer.approved(Approval())
private let failed = ProviderAnswer.unknown(PaymentError(.unclassified))

@Suite struct SeriesTests {
    @Test func `N-020 every payment of a series is written down before its amount is typed`()
        throws
    {
        let till = SeriesTill()
        let open = Mutex<[[String]]>([])
        let look: @Sendable () async -> Void = {
            let orders = await till.journal.read { $0.open.map(\.began.order.description) }
            open.withLock { $0.append(orders) }
        }
        let told = try till.take(
            SeriesVendor { context in
                await look()
                await context.report(paid)
                await look()
                await context.report(.declined(Decline(.insufficientFunds)))
                await look()
                return .closed
            }
        )
        #expect(told == ["market-1 approved", "market-2 declined"])
        #expect(open.withLock { $0 } == [["market-1"], ["market-2"], ["market-3"]])
    }

    @Test func `N-006 the amount of an approval is unknown, and nothing can be refunded of it`()
        throws
    {
        let till = SeriesTill()
        let (amount, refused) = try till.time.run { () async -> (ApprovedAmount?, String?) in
            let pointOfSale = till.open(
                SeriesVendor { context in
                    await context.report(paid)
                    return .closed
                }
            )
            _ = await till.told(pointOfSale)
            guard let receipt = await pointOfSale.receipt(for: "market-1") else {
                return (nil, nil)
            }
            do throws(PaymentRefusal) {
                _ = try await pointOfSale.refund(receipt, amount: .usd(100), id: "r")
                return (receipt.approved, nil)
            } catch {
                return (receipt.approved, error.code)
            }
        }
        #expect(amount == .unknown)
        // These books take no refunds at all; what has none to give is refused before that.
        #expect(refused == "missingCapability" || refused == "invalidRequest")
    }

    @Test func `N-010 a payment is told after those before it, and a failure ends no series`()
        throws
    {
        let till = SeriesTill()
        till.books.change { $0.troubles = [.hangs] }
        let told = try till.take(
            SeriesVendor { context in
                await context.report(paid)
                await context.report(failed)
                await context.report(paid)
                return .unused
            }
        )
        #expect(
            told == [
                "market-1 approved", "market-2 unresolved cannotAsk", "market-3 approved",
            ]
        )
    }

    @Test func `N-028 nothing but a person says which record a payment is`() throws {
        let till = SeriesTill()
        let told = try till.time.run { () async -> [String] in
            let pointOfSale = till.open(
                SeriesVendor { context in
                    till.book("R1", 700)
                    await context.report(paid)
                    await till.wait(30)
                    till.book("R2", 900)
                    await context.report(failed)
                    return .unused
                }
            )
            var told = await till.told(pointOfSale)
            let records = try? await pointOfSale.candidates(for: "market-1")
            told.append((records ?? []).map(\.reference.value).joined(separator: ","))
            for (order, value, name) in [
                ("market-1", "R9", "Ann"), ("market-1", "R1", " "), ("market-1", "R1", "Ann"),
                ("market-1", "R2", "Ann"), ("market-2", "R1", "Ann"), ("market-2", "R2", "Bob"),
                ("market-9", "R2", "Bob"),
            ] {
                told.append(await identify(pointOfSale, order, value, name))
            }
            return told
        }
        #expect(
            told == [
                "market-1 approved", "market-2 unresolved ambiguous", "R1",
                "invalidRequest", "invalidRequest", "approved 7.00 USD",
                "invalidRequest", "invalidRequest", "approved 9.00 USD", "invalidRequest",
            ]
        )
        let names = try till.time.run {
            await till.journal.read { book in book.all.compactMap { $0.verdict?.name } }
        }
        #expect(names.sorted() == ["Ann", "Bob"])
    }

    @Test func `N-028 a payment that was found keeps what the vendor said of it`() throws {
        let till = SeriesTill()
        let receipt = try till.time.run { () async -> Receipt? in
            let pointOfSale = till.open(
                SeriesVendor { context in
                    till.book("R1", 700)
                    await context.report(
                        .approved(
                            Approval(
                                method: .qr,
                                url: URL(string: "https://example.com/r"),
                                supportIdentifiers: ["session": "S1"]
                            )
                        )
                    )
                    return .unused
                }
            )
            _ = await till.told(pointOfSale)
            _ = await identify(pointOfSale, "market-1", "R1", "Ann")
            return await pointOfSale.receipt(for: "market-1")
        }
        #expect(receipt?.approved == .confirmed(.usd(700)))
        #expect(receipt?.references.map(\.value) == ["R1"])
        #expect(receipt?.method == .qr)
        #expect(receipt?.url?.absoluteString == "https://example.com/r")
        #expect(receipt?.supportIdentifiers == ["session": "S1"])
    }

    private func identify(
        _ pointOfSale: PointOfSale,
        _ order: String,
        _ value: String,
        _ name: String
    ) async -> String {
        let reference = AcquirerReference(kind: "payment", value: value)
        do throws(PaymentRefusal) {
            let outcome = try await pointOfSale.identify(
                Order(stringLiteral: order),
                as: PersonalVerdict(.moved(reference), name: name, reason: "looked it up")
            )
            guard case .approved(let receipt) = outcome, let money = receipt.approved.money else {
                return outcome.name
            }
            return "approved \(money)"
        } catch {
            return error.code
        }
    }

    @Test func `N-028 a record that names the device settles once no other payment can claim it`()
        throws
    {
        let till = SeriesTill()
        let told = try till.time.run { () async -> [String] in
            let pointOfSale = till.open(
                SeriesVendor(device: "till") { context in
                    till.books.add(record("R1", at: till.time.wallTime))
                    await context.report(failed)
                    await till.wait(1)
                    return .unused
                }
            )
            let told = await till.told(pointOfSale)
            return told + (await pointOfSale.resolve("market-1")).map(\.name)
        }
        #expect(told == ["market-1 unresolved ambiguous", "approved"])
    }

    @Test func `N-029 where the books hold nothing of its time at all, nothing was charged`()
        throws
    {
        let till = SeriesTill()
        let names = try till.time.run { () async -> [String] in
            let pointOfSale = till.open(
                SeriesVendor { context in
                    await context.report(failed)
                    return .unused
                }
            )
            var names = await till.told(pointOfSale)
            for _ in 0..<4 {
                await till.wait(400)
                names += (await pointOfSale.resolve("market-1")).map(\.name)
            }
            return names
        }
        #expect(names.first?.hasPrefix("market-1 unresolved") == true)
        #expect(names.last == "failed notBooked")
    }

    @Test(arguments: [AcquirerRecord.State.succeeded, .payable(lastDecline: nil), .pending])
    func `N-029 a record of another amount keeps a payment of an unknown one open`(
        state: AcquirerRecord.State
    ) throws {
        let till = SeriesTill()
        let name = try till.time.run { () async -> String? in
            let pointOfSale = till.open(
                SeriesVendor { context in
                    till.book("R1", 123, state)
                    await context.report(failed)
                    return .unused
                }
            )
            _ = await till.told(pointOfSale)
            for _ in 0..<4 {
                await till.wait(400)
                _ = await pointOfSale.resolve("market-1")
            }
            return await pointOfSale.resolve("market-1").last?.name
        }
        #expect(name == "unresolved ambiguous")
    }

    // MARK: The end

    @Test(arguments: [
        (SeriesEnd.closed, true, [String]()), (.closed, false, []), (.unused, true, []),
        (.unknown(PaymentError(.unclassified)), false, ["market-1 unresolved noAnswer"]),
    ])
    func `N-011 what nobody reported is told only if anything may have happened`(
        end: SeriesEnd,
        hasBooks: Bool,
        told: [String]
    ) throws {
        let till = SeriesTill()
        #expect(try till.take(SeriesVendor { _ in end }, hasBooks: hasBooks) == told)
        let open = try till.time.run { await till.journal.read { $0.open.count } }
        #expect(open == told.count)
    }

    @Test func `N-011 a payment that the books hold and nobody reported is open`() throws {
        let till = SeriesTill()
        let told = try till.take(
            SeriesVendor { context in
                till.book("R1", 700)
                await context.report(paid)
                await till.wait(60)
                till.book("R2", 900)
                return .closed
            }
        )
        #expect(told == ["market-1 approved", "market-2 unresolved ambiguous"])
    }

    @Test func `N-011 a report without a record explains none that came after it`() throws {
        let till = SeriesTill()
        let told = try till.take(
            SeriesVendor { context in
                await context.report(paid)
                await context.report(paid)
                await till.wait(30)
                till.book("R1", 900)
                return .closed
            }
        )
        #expect(
            told == ["market-1 approved", "market-2 approved", "market-3 unresolved ambiguous"]
        )
    }

    @Test func `N-021 a series that a back end claims is taken over with no amount`() throws {
        let till = SeriesTill()
        let told = try till.time.run { () async -> [String] in
            let vendor = SeriesVendor { context in
                await context.report(paid)
                _ = await OneShot<Bool>().value()
                return .closed
            }
            let claiming = OrderClaiming(OrderClaimTable(), till: "t1")
            let pointOfSale = till.open(vendor, claiming: claiming)
            let series = Task(executorPreference: till.time.executor) {
                await till.told(pointOfSale)
            }
            await till.wait(1)
            series.cancel()
            // The app was installed anew: its journal is gone, the claims are not.
            till.book("R1", 700)
            let next = SeriesTill(at: till).open(vendor, claiming: claiming)
            guard let adoption = try? await next.adopt(since: till.time.wallTime - 600) else {
                return ["not adopted"]
            }
            var told = adoption.adopted.map { "\($0.order) \($0.amount.orNotKnown)" }.sorted()
            for _ in 0..<4 {
                await till.wait(400)
                _ = await next.resolve("market-2")
            }
            told += await next.resolve("market-2").map(\.name)
            return told
        }
        let unknown = "an amount in USD that is not known yet"
        #expect(
            told == ["market-1 \(unknown)", "market-2 \(unknown)", "unresolved ambiguous"]
        )
    }

    @Test func `N-011 what was reported explains as many records, whatever the clock says`()
        throws
    {
        let till = SeriesTill()
        let told = try till.take(
            SeriesVendor { context in
                till.book("R1", 700)
                await context.report(paid)
                return .closed
            }
        )
        #expect(told == ["market-1 approved"])
    }

    @Test func `N-011 books that cannot be asked leave what nobody reported open`() throws {
        let till = SeriesTill()
        till.books.change { $0.troubles = [.error(PaymentError(.networkUnavailable))] }
        let told = try till.take(SeriesVendor { _ in .closed })
        #expect(told == ["market-1 unresolved cannotAsk"])
    }

    // MARK: Orders and the device

    @Test func `N-021 a later series goes on where the earlier one ended`() throws {
        let till = SeriesTill()
        let vendor = SeriesVendor { context in
            await context.report(paid)
            await context.report(failed)
            return .unused
        }
        #expect(try till.take(vendor, hasBooks: false).count == 2)
        #expect(
            try till.take(vendor, hasBooks: false) == [
                "market-3 approved", "market-4 unresolved noAnswer",
            ]
        )
    }

    @Test func `N-023 a running series occupies the device`() throws {
        let till = SeriesTill()
        let told = try till.time.run { () async -> [String] in
            let pointOfSale = till.open(
                SeriesVendor { context in
                    await till.wait(10)
                    await context.report(paid)
                    return .unused
                }
            )
            let series = Task(executorPreference: till.time.executor) {
                await till.told(pointOfSale)
            }
            await till.wait(1)
            var told = await till.told(pointOfSale, "other")
            do throws(PaymentRefusal) {
                told.append(try await pointOfSale.take(.sale(.usd(100), for: "o1")).name)
            } catch {
                told.append("refused \(error.code)")
            }
            told.append("\(await pointOfSale.cancel("market-1"))")
            told += await series.value
            do throws(PaymentRefusal) {
                told.append(try await pointOfSale.take(.sale(.usd(100), for: "o1")).name)
            } catch {
                told.append("refused \(error.code)")
            }
            return told
        }
        #expect(
            told == [
                "refused busy", "refused busy", "unsupported", "market-1 approved",
                "failed notPrepared",
            ]
        )
    }

    @Test func `N-024 a process that dies in a series leaves one payment open, of no amount`()
        throws
    {
        let till = SeriesTill()
        let open = try till.time.run { () async -> [UnresolvedPayment] in
            let pointOfSale = till.open(
                SeriesVendor { context in
                    await context.report(paid)
                    _ = await OneShot<Bool>().value()
                    return .closed
                }
            )
            let series = Task(executorPreference: till.time.executor) {
                await till.told(pointOfSale)
            }
            await till.wait(1)
            series.cancel()
            let next = till.open(SeriesVendor { _ in .unused })
            await next.engine.recover()
            return await next.unresolved
        }
        #expect(open.map(\.order) == ["market-2"])
        #expect(open.map(\.reason) == [.interrupted])
        #expect(open.first?.amount.ifKnown == nil)
        let text = PaymentRefusal.open(open[0]).description
        #expect(text.contains("not known yet"))
    }

    @Test func `N-032 a series is refused where it cannot be taken, and nothing is written`()
        throws
    {
        let end: @Sendable (SeriesContext) async -> SeriesEnd = { _ in .unused }
        let vendors = [
            SeriesVendor(takesSeries: false, end), SeriesVendor(isSignedOut: true, end),
        ]
        var told: [String] = []
        for vendor in vendors {
            let till = SeriesTill()
            told += try till.take(vendor)
            #expect(try till.time.run { await till.journal.read { $0.all.count } } == 0)
        }
        #expect(told == ["refused missingCapability", "refused signedOut"])
    }

    @Test(arguments: [
        Order(stringLiteral: String(repeating: "m", count: 125)), Order(stringLiteral: "m/1of2"),
    ])
    func `N-033 a series' name leaves room for its numbers, and has no part`(id: Order) throws {
        let till = SeriesTill()
        let told = try till.time.run {
            await till.told(till.open(SeriesVendor { _ in .unused }), id)
        }
        #expect(told == ["refused invalidRequest"])
    }

    @Test func `N-020 what the journal does not take any more is told all the same`() throws {
        let journal = BrokenJournal()
        let till = SeriesTill(journal: journal)
        let told = try till.take(
            SeriesVendor { context in
                await journal.fail()
                await context.report(paid)
                await context.report(paid)
                return .unused
            },
            hasBooks: false
        )
        #expect(told == ["market-1 approved", "market-2 approved"])
    }

    @Test func `R-145 the place in the series is in the journal, and comes back out of it`()
        throws
    {
        let till = SeriesTill()
        var began = JournalEntry.Began(
            account: TestTill.account,
            order: "market-3",
            kind: .sale,
            amount: .zero(.usd)
        )
        began.series = SeriesPlace(id: "market", number: 3)
        let entry = JournalEntry(
            at: till.time.wallTime,
            attempt: "a",
            fact: .began(began)
        )
        let line = String(decoding: try JournalFormat().lines([entry]), as: UTF8.self)
        #expect(line.contains(#""series":{"id":"market","number":3}"#))
        let read = try Array(line.utf8.dropLast()).withUnsafeBytes { bytes in
            try JournalFormat.confirmed(bytes).map { try JournalFormat().entry($0) }
        }
        #expect(read == entry)
        #expect(!began.isAmountKnown)
    }
}

/// A journal that stops taking anything.
private actor BrokenJournal: AttemptJournal {
    private let inner = MemoryAttemptJournal()
    private var fails = false

    func fail() { fails = true }

    func begin(_ entry: JournalEntry) async throws(PaymentRefusal) -> BeginAnswer {
        if fails { throw .cannotRecord("the disk is full") }
        return try inner.begin(entry)
    }

    func append(_ entries: [JournalEntry]) async throws(JournalError) {
        if fails { throw JournalError("the disk is full") }
        inner.append(entries)
    }

    func read<Answer: Sendable>(_ body: @Sendable (AttemptBook) -> Answer) async -> Answer {
        inner.read(body)
    }
}
