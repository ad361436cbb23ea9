import AcquirerSimulation
import PaymentCore

extension RevolutOrderRow.Terms {
    /// Refuses members that a new order cannot have as they are; the problem names the first one.
    static func check(_ body: [String: JSONTree]) throws(RevolutProblem) {
        for name in ["description", "location_id"] where !(body[name]?.isText ?? true) {
            throw refusal("\(name) is no text")
        }
        if let data = body["merchant_order_data"] {
            guard let members = data.members else {
                throw refusal("merchant_order_data is no object")
            }
            guard members["reference"]?.isText ?? true else {
                throw refusal("merchant_order_data.reference is no text")
            }
        }
        if let challenge = body["enforce_challenge"] {
            guard ["automatic", "forced"].contains(challenge.text) else {
                throw refusal("enforce_challenge is automatic or forced")
            }
        }
        if let currency = body["settlement_currency"] {
            guard currency.text.flatMap({ Currency(code: $0) }) != nil else {
                throw refusal("settlement_currency is not accepted")
            }
        }
        try checkItems(body)
    }

    private static func checkItems(_ body: [String: JSONTree]) throws(RevolutProblem) {
        guard let items = body["line_items"] else { return }
        guard case .list(let list) = items, list.count <= 250, list.allSatisfy(isItem) else {
            throw refusal("line_items are at most 250, each with all that an item needs")
        }
        // What is changed later may leave the amount out.
        guard let amount = body["amount"]?.number, !list.isEmpty else { return }
        let sum = list.reduce(Int64?.some(0)) { sum, item in
            guard let sum, let total = item.members?["total_amount"]?.number else { return nil }
            let (next, isTooLarge) = sum.addingReportingOverflow(total)
            return isTooLarge ? nil : next
        }
        guard sum == amount else { throw refusal("line_items do not add up to the amount") }
    }

    private static func isItem(_ item: JSONTree) -> Bool {
        guard let members = item.members, let name = members["name"]?.text,
            let quantity = members["quantity"]?.members?["value"]?.number,
            let price = members["unit_price_amount"]?.number
        else { return false }
        return name.count <= 250 && ["physical", "service"].contains(members["type"]?.text)
            && quantity >= 0 && price >= 0 && members["total_amount"]?.number != nil
    }

    static func refusal(_ message: String) -> RevolutProblem {
        RevolutProblem(400, "validation", message)
    }
}

extension JSONTree {
    fileprivate var isText: Bool { text != nil }
}
