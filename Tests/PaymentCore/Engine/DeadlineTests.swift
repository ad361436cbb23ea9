import Simulation
import Testing

@testable import PaymentCore

@Suite struct DeadlineTests {
    private static let unknown = ProviderAnswer.unknown(PaymentError(.outcomeUnknown))

    /// A till whose vendor answers so long after the start; its deadline is a minute.
    private func till(
        _ answer: ProviderAnswer?,
        after delay: Duration,
        hasBooks: Bool = true,
        schedule: UInt64? = nil
    ) -> TestTill {
        var settling = SettlingPolicy()
        settling.vendorDeadline = .seconds(60)
        return TestTill(
            VendorScript(delay: delay, answer: answer),
            VendorScript(answer: .declined(Decline(.generic))),
            hasBooks: hasBooks,
            settling: settling,
            schedule: schedule
        )
    }

    @Test func `N-035 a vendor that hangs leaves the payment unresolved and the device busy`()
        throws
    {
        let till = till(nil, after: .zero)
        let names = try till.run { () async -> [String] in
            let told = await till.take()
            let other = await till.take(500, "o2")
            let same = await till.take()
            let cancel = await till.pointOfSale.cancel("o1")
            let open = await till.pointOfSale.unresolved.count
            return [told.name, other.name, same.name, cancel.rawValue, "\(open)"]
        }
        #expect(
            names == ["unresolved vendorBusy", "refused busy", "refused busy", "tooLate", "1"]
        )
        #expect(till.elapsed <= .seconds(80))
    }

    @Test(arguments: [
        (ProviderAnswer.approved(approval()), "approved"),
        (.declined(Decline(.generic)), "declined"), (.cancelled, "cancelled"),
        (.notCharged(PaymentError(.cardNotRead)), "failed"), (unknown, nil),
    ])
    func `N-035 the late answer counts and frees the device`(
        answer: ProviderAnswer,
        ending: String?
    ) throws {
        let till = till(answer, after: .seconds(100))
        let result = try till.run { () async -> (String, String?, Int, String) in
            let told = await till.take()
            try? await till.time.clock.sleep(for: .seconds(30))
            let name = await till.attempt()?.ending?.name
            let open = await till.pointOfSale.unresolved.count
            return (told.name, name, open, await till.take(500, "o2").name)
        }
        #expect(result.0 == "unresolved vendorBusy")
        #expect(result.1 == ending)
        #expect(result.2 == (ending == nil ? 1 : 0))
        #expect(result.3 == "declined")
    }

    @Test(arguments: [nil, 1, 2, 3, 4, 5, 6, 7] as [UInt64?])
    func `N-035 an answer that comes while the books are asked is what is told`(
        schedule: UInt64?
    ) throws {
        let till = till(.approved(approval()), after: .seconds(65), schedule: schedule)
        let told = try till.run { await till.take() }
        #expect(told.name == "approved")
        #expect(try till.run { await till.pointOfSale.unresolved.count } == 0)
    }

    @Test(arguments: Array(0..<40) as [UInt64])
    func `N-035 an answer in the instant of the deadline leaves the next payment alone`(
        schedule: UInt64
    ) throws {
        let till = till(.approved(approval()), after: .seconds(60), schedule: schedule)
        let names = try till.run { () async -> [String] in
            async let first = till.take().name
            var second = "refused busy"
            while second == "refused busy" {
                try? await till.time.clock.sleep(for: .seconds(1))
                second = await till.take(500, "o2").name
            }
            return [await first, second, await till.take(500, "o3").name]
        }
        #expect(names == ["approved", "declined", "declined"])
    }

    @Test(arguments: Array(0..<100) as [UInt64])
    func `N-035 what is left unknown in the instant of the deadline does not count as running`(
        schedule: UInt64
    ) throws {
        var settling = SettlingPolicy()
        settling.vendorDeadline = .seconds(60)
        let till = TestTill(
            VendorScript(delay: .seconds(60), answer: Self.unknown),
            settling: settling,
            schedule: schedule,
            journal: schedule.isMultiple(of: 2) ? RestlessJournal() : MemoryAttemptJournal()
        )
        let name = try till.run { () async -> String in
            guard case .unresolved(let payment)? = await till.take().outcome else { return "?" }
            try? await till.time.clock.sleep(for: .seconds(300))
            return await till.pointOfSale.resolve(payment).name
        }
        #expect(name == "failed notBooked")
    }

    // FC-123
    @Test(arguments: [false, true])
    func `N-035 a late answer that contradicts what was told is an alarm, and is kept`(
        paid: Bool
    ) throws {
        let late: ProviderAnswer =
            paid ? .declined(Decline(.generic)) : .approved(approval("R2"))
        let till = till(late, after: .seconds(500))
        let result = try till.run { () async -> (Int, String?, String) in
            guard case .unresolved(let payment)? = await till.take().outcome else {
                return (0, nil, "?")
            }
            if paid {
                till.books.add(record(at: till.time.wallTime))
                _ = await till.pointOfSale.resolve(payment)
            } else {
                let error = PaymentError(.notBooked)
                await till.engine.append([.ended(.failed(error), by: .books)], for: payment.attempt)
            }
            try? await till.time.clock.sleep(for: .seconds(600))
            let alarms = till.now.alarms.count
            return (alarms, await till.attempt()?.ending?.name, await till.take().name)
        }
        #expect(result.0 == 1)
        #expect(result.1 == (paid ? "approved" : "failed"))
        #expect(result.2 == "refused alreadyPaid")
    }

    @Test func `N-019 a late answer against a person's verdict is an alarm`() throws {
        let till = till(.approved(approval()), after: .seconds(500), hasBooks: false)
        let result = try till.run { () async -> (Int, String) in
            guard case .unresolved(let payment)? = await till.take().outcome else {
                return (0, "?")
            }
            let verdict = PersonalVerdict(.notMoved, name: "Kim", reason: "nothing on the roll")
            await till.engine.append([.settled(verdict)], for: payment.attempt)
            try? await till.time.clock.sleep(for: .seconds(600))
            return (till.now.alarms.count, await till.take().name)
        }
        #expect(result == (1, "refused alreadyPaid"))
    }

    @Test func `N-035 a declined try within a call that still runs is not the end`() throws {
        let till = till(.approved(approval("R2")), after: .seconds(100))
        till.books.add(record("R1", .declined(Decline(.pin)), at: till.time.wallTime))
        let names = try till.run { () async -> [String] in
            let told = await till.take()
            try? await till.time.clock.sleep(for: .seconds(30))
            return [told.name, await till.attempt()?.ending?.name ?? "open"]
        }
        #expect(names == ["unresolved vendorBusy", "approved"])
    }

    // FC-064
    @Test func `N-028 an approval that names an earlier payment's record is not believed`()
        throws
    {
        let till = TestTill(VendorScript(answer: .approved(approval())))
        till.books.add(record(at: till.time.wallTime))
        let names = try till.run {
            [await till.take().name, await till.take(1_000, "o2").name]
        }
        #expect(names == ["approved", "unresolved mayStillAppear"])
    }

    @Test(arguments: Array(0..<30) as [UInt64])
    func `N-025 two people who resolve at once, and the vendor, end in one way`(
        schedule: UInt64
    ) throws {
        let till = till(.approved(approval()), after: .seconds(90), schedule: schedule)
        let names = try till.run { () async -> [String] in
            guard case .unresolved(let payment)? = await till.take().outcome else { return [] }
            till.books.add(record(at: till.time.wallTime))
            try? await till.time.clock.sleep(for: .seconds(10))
            async let one = till.pointOfSale.resolve(payment).name
            async let two = till.pointOfSale.resolve(payment).name
            return await [one, two]
        }
        #expect(names == ["approved", "approved"])
        #expect(till.now.alarms.isEmpty)
    }
}
