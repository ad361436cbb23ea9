import AcquirerSimulation
import PaymentCore
import ReaderSimulation
import Simulation

/// Amounts and the minor units of currencies.
enum Amounts {
    static let rules = exact + exponents + extras + limits

    private static func number(_ index: Int) -> String { index < 10 ? "0\(index)" : "\(index)" }

    /// Amounts that arithmetic in binary fractions, or in whole units, gets wrong.
    private static let exact = zip(
        1...,
        [1, 9, 10, 99, 100, 101, 115, 1_250, 2_999, 10_000, 123_457, 1_999_999] as [Int64]
    ).map { index, minorUnits in
        ContractRule(
            "AMT-\(number(index))",
            needs: [.sale],
            "a sale of \(minorUnits) minor units charges \(minorUnits), and the receipt says so",
            likelyCause: "the amount is converted on its way: to decimals, to whole units, or cut"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let range = pointOfSale.acquirers[0].provider.capabilities.amounts
            guard range.smallest...range.largest ~= minorUnits else {
                return try await bench.expectRefused("the sale", "invalidRequest") {
                    try await bench.sale(minorUnits, at: pointOfSale).name
                }
            }
            let told = try await bench.sale(minorUnits, at: pointOfSale)
            try bench.expect("the sale", told.name, "approved")
            try bench.expectMoney(charged: minorUnits)
            try bench.expect("asked", told.receipt?.asked.minorUnits, minorUnits)
            try bench.expect("approved", told.receipt?.approved.money?.minorUnits, minorUnits)
        }
    }

    private static let exponents: [ContractRule] = [
        ("21", "JPY", 1_250 as Int64, ContractCapability.noDecimals),
        ("22", "JPY", 1, .noDecimals),
        ("23", "KWD", 12_345, .threeDecimals),
        ("24", "KWD", 10, .threeDecimals),
    ].map { number, code, minorUnits, capability in
        ContractRule(
            "AMT-\(number)",
            needs: [.sale, capability],
            "a sale of \(minorUnits) minor units of \(code) books \(minorUnits) of \(code)",
            likelyCause: "two decimals are taken for granted"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let told = await bench.take(try sale(minorUnits, code), at: pointOfSale)
            try bench.expect("the sale", told.name, "approved")
            try bench.expectMoney(charged: minorUnits)
            let currencies = bench.world.ledger.entries(.charge).map(\.currency)
            try bench.expect("the currency booked", currencies, [code])
            try bench.expect("the receipt", told.receipt?.approved.money?.minorUnits, minorUnits)
        }
    }

    private static func sale(_ minorUnits: Int64, _ code: String) throws -> PaymentRequest {
        let currency = try Currency.parse(code)
        return .sale(try Money(minorUnits: minorUnits, currency: currency), for: "o1")
    }

    /// What is on top of an amount.
    private static let extras: [ContractRule] = [
        ("31", 250, 0, [ContractCapability.tip], "a tip of 250"),
        ("32", 0, 37, [.surcharge], "a surcharge of 37"),
        ("33", 111, 22, [.tip, .surcharge], "a tip of 111 and a surcharge of 22"),
        ("34", 1, 0, [.tip], "a tip of 1"),
    ].map { number, tip, surcharge, needs, name in
        ContractRule(
            "AMT-\(number)",
            needs: Set(needs).union([.sale]),
            "\(name) is charged on top of the amount, and is no partial approval",
            likelyCause: "the tip or surcharge is dropped, counted twice, or taken out of the total"
        ) { bench in
            let pointOfSale = try await bench.ready()
            var request = PaymentRequest.sale(try bench.money(1_000), for: "o1")
            if tip > 0 { request.tip = try bench.money(Int64(tip)) }
            if surcharge > 0 { request.surcharge = try bench.money(Int64(surcharge)) }
            let told = await bench.take(request, at: pointOfSale)
            let total = 1_000 + Int64(tip + surcharge)
            try bench.expect("the sale", told.name, "approved")
            try bench.expectMoney(charged: total)
            try bench.expect("approved", told.receipt?.approved.money?.minorUnits, total)
        }
    }

    private static let limits: [ContractRule] = [
        ContractRule(
            "AMT-41",
            needs: [.sale, .tip],
            "a tip belongs to its own sale and never to the next one",
            likelyCause: "the adapter or its kit keeps the tip of the payment before"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let tip = try bench.money(250)
            _ = await bench.take(
                .sale(try bench.money(1_000), for: "o1", tip: tip),
                at: pointOfSale
            )
            let told = try await bench.again(1_000, "o2", at: pointOfSale)
            try bench.expect("the second sale", told.name, "approved")
            try bench.expectMoney(charged: 2_250)
        },
        ContractRule(
            "AMT-42",
            needs: [.sale],
            "the largest amount that the adapter declares is charged exactly",
            likelyCause: "the amount passes through a type that is too small"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let declared = pointOfSale.acquirers[0].provider.capabilities.amounts.largest
            // Readers take at most nine digits.
            let largest = min(declared, 999_999_999)
            let told = try await bench.sale(largest, at: pointOfSale)
            try bench.expect("the sale", told.name, "approved")
            try bench.expectMoney(charged: largest)
        },
    ]
}
