extension AttemptBook {
    /// Whether an attempt may begin.
    ///
    /// - Parameter entry: The fact that it begins.
    /// - Returns: The earlier follow-up of the same id, which is answered in its place; else nil.
    /// - Throws: ``PaymentRefusal`` when it may not.
    public func check(_ entry: JournalEntry) throws(PaymentRefusal) -> Attempt? {
        guard case .began(let began) = entry.fact else { return nil }
        guard self[entry.attempt] == nil else {
            throw .cannotRecord("attempt \(entry.attempt) is in the journal already")
        }
        let earlier: Attempt?
        if began.kind.isAtCounter {
            try checkPayment(began)
            earlier = nil
        } else {
            earlier = try checkFollowUp(began)
        }
        // What could not be read may have been what forbids it.
        if let problem { throw .cannotRecord(problem) }
        return earlier
    }

    /// What is known about an open attempt, for people.
    public func unresolved(
        _ attempt: Attempt,
        because reason: UnresolvedPayment.Reason? = nil,
        candidates: [AcquirerRecord] = []
    ) -> UnresolvedPayment {
        UnresolvedPayment(
            attempt: attempt.id,
            account: attempt.began.account,
            order: attempt.began.order,
            kind: attempt.began.kind,
            amount: attempt.began.amount,
            startedAt: attempt.startedAt,
            reason: reason ?? attempt.leftOpen?.error.map { .noAnswer($0) } ?? .interrupted,
            candidates: candidates
        )
    }

    /// The receipt of the money that an order's attempts moved last, if any.
    public func receipt(for order: Order) -> Receipt? {
        attempts(forOrderID: order.id).reversed().lazy
            .filter { $0.began.order == order }
            .compactMap { attempt in
                guard attempt.began.kind.movesToMerchant else { return nil }
                return (attempt.ending ?? attempt.verdict?.ending(of: attempt))?.receipt
            }
            .first
    }

    /// The hold that an order's attempts left, unless it was captured or voided.
    public func authorization(for order: Order) -> Authorization? {
        attempts(forOrderID: order.id).reversed().lazy
            .compactMap { attempt -> Authorization? in
                guard attempt.began.order == order, case .authorized(let hold)? = attempt.ending
                else { return nil }
                return followUps(of: attempt.id).contains { $0.endsHold } ? nil : hold
            }
            .first
    }

    /// What may still be refunded of a payment.
    ///
    /// Refunds that are pending or unknown count as done.
    public func refundable(
        _ payment: AttemptID,
        of order: Order,
        captured: Money
    ) -> Money {
        Self.refundable(followUps(of: payment, order: order), of: captured)
    }

    private static func refundable(_ followUps: [Attempt], of captured: Money) -> Money {
        let refunded =
            followUps
            .filter { $0.began.kind == .refund && $0.mayHaveMovedMoney }
        return refunded.reduce(captured) { rest, refund in
            (try? rest.subtracting(refund.began.amount)) ?? .zero(captured.currency)
        }
    }

    /// Whether an attempt's end stands against another payment of its order.
    package func isTaken(by attempt: Attempt) -> Bool {
        do throws(PaymentRefusal) {
            try checkEnded(attempt)
            return false
        } catch {
            return true
        }
    }

    private func checkPayment(_ began: JournalEntry.Began) throws(PaymentRefusal) {
        for attempt in attempts(forOrderID: began.order.id)
        where attempt.began.kind.isAtCounter && attempt.began.order.overlaps(began.order) {
            if attempt.isOpen { throw .open(unresolved(attempt)) }
            let gives = attempt.began.kind == .refundToCard
            guard gives == (began.kind == .refundToCard) else { continue }
            try checkEnded(attempt)
        }
    }

    private func checkEnded(_ attempt: Attempt) throws(PaymentRefusal) {
        for ending in attempt.contradictions { try checkEnding(ending, of: attempt) }
        try checkEnding(attempt.ending ?? attempt.verdict?.ending(of: attempt), of: attempt)
    }

    private func checkEnding(
        _ ending: Ending?,
        of attempt: Attempt
    ) throws(PaymentRefusal) {
        switch ending {
        case .approved(let receipt), .partlyApproved(let receipt, _), .done(let receipt),
            .pending(let receipt):
            throw .alreadyPaid(receipt)
        case .authorized(let authorization):
            let followUps = followUps(of: attempt.id)
            for capture in followUps where capture.began.kind == .capture {
                let endings = capture.contradictions + [capture.ending].compactMap(\.self)
                if let receipt = endings.compactMap(\.receipt).last { throw .alreadyPaid(receipt) }
            }
            if let open = followUps.first(where: \.isOpen) { throw .open(unresolved(open)) }
            guard followUps.contains(where: \.releasedHold) else {
                throw .alreadyAuthorized(authorization)
            }
        case .declined, .cancelled, .failed, nil: break
        }
    }

