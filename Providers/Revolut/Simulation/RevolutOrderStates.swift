/// The states of an order and what may follow what; the table of the emulator's only changes.
enum RevolutOrderStates {
    static let all = ["pending", "processing", "authorised", "completed", "cancelled", "failed"]

    /// The states that may follow another.
    static func next(_ type: String, after state: String) -> Set<String> {
        switch (type, state) {
        case ("refund", "processing"): ["completed", "failed"]
        case ("refund", _): []
        case (_, "pending"): ["processing", "cancelled", "failed"]
        // A payment that is refused leaves the order to be tried again.
        case (_, "processing"): ["authorised", "pending"]
        case (_, "authorised"): ["completed", "cancelled"]
        default: []
        }
    }
}

extension RevolutOrderRow {
    /// Goes through states one after another; false, and nothing has changed, if one may not follow.
    mutating func enter(_ states: String...) -> Bool {
        var order = self
        for next in states {
            guard RevolutOrderStates.next(type, after: order.state).contains(next) else {
                return false
            }
            order.state = next
        }
        self = order
        return true
    }

    /// Whether a payment is under way, which nothing but its own end takes out of it.
    var isUnderWay: Bool { state == "processing" && payments.last?.state == Self.underWay }

    static let underWay = "authorisation_started"
}
