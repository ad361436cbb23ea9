import Simulation
import Testing

@testable import PaymentCore

/// Three payments after each other, of which chance says how slow the vendor is, what it answers,
/// who cancels when, and in which order things happen.
@Suite struct WhateverHappensTests {
    @Test(arguments: Array(0..<100) as [UInt64])
    func `N-010 whatever happens each payment ends once, as its journal says, and the till is free`(
        seed: UInt64
    ) throws {
        var chance = SeededGenerator(seed: seed, stream: "whatever happens")
        let till = till(seed, &chance)
        let cancels = (0..<3).map { _ in Cancel(&chance) }
        let told = try till.run { () async -> [Told] in
            var told: [Told] = []
            for (number, cancel) in cancels.enumerated() {
                await told.append(take(order(number), at: till, cancelling: cancel))
            }
            try? await till.time.clock.sleep(for: .seconds(400))
            for payment in await till.pointOfSale.unresolved {
                _ = await till.pointOfSale.resolve(payment)
            }
            return told
        }
        #expect(told.allSatisfy { $0.ends == 1 && $0.endedLast })
        let names = try till.run { () async -> [String?] in
            var names: [String?] = []
            for number in 0..<3 {
                names.append(await till.attempt(order(number))?.ending?.name)
            }
            return names
        }
        for (one, name) in zip(told, names) where !one.name.hasPrefix("unresolved") {
            #expect(name.map(one.name.hasPrefix) == true)
        }
        #expect(try till.run { await till.pointOfSale.unresolved.isEmpty })
        #expect(till.now.running == nil && till.now.alarms.isEmpty)
    }

    private func order(_ number: Int) -> Order { Order(stringLiteral: "o\(number)") }

    /// When a payment is cancelled, and by whom.
    private struct Cancel: Sendable {
        let after: Int?
        let byTask: Bool

        init(_ chance: inout SeededGenerator) {
            after = [nil, 0, 1, 15, 30, 60, 62, 75].randomElement(using: &chance) ?? nil
            byTask = Bool.random(using: &chance)
        }
    }

    private func take(_ order: Order, at till: TestTill, cancelling cancel: Cancel) async -> Told {
        while true {
            let sale = Task(executorPreference: till.time.executor) {
                await till.take(1_000, order)
            }
            if let after = cancel.after {
                try? await till.time.clock.sleep(for: .seconds(after))
                if cancel.byTask { sale.cancel() } else { _ = await till.pointOfSale.cancel(order) }
            }
            let told = await sale.value
            guard told.name == "refused busy" else { return told }
            // The vendor's call for the payment before has not come back.
            try? await till.time.clock.sleep(for: .seconds(5))
        }
    }

    private func till(_ seed: UInt64, _ chance: inout SeededGenerator) -> TestTill {
        var settling = SettlingPolicy()
        settling.vendorDeadline = .seconds(60)
        let isRestless = Bool.random(using: &chance)
        let till = TestTill(
            settling: settling,
            schedule: seed,
            journal: isRestless ? RestlessJournal() : MemoryAttemptJournal()
        )
        let scripts = (1...3).map { script($0, &chance) }
        let hangs = Int.random(in: 0..<4, using: &chance) == 0
        till.provider.change {
            $0.scripts = scripts
            $0.hangs = hangs ? [.device] : []
        }
        return till
    }

    private func script(_ number: Int, _ chance: inout SeededGenerator) -> VendorScript {
        let answers: [ProviderAnswer] = [
            .approved(approval("R\(number)", .confirmed(.usd(1_000)))),
            .approved(approval("R\(number)")), .declined(Decline(.pin)), .cancelled,
            .notCharged(PaymentError(.cardNotRead)), .unknown(PaymentError(.outcomeUnknown)),
        ]
        let cancels: [VendorScript.CancelShape] = [
            .ignored(.tooLate), .ignored(.asked), .ends, .hangs,
        ]
        return VendorScript(
            delay: .seconds([0, 1, 30, 60, 61, 75, 100].randomElement(using: &chance) ?? 0),
            answer: answers.randomElement(using: &chance),
            cancel: cancels.randomElement(using: &chance) ?? .ends
        )
    }
}
