import Foundation
import Simulation
import Synchronization
import Testing

@testable import PaymentCore

/// What keeps an attempt from being told as one without money.
@Suite struct DoubtTests {
    private static let unknown = ProviderAnswer.unknown(PaymentError(.outcomeUnknown))

    private static let euros = Approval(
        references: [AcquirerReference(kind: "payment", value: "R1")],
        amount: .confirmed(Money(checked: 1_000, currency: .eur))
    )

    @Test(arguments: [
        ProviderAnswer.partlyApproved(approval(nil, .unknown)), .approved(euros),
        .authorized(approval(nil), expiresAt: nil),
    ])
    func `N-029 what the vendor said to have moved is never absent, also after a restart`(
        answer: ProviderAnswer
    ) throws {
        let journal = MemoryAttemptJournal()
        let till = TestTill(VendorScript(answer: answer), journal: journal)
        let names = try till.run { () async -> [String] in
            let told = await till.take()
            guard case .unresolved(let payment)? = told.outcome else { return [told.name] }
            till.books.change { $0.isComplete = true }
            try? await till.time.clock.sleep(for: .seconds(4_000))
            return [told.name, await till.pointOfSale.resolve(payment).name]
        }
        let open = "unresolved mayStillAppear"
        #expect(names == [open, open])
        let data = try JSONEncoder().encode(journal.entries)
        let entries = try JSONDecoder().decode([JournalEntry].self, from: data)
        let said = entries.contains { entry in
            if case .leftOpen(let open) = entry.fact { open.saidMoved } else { false }
        }
        #expect(said)
    }

    @Test func `N-025 the references of an approval that cannot be believed find its record`()
        throws
    {
        let till = TestTill(VendorScript(answer: .partlyApproved(approval("R1", .unknown))))
        till.books.add(record("R1", .succeeded, 400, at: till.time.wallTime, device: "another"))
        #expect(try till.run { await till.take().name } == "partlyApproved")
    }

    @Test func `N-029 an accepted refund is not undone by books that are silent`() throws {
        let confirmed = ProviderAnswer.approved(approval("R1", .confirmed(.usd(1_000))))
        let till = TestTill(VendorScript(answer: confirmed), repeats: .lookUpOnly)
        till.books.change { $0.answers = [.pending(Approval())] }
        let left = try till.run { () async -> Money? in
            _ = await till.take()
            guard let receipt = await till.pointOfSale.receipt(for: "o1") else { return nil }
            _ = try? await till.pointOfSale.refund(receipt, amount: .usd(400), id: "r1")
            try? await till.time.clock.sleep(for: .seconds(4_000))
            if let refund = till.books.performed.last { _ = await till.engine.resolve(refund.id) }
            return await till.pointOfSale.refundable(of: receipt)
        }
        #expect(left == .usd(600))
    }

    @Test func `N-029 the window runs from the real end, also where that could not be written`()
        throws
    {
        let till = TestTill(
            VendorScript(delay: .seconds(600), answer: Self.unknown),
            journal: FailingJournal(appendsLeft: 0)
        )
        let names = try till.run { () async -> [String] in
            let told = await till.take()
            guard case .unresolved(let payment)? = told.outcome else { return [told.name] }
            return [told.name, await till.pointOfSale.resolve(payment).name]
        }
        let open = "unresolved mayStillAppear"
        #expect(names == [open, open])
    }

    @Test(arguments: [-600, 600, 200_000])
    func
        `N-029 a clock that is set after the payment neither closes its window nor hides its record`(
            seconds: Int
        ) throws
    {
        let jump = Mutex(Duration.zero)
        let time = SimulatedTime(seed: 3)
        var environment = time.environment
        let wallTime = environment.wallTime
        environment.wallTime = { wallTime().advanced(by: jump.withLock { $0 }) }
        let books = ScriptedBooks(time: time, capabilities: BackOfficeCapabilities())
        books.change { $0.troubles = [.error(PaymentError(.networkUnavailable))] }
        let provider = ScriptedProvider(
            time: time,
            books: books,
            capabilities: ScriptedProvider.able,
            scripts: [VendorScript(answer: Self.unknown)]
        )
        let acquirer = Acquirer(account: TestTill.account, provider: provider, backOffice: books)
        let engine = PaymentEngine(
            acquirers: [acquirer],
            journal: MemoryAttemptJournal(),
            settling: SettlingPolicy(),
            environment: environment
        )
        let pointOfSale = PointOfSale(engine: engine, environment: environment)
        let names = try time.run("the test") { () async -> [String] in
            // The acquirer's clock is right, and so is this device's from now on.
            jump.withLock { $0 = .zero - .seconds(seconds) }
            let request = PaymentRequest.sale(.usd(1_000), for: "o1")
            guard case .unresolved(let payment)? = try? await pointOfSale.take(request) else {
                return ["?"]
            }
            jump.withLock { $0 = .zero }
            books.change { $0.troubles = [] }
            let early = await pointOfSale.resolve(payment).name
            books.add(record(at: time.wallTime.advanced(by: .seconds(-15))))
            try? await time.clock.sleep(for: .seconds(400))
            return [early, await pointOfSale.resolve(payment).name]
        }
        #expect(names[0].hasPrefix("unresolved"))
        #expect(names[1] == "approved" || names[1] == "unresolved ambiguous")
    }

    @Test func `N-018 the closing of another record is not this one's end`() throws {
        let till = TestTill(VendorScript(answer: Self.unknown), canClose: true)
        till.books.change { $0.closing = .cancelsAnother }
        till.books.add(record("R1", .payable(lastDecline: nil), at: till.time.wallTime))
        #expect(try till.run { await till.take().name } == "unresolved stillPayable")
    }

    @Test func `N-022 only a hold is captured or voided`() throws {
        let confirmed = ProviderAnswer.approved(approval("R1", .confirmed(.usd(1_000))))
        let till = TestTill(
            VendorScript(answer: confirmed),
            repeats: .lookUpOnly,
            followUps: [.refund, .capture, .void]
        )
        let codes = try till.run { () async -> [String] in
            _ = await till.take()
            guard let receipt = await till.pointOfSale.receipt(for: "o1") else { return [] }
            let hold = Authorization(receipt: receipt, expiresAt: nil)
            var codes: [String] = []
            do throws(PaymentRefusal) {
                _ = try await till.pointOfSale.void(hold, id: "v")
            } catch {
                codes.append(error.code)
            }
            do throws(PaymentRefusal) {
                _ = try await till.pointOfSale.capture(hold, amount: .usd(1), id: "c")
            } catch {
                codes.append(error.code)
            }
            return codes
        }
        #expect(codes == ["invalidRequest", "invalidRequest"])
        #expect(till.books.performed.isEmpty)
    }
}
