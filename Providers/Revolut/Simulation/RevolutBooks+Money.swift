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
                guard order.enter("processing", "pending") else {
                    return self.problem(422, "order_invalid_state", "order is \(order.state)")
                }
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
        guard order.amount >= Self.leastAmounts[order.currency] ?? 1 else {
            return problem(422, "bad_state", "a card payment is worth at least 0.005 US dollars")
        }
        if takeFailure() { return pay(id, with: failure()) }
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

    /// Whether a script wants this tap to fail.
    private func takeFailure() -> Bool {
        state.withLock { state in
            guard let left = state.failingTaps, left > 0 else { return false }
            state.failingTaps = left - 1
            return true
        }
    }

    private func failure() -> RevolutOrderRow.Payment {
        .init(
            id: newID(),
            state: "failed",
            method: "apple_tap_to_pay",
            reason: "technical_error"
        )
    }

    /// What half a US cent is in minor units, roughly, where that is more than one.
    static let leastAmounts: [String: Int64] = [
        "CZK": 12, "DKK": 4, "HUF": 180, "NOK": 6, "PLN": 2, "RON": 3, "SEK": 6,
    ]

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
    func payByCode(_ id: String, method: String = "revolut_pay_account") -> Bool {
        let payment = RevolutOrderRow.Payment(id: newID(), state: "captured", method: method)
        return script("a payment", id) { pay(id, with: payment).isSuccess }
    }

    /// The customer's payment is under way at the hosted page, until it is paid or refused.
    func startByCode(_ id: String) -> Bool {
        let payment = RevolutOrderRow.Payment(
            id: newID(),
            state: RevolutOrderRow.underWay,
            method: "card"
        )
        return script("a payment's start", id) {
            change(id) { order in
                guard order.enter("processing") else {
                    return self.problem(422, "order_invalid_state", "order is \(order.state)")
                }
                order.payments.append(payment)
                return nil
            }.isSuccess
        }
    }

    /// Does what a script asks for; what the table of states does not have is the script's fault.
    private func script(_ what: String, _ id: String, _ body: () -> Bool) -> Bool {
        if body() { return true }
        let state = state.withLock { state in state.orders.first { $0.id == id }?.state }
        let fault = "\(what) in state \(state ?? "of no order")"
        faults.withLock { $0.append(fault) }
        world.time.trace.add("revolut", "the script asked for \(fault)")
        return false
    }

    /// The customer's card is refused at the hosted page; false when the order cannot be paid.
    func refuseByCode(_ id: String, _ reason: String, state: String = "declined") -> Bool {
        let payment = RevolutOrderRow.Payment(
            id: newID(),
            state: state,
            method: "card",
            reason: reason
        )
        return script("a refusal", id) { pay(id, with: payment).isSuccess }
    }

    private func pay(_ id: String, with payment: RevolutOrderRow.Payment) -> HTTPResponse {
        var moved: (order: RevolutOrderRow, kind: Ledger.Kind)?
        let now = now
        let response = change(id) { order in
            if order.isUnderWay {
                order.payments.removeLast()
            } else if !order.enter("processing") {
                return self.problem(422, "order_invalid_state", "order is \(order.state)")
            }
            order.payments.append(payment)
            guard payment.state == "captured" else {
                _ = order.enter("pending")
                return nil
            }
            _ = order.authorize(at: now)
            moved = (order, order.isManual ? .hold : .charge)
            return nil
        }
        if let moved { book(moved.order, moved.kind) }
        watchTime()
        return response
    }

    func refund(_ id: String, _ request: HTTPRequest) -> HTTPResponse {
        guard let body = JSONTree.members(of: request.body),
            let amount = body["amount"]?.number, amount > 0, let currency = body["currency"]?.text
        else { return problem(400, "validation", "amount and currency are required") }
        let key = request.headers["Idempotency-Key"]
        if let key, let earlier = state.withLock({ $0.refundKeys[key] }) {
            guard earlier.order == id, earlier.amount == amount,
                earlier.currency ?? currency == currency
            else { return problem(409, "conflict", "the key belongs to another refund") }
            let order = state.withLock { state in
                state.orders.first { $0.id == earlier.refund }
            }
            if earlier.status == 400 { return declined(refund: order, 400) }
            return order.map { .json(earlier.status ?? 201, $0.tree()) }
                ?? problem(404, "not_found")
        }
        let now = now
        let refundID = newID()
        let token = newID()
        let paymentID = newID()
        let version = request.headers["Revolut-Api-Version"] ?? ""
        let made = state.withLock { state -> Result<(RevolutOrderRow, Int), RevolutProblem> in
            guard let order = state.orders.first(where: { $0.id == id }) else {
                return .failure(.init(404, "not_found", "no order \(id)"))
            }
            guard order.state == "completed", order.type == "payment" else {
                return .failure(.init(422, "order_invalid_state", "order is \(order.state)"))
            }
            let given = state.orders.filter { $0.related == id && $0.state != "failed" }
                .reduce(0) { $0 + $1.amount }
            guard order.currency == currency, given + amount <= order.taken else {
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
            let status = Self.decide(&refund, paymentID, of: order, version, now, &state)
            state.orders.insert(refund, at: 0)
            if let key {
                state.refundKeys[key] = .init(
                    order: id,
                    amount: amount,
                    refund: refundID,
                    currency: currency,
                    status: status
                )
            }
            return .success((refund, status))
        }
        switch made {
        case .failure(let refused):
            return problem(refused.status, refused.code, refused.message)
        case .success((let refund, let status)):
            if refund.state == "failed" { return declined(refund: refund, status, isNew: true) }
            book(refund, .refund)
            watchTime()
            return .json(status, refund.tree())
        }
    }

    /// Whether a refund is given, and the status that says so.
    private static func decide(
        _ refund: inout RevolutOrderRow,
        _ payment: String,
        of order: RevolutOrderRow,
        _ version: String,
        _ now: Date,
        _ state: inout State
    ) -> Int {
        refund.payments = [.init(id: payment, state: "refund_validated", method: "")]
        // A refund's order is never to be paid: it begins on its way.
        refund.state = "processing"
        guard let reason = state.refundDeclines?.first else {
            refund.settlesAt = now + 3
            return 201
        }
        state.refundDeclines?.removeFirst()
        _ = refund.enter("failed")
        refund.payments[0].state = "declined"
        refund.payments[0].reason = reason
        let isRevolutPay = order.payments.last?.method.hasPrefix("revolut_pay") ?? false
        return isRevolutPay && version >= "2026-09-22" ? 200 : 400
    }

    /// The answer to a refund that was declined: its order exists, whatever the status says.
    private func declined(
        refund: RevolutOrderRow?,
        _ status: Int,
        isNew: Bool = false
    ) -> HTTPResponse {
        if isNew, let refund {
            webhooks.announce("ORDER_PAYMENT_DECLINED", order: refund.id, reference: nil)
        }
        guard status == 200, let refund else {
            return problem(400, "bad_request", "the refund was declined")
        }
        return .json(200, refund.tree())
    }

    func book(_ order: RevolutOrderRow, _ kind: Ledger.Kind) {
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
