import AcquirerSimulation
import PaymentCore
import ReaderSimulation
import Simulation

/// Whether capabilities are true: those declared work, those not declared are attacked.
enum Capabilities {
    static let rules: [ContractRule] = attacks + followUps + books + constancy

    private static let cause =
        "a capability changes while the adapter lives, or is missing in what it declares"

    /// Each request that needs a capability which is not declared.
    private static let attacks: [ContractRule] = [
        attack("01", .sale, "a sale") { .sale(try $0.money(1_250), for: "o1") },
        attack("02", .authorization, "a hold") { .authorization(try $0.money(1_250), for: "o1") },
        attack("03", .refundToCard, "a refund to a card") {
            .refundToCard(try $0.money(1_250), for: "o1")
        },
        attack("04", .tip, "a tip") {
            .sale(try $0.money(1_250), for: "o1", tip: try $0.money(100))
        },
        attack("05", .surcharge, "a surcharge") { bench in
            var request = PaymentRequest.sale(try bench.money(1_250), for: "o1")
            request.surcharge = try bench.money(30)
            return request
        },
        attack("06", .noDecimals, "an amount in yen") { _ in
            .sale(try Money(minorUnits: 1_250, currency: Currency.parse("JPY")), for: "o1")
        },
        attack("07", .threeDecimals, "an amount in dinars of Kuwait") { _ in
            .sale(try Money(minorUnits: 1_250, currency: Currency.parse("KWD")), for: "o1")
        },
    ]

    private static func attack(
        _ number: String,
        _ capability: ContractCapability,
        _ name: String,
        _ request: @escaping @Sendable (ContractBench) throws -> PaymentRequest
    ) -> ContractRule {
        ContractRule(
            "CAPA-\(number)",
            absent: [capability],
            "\(name), where `\(capability)` is not declared, is refused with nothing sent",
            likelyCause: cause
        ) { bench in
            let pointOfSale = try await bench.ready()
            for _ in 0..<2 {
                try await bench.expectRefused(name, "missingCapability") {
                    await bench.take(try request(bench), at: pointOfSale).name
                }
            }
        }
    }

    /// Follow-ups that are not declared, asked of payments that never were.
    private static let followUps: [ContractRule] = [
        ("11", ContractBench.FollowUp.refund, ContractCapability.refund),
        ("12", .capture, .capture), ("13", .void, .void),
    ].map { number, followUp, capability in
        ContractRule(
            "CAPA-\(number)",
            absent: [capability],
            "a \(followUp), where `\(capability)` is not declared, is refused with nothing sent",
            likelyCause: cause
        ) { bench in
            let pointOfSale = try await bench.ready()
            let receipt = try await made(followUp, pointOfSale, bench)
            let hold = Authorization(receipt: receipt, expiresAt: nil)
            for _ in 0..<2 {
                try await bench.expectRefused("the \(followUp)", "missingCapability") {
                    switch followUp {
                    case .refund: try await bench.refund(receipt, 100, at: pointOfSale).name
                    case .capture: try await bench.capture(hold, 100, at: pointOfSale).name
                    case .void: await bench.void(hold, at: pointOfSale).name
                    }
                }
            }
        }
    }

    /// A receipt as if of this account.
    private static func made(
        _ followUp: ContractBench.FollowUp,
        _ pointOfSale: PointOfSale,
        _ bench: ContractBench
    ) async throws -> Receipt {
        let began = JournalEntry.Began(
            account: pointOfSale.account,
            order: "x1",
            kind: followUp == .refund ? .sale : .authorization,
            amount: try bench.money(1_000)
        )
        let approval = Approval(
            references: [AcquirerReference(kind: "payment", value: "attacked")],
            amount: .confirmed(try bench.money(1_000))
        )
        return Receipt(
            of: AttemptID("attacked"),
            began: began,
            approval: approval,
            now: bench.world.time.wallTime
        )
    }

    /// What the books side does not declare.
    private static let books: [ContractRule] = [
        ContractRule(
            "CAPA-14",
            needs: [.books],
            absent: [.close],
            "closing, where it is not declared, is answered as unsupported with nothing sent",
            likelyCause: cause
        ) { bench in
            let acquirer = try await bench.ready().acquirers[0]
            let sent = bench.wire.total
            let reference = AcquirerReference(kind: "payment", value: "attacked")
            guard case .unsupported? = await acquirer.backOffice?.close(reference) else {
                throw bench.unexpected("closing", "unsupported", "another answer")
            }
            try bench.expect("requests sent", bench.wire.total - sent, 0)
        },
        ContractRule(
            "CAPA-15",
            needs: [.books],
            absent: [.link],
            "a page to pay on, where it is not declared, is unsupported with nothing sent",
            likelyCause: cause
        ) { bench in
            let acquirer = try await bench.ready().acquirers[0]
            let sent = bench.wire.total
            let attempt = PaymentAttempt(
                id: AttemptID("attacked"),
                account: acquirer.account,
                operation: .take(.sale(try bench.money(1_250), for: "x1")),
                startedAt: bench.world.time.wallTime,
                amount: try bench.money(1_250)
            )
            guard case .unsupported? = await acquirer.backOffice?.link(for: attempt) else {
                throw bench.unexpected("a page", "unsupported", "another answer")
            }
            try bench.expect("requests sent", bench.wire.total - sent, 0)
        },
        ContractRule(
            "CAPA-16",
            needs: [.sale],
            absent: [.signsOut],
            "an adapter that does not declare to sign out never says that it is signed out",
            likelyCause: "the capability `signsOut` is missing in what it declares"
        ) { bench in
            let pointOfSale = try await bench.ready()
            bench.wire.fail(.token, .payment, by: .error500Before, times: 3)
            _ = try await bench.sale(at: pointOfSale)
            bench.wire.heal()
            let readiness = await pointOfSale.acquirers[0].provider.readiness()
            try bench.expect("signed out", readiness.isSignedOut, false)
        },
    ]

