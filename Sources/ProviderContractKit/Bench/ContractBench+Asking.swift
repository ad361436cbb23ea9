import AcquirerSimulation
import PaymentCore
import ReaderSimulation
import Simulation

extension ContractBench {
    /// Takes a sale of the harness's currency.
    func sale(
        _ minorUnits: Int64 = 1_250,
        _ order: Order = "o1",
        at pointOfSale: PointOfSale,
        on event: (PaymentEvent) -> Void = { _ in }
    ) async throws -> Told {
        let amount = try money(minorUnits)
        return await take(.sale(amount, for: order), at: pointOfSale, on: event)
    }

    /// Holds money of the harness's currency.
    func hold(
        _ minorUnits: Int64 = 2_000,
        _ order: Order = "h1",
        at pointOfSale: PointOfSale
    ) async throws -> Authorization {
        let told = await take(
            .authorization(try money(minorUnits), for: order),
            at: pointOfSale
        )
        guard let hold = told.hold else { throw unexpected("a hold", "authorized", told.name) }
        return hold
    }

    /// An approved sale and its receipt.
    func paid(
        _ minorUnits: Int64 = 2_000,
        _ order: Order = "p1",
        at pointOfSale: PointOfSale
    ) async throws -> Receipt {
        let told = try await sale(minorUnits, order, at: pointOfSale)
        guard case .approved(let receipt) = told.outcome else {
            throw unexpected("a sale", "approved", told.name)
        }
        return receipt
    }

    /// Takes whatever is asked for, and keeps what the app is told.
    func take(
        _ request: PaymentRequest,
        at pointOfSale: PointOfSale,
        on event: (PaymentEvent) -> Void = { _ in }
    ) async -> Told {
        var told = Told()
        do throws(PaymentRefusal) {
            told.outcome = try await pointOfSale.take(request) { happened in
                told.events.append(happened)
                event(happened)
            }
        } catch {
            told.refusal = error
        }
        step("\(request.kind) of \(request.amount) for \(request.order): \(told.note)")
        return told
    }

    /// Prepares if it can, then takes.
    func again(
        _ minorUnits: Int64 = 1_250,
        _ order: Order = "o1",
        at pointOfSale: PointOfSale
    ) async throws -> Told {
        try? await pointOfSale.prepare()
        return try await sale(minorUnits, order, at: pointOfSale)
    }

    /// The follow-ups there are.
    enum FollowUp: String, CaseIterable, Sendable {
        case capture, void, refund

        var step: ContractStep {
            switch self {
            case .capture: .capture
            case .void: .void
            case .refund: .refund
            }
        }
    }

    /// What an app was told about a follow-up.
    struct FollowUpTold: Sendable {
        var outcome: FollowUpOutcome?
        var refusal: PaymentRefusal?
        var name: String { refusal.map { "refused \($0.code)" } ?? outcome?.name ?? "nothing" }
        var word: String { String(name.prefix { $0 != " " }) }
        var isAccepted: Bool { outcome?.isAccepted ?? false }
    }

    func refund(
        _ receipt: Receipt,
        _ minorUnits: Int64,
        id: FollowUpID = "r1",
        at pointOfSale: PointOfSale
    ) async throws -> FollowUpTold {
        let amount = try money(minorUnits)
        return await follow("refund \(amount) as \(id)") { () async throws(PaymentRefusal) in
            try await pointOfSale.refund(receipt, amount: amount, id: id)
        }
    }

    func capture(
        _ hold: Authorization,
        _ minorUnits: Int64,
        id: FollowUpID = "c1",
        at pointOfSale: PointOfSale
    ) async throws -> FollowUpTold {
        let amount = try money(minorUnits)
        return await follow("capture \(amount) as \(id)") { () async throws(PaymentRefusal) in
            try await pointOfSale.capture(hold, amount: amount, id: id)
        }
    }

    func void(
        _ hold: Authorization,
        id: FollowUpID = "v1",
        at pointOfSale: PointOfSale
    ) async -> FollowUpTold {
        await follow("void as \(id)") { () async throws(PaymentRefusal) in
            try await pointOfSale.void(hold, id: id)
        }
    }

    private func follow(
        _ what: String,
        _ call: () async throws(PaymentRefusal) -> FollowUpOutcome
    ) async -> FollowUpTold {
        var told = FollowUpTold()
        do throws(PaymentRefusal) {
            told.outcome = try await call()
        } catch {
            told.refusal = error
        }
        step("\(what): \(told.name)")
        return told
    }
}
