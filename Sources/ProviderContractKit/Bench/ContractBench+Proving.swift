import AcquirerSimulation
import PaymentCore
import ReaderSimulation
import Simulation

extension ContractBench {
    func unexpected(_ subject: String, _ expected: String, _ got: String) -> ContractFailure {
        ContractFailure(subject, expected: expected, got: got)
    }

    /// Compares.
    func expect<Value: Equatable>(_ subject: String, _ got: Value, _ expected: Value) throws {
        guard got == expected else { throw unexpected(subject, "\(expected)", "\(got)") }
    }

    /// Compares with several possibilities.
    func expect(_ subject: String, _ got: String, oneOf accepted: [String]) throws {
        guard accepted.contains(got) else {
            throw unexpected(subject, accepted.joined(separator: " or "), got)
        }
    }

    /// Wants something to hold.
    func expect(_ subject: String, _ holds: Bool, got: String = "the opposite") throws {
        guard holds else { throw unexpected(subject, "so", got) }
    }

    /// What the ledger must hold.
    func expectMoney(charged: Int64 = 0, held: Int64 = 0, refunded: Int64 = 0) throws {
        try expect("charged in the ledger", self.charged, charged)
        try expect("held in the ledger", self.held, held)
        try expect("refunded in the ledger", self.refunded, refunded)
    }

    /// Wants nothing sent, and nothing moved, while a call is made that must be refused.
    func expectRefused(
        _ subject: String,
        _ code: String,
        _ call: () async throws -> String
    ) async throws {
        let (sent, booked) = (wire.total, world.ledger.entries.count)
        try expect(subject, try await call(), "refused \(code)")
        try expect("requests sent for what was refused", wire.total - sent, 0)
        try expect("movements for what was refused", world.ledger.entries.count - booked, 0)
    }

    /// Whether what was told agrees with the ledger of a world with one order.
    func agrees(_ outcome: PaymentOutcome, _ minorUnits: Int64) throws {
        switch outcome {
        case .approved(let receipt):
            try expectMoney(charged: receipt.approved.money?.minorUnits ?? minorUnits)
            try expect("the amount of an approval", charged, minorUnits)
        case .partlyApproved(let receipt, let remaining):
            try expectMoney(charged: receipt.approved.money?.minorUnits ?? 0)
            try expect("what remains", remaining.minorUnits, minorUnits - charged)
        case .authorized: try expectMoney(held: minorUnits)
        case .declined, .cancelled, .failed: try expectMoney()
        case .unresolved: break
        }
    }

    /// Lets everything be as it should again, and asks about whatever is open until it is known.
    @discardableResult
    func settle(_ pointOfSale: PointOfSale) async throws -> [Resolution] {
        wire.heal()
        control.network(.up)
        control.clearFaults()
        var told: [Resolution] = []
        for _ in 0..<Self.looks {
            let open = await pointOfSale.unresolved
            if open.isEmpty { return told }
            await pass(.seconds(1_200))
            for payment in open {
                let resolution = await pointOfSale.resolve(payment)
                step("resolve \(payment.order): \(resolution.name)")
                told.append(resolution)
            }
        }
        let left = await pointOfSale.unresolved.map { "\($0.order): \($0.reason)" }
        guard left.isEmpty else {
            throw unexpected("what is open at the end", "nothing", left.joined(separator: "; "))
        }
        return told
    }

    /// Proves that an order is charged at most once and that every word about it was true: what was
    /// told now, after looking again, and when the order is taken once more.
    func prove(
        _ told: Told,
        _ minorUnits: Int64 = 1_250,
        _ order: Order = "o1",
        at pointOfSale: PointOfSale
    ) async throws {
        guard var outcome = told.outcome else {
            throw unexpected("the payment", "an outcome", told.name)
        }
        try agrees(outcome, minorUnits)
        if case .unresolved = outcome {
            let again = try await sale(minorUnits, order, at: pointOfSale)
            try expect("an order that is open", again.name, "refused open")
            let found = try await settle(pointOfSale).last
            guard case .payment(let end) = found else {
                throw unexpected("resolving", "a payment's end", found?.name ?? "nothing")
            }
            outcome = end
            try agrees(outcome, minorUnits)
        }
        await pass(.seconds(1_200))
        try agrees(outcome, minorUnits)
        wire.heal()
        control.network(.up)
        control.alwaysThisCard = SimulatedCard.named(Self.card)
        let again = try await again(minorUnits, order, at: pointOfSale)
        let isPaid = outcome.money == .moved || outcome.money == .partly
        try expect("the order once more", again.name, isPaid ? "refused alreadyPaid" : "approved")
        let paid = outcome.receipt?.approved.money?.minorUnits ?? minorUnits
        try expect("charged for one order", charged, isPaid ? paid : minorUnits)
    }

    /// Proves that what was told about a follow-up agrees with the ledger, and that asking for it
    /// again under its name moves nothing.
    func prove(
        _ told: FollowUpTold,
        at pointOfSale: PointOfSale,
        moved: () -> Int64,
        _ minorUnits: Int64,
        again: () async throws -> FollowUpTold
    ) async throws {
        var outcome = told.outcome
        if case .unresolved = told.outcome {
            guard case .followUp(let end) = try await settle(pointOfSale).last else {
                throw unexpected("resolving", "a follow-up's end", "another kind of end")
            }
            outcome = end
        }
        guard let outcome else { throw unexpected("the follow-up", "an outcome", told.name) }
        try expect(
            "moved after a follow-up that was \(outcome.name)",
            moved(),
            outcome.isAccepted ? minorUnits : 0
        )
        wire.heal()
        await pass(.seconds(1_200))
        let repeated = try await again()
        try expect("the same follow-up again", repeated.isAccepted, outcome.isAccepted)
        try expect("moved once it was repeated", moved(), outcome.isAccepted ? minorUnits : 0)
    }

    /// How often an open payment is looked at, twenty minutes apart.
    private static let looks = 6
}