    private static let constancy: [ContractRule] = [
        ContractRule(
            "CAPA-21",
            .must,
            "capabilities are the same before a payment, after it, and after another start",
            likelyCause: cause
        ) { bench in
            let pointOfSale = try await bench.ready()
            let before = ContractCapability.declared(by: pointOfSale.acquirers[0])
            _ = try await bench.sale(at: pointOfSale)
            let after = ContractCapability.declared(by: pointOfSale.acquirers[0])
            try bench.expect("afterwards", after.sorted(), before.sorted())
            let next = try await bench.restart()
            let again = ContractCapability.declared(by: next.acquirers[0])
            try bench.expect("after another start", again.sorted(), before.sorted())
        },
        ContractRule(
            "CAPA-22",
            .must,
            "at least one kind of payment is declared",
            likelyCause: "nothing was declared: capabilities start as nothing"
        ) { bench in
            let kinds = try await bench.open().acquirers[0].provider.capabilities.kinds
            try bench.expect("kinds", !kinds.isEmpty, got: "none")
        },
        ContractRule(
            "CAPA-23",
            .must,
            "the currency that the harness names is one that the adapter takes",
            likelyCause: "the harness names a currency that the adapter does not declare"
        ) { bench in
            let amounts = try await bench.open().acquirers[0].provider.capabilities.amounts
            let currency = bench.harness.currency
            try bench.expect("declared", amounts.currencies?.contains(currency) ?? true)
            let digits = currency.minorUnitDigits
            try bench.expect("its digits", amounts.minorUnitDigits?.contains(digits) ?? true)
            try bench.expect("two decimals", digits, 2)
        },
        ContractRule(
            "CAPA-24",
            needs: [.sale],
            "an amount beyond what is declared is refused with nothing sent",
            likelyCause: cause
        ) { bench in
            let pointOfSale = try await bench.ready()
            let amounts = pointOfSale.acquirers[0].provider.capabilities.amounts
            guard amounts.largest < .max else { return }
            try await bench.expectRefused("the sale", "invalidRequest") {
                try await bench.sale(amounts.largest + 1, at: pointOfSale).name
            }
        },
        ContractRule(
            "CAPA-25",
            needs: [.sale, .description],
            "a description beyond what is declared is refused with nothing sent",
            likelyCause: cause
        ) { bench in
            let pointOfSale = try await bench.ready()
            let length = pointOfSale.acquirers[0].provider.capabilities.descriptionLength
            var request = PaymentRequest.sale(try bench.money(1_250), for: "o1")
            request.description = String(repeating: "ä", count: length + 1)
            try await bench.expectRefused("the sale", "invalidRequest") {
                await bench.take(request, at: pointOfSale).name
            }
        },
        ContractRule(
            "CAPA-26",
            needs: [.sale, .description],
            "a description of the declared length is accepted",
            likelyCause: "the declared length is longer than what the acquirer takes"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let length = pointOfSale.acquirers[0].provider.capabilities.descriptionLength
            var request = PaymentRequest.sale(try bench.money(1_250), for: "o1")
            request.description = String(repeating: "ä", count: length)
            let told = await bench.take(request, at: pointOfSale)
            try bench.expect("the sale", told.name, "approved")
            try bench.expectMoney(charged: 1_250)
        },
        ContractRule(
            "CAPA-27",
            needs: [.sale, .marker, .books],
            "a declared marker is on the record that the books show",
            likelyCause: "the attempt's key is not sent, or not read back"
        ) { bench in
            let pointOfSale = try await bench.ready()
            let receipt = try await bench.paid(at: pointOfSale)
            let acquirer = pointOfSale.acquirers[0]
            let now = bench.world.time.wallTime
            let query = RecordQuery(
                account: acquirer.account,
                marker: receipt.attempt.description,
                created: now.addingTimeInterval(-600)...now.addingTimeInterval(600),
                kind: .sale
            )
            let records = try await acquirer.backOffice?.records(query).records ?? []
            let marked = records.filter { $0.marker == receipt.attempt.description }
            try bench.expect("marked records", marked.count, 1)
        },
    ]
}
