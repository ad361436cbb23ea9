import Synchronization

/// The cards that Revolut's sandbox knows, by their first six and last four digits.
enum RevolutTestCards {
    /// What comes of paying with one.
    enum End: Hashable, Sendable {
        case paid
        case declined(String)
        case failed(String)
        /// The payment stays under way.
        case underWay
    }

    /// What comes of a payment at a hosted page; nil for a card that the sandbox does not know.
    ///
    /// Numbers are compared by their ends alone, and kept nowhere.
    static func end(number: String, minorUnits: Int64, currency: String) -> End? {
        guard number.utf8.count == 16, number.utf8.allSatisfy({ 48...57 ~= $0 }) else { return nil }
        switch (number.prefix(6), number.suffix(4)) {
        case ("492942", "5709"), ("528143", "4148"): return .paid
        case ("424242", "4242"), ("521567", "7070"):
            // The challenge is asked for from an amount on.
            guard minorUnits >= challenged[currency] ?? 0 else { return .paid }
            return .failed("customer_challenge_failed")
        case ("492957", "5985"): return .declined("insufficient_funds")
        case ("453233", "4205"): return .declined("expired_card")
        case ("272099", "9594"): return .declined("do_not_honour")
        case ("222300", "9399"): return .underWay
        default: return nil
        }
    }

    private static let challenged: [String: Int64] = ["GBP": 2_500, "EUR": 3_000]
}

extension RevolutEmulator {
    /// The customer pays an order at its page with a card of Revolut's sandbox.
    ///
    /// - Parameters:
    ///   - order: The order.
    ///   - number: The card's number; any expiry and code go with it.
    /// - Returns: False when the order cannot be paid, or the sandbox knows no such card.
    @discardableResult
    public func payByCode(_ order: String, cardNumber number: String) -> Bool {
        let row = books.state.withLock { state in state.orders.first { $0.id == order } }
        guard let row,
            let end = RevolutTestCards.end(
                number: number,
                minorUnits: row.amount,
                currency: row.currency
            )
        else { return false }
        return switch end {
        case .paid: books.payByCode(order, method: "card")
        case .declined(let reason): books.refuseByCode(order, reason)
        case .failed(let reason): books.refuseByCode(order, reason, state: "failed")
        case .underWay: books.startByCode(order)
        }
    }
}
