import AcquirerSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import Simulation
import Synchronization

/// How money moves in the emulated Revolut: taps, codes and refunds.
extension RevolutBooks {
    func tap(_ id: String, _ request: HTTPRequest) -> HTTPResponse {
        guard let body = JSONTree.members(of: request.body) else {
            return problem(400, "bad_request")
        }
        if let reason = body["failure_reason"]?.text {
            return change(id) { order in
                order.payments.append(
                    .init(
                        id: self.newID(),
                        state: "declined",
                        method: "apple_tap_to_pay",
                        reason: reason
                    )
                )
                return nil
            }
        }
        guard let payload = body["payload"]?.text,
            let order = state.withLock({ state in state.orders.first { $0.id == id } }),
            order.state == "pending"
        else { return problem(422, "order_invalid_state", "the order cannot be paid") }
        let decision = world.issuer.decide(
            payload,
            minorUnits: order.amount,
            currency: order.currency
        )
        var payment = RevolutOrderRow.Payment(
            id: newID(),
            state: "captured",
            method: "apple_tap_to_pay"
        )
        payment.brand = decision.card?.brand.lowercased()
        payment.lastFour = decision.card?.lastFour
        switch decision.answer {
        case .approved(let part, _) where part < order.amount:
            // Parts are not asked for here, so an issuer that cannot give all gives nothing.
            payment.state = "declined"
            payment.reason = "insufficient_funds"
        case .approved(_, let code): payment.approvalCode = code
        case .declined(let refusal):
            payment.state = "declined"
            payment.reason = Self.reasons[refusal] ?? "do_not_honour"
        case .asksForPIN:
            payment.state = "declined"
            payment.reason = "pin_data_required"
        }
        return pay(id, with: payment)
    }

    /// How Revolut spells an issuer's no; whatever is missing is not explained.
    private static let reasons: [IssuerRefusal: String] = [
        .insufficientFunds: "insufficient_funds", .expiredCard: "expired_card",
        .restrictedCard: "restricted_card", .invalidCard: "invalid_card",
        .invalidPayload: "invalid_card", .pickUpCard: "pick_up_card", .lostCard: "pick_up_card",
        .stolenCard: "pick_up_card", .amountLimitExceeded: "withdrawal_limit_exceeded",
        .countLimitExceeded: "withdrawal_limit_exceeded",
        .notPermitted: "transaction_not_allowed_for_cardholder",
        .suspectedFraud: "high_risk", .pinRequiredElsewhere: "pin_data_required",
    ]

    /// The customer pays on a device of their own; false when the order cannot be paid.
    func payByCode(_ id: String) -> Bool {
        let payment = RevolutOrderRow.Payment(
            id: newID(),
            state: "captured",
            method: "revolut_pay_account"
        )
        return pay(id, with: payment).isSuccess
    }

    private func pay(_ id: String, with payment: RevolutOrderRow.Payment) -> HTTPResponse {
        var charge: RevolutOrderRow?
        let response = change(id) { order in
            guard order.state == "pending" else {
                return self.problem(422, "order_invalid_state", "order is \(order.state)")
            }
            order.payments.append(payment)
            if payment.state == "captured" {
                order.state = "completed"
                charge = order
            }
            return nil
        }
        if let charge { book(charge, .charge) }
        return response
    }

    func refund(_ id: String, _ request: HTTPRequest) -> HTTPResponse {
        guard let body = JSONTree.members(of: request.body),
            let amount = body["amount"]?.number, amount > 0, let currency = body["currency"]?.text
        else { return problem(400, "validation", "amount and currency are required") }
        let key = request.headers["Idempotency-Key"]
        if let key, let earlier = state.withLock({ $0.refundKeys[key] }) {
            guard earlier.order == id, earlier.amount == amount else {
                return problem(409, "conflict", "the key belongs to another refund")
            }
            let order = state.withLock { state in
                state.orders.first { $0.id == earlier.refund }
            }
            return order.map { .json(201, $0.tree()) } ?? problem(404, "not_found")
        }
        let now = now
        let refundID = newID()
        let token = newID()
        let made = state.withLock { state -> Result<RevolutOrderRow, RevolutProblem> in
            guard let order = state.orders.first(where: { $0.id == id }) else {
                return .failure(.init(404, "not_found", "no order \(id)"))
            }
            guard order.state == "completed", order.type == "payment" else {
                return .failure(.init(422, "order_invalid_state", "order is \(order.state)"))
            }
            let given = state.orders.filter { $0.related == id && $0.state != "failed" }
                .reduce(0) { $0 + $1.amount }
            guard order.currency == currency, given + amount <= order.amount else {
                return .failure(.init(422, "bad_state", "more than may be refunded"))
            }
            var refund = RevolutOrderRow(
                id: refundID,
                token: token,
                type: "refund",
                amount: amount,
                currency: currency,
                description: nil,
                reference: nil,
                createdAt: now,
                updatedAt: now,
                related: id
            )
            refund.state = "processing"
            refund.settlesAt = now + 3
            state.orders.insert(refund, at: 0)
            if let key {
                state.refundKeys[key] = .init(order: id, amount: amount, refund: refundID)
            }
            return .success(refund)
        }
        switch made {
        case .failure(let refused):
            return problem(refused.status, refused.code, refused.message)
        case .success(let refund):
            book(refund, .refund)
            watchTime()
            return .json(201, refund.tree())
        }
    }

    private func book(_ order: RevolutOrderRow, _ kind: Ledger.Kind) {
        world.ledger.book(
            Ledger.Entry(
                acquirer: "revolut",
                record: order.id,
                kind: kind,
                minorUnits: order.amount,
                currency: order.currency,
                time: now
            )
        )
    }
}

/// Why the emulated Revolut refuses something.
struct RevolutProblem: Error {
    let status: Int
    let code: String
    let message: String

    init(_ status: Int, _ code: String, _ message: String) {
        self.status = status
        self.code = code
        self.message = message
    }
}
