import AcquirerSimulation
import PaymentCore
import PaymentTransport

/// One order in the emulated Revolut.
struct RevolutOrderRow: Sendable, Codable {
    let id: String
    let token: String
    let type: String
    var state = "pending"
    var amount: Int64
    let currency: String
    var description: String?
    var reference: String?
    let createdAt: Date
    var updatedAt: Date
    var expiresAt: Date?
    var settlesAt: Date?
    let related: String?
    var payments: [Payment] = []
    /// What only a back end's own orders have.
    var terms: Terms?

    struct Payment: Sendable, Codable {
        let id: String
        var state: String
        let method: String
        var reason: String?
        var brand: String?
        var lastFour: String?
        var approvalCode: String?
    }

    /// The order as the API shows it; a list shows neither payments nor page.
    func tree(inList: Bool = false) -> JSONTree {
        var members: [String: JSONTree] = [
            "id": .text(id), "type": .text(type), "state": .text(state),
            "amount": .number(amount), "currency": .text(currency),
            "created_at": .text(WireDate.format(createdAt)),
            "updated_at": .text(WireDate.format(updatedAt)),
            "outstanding_amount": .number(state == "completed" ? 0 : amount),
            "capture_mode": .text(isManual ? "manual" : "automatic"),
            "enforce_challenge": .text("automatic"),
        ]
        members.merge(terms?.members ?? [:]) { _, new in new }
        if let description { members["description"] = .text(description) }
        if let reference {
            members["merchant_order_data"] = .object(["reference": .text(reference)])
        }
        if let related { members["related_order_id"] = .text(related) }
        guard !inList else { return .object(members) }
        members["token"] = .text(token)
        if type == "payment" { members["checkout_url"] = .text(page) }
        if !payments.isEmpty { members["payments"] = .list(payments.map(tree)) }
        return .object(members)
    }

    /// Where the customer can pay.
    var page: String { "https://checkout.revolut.simulated/payment-link/\(token)" }
}

extension RevolutOrderRow {
    /// A payment as the API shows it.
    func tree(_ payment: Payment) -> JSONTree {
        var method: [String: JSONTree] = ["type": .text(payment.method)]
        if let brand = payment.brand { method["card_brand"] = .text(brand) }
        if let lastFour = payment.lastFour { method["card_last_four"] = .text(lastFour) }
        if let code = payment.approvalCode { method["authorisation_code"] = .text(code) }
        var members: [String: JSONTree] = [
            "id": .text(payment.id), "state": .text(payment.state), "amount": .number(amount),
            "currency": .text(currency), "created_at": .text(WireDate.format(createdAt)),
            "updated_at": .text(WireDate.format(updatedAt)),
        ]
        if payment.reason == "pin_data_required" {
            method["failure_reason"] = .text("pin_data_required")
        } else if let reason = payment.reason {
            members["decline_reason"] = .text(reason)
        }
        // A refund's payment names no method, and settles below zero.
        if type == "refund" {
            members["settled_amount"] = .number(-amount)
            members["settled_currency"] = .text(currency)
            members["fees"] = .list([])
        } else {
            members["payment_method"] = .object(method)
        }
        return .object(members)
    }
}
