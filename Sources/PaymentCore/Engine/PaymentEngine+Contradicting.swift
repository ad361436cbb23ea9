extension PaymentEngine {
    /// Evidence says the opposite of what was told: a person must look.
    func contradict(_ id: AttemptID, with ending: Ending) async {
        let isKnown = await journal.read { $0[id]?.contradictions.contains(ending) == true }
        if !isKnown { await append([.contradicted(ending)], for: id) }
        let alarm = PointOfSaleState.Alarm(attempt: id, told: ending.name)
        feed.update { if !$0.alarms.contains(alarm) { $0.alarms.append(alarm) } }
    }

    /// Takes in what the books hold against what was told of other attempts.
    func contradict(by contrary: [AttemptBook.Contrary]) async {
        for found in contrary {
            let now = environment.wallTime()
            await contradict(
                found.attempt.id,
                with: found.attempt.ending(for: found.record, now: now)
            )
        }
    }

    /// Keeps a reference that an adapter gave.
    ///
    /// One that comes once the attempt was told as one without money may mean that it moved all the
    /// same: unless the books say the opposite, a person must look.
    func note(_ reference: AcquirerReference, for id: AttemptID) async {
        let isNew = await journal.read { $0[id]?.references.contains(reference) == false }
        await append([.noted(reference)], for: id)
        guard isNew, let attempt = await journal.read({ $0[id] }), !attempt.mayHaveMovedMoney else {
            return
        }
        var record: AcquirerRecord?
        if let backOffice = acquirer(of: attempt.began.account)?.backOffice {
            let asked = await asking(id, backOffice, vendorRunning: false)
                .ask(patience: settling.patience, accepting: .confirms)
            await append(asked.facts, for: id)
            await contradict(by: asked.contrary)
            if case .verdict(.absent) = asked.answer { return }
            if case .verdict(.found(let found)) = asked.answer { record = found }
        }
        let now = environment.wallTime()
        let ending =
            record.map { attempt.ending(for: $0, now: now) }
            ?? attempt.began.ending(
                of: id,
                for: Approval(references: [reference]),
                expiresAt: nil,
                now: now
            )
        if ending.receipt != nil { await contradict(id, with: ending) }
    }
}
