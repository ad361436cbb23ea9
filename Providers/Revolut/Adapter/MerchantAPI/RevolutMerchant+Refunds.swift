public import PaymentCore
public import PaymentTransport

extension RevolutMerchant {
    /// Gives money of a completed order back, in full or in part.
    ///
    /// The answer is an order of its own, which may take two days and may still fail:
    /// ``RevolutOrder/isGivenRefund`` says when it is done. A refusal does not prove that no refund
    /// order was made: Revolut answers a declined card refund with status 400 and keeps its order,
    /// which ``refunds(of:)`` finds.
    ///
    /// - Parameters:
    ///   - id: The order that was paid.
    ///   - amount: How much, in the order's currency.
    ///   - key: The caller's own name of this refund, kept before it is sent; the same key gives
    ///     the first answer again.
    /// - Returns: The refund, or one that was declined already.
    /// - Throws: `WireError`, which `mayHaveActed` unless nothing can have been made.
    public func refund(
        _ id: String,
        _ amount: Money,
        key: String
    ) async throws(WireError) -> RevolutOrder {
        guard !key.isEmpty else { throw Self.refusal("a refund needs a key") }
        guard !amount.isZero else { throw Self.refusal("a refund needs an amount above zero") }
        do throws(WireError) {
            return try order(
                try await api.post(
                    try path("orders", id, "/refund"),
                    RevolutWire.NewRefund(
                        amount: amount.minorUnits,
                        currency: amount.currency.code
                    ),
                    key: key,
                    as: RevolutWire.WholeOrder.self
                )
            )
        } catch {
            var error = error
            if error.status == 400 { error.mayHaveActed = true }
            throw error
        }
    }

    /// Every refund of an order, declined ones too, with their payments.
    ///
    /// - Parameter order: The order that was paid.
    /// - Returns: The refunds, and whether they are all.
    /// - Throws: `WireError` when Revolut could not be asked.
    public func refunds(of order: RevolutOrder) async throws(WireError) -> RevolutOrderListing {
        var filter = RevolutOrderFilter()
        // A clock that is behind Revolut's must hide no refund.
        let end = max(api.environment.wallTime(), order.createdAt) + 86_400
        filter.created = order.createdAt...end
        var listing = try await orders(filter)
        var refunds: [RevolutOrder] = []
        for row in listing.orders where row.type == .refund && row.related == order.id {
            refunds.append(try await self.order(row.id))
        }
        listing.orders = refunds
        return listing
    }

    /// Every attempt to pay an order.
    ///
    /// - Parameter id: What Revolut calls the order.
    /// - Returns: The payments, in Revolut's order.
    /// - Throws: `WireError`.
    public func payments(ofOrder id: String) async throws(WireError) -> [RevolutOrderPayment] {
        try await api.get(
            try path("orders", id, "/payments"),
            as: [RevolutWire.WholePayment].self
        ).body.map { RevolutOrderPayment($0, order: id) }
    }

    /// Reads one attempt to pay an order.
    ///
    /// - Parameter id: What Revolut calls the payment.
    /// - Returns: The payment as it is now.
    /// - Throws: `WireError`; with code `notFound` when there is none.
    public func payment(_ id: String) async throws(WireError) -> RevolutOrderPayment {
        let answer = try await api.get(
            try path("payments", id),
            as: RevolutWire.WholePayment.self
        )
        return RevolutOrderPayment(answer.body, order: answer.body.order ?? "")
    }
}
