import AcquirerSimulation
import FinixSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import Simulation
import Testing

@Suite struct FinixKitEventTests {
    /// What happens to one transaction, the events in order, and how the call ends.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let events: [String]
        let end: String
        var card: String? = "visa-credit"
        var amount = 1_250
        var isPrepared = true
        let arrange: @Sendable (FinixKitBench) -> Void
        var testDescription: String { name }
    }

    private static let read = ["preparingTransaction", "readingCard"]
    private static let submitted = read + ["cardRead", "processing"]

    static let rows: [Row] = [
        Row(name: "approved", events: submitted + ["success"], end: "ok") { _ in },
        Row(
            name: "declined",
            events: submitted + ["failure transactionFailed"],
            end: "transactionFailed",
            card: "declined-funds"
        ) { _ in },
        Row(
            name: "pending",
            events: submitted + ["failure transactionFailed"],
            end: "transactionFailed"
        ) { $0.emulator.leavePending(until: .seconds(60), succeeds: true) },
        Row(
            name: "no answer",
            events: submitted + ["failure transactionFailed"],
            end: "transactionFailed"
        ) { $0.emulator.loseNextPayment(booked: true) },
        Row(
            name: "server fault",
            events: submitted + ["failure transactionFailed"],
            end: "transactionFailed"
        ) { bench in
            bench.emulator.host.faults.add(.answer(HTTPResponse(status: 500))) {
                $0.method == .post
            }
        },
        Row(
            name: "unreadable answer",
            events: submitted + ["failure transactionFailed"],
            end: "transactionFailed"
        ) { bench in
            bench.emulator.host.faults.add(.answerAfter(HTTPResponse(status: 201))) {
                $0.method == .post
            }
        },
        Row(
            name: "buyer closes the sheet",
            events: read + ["failure transactionCancelled"],
            end: "transactionCancelled",
            card: nil
        ) { bench in
            bench.world.time.clock.schedule(after: .seconds(5)) {
                bench.world.device.control.customerCancels()
            }
        },
        Row(
            name: "card not read",
            events: read + ["failure transactionFailed"],
            end: "transactionFailed",
            card: "damaged"
        ) { _ in },
        Row(
            name: "invalid amount",
            events: read + ["failure transactionFailed"],
            end: "transactionFailed",
            amount: 0
        ) { _ in },
        Row(
            name: "no session",
            events: [],
            end: "readerPreparationFailed",
            isPrepared: false
        ) { _ in },
        Row(
            name: "no number of the merchant",
            events: ["preparingTransaction", "failure midResolutionFailed"],
            end: "midResolutionFailed"
        ) { bench in
            bench.emulator.host.faults.add(.unreachable) { $0.path.hasPrefix("/merchants/") }
        },
    ]

    private func take(
        _ row: Row,
        on bench: FinixKitBench,
        cancelAfter: Double? = nil
    ) throws -> (events: [String], end: String) {
        let kit = bench.kit()
        let heard = Shared<[String]>([])
        row.arrange(bench)
        let end = try bench.run { () async -> String in
            if row.isPrepared { _ = await KitCall.prepareReader.end(on: kit) }
            return await withTaskGroup(of: Void.self) { group in
                let events = kit.transactionEvents.values
                group.addTask { for await event in events { heard.value.append(event.name) } }
                // Subscribe before starting.
                await bench.wait(1)
                if let cancelAfter {
                    group.addTask {
                        await bench.wait(cancelAfter)
                        try? await kit.cancelTransaction()
                    }
                }
                let end: String
                do throws(TapToPayError) {
                    _ = try await kit.startTransaction(amount: row.amount, currency: "USD")
                    end = "ok"
                } catch {
                    end = error.name
                }
                await bench.wait(1)
                group.cancelAll()
                return end
            }
        }
        return (heard.value, end)
    }

    @Test(arguments: rows)
    func `F-068 F-107 F-110 F-111 F-113 F-115 each outcome has its events, once and in order`(
        row: Row
    ) throws {
        let told = try take(row, on: FinixKitBench(card: row.card))
        #expect(told.events == row.events)
        #expect(told.end == row.end)
    }

    @Test(arguments: [false, true])
    func `F-073 F-114 a cancel during the read ends it, with or without an event`(
        omits: Bool
    ) throws {
        let bench = FinixKitBench(card: nil)
        bench.phone.quirks.omitsCancelEvent = omits
        let row = Row(name: "", events: [], end: "") { _ in }
        let told = try take(row, on: bench, cancelAfter: 3)
        #expect(told.end == "transactionCancelled")
        #expect(told.events == Self.read + (omits ? [] : ["failure transactionCancelled"]))
    }

    @Test func `F-075 a cancel after the read changes nothing`() throws {
        let bench = FinixKitBench()
        bench.emulator.delayPayments(by: .seconds(10))
        let row = Row(name: "", events: [], end: "") { _ in }
        let told = try take(row, on: bench, cancelAfter: 5)
        #expect(told.end == "ok")
        #expect(told.events == Self.submitted + ["success"])
        #expect(bench.world.ledger.balance(.usd) == 1_250)
    }

    @Test func `F-109 an early version sends failure twice for a declined payment`() throws {
        let bench = FinixKitBench(card: "declined-funds")
        bench.phone.quirks.repeatsFailure = true
        let row = Row(name: "", events: [], end: "") { _ in }
        let failure = "failure transactionFailed"
        #expect(try take(row, on: bench).events == Self.submitted + [failure, failure])
    }

    @Test
    func
        `F-116 F-118 F-119 F-120 a late subscriber hears the latest event, and nothing before the first`()
        throws
    {
        let bench = FinixKitBench()
        let kit = bench.kit()
        let names = try bench.run { () async -> [String] in
            func first() async -> String {
                await withTaskGroup(of: String?.self) { group in
                    let events = kit.transactionEvents.values
                    group.addTask {
                        for await event in events { return event.name }
                        return nil
                    }
                    group.addTask {
                        await bench.wait(1)
                        return "nothing"
                    }
                    defer { group.cancelAll() }
                    return await group.next()?.flatMap(\.self) ?? "ended"
                }
            }
            let early = await first()
            _ = await KitCall.prepareReader.end(on: kit)
            _ = await KitCall.startTransaction.end(on: kit)
            let late = await first()
            bench.phone.quirks.forgetsEventOnCancel = true
            try? await kit.cancelTransaction()
            return [early, late, await first()]
        }
        #expect(names == ["nothing", "success", "nothing"])
    }

    @Test func `F-121 events end with the kit, and no sooner`() throws {
        let bench = FinixKitBench()
        let count = try bench.run { () async -> Int in
            var kit: FinixTapToPay? = bench.kit()
            guard let events = kit?.transactionEvents.values.makeAsyncIterator() else { return -1 }
            if let kit {
                for _ in 0..<2 {
                    _ = await KitCall.prepareReader.end(on: kit)
                    _ = await KitCall.startTransaction.end(on: kit)
                }
            }
            kit = nil
            var (count, iterator) = (0, events)
            while await iterator.next() != nil { count += 1 }
            return count
        }
        #expect(count == 10)
    }
}
