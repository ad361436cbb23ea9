public import PaymentCore
public import PaymentTransport

extension RevolutMerchant {
    /// Makes an order; Revolut makes another one for every request, so send it once.
    ///
    /// - Parameter new: What is to be paid.
    /// - Returns: The order, with the page to pay on.
    /// - Throws: `WireError`; when it may have acted, ``createOnce(_:)`` finds out.
    public func create(_ new: RevolutNewOrder) async throws(WireError) -> RevolutOrder {
        try order(
            try await api.post(
                "/api/orders",
                RevolutWire.WrittenOrder(new),
                as: RevolutWire.WholeOrder.self
            )
        )
    }

    /// Makes an order unless there is one with its reference: looks first, and again when in doubt.
    ///
    /// It is safe to call again for the same order, one call at a time.
    ///
    /// - Parameter new: What is to be paid; its reference has to be unique for ever.
    /// - Returns: The order that was there, or was made.
    /// - Throws: `WireError`; with code `conflict` when there is an order of another amount, or
    ///   several of them.
    public func createOnce(_ new: RevolutNewOrder) async throws(WireError) -> RevolutOrder {
        guard let reference = new.reference, !reference.isEmpty else {
            throw Self.refusal("an order that is made once needs a reference")
        }
        if let found = try await find(reference, new.amount) { return found }
        do throws(WireError) {
            return try await create(new)
        } catch let first {
            guard first.mayHaveActed else { throw first }
            do throws(WireError) {
                guard let found = try await find(reference, new.amount) else { throw first }
                return found
            } catch {
                // Not having found out says nothing of whether the order was made.
                var second = error
                second.mayHaveActed = true
                throw second
            }
        }
    }

    private func find(
        _ reference: String,
        _ amount: Money
    ) async throws(WireError) -> RevolutOrder? {
        var filter = RevolutOrderFilter()
        filter.reference = reference
        let listing = try await orders(filter)
        guard listing.isComplete else {
            throw WireError(
                PaymentError(.malformedAnswer, detail: "the list of orders is not complete"),
                mayHaveActed: true
            )
        }
        let found = listing.orders.filter { $0.type != .refund && $0.reference == reference }
        guard let first = found.first else { return nil }
        guard found.count == 1, first.amount == amount else {
            throw WireError(
                PaymentError(.conflict, detail: "the reference belongs to another order"),
                mayHaveActed: false
            )
        }
        return try await order(first.id)
    }

    /// Reads an order with its payments.
    ///
    /// - Parameter id: What Revolut calls the order.
    /// - Returns: The order as it is now.
    /// - Throws: `WireError`; with code `notFound` when there is none.
    public func order(_ id: String) async throws(WireError) -> RevolutOrder {
        try order(try await api.get(try path("orders", id), as: RevolutWire.WholeOrder.self))
    }

    /// Changes what may still be changed of an order.
    ///
    /// - Parameters:
    ///   - id: The order.
    ///   - change: What is to be changed.
    /// - Returns: The order as it is then.
    /// - Throws: `WireError`; with code `conflict` when the order's state forbids it.
    public func update(
        _ id: String,
        _ change: RevolutOrderChange
    ) async throws(WireError) -> RevolutOrder {
        try order(
            try await api.patch(
                try path("orders", id),
                RevolutWire.WrittenOrder(change),
                as: RevolutWire.WholeOrder.self
            )
        )
    }

    /// Takes held money, once; what is not taken is let go.
    ///
    /// - Parameters:
    ///   - id: An order that is authorized, of manual capture.
    ///   - amount: Everything that is held, unless something less is said.
    /// - Returns: The order as it is then; also when the same amount was captured before.
    /// - Throws: `WireError`.
    public func capture(
        _ id: String,
        amount: Money? = nil
    ) async throws(WireError) -> RevolutOrder {
        if let amount, amount.isZero {
            throw Self.refusal("a capture needs an amount above zero")
        }
        return try order(
            try await api.post(
                try path("orders", id, "/capture"),
                RevolutWire.Amount(amount: amount?.minorUnits),
                as: RevolutWire.WholeOrder.self
            )
        )
    }

    /// Sees to it that an order can no longer be paid, and that what is held is let go.
    ///
    /// - Parameter id: An order that is pending or authorized.
    /// - Returns: The order, cancelled; also when it was before.
    /// - Throws: `WireError`; with code `conflict` when it was paid, or is being paid.
    public func cancel(_ id: String) async throws(WireError) -> RevolutOrder {
        do throws(WireError) {
            return try order(
                try await api.post(
                    try path("orders", id, "/cancel"),
                    RevolutWire.Nothing(),
                    as: RevolutWire.WholeOrder.self
                )
            )
        } catch {
            guard error.status == 422 else { throw error }
            let known = try await order(id)
            guard known.state == .cancelled else { throw error }
            return known
        }
    }
}
