import Simulation
import Testing

@testable import PaymentCore

@Suite struct StateTests {
    private static let declined = ProviderAnswer.declined(Decline(.generic))

    // FC-039
    @Test(arguments: Array(0..<40) as [UInt64])
    func `N-021 two takes of one order in the same instant are one payment`(schedule: UInt64)
        throws
    {
        let till = TestTill(
            VendorScript(delay: .seconds(1), answer: .approved(approval())),
            schedule: schedule
        )
        let names = try till.run { () async -> [String] in
            async let one = till.take().name
            async let two = till.take().name
            return await [one, two].sorted()
        }
        #expect(names == ["approved", "refused busy"])
        #expect(till.provider.performed.count == 1)
    }

    @Test(arguments: Array(0..<40) as [UInt64])
    func `N-021 two tills on one journal do not both take an order`(schedule: UInt64) throws {
        let script = VendorScript(delay: .seconds(1), answer: .approved(approval()))
        let one = TestTill(script, schedule: schedule)
        let other = PaymentEngine(
            acquirers: [one.acquirer],
            journal: one.journal,
            settling: SettlingPolicy(),
            environment: one.time.environment
        )
        let second = PointOfSale(engine: other, environment: one.time.environment)
        let names = try one.run { () async -> [String] in
            async let first = one.take().name
            let name: String
            do throws(PaymentRefusal) {
                name = try await second.take(.sale(.usd(1_000), for: "o1")).name
            } catch {
                name = "refused \(error.code)"
            }
            return await [first, name].sorted()
        }
        #expect(names == ["approved", "refused open"])
        #expect(one.provider.performed.count == 1)
    }

    @Test func `N-023 a second payment is refused as busy and leaves the first alone`() throws {
        let till = TestTill(VendorScript(delay: .seconds(5), answer: Self.declined))
        let names = try till.run { () async -> [String] in
            async let first = till.take().name
            try? await till.time.clock.sleep(for: .seconds(1))
            let second = await till.take(500, "o2").name
            return [await first, second]
        }
        #expect(names == ["declined", "refused busy"])
    }

    // FC-048
    @Test func `N-042 the end of a payment does not hide the next one that began at once`() throws {
        let journal = SlowJournal()
        let till = TestTill(
            VendorScript(delay: .seconds(1), answer: .cancelled),
            VendorScript(delay: .seconds(60), answer: Self.declined),
            journal: journal
        )
        journal.slowDown { try? await till.time.clock.sleep(for: .milliseconds(50)) }
        let running = try till.run { () async -> Order? in
            async let first = till.take().name
            async let second = { () async -> String in
                while true {
                    try? await till.time.clock.sleep(for: .milliseconds(1))
                    let name = await till.take(500, "o2").name
                    if name != "refused busy" { return name }
                }
            }()
            _ = await first
            try? await till.time.clock.sleep(for: .seconds(5))
            let order = till.now.running?.order
            _ = await second
            return order
        }
        #expect(running == "o2")
    }

    // FC-048
    @Test func `N-042 a late subscriber sees the running payment and no earlier end`() throws {
        let till = TestTill(
            VendorScript(answer: .approved(approval())),
            VendorScript(progress: [.presentCard], delay: .seconds(60), answer: Self.declined)
        )
        let seen = try till.run { () async -> [String] in
            _ = await till.take()
            async let second = till.take(500, "o2").name
            try? await till.time.clock.sleep(for: .seconds(1))
            var states = till.pointOfSale.states.makeAsyncIterator()
            let state = await states.next()
            let attempt = await till.attempt("o2")?.id
            let isOwn = state?.running?.event?.attempt == attempt
            _ = await second
            let end = await states.next()
            return [
                state?.running?.order.id ?? "none", "\(isOwn)",
                state?.running?.event?.messageKey.description ?? "none",
                end?.running == nil ? "none" : "still",
            ]
        }
        #expect(seen == ["o2", "true", "event.presentCard", "none"])
    }

    @Test func `N-042 a watcher whose task is cancelled ends`() throws {
        let till = TestTill(VendorScript(answer: Self.declined))
        let ended = try till.run { () async -> Bool in
            let watcher = Task(executorPreference: till.time.executor) { () async -> Bool in
                for await _ in till.pointOfSale.states {}
                return true
            }
            try? await till.time.clock.sleep(for: .seconds(1))
            watcher.cancel()
            return await watcher.value
        }
        #expect(ended)
    }

    @Test(arguments: Array(0..<40) as [UInt64])
    func `N-024 the states and the list of open payments agree in the end`(schedule: UInt64)
        throws
    {
        var settling = SettlingPolicy()
        settling.vendorDeadline = .seconds(60)
        let till = TestTill(
            VendorScript(delay: .seconds(80), answer: .approved(approval())),
            settling: settling,
            schedule: schedule
        )
        let counts = try till.run { () async -> [Int] in
            _ = await till.take()
            try? await till.time.clock.sleep(for: .seconds(30))
            return [till.now.open.count, await till.pointOfSale.unresolved.count]
        }
        #expect(counts == [0, 0])
    }

    @Test func `N-024 an attempt without an end is unresolved after a restart`() throws {
        let till = TestTill(VendorScript(answer: nil))
        _ = try? till.run { await till.take() }
        till.time.advance(by: .seconds(1))
        let journal = till.journal
        let next = TestTill(VendorScript(answer: Self.declined), journal: journal)
        let names = try next.run { () async -> [String] in
            await next.engine.recover()
            let states = next.now.open.map(\.order.id)
            return states + [await next.take().name, await next.take(1_000, "o2").name]
        }
        #expect(names == ["o1", "refused open", "declined"])
    }
}

@MainActor
private final class Screen {
    var lines: [String] = []

    func pay(with till: TestTill) async -> String? {
        let outcome = try? await till.pointOfSale.take(.sale(.usd(1_000), for: "o1")) { event in
            MainActor.assertIsolated()
            lines.append(event.messageKey.description)
        }
        return outcome?.name
    }
}

@Suite struct ScreenTests {
    @Test @MainActor func `N-010 events are told on the caller's own actor, in order`() async {
        let till = TestTill(VendorScript(answer: .declined(Decline(.pin))), isLive: true)
        let screen = Screen()
        #expect(await screen.pay(with: till) == "declined")
        #expect(
            screen.lines == [
                "event.started", "event.presentCard", "event.cardRead", "event.submitting",
                "decline.pin",
            ]
        )
    }
}
