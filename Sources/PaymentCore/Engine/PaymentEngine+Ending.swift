extension PaymentEngine {
    /// How an attempt stands once the vendor has answered, or has not in time.
    func end(
        of attempt: PaymentAttempt,
        after answer: ProviderAnswer?,
        with acquirer: Acquirer,
        _ reporter: Reporter
    ) async -> Settled {
        let belief = await answer?.believed(for: attempt, in: journal)
        return switch belief?.answer {
        case .approved(let approval), .partlyApproved(let approval):
            await confirm(attempt, approval, expiresAt: nil, with: acquirer, reporter)
        case .authorized(let approval, let expiresAt):
            await confirm(attempt, approval, expiresAt: expiresAt, with: acquirer, reporter)
        case .declined(let decline): .ended(.declined(decline), by: .vendor)
        case .cancelled: .ended(.cancelled, by: .vendor)
        case .notCharged(let error): .ended(.failed(error), by: .vendor)
        case .unknown(let error):
            await settle(
                attempt,
                after: error,
                doubting: belief,
                vendorRunning: false,
                with: acquirer,
                reporter
            )
        case nil:
            await settle(
                attempt,
                after: PaymentError(.timedOut, detail: "the vendor's call did not come back"),
                vendorRunning: isAtVendor(attempt.id),
                with: acquirer,
                reporter
            )
        }
    }

    /// Keeps the references of an approval that cannot be taken at its word.
    func noteDoubted(_ belief: ProviderAnswer.Belief?, for id: AttemptID) async {
        guard let doubted = belief?.doubted else { return }
        let free = await journal.read { book in
            doubted.references.filter { book.claimant(of: $0) == nil }
        }
        await append(free.map { .noted($0) }, for: id)
    }

    /// Reads what the acquirer approved, since a vendor may only echo what was asked.
    private func confirm(
        _ attempt: PaymentAttempt,
        _ approval: Approval,
        expiresAt: Date?,
        with acquirer: Acquirer,
        _ reporter: Reporter
    ) async -> Settled {
        let told = attempt.ending(for: approval, expiresAt: expiresAt, now: environment.wallTime())
        if case .confirmed = approval.amount { return .ended(told, by: .vendor) }
        guard let backOffice = acquirer.backOffice,
            !approval.references.isEmpty || acquirer.provider.capabilities.marker
        else {
            return .ended(told, by: .vendor)
        }
        await append(approval.references.map { .noted($0) }, for: attempt.id)
        let doubt = JournalEntry.Fact.leftOpen(
            .init(
                error: PaymentError(.outcomeUnknown, detail: "the books do not confirm it"),
                phases: reporter.phases,
                saidMoved: true
            )
        )
        let books = asking(attempt.id, backOffice, vendorRunning: false)
        var asked = await books.ask(patience: settling.confirmation, accepting: .confirms)
        if asked.isUnfinished {
            await append(asked.facts + [doubt], for: attempt.id)
            reporter.send(.checking)
            let again = await books.ask(patience: settling.patience, accepting: .confirms)
            asked = again.isFailed ? .init(answer: asked.answer) : again
        }
        await contradict(by: asked.contrary)
        switch asked.answer {
        case .verdict(.found(let record)):
            guard case .succeeded = record.state else {
                return .open(.ambiguous, candidates: [record], facts: asked.facts + [doubt])
            }
            let ending = attempt.ending(
                for: record.approval.merging(approval),
                expiresAt: record.expiresAt ?? expiresAt,
                now: environment.wallTime()
            )
            return .ended(ending, by: .books, facts: asked.facts)
        case .verdict(.pending(let record)):
            return .open(.pendingAtAcquirer, candidates: [record], facts: asked.facts)
        case .verdict(.payable(let record, _)):
            return .open(.stillPayable, candidates: [record], facts: asked.facts)
        case .verdict, .failed: return .ended(told, by: .vendor, facts: asked.facts)
        }
    }

    /// Asks the acquirer's books about an attempt that nobody could classify.
    private func settle(
        _ attempt: PaymentAttempt,
        after error: PaymentError,
        doubting belief: ProviderAnswer.Belief? = nil,
        vendorRunning: Bool,
        with acquirer: Acquirer,
        _ reporter: Reporter
    ) async -> Settled {
        await noteDoubted(belief, for: attempt.id)
        await leaveOpen(
            attempt.id,
            after: error,
            phases: reporter.phases,
            saidMoved: belief?.saidMoved ?? false
        ) {
            vendorRunning && isAtVendor(attempt.id)
        }
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

    /// Writes that an attempt was left without an end that anybody knows.
    ///
    /// - Parameters:
    ///   - id: The attempt.
    ///   - error: Why.
    ///   - phases: The progress that was reported.
    ///   - saidMoved: Whether the vendor said that money moved.
    ///   - isOut: Says whether the call for it has not come back.
    func leaveOpen(
        _ id: AttemptID,
        after error: PaymentError,
        phases: [String] = [],
        saidMoved: Bool = false,
        whileOut isOut: () -> Bool
    ) async {
        let wasOut = isOut()
        let open = JournalEntry.LeftOpen(
            error: error,
            phases: phases,
            vendorRunning: wasOut,
            saidMoved: saidMoved
        )
        await append([.leftOpen(open)], for: id)
        guard wasOut, !isOut() else { return }
        // It came back meanwhile, and what it said may stand before this.
        await append([.leftOpen(.init(error: error, phases: phases))], for: id)
    }
}