    private func checkFollowUp(_ began: JournalEntry.Began) throws(PaymentRefusal) -> Attempt? {
        guard let parent = began.parent, let ceiling = began.ceiling else {
            throw .invalidRequest(.init(field: "payment", problem: "names no earlier payment"))
        }
        guard !began.amount.isZero else {
            throw .invalidRequest(.init(field: "amount", problem: "zero cannot be moved"))
        }
        let others = followUps(of: parent, order: began.order)
        if let id = began.followUp, let earlier = others.first(where: { $0.began.followUp == id }) {
            guard earlier.began.kind == began.kind, earlier.began.amount == began.amount else {
                throw .invalidRequest(
                    .init(
                        field: "id",
                        problem: """
                            \(id) already names a \(earlier.began.kind) of \(earlier.began.amount)
                            """
                    )
                )
            }
            return earlier
        }
        if let open = others.first(where: \.isOpen) { throw .open(unresolved(open)) }
        switch began.kind {
        case .refund:
            let rest = Self.refundable(others, of: try captured(parent, atMost: ceiling))
            guard (try? rest.subtracting(began.amount)) != nil else {
                throw .invalidRequest(
                    .init(
                        field: "amount",
                        problem: "\(began.amount) is more than the \(rest) that may be refunded"
                    )
                )
            }
        case .capture, .void:
            if let ended = others.first(where: \.endsHold) {
                throw .invalidRequest(
                    .init(
                        field: "authorization",
                        problem: ended.began.kind == .void
                            ? "the hold was released"
                            : "the hold was already captured (\(ended.began.amount))"
                    )
                )
            }
            guard (try? ceiling.subtracting(began.amount)) != nil else {
                throw .invalidRequest(
                    .init(
                        field: "amount",
                        problem: "\(began.amount) is more than the \(ceiling) that are held"
                    )
                )
            }
        case .sale, .authorization, .refundToCard: break
        }
        return nil
    }

    /// What a payment moved, as far as the journal knows it better than the receipt that is shown.
    private func captured(
        _ payment: AttemptID,
        atMost ceiling: Money
    ) throws(PaymentRefusal) -> Money {
        guard let attempt = self[payment], !attempt.isOpen else { return ceiling }
        guard attempt.mayHaveMovedMoney else {
            throw .invalidRequest(.init(field: "receipt", problem: "names a payment without money"))
        }
        guard let known = attempt.ending?.receipt?.approved.money,
            (try? known.isLess(than: ceiling)) == true
        else { return ceiling }
        return known
    }

    /// The captures, voids and refunds of a payment, oldest first; none for a payment that the
    /// journal does not hold.
    package func followUps(of parent: AttemptID) -> [Attempt] {
        self[parent].map { followUps(of: parent, order: $0.began.order) } ?? []
    }

    /// The captures, voids and refunds of a payment of an order, which need not be in the journal.
    private func followUps(of parent: AttemptID, order: Order) -> [Attempt] {
        attempts(forOrderID: order.id).filter { $0.began.parent == parent }
    }
}

extension AttemptBook.Attempt {
    /// Whether a capture or void took the hold away, or may have.
    fileprivate var endsHold: Bool {
        (began.kind == .capture || began.kind == .void) && mayHaveMovedMoney
    }

    /// Whether a void is certain.
    fileprivate var releasedHold: Bool {
        guard began.kind == .void, case .done = ending else { return false }
        return contradictions.isEmpty
    }
}

extension AttemptKind {
    /// Whether its receipt shows money that the merchant received or holds.
    fileprivate var movesToMerchant: Bool {
        switch self {
        case .sale, .authorization, .capture: true
        case .refundToCard, .void, .refund: false
        }
    }
}

extension Order {
    /// Whether paying both could charge something twice.
    ///
    /// Different parts of one split do not overlap; the whole overlaps with every part, and splits
    /// into different counts overlap since their parts cannot be told apart.
    package func overlaps(_ other: Order) -> Bool {
        guard id == other.id else { return false }
        guard let part, let otherPart = other.part else { return true }
        return part.count != otherPart.count || part == otherPart
    }
}
