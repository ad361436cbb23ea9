extension PaymentEngine {
    /// How an attempt stands, and what was learnt on the way.
    struct Settled: Sendable {
        /// The end, or why there is none.
        let end: End
        /// Facts that belong into the journal before the end.
        var facts: [JournalEntry.Fact] = []

        enum End: Sendable {
            case ended(Ending, by: JournalEntry.Evidence)
            case open(UnresolvedPayment.Reason, candidates: [AcquirerRecord])
        }

        static func ended(
            _ ending: Ending,
            by evidence: JournalEntry.Evidence,
            facts: [JournalEntry.Fact] = []
        ) -> Self {
            Self(end: .ended(ending, by: evidence), facts: facts)
        }

        static func open(
            _ reason: UnresolvedPayment.Reason,
            candidates: [AcquirerRecord] = [],
            facts: [JournalEntry.Fact] = []
        ) -> Self {
            Self(end: .open(reason, candidates: candidates), facts: facts)
        }

        /// Why there is no end.
        var reason: UnresolvedPayment.Reason {
            guard case .open(let reason, _) = end else { return .interrupted }
            return reason
        }

        /// The records that might be it.
        var candidates: [AcquirerRecord] {
            guard case .open(_, let candidates) = end else { return [] }
            return candidates
        }
    }

    /// Writes how an attempt stands.
    ///
    /// The first evidence of an end stays; what contradicts it, or a person's verdict, is an alarm.
    ///
    /// - Returns: The end that counts, by now; nil when there is none.
    func conclude(_ id: AttemptID, _ settled: Settled) async -> Ending? {
        let ending = await concluded(id, settled)
        if ending != nil { left[id] = nil }
        if ending != nil, claiming != nil { await releaseIfFree(id) }
        return ending
    }

    private func concluded(_ id: AttemptID, _ settled: Settled) async -> Ending? {
        guard case .ended(let ending, let evidence) = settled.end else {
            await append(settled.facts, for: id)
            return await journal.read { $0[id]?.ending }
        }
        let isEnded = await journal.read { book in
            guard let attempt = book[id] else { return false }
            return attempt.verdict?.contradicts(ending) == true || !attempt.takes(ending)
        }
        await append(settled.facts + (isEnded ? [] : [.ended(ending, by: evidence)]), for: id)
        // Somebody else may have ended it meanwhile, or a person settled it.
        let (first, verdict) = await journal.read { book -> (Ending?, Ending?) in
            guard let attempt = book[id] else { return (nil, nil) }
            let verdict = attempt.verdict.flatMap {
                $0.contradicts(ending) ? $0.ending(of: attempt) : nil
            }
            return (attempt.ending, verdict)
        }
        if verdict != nil || first?.contradicts(ending) == true {
            await contradict(id, with: ending)
        }
        return first ?? verdict ?? ending
    }

    /// Asks the books until they settle an attempt or patience is over.
    func settled(
        _ id: AttemptID,
        by backOffice: any BackOffice,
        patience: Duration,
        vendorRunning: Bool,
        activeUntil: Date?,
        otherwise reason: UnresolvedPayment.Reason
    ) async -> Settled {
        var asking = asking(id, backOffice, vendorRunning: vendorRunning)
        asking.activeUntil = activeUntil
        let asked =
            await asking
            .ask(patience: patience, accepting: .settles)
        let facts = asked.facts
        await contradict(by: asked.contrary)
        switch asked.answer {
        case .failed(let error): return .open(.cannotAsk(error), facts: facts)
        case .verdict(.found(let record)):
            guard let attempt = await journal.read({ $0[id] }) else { return .open(reason) }
            let ending = attempt.ending(for: record, now: environment.wallTime())
            // A record without money settles nobody else either.
            let claim = JournalEntry.Fact.noted(record.reference)
            let isNamed = ending.references.contains(record.reference) || facts.contains(claim)
            return .ended(ending, by: .books, facts: isNamed ? facts : facts + [claim])
        case .verdict(.absent):
            return .ended(.failed(PaymentError(.notBooked)), by: .books, facts: facts)
        case .verdict(.pending(let record)):
            if let ending = await pendingFollowUp(id, record) {
                return .ended(ending, by: .books, facts: facts)
            }
            return .open(
                vendorRunning ? .vendorBusy : .pendingAtAcquirer,
                candidates: [record],
                facts: facts
            )
        case .verdict(.payable(let record, _)):
            return .open(.stillPayable, candidates: [record], facts: facts)
        case .verdict(.ambiguous(let records)):
            return .open(.ambiguous, candidates: records, facts: facts)
        case .verdict(.notYet(let until)):
            return .open(vendorRunning ? .vendorBusy : .mayStillAppear(until: until), facts: facts)
        }
    }

    /// A follow-up that the acquirer accepted and still works on has ended as far as it can.
    private func pendingFollowUp(_ id: AttemptID, _ record: AcquirerRecord) async -> Ending? {
        guard record.state == .pending, let attempt = await journal.read({ $0[id] }),
            !attempt.began.kind.isAtCounter
        else { return nil }
        let now = environment.wallTime()
        return .pending(
            Receipt(of: id, began: attempt.began, approval: record.approval, now: now)
        )
    }

    func asking(
        _ id: AttemptID,
        _ backOffice: any BackOffice,
        vendorRunning: Bool
    ) -> BookAsking {
        var asking = BookAsking(
            attempt: id,
            backOffice: backOffice,
            journal: journal,
            shield: shield,
            vendorRunning: vendorRunning
        )
        if let mark = left[id] { asking.clockJump = mark.jump }
        return asking
    }

    /// Asks the acquirer about an attempt that is open, pending, or was settled by a person.
    func resolve(_ id: AttemptID, patience: Duration = .zero) async -> Resolution? {
        guard let attempt = await journal.read({ $0[id] }) else { return nil }
        guard attempt.canChange else { return attempt.resolution }
        guard let backOffice = acquirer(of: attempt.began.account)?.backOffice else {
            let error = PaymentError(.notConfigured, detail: "no back office for this account")
            return await resolution(of: id, open: .cannotAsk(error))
        }
        let settled = await settled(
            id,
            by: backOffice,
            patience: patience,
            vendorRunning: isRunning(id) || sending.contains(id)
                || attempt.leftOpen?.vendorRunning == true,
            activeUntil: left[id]?.at ?? (attempt.leftOpen == nil ? environment.wallTime() : nil),
            otherwise: .interrupted
        )
        // What was sent meanwhile is not in what the books said.
        if case .ended(let ending, by: .books) = settled.end, ending.receipt == nil,
            await wasSent(id, since: attempt)
        {
            return await resolution(of: id, open: .vendorBusy)
        }
        if let ending = await conclude(id, settled) {
            await tellOpenPayments()
            return ending.resolution(isPayment: attempt.began.kind.isAtCounter)
        }
        guard attempt.isOpen else { return attempt.resolution }
        return await resolution(of: id, open: settled.reason, candidates: settled.candidates)
    }

    /// Whether a request went out for an attempt after it was read.
    private func wasSent(_ id: AttemptID, since earlier: AttemptBook.Attempt) async -> Bool {
        if sending.contains(id) { return true }
        return await journal.read { $0[id]?.timesLeftOpen != earlier.timesLeftOpen }
    }

    /// Notes a person's decision about an open attempt.
    func settle(_ id: AttemptID, as verdict: PersonalVerdict) async throws(PaymentRefusal) {
        for (field, text) in [("name", verdict.name), ("reason", verdict.reason)] {
            guard text.contains(where: { !$0.isWhitespace }) else {
                throw .invalidRequest(.init(field: field, problem: "is empty"))
            }
        }
        guard let attempt = await journal.read({ $0[id] }), attempt.isOpen, !isRunning(id),
            !sending.contains(id)
        else {
            throw .invalidRequest(.init(field: "payment", problem: "is not open"))
        }
        if case .moved(let reference?) = verdict.decision,
            let claimant = await journal.read({ $0.claimant(of: reference) }),
            claimant != id, claimant != attempt.began.parent
        {
            throw .invalidRequest(
                .init(field: "record", problem: "\(reference) is the record of attempt \(claimant)")
            )
        }
        do throws(JournalError) {
            let entry = JournalEntry(
                at: environment.wallTime(),
                attempt: id,
                fact: .settled(verdict)
            )
            try await journal.append([entry])
        } catch {
            throw .cannotRecord(error.description)
        }
        // Evidence may have come in the same moment.
        if let ending = await journal.read({ $0[id]?.ending }), verdict.contradicts(ending) {
            await contradict(id, with: ending)
        }
        await releaseIfFree(id)
        await tellOpenPayments()
    }

    private func resolution(
        of id: AttemptID,
        open reason: UnresolvedPayment.Reason,
        candidates: [AcquirerRecord] = []
    ) async -> Resolution? {
        await journal.read { book in
            guard let attempt = book[id] else { return nil }
            let open = book.unresolved(attempt, because: reason, candidates: candidates)
            return attempt.began.kind.isAtCounter
                ? .payment(.unresolved(open)) : .followUp(.unresolved(open))
        }
    }

    /// Writes down that the attempts an earlier process left open are unresolved.
    func recover() async {
        let forgotten = await journal.read { book in
            book.open.filter { $0.leftOpen == nil || $0.leftOpen?.vendorRunning == true }
        }
        for attempt in forgotten {
            await append([.leftOpen(.init(error: attempt.leftOpen?.error))], for: attempt.id)
        }
        let alarms = await journal.read { book in
            book.contradicted.flatMap { attempt in
                attempt.contradictions.map {
                    PointOfSaleState.Alarm(attempt: attempt.id, told: $0.name)
                }
            }
        }
        feed.update { $0.alarms = alarms }
        if claiming != nil { environment.start { await self.releaseClaims() } }
        await tellOpenPayments()
    }

    /// The attempts whose end nobody knows, without the one that is still running.
    func unresolved() async -> [UnresolvedPayment] {
        let running = runningUntold
        return await journal.read { book in
            book.open.filter { $0.id != running }.map { book.unresolved($0) }
        }
    }

    func tellOpenPayments() async {
        tellings += 1
        let telling = tellings
        let open = await unresolved()
        // A later look has seen more.
        guard telling == tellings else { return }
        feed.update { $0.open = open }
    }

    /// Writes facts about an attempt; a journal that fails is told in the states.
    ///
    /// - Returns: Whether they are durable.
    @discardableResult
    func append(_ facts: [JournalEntry.Fact], for attempt: AttemptID) async -> Bool {
        guard !facts.isEmpty else { return true }
        let at = environment.wallTime()
        if facts.contains(where: \.isLeftOpen) { left[attempt] = ClockMark(environment) }
        do {
            try await journal.append(
                facts.map { JournalEntry(at: at, attempt: attempt, fact: $0) }
            )
            return true
        } catch {
            feed.update { $0.journalTrouble = error }
            return false
        }
    }
}

extension AttemptBook.Attempt {
    /// How often it was left without an answer.
    fileprivate var timesLeftOpen: Int {
        history.count { if case .leftOpen = $0.fact { true } else { false } }
    }
}

extension JournalEntry.Fact {
    fileprivate var isLeftOpen: Bool {
        if case .leftOpen = self { true } else { false }
    }
}
