extension PaymentEngine {
    /// Reads what the acquirer approved, since a vendor may only echo what was asked.
    func confirm(
        _ attempt: PaymentAttempt,
        _ approval: Approval,
        expiresAt: Date?,
        with acquirer: Acquirer
    ) async -> Settled {
        let told = attempt.ending(for: approval, expiresAt: expiresAt, now: environment.wallTime())
        if case .confirmed = approval.amount { return .ended(told, by: .vendor) }
        guard let backOffice = acquirer.backOffice,
            !approval.references.isEmpty || acquirer.provider.capabilities.marker
        else {
            return .ended(told, by: .vendor)
        }
        await append(approval.references.map { .noted($0) }, for: attempt.id)
        let asked = await asking(attempt.id, backOffice, vendorRunning: false)
            .ask(patience: settling.confirmation, accepting: .confirms)
        switch asked.answer {
        case .verdict(.found(let record)):
            guard case .succeeded = record.state else {
                return .open(.ambiguous, candidates: [record], facts: asked.facts + [.contested])
            }
            let ending = attempt.ending(
                for: record.approval.merging(approval),
                expiresAt: record.expiresAt ?? expiresAt,
                now: environment.wallTime()
            )
            return .ended(ending, by: .books, facts: asked.facts)
        case .verdict(.pending(let record)):
            return .open(
                .pendingAtAcquirer,
                candidates: [record],
                facts: asked.facts + [.contested]
            )
        case .verdict, .failed: return .ended(told, by: .vendor, facts: asked.facts)
        }
    }

    /// Asks the acquirer's books about an attempt that nobody could classify.
    func settle(
        _ attempt: PaymentAttempt,
        after error: PaymentError,
        vendorRunning: Bool,
        with acquirer: Acquirer,
        _ reporter: Reporter
    ) async -> Settled {
        let leftOpen = JournalEntry.LeftOpen(
            error: error,
            phases: reporter.phases,
            vendorRunning: vendorRunning
        )
        await append([.leftOpen(leftOpen)], for: attempt.id)
        guard let backOffice = acquirer.backOffice else { return .open(.noAnswer(error)) }
        reporter.send(.checking)
        return await settled(
            attempt.id,
            by: backOffice,
            patience: settling.patience,
            vendorRunning: vendorRunning,
            activeUntil: environment.wallTime(),
            otherwise: .noAnswer(error)
        )
    }
}

extension JournalEntry.Fact {
    /// The vendor said approved, and the acquirer's books do not say so yet.
    fileprivate static var contested: Self {
        .leftOpen(
            .init(error: PaymentError(.outcomeUnknown, detail: "vendor and books differ"))
        )
    }
}
