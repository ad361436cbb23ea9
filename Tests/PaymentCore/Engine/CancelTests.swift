import Simulation
import Testing

@testable import PaymentCore

@Suite struct CancelTests {
    private static let approved = ProviderAnswer.approved(
        approval("R1", .confirmed(.usd(1_000)))
    )

    // FC-042
    @Test(arguments: [
        (VendorScript.CancelShape.ignored(.tooLate), "approved", Cancellation.tooLate),
        (.ignored(.asked), "approved", .asked), (.ends, "cancelled", .asked),
        (.hangs, "approved", .asked),
    ])
    func `N-015 the real outcome is told, whatever the vendor answers to a cancel`(
        shape: VendorScript.CancelShape,
        told: String,
        answer: Cancellation
    ) throws {
        let till = TestTill(
            VendorScript(delay: .seconds(60), answer: Self.approved, cancel: shape)
        )
        let result = try till.run { () async -> (String, Cancellation) in
            async let sale = till.take().name
            try? await till.time.clock.sleep(for: .seconds(1))
            let cancel = await till.pointOfSale.cancel("o1")
            return (await sale, cancel)
        }
        #expect(result == (told, answer))
    }

    // FC-043
    @Test(arguments: Array(0..<60) as [UInt64])
    func `N-015 a cancel in the instant of the start is remembered`(schedule: UInt64) throws {
        let till = TestTill(
            VendorScript(delay: .seconds(1), answer: Self.approved, cancel: .ends),
            schedule: schedule
        )
        let (told, answer) = try till.run { () async -> (Told, Cancellation) in
            async let sale = till.take()
            async let cancel = till.pointOfSale.cancel("o1")
            return (await sale, await cancel)
        }
        #expect(told.name == (answer == .nothingRunning ? "approved" : "cancelled"))
        #expect(told.ends == 1 && told.endedLast)
    }

    // FC-044
    @Test func `N-015 a cancel after the end returns at once and changes nothing`() throws {
        let next = ProviderAnswer.approved(approval("R2", .confirmed(.usd(1_000))))
        let till = TestTill(
            VendorScript(answer: Self.approved, cancel: .hangs),
            VendorScript(answer: next, cancel: .hangs)
        )
        let result = try till.run { () async -> [String] in
            let before = await till.pointOfSale.cancel("o1")
            let sale = await till.take()
            let cancels = [
                await till.pointOfSale.cancel("o1"), await till.pointOfSale.cancel("o1"),
            ]
            return [before.rawValue, sale.name] + cancels.map(\.rawValue)
                + [await till.take().name, await till.take(1_000, "o2").name]
        }
        let nothing = "nothingRunning"
        #expect(
            result == [
                nothing, "approved", nothing, nothing, "refused alreadyPaid", "approved",
            ]
        )
        #expect(till.provider.cancelled.isEmpty)
    }

    // FC-046
    @Test func `N-015 a cancel names its order and touches no other payment`() throws {
        let till = TestTill(
            VendorScript(delay: .seconds(60), answer: Self.approved, cancel: .ends)
        )
        let result = try till.run { () async -> [String] in
            async let sale = till.take().name
            try? await till.time.clock.sleep(for: .seconds(1))
            let others: [Order] = ["o2", "o1/1of2"]
            var answers: [String] = []
            for other in others { answers.append(await till.pointOfSale.cancel(other).rawValue) }
            return answers + [await sale]
        }
        #expect(result == ["nothingRunning", "nothingRunning", "approved"])
    }

    @Test(arguments: Array(0..<40) as [UInt64])
    func `N-016 a late cancel of a task does not touch the next try of the same order`(
        schedule: UInt64
    ) throws {
        let till = TestTill(
            VendorScript(delay: .seconds(1), answer: .declined(Decline(.pin)), cancel: .ends),
            VendorScript(delay: .seconds(1), answer: Self.approved, cancel: .ends),
            schedule: schedule
        )
        let names = try till.run { () async -> [String] in
            let first = Task(executorPreference: till.time.executor) { await till.take().name }
            till.time.clock.schedule(after: .seconds(1)) { first.cancel() }
            let told = await first.value
            return [told, await till.take().name]
        }
        #expect(["declined", "cancelled"].contains(names[0]))
        #expect(names[1] == "approved")
    }

    @Test(arguments: [nil, 1, 2, 3, 4, 5, 6, 7, 8] as [UInt64?])
    func `N-016 a task that was cancelled before the start takes nothing`(schedule: UInt64?)
        throws
    {
        let till = TestTill(
            VendorScript(answer: Self.approved, cancel: .ignored(.tooLate)),
            schedule: schedule
        )
        let told = try till.run { () async -> Told in
            let sale = Task(executorPreference: till.time.executor) { () async -> Told in
                withUnsafeCurrentTask { $0?.cancel() }
                return await till.take()
            }
            return await sale.value
        }
        #expect(told.name == "cancelled")
        #expect(told.ends == 1)
        #expect(till.provider.performed.isEmpty)
    }

    @Test func `N-016 cancelling the task still awaits the real outcome`() throws {
        let till = TestTill(
            VendorScript(delay: .seconds(60), answer: Self.approved, cancel: .ignored(.tooLate))
        )
        let told = try till.run { () async -> Told in
            let sale = Task(executorPreference: till.time.executor) { await till.take() }
            try? await till.time.clock.sleep(for: .seconds(1))
            sale.cancel()
            return await sale.value
        }
        #expect(told.name == "approved")
        #expect(till.provider.cancelled.count == 1)
    }

    @Test func `N-015 an acquirer that cannot cancel from code says so`() throws {
        var capabilities = ScriptedProvider.able
        capabilities.cancelFromCode = false
        let till = TestTill(
            VendorScript(delay: .seconds(9), answer: Self.approved, cancel: .ends),
            provider: capabilities
        )
        let result = try till.run { () async -> (String, Cancellation) in
            async let sale = till.take().name
            try? await till.time.clock.sleep(for: .seconds(1))
            let cancel = await till.pointOfSale.cancel("o1")
            return (await sale, cancel)
        }
        #expect(result == ("approved", .unsupported))
        #expect(till.provider.cancelled.isEmpty)
    }

    @Test func `N-015 a cancel while the books are asked is too late`() throws {
        let till = TestTill(VendorScript(answer: .unknown(PaymentError(.outcomeUnknown))))
        let result = try till.run { () async -> (String, Cancellation) in
            async let sale = till.take().name
            try? await till.time.clock.sleep(for: .seconds(1))
            let cancel = await till.pointOfSale.cancel("o1")
            till.books.add(record(at: till.time.wallTime))
            return (await sale, cancel)
        }
        #expect(result == ("approved", .tooLate))
    }
}
