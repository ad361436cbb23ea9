import AcquirerSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import RevolutPayments
import RevolutSimulation
import Simulation
import Testing

/// The app is gone in the middle of a flow: what is left is its journal, and Revolut.
@Suite struct RevolutKilledTests {
    /// Starts a sale, kills the app once something holds, and tells what the next one finds.
    static func next(
        _ shop: RevolutShop,
        open: @escaping @Sendable (RevolutShop) async throws -> PointOfSale = {
            try await $0.open()
        },
        killedWhen isTime: @escaping @Sendable () async -> Bool
    ) throws -> (
        unresolved: [String], resolved: [String], charged: Int64, journal: MemoryAttemptJournal
    ) {
        let entries = try shop.run { () async throws -> [JournalEntry] in
            let pointOfSale = try await open(shop)
            Task(executorPreference: shop.world.time.executor) {
                _ = try? await shop.take(with: pointOfSale)
            }
            for _ in 0..<6_000 {
                if await isTime() { break }
                try await shop.world.environment.clock.sleep(for: .milliseconds(10))
            }
            return shop.journal.entries
        }
        shop.heard?.end()
        var later = RevolutShop(world: shop.world, emulator: shop.emulator)
        later.journal = MemoryAttemptJournal(entries: entries)
        later.emulator.host.faults.clear()
        let next = later
        let told = try next.run { () async throws -> ([String], [String]) in
            let pointOfSale = try await open(next)
            let unresolved = await pointOfSale.unresolved.map { "\($0.order) \($0.reason)" }
            var refused = "taken"
            do {
                _ = try await pointOfSale.take(try RevolutShop.request())
            } catch {
                refused = (error as? PaymentRefusal)?.code ?? "\(error)"
            }
            try await next.world.environment.clock.sleep(for: .seconds(200))
            let resolved = await pointOfSale.resolve("o1").map(\.name)
            return (unresolved, [refused] + resolved)
        }
        return (told.0, told.1, shop.charged, next.journal)
    }

    @Test(arguments: [true, false])
    func `R-128 killed before the charge it is open, and closed at the acquirer`(
        isLate: Bool
    ) throws {
        var shop = RevolutShop(card: nil)
        shop.stage.script.ordersLate = isLate
        let flow = shop
        let next = try Self.next(flow) { flow.world.time.clock.now.offset > .seconds(5) }
        #expect(next.unresolved == ["o1 interrupted"])
        #expect(next.resolved == ["open", isLate ? "unresolved" : "cancelled"])
        #expect(next.charged == 0)
    }

    @Test(arguments: [true, false])
    func `R-111 killed after a sign-out amid the charge, the books decide`(
        isBooked: Bool
    ) throws {
        var shop = RevolutShop()
        let signedOut = Shared(false)
        shop.signOutAmidCharge(isBooked: isBooked)
        shop.stage.script.anomaly = .noCompletion
        shop.stage.onLogout = { signedOut.value = true }
        let next = try Self.next(shop) { signedOut.value }
        #expect(next.unresolved.count == 1)
        #expect(next.resolved == ["open", isBooked ? "approved" : "cancelled"])
        #expect(next.charged == (isBooked ? 1_000 : 0))
    }

    @Test
    func `R-370 no listing denies what the kit has reported as paid, however often it is read`()
        throws
    {
        let scripted = ScriptedShop { _, _, tell, _ in tell(.paid) }
        let shop = scripted.shop
        let open: @Sendable (RevolutShop) async throws -> PointOfSale = { shop in
            var at = scripted
            at.shop = shop
            return try await at.open()
        }
        let next = try Self.next(shop, open: open) {
            shop.journal.read { $0.open.contains { !$0.references.isEmpty } }
        }
        #expect(next.resolved == ["open", "unresolved"])
        var later = RevolutShop(world: shop.world, emulator: shop.emulator)
        later.journal = MemoryAttemptJournal(
            entries: try shop.run { shop.journal.entries }
        )
        let reading = later
        let names = try reading.run { () async throws -> [String] in
            let pointOfSale = try await open(reading)
            var names: [String] = []
            for _ in 0..<5 {
                try await reading.world.environment.clock.sleep(for: .seconds(900))
                names += await pointOfSale.resolve("o1").map(\.name)
            }
            return names
        }
        #expect(names == Array(repeating: "unresolved", count: 5))
    }

    @Test(arguments: [["end", "paid"], ["failed", "paid", "end"], ["out", "late", "paid"]])
    func `R-370 nor what it reports as paid when R-122 the flow is over or R-134 once more`(
        calls: [String]
    ) throws {
        let clock = Shared<SimulatedTime?>(nil)
        let scripted = ScriptedShop { _, context, tell, end in
            for call in calls {
                switch call {
                case "paid" where calls.contains("late"):
                    clock.value?.clock.schedule(after: .seconds(90)) { tell(.paid) }
                case "paid": tell(.paid)
                case "failed": tell(.failed)
                case "out": context.onLogout()
                case "end": end()
                default: break
                }
            }
        }
        clock.value = scripted.shop.world.time
        let names = try scripted.shop.run { () async throws -> [String] in
            let pointOfSale = try await scripted.open()
            var names = [try await pointOfSale.take(try RevolutShop.request()).name]
            for _ in 0..<5 {
                try await scripted.shop.world.environment.clock.sleep(for: .seconds(900))
                names += await pointOfSale.resolve("o1").map(\.name)
            }
            return names
        }
        #expect(names == Array(repeating: "unresolved", count: 6))
    }
}
