extension PointOfSale {
    /// Takes held money, in full or in part.
    ///
    /// The money moves at settlement, not at once. Source: Finix API, "Capture an authorization".
    ///
    /// - Parameters:
    ///   - authorization: A hold that was neither captured nor voided.
    ///   - amount: In the hold's currency, in minor units; more than zero.
    ///   - id: The caller's own name for this capture; the same name gives the first answer again.
    /// - Returns: How it ended; `pending` may still fail.
    /// - Throws: ``PaymentRefusal``; nothing was sent.
    public func capture(
        _ authorization: Authorization,
        amount: Money,
        id: FollowUpID
    ) async throws(PaymentRefusal) -> FollowUpOutcome {
        try await engine.perform(.capture(authorization, amount, id))
    }

    /// Lets held money go; nothing was captured.
    ///
    /// - Parameters:
    ///   - authorization: A hold that was neither captured nor voided.
    ///   - id: The caller's own name for this void; the same name gives the first answer again.
    /// - Returns: How it ended; `pending` may still fail.
    /// - Throws: ``PaymentRefusal``; nothing was sent.
    public func void(
        _ authorization: Authorization,
        id: FollowUpID
    ) async throws(PaymentRefusal) -> FollowUpOutcome {
        try await engine.perform(.void(authorization, id))
    }

    /// Gives captured money back, in full or in part.
    ///
    /// All refunds of a payment together, pending and unknown ones included, never exceed it.
    ///
    /// - Parameters:
    ///   - receipt: The receipt of a sale or capture.
    ///   - amount: In the receipt's currency, in minor units; more than zero.
    ///   - id: The caller's own name for this refund; the same name gives the first answer again.
    /// - Returns: How it ended; `pending` may still fail.
    /// - Throws: ``PaymentRefusal``; nothing was sent.
    public func refund(
        _ receipt: Receipt,
        amount: Money,
        id: FollowUpID
    ) async throws(PaymentRefusal) -> FollowUpOutcome {
        try await engine.perform(.refund(receipt, amount, id))
    }

    /// Sees to it that an unresolved payment can no longer be paid, and asks how it ended.
    ///
    /// Waits for the acquirer as long as a payment does before it is told as unresolved.
    ///
    /// - Parameter payment: One of ``unresolved``, or one that an outcome carried.
    /// - Returns: Its end on evidence, or still unresolved with the reason.
    public func close(_ payment: UnresolvedPayment) async -> Resolution {
        await engine.resolve(payment.attempt, patience: engine.settling.patience)
            ?? .payment(.unresolved(payment))
    }

    /// Notes a person's decision about an unresolved payment, apart from evidence.
    ///
    /// Evidence to the contrary that comes later is an alarm in ``states``.
    ///
    /// - Parameters:
    ///   - payment: One of ``unresolved``.
    ///   - verdict: What the person decided, with name and reason.
    /// - Throws: ``PaymentRefusal`` when it is not open, or the decision cannot be recorded.
    public func settle(
        _ payment: UnresolvedPayment,
        as verdict: PersonalVerdict
    ) async throws(PaymentRefusal) {
        try await engine.settle(payment.attempt, as: verdict)
    }

    /// Asks the acquirer about everything of an order that is open or pending.
    ///
    /// - Parameter order: The order, with its part if it has one.
    /// - Returns: How each such attempt stands, oldest first.
    public func resolve(_ order: Order) async -> [Resolution] {
        let attempts = await engine.journal.read { book in
            book.attempts(forOrderID: order.id)
                .filter { $0.began.order == order && $0.canChange && $0.verdict == nil }.map(\.id)
        }
        var resolutions: [Resolution] = []
        for attempt in attempts {
            if let resolution = await engine.resolve(attempt) { resolutions.append(resolution) }
        }
        return resolutions
    }

    /// The receipt of the money that an order moved, or of its hold; the capture's once there is one.
    public func receipt(for order: Order) async -> Receipt? {
        await engine.journal.read { $0.receipt(for: order) }
    }

    /// The hold for an order, unless it was captured or voided.
    public func authorization(for order: Order) async -> Authorization? {
        await engine.journal.read { $0.authorization(for: order) }
    }

    /// What may still be refunded of a payment; refunds that are pending or unknown count as done.
    public func refundable(of receipt: Receipt) async -> Money {
        await engine.journal.read { book in
            book.refundable(
                receipt.attempt,
                of: receipt.order,
                captured: receipt.approved.money ?? receipt.asked
            )
        }
    }

    /// Everything the journal holds about an order, in the order in which it became known.
    public func history(of order: Order) async -> [AttemptBook.Attempt] {
        await engine.journal.read { book in
            book.attempts(forOrderID: order.id).filter { $0.began.order == order }
        }
    }

    /// The life of an order in the words of a support desk: what happened, what was certain, and why.
    public func explain(_ order: Order) async -> OrderStory {
        OrderStory(order, await history(of: order))
    }

    /// Every attempt that the journal knows, oldest first.
    public var attempts: [AttemptBook.Attempt] {
        get async { await attempts(matching: AttemptQuery()) }
    }

    /// Tells the app's back end which orders are free again, as far as it was not told.
    ///
    /// That happens by itself after each payment, and at the latest after the next start. A program
    /// that ends right after a payment waits for it here.
    public func releaseClaims() async { await engine.releaseClaims() }

    /// Takes over what others know of this till and its journal does not, as after the app was
    /// installed anew.
    ///
    /// Attempts that the till claimed at the app's back end (``OrderClaims``) are unresolved from
    /// then on; resolve them next. Payments in the acquirers' books that nothing explains are only
    /// told: they name no order.
    ///
    /// - Parameter since: How far back to look.
    /// - Returns: What was found.
    /// - Throws: ``PaymentError`` when somebody could not be asked; what was adopted stays.
    public func adopt(since: Date) async throws(PaymentError) -> Adoption {
        try await engine.adopt(since: since)
    }
}
