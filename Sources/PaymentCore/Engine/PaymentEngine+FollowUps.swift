extension PaymentEngine {
    /// What follows a payment, and the payment that it follows.
    struct FollowUp: Sendable {
        let kind: AttemptKind
        let operation: PaymentAttempt.Operation
        /// The receipt of the money in question.
        let receipt: Receipt
        let amount: Money
        let id: FollowUpID

        static func capture(_ authorization: Authorization, _ amount: Money, _ id: FollowUpID)
            -> Self
        {
            Self(
                kind: .capture,
                operation: .capture(authorization),
                receipt: authorization.receipt,
                amount: amount,
                id: id
            )
        }

        static func void(_ authorization: Authorization, _ id: FollowUpID) -> Self {
            Self(
                kind: .void,
                operation: .void(authorization),
                receipt: authorization.receipt,
                amount: authorization.amount,
                id: id
            )
        }

        static func refund(_ receipt: Receipt, _ amount: Money, _ id: FollowUpID) -> Self {
            Self(
                kind: .refund,
                operation: .refund(receipt),
                receipt: receipt,
                amount: amount,
                id: id
            )
        }
    }

    /// Performs a capture, void or refund, once for each caller's id.
    func perform(_ followUp: FollowUp) async throws(PaymentRefusal) -> FollowUpOutcome {
        let (acquirer, backOffice) = try check(followUp)
        let receipt = followUp.receipt
        let attempt = PaymentAttempt(
            id: await unused(AttemptID(from: environment)),
            account: acquirer.account,
            operation: followUp.operation,
            startedAt: environment.wallTime(),
            amount: followUp.amount
        )
        let began = JournalEntry.Began(
            account: acquirer.account,
            order: receipt.order,
            kind: attempt.kind,
            amount: followUp.amount,
            merchantName: receipt.merchantName,
            followUp: followUp.id,
            parent: receipt.attempt,
            ceiling: receipt.approved.money ?? receipt.asked,
            parentReferences: receipt.references,
            software: acquirer.software.isEmpty ? nil : acquirer.software
        )
        let entry = JournalEntry(
            at: attempt.startedAt,
            attempt: attempt.id,
            fact: .began(began)
        )
        // Nobody may settle it between the journal and the request.
        sending.insert(attempt.id)
        do throws(PaymentRefusal) {
            if case .repeated(let earlier) = try await journal.begin(entry) {
                sending.remove(attempt.id)
                return await outcome(of: earlier, followUp, at: backOffice)
            }
        } catch {
            sending.remove(attempt.id)
            throw error
        }
        return await send(attempt, at: backOffice, began)
    }

    /// Performs an attempt in a task that does not end with whoever waits for it.
    private func send(
        _ attempt: PaymentAttempt,
        at backOffice: any BackOffice,
        _ began: JournalEntry.Began,
        after lost: PaymentError? = nil
    ) async -> FollowUpOutcome {
        sending.insert(attempt.id)
        let done = OneShot<FollowUpOutcome>()
        environment.start {
            done.resolve(await self.perform(attempt, at: backOffice, began, after: lost))
        }
        let outcome = await done.value()
        sending.remove(attempt.id)
        cameLate.remove(attempt.id)
        return outcome
    }

    private func perform(
        _ attempt: PaymentAttempt,
        at backOffice: any BackOffice,
        _ began: JournalEntry.Began,
        after lost: PaymentError?
    ) async -> FollowUpOutcome {
        let answer = await answer(to: attempt, at: backOffice, began, after: lost)
        let now = environment.wallTime()
        if let ending = answer?.ending(of: attempt.id, began, now: now) {
            let told = await conclude(attempt.id, .ended(ending, by: .vendor))
            return (told ?? ending).followUpOutcome
        }
        // Somebody else may have ended it meanwhile.
        if let told = await outcome(ofEnded: attempt.id) { return told }
        var error = PaymentError(.timedOut, detail: "the acquirer's call did not come back")
        if case .unknown(let told) = answer { error = told }
        let isOut = { answer == nil && !self.cameLate.contains(attempt.id) }
        await leaveOpen(attempt.id, after: error, whileOut: isOut)
        let settled = await settled(
            attempt.id,
            by: backOffice,
            patience: settling.patience,
            vendorRunning: isOut(),
            activeUntil: environment.wallTime(),
            otherwise: .noAnswer(error)
        )
        let ending = await conclude(attempt.id, settled)
        await tellOpenPayments()
        return ending?.followUpOutcome
            ?? .unresolved(
                attempt.unresolved(because: settled.reason, candidates: settled.candidates)
            )
    }

    /// Sends a request, and again under its key where its answer was lost and that is safe.
    ///
    /// What an earlier process left open begins with why; the answer is nil when the acquirer's
    /// call did not come back.
    private func answer(
        to attempt: PaymentAttempt,
        at backOffice: any BackOffice,
        _ began: JournalEntry.Began,
        after lost: PaymentError?
    ) async -> BackOfficeAnswer? {
        var lost = lost
        let protection = protection(of: attempt, at: backOffice)
        let elapsed = environment.clock.stopwatch()
        // What the books did not know was not done earlier than they would show it.
        let before = lost == nil ? .zero : backOffice.capabilities.appearsWithin
        var tries = 0
        while true {
            tries += 1
            if let lost {
                // What ended meanwhile, or cannot be written down, is not sent.
                guard await outcome(ofEnded: attempt.id) == nil,
                    await append([.leftOpen(.again(after: lost))], for: attempt.id)
                else { return .unknown(lost) }
            }
            let answer = await shield.run(deadline: settling.vendorDeadline) {
                await backOffice.perform(attempt)
            } late: { answer in
                await self.lateFollowUp(answer, to: attempt.id, began, protection)
            }
            switch (answer, lost) {
            case (.unknown(let error), _):
                lost = error
                let pause = Duration.seconds(1 << (tries - 1))
                guard tries < Self.sends,
                    protection.allowsRepeat(after: before + elapsed() + pause),
                    (try? await environment.clock.sleep(for: pause)) != nil
                else { return answer }
            case (let answer?, let lost?) where answer.isOfRepeatAlone(protection):
                return .unknown(lost)
            default: return answer
            }
        }
    }

    /// How often one request is sent at most where its answers are lost.
    private static let sends = 3

    private func protection(
        of attempt: PaymentAttempt,
        at backOffice: any BackOffice
    ) -> RepeatProtection {
        backOffice.capabilities.repeats[attempt.kind, default: .lookUpOnly]
    }

    private func lateFollowUp(
        _ answer: BackOfficeAnswer,
        to id: AttemptID,
        _ began: JournalEntry.Began,
        _ protection: RepeatProtection
    ) async {
        var answer = answer
        if answer.isOfRepeatAlone(protection),
            await journal.read({ $0[id]?.history.contains(where: \.isRepeat) == true })
        {
            answer = .unknown(PaymentError(.outcomeUnknown, detail: "a repeat was refused"))
        }
        if let ending = answer.ending(of: id, began, now: environment.wallTime()) {
            _ = await conclude(id, .ended(ending, by: .vendor))
        } else if case .unknown(let error) = answer,
            await journal.read({ $0[id]?.isOpen == true })
        {
            // Before the fact, so that nobody writes after it that the call still runs.
            if sending.contains(id) { cameLate.insert(id) }
            await append([.leftOpen(.init(error: error))], for: id)
        }
        await tellOpenPayments()
    }

    /// The first answer to a follow-up that is asked for again.
    ///
    /// While it is open the books are asked. What they tell everything of and do not know is sent
    /// again where its key keeps it from acting twice: had the first request acted before the key
    /// was forgotten, they would know it.
    private func outcome(
        of earlier: AttemptBook.Attempt,
        _ followUp: FollowUp,
        at backOffice: any BackOffice
    ) async -> FollowUpOutcome {
        if let ending = earlier.ending { return ending.followUpOutcome }
        guard case .followUp(let outcome)? = await resolve(earlier.id) else {
            return .failed(PaymentError(.notFound))
        }
        let attempt = PaymentAttempt(
            id: earlier.id,
            account: earlier.began.account,
            operation: followUp.operation,
            startedAt: earlier.startedAt,
            amount: earlier.began.amount
        )
        guard case .unresolved(let open) = outcome, case .mayStillAppear = open.reason,
            protection(of: attempt, at: backOffice)
                .allowsRepeat(after: backOffice.capabilities.appearsWithin),
            sending.insert(attempt.id).inserted
        else { return outcome }
        let now = await journal.read { $0[attempt.id] }
        guard let now, now.isOpen, now.leftOpen?.vendorRunning != true,
            now.history.count > earlier.history.count, now.wasLookedUpInVain
        else {
            sending.remove(attempt.id)
            return await self.outcome(ofEnded: attempt.id) ?? outcome
        }
        let lost = now.leftOpen?.error ?? PaymentError(.outcomeUnknown)
        return await send(attempt, at: backOffice, earlier.began, after: lost)
    }

    /// How a follow-up ended; nil while nobody knows.
    private func outcome(ofEnded id: AttemptID) async -> FollowUpOutcome? {
        guard let attempt = await journal.read({ $0[id] }), !attempt.isOpen,
            case .followUp(let outcome)? = attempt.resolution
        else { return nil }
        return outcome
    }

    // MARK: Checking

    private func check(
        _ followUp: FollowUp
    ) throws(PaymentRefusal) -> (Acquirer, any BackOffice) {
        if let problem = followUp.id.problem {
            throw .invalidRequest(.init(field: "id", problem: problem))
        }
        let receipt = followUp.receipt
        guard let acquirer = acquirer(of: receipt.account) else {
            throw .invalidRequest(
                .init(field: "account", problem: "\(receipt.account) is not configured")
            )
        }
        let kind = followUp.kind
        guard let backOffice = acquirer.backOffice, backOffice.capabilities.followUps.contains(kind)
        else {
            throw .missingCapability(
                Capability("followUp.\(kind)", "a \(kind)"),
                provider: acquirer.account.provider,
                available: []
            )
        }
        guard followUp.amount.currency == receipt.asked.currency else {
            throw .invalidRequest(
                .init(field: "amount", problem: "must be in \(receipt.asked.currency)")
            )
        }
        guard receipt.asked.ifKnown != nil else {
            throw .invalidRequest(
                .init(field: "receipt", problem: "names no amount yet; identify the payment first")
            )
        }
        guard !followUp.amount.isZero else {
            throw .invalidRequest(.init(field: "amount", problem: "zero cannot be moved"))
        }
        if kind != .refund, receipt.kind != .authorization {
            throw .invalidRequest(
                .init(field: "authorization", problem: "names a \(receipt.kind), which is no hold")
            )
        }
        if kind == .refund, ![.sale, .capture].contains(receipt.kind) {
            throw .invalidRequest(
                .init(
                    field: "receipt",
                    problem: receipt.kind == .authorization
                        ? "names a hold; void it, or capture it first"
                        : "names a \(receipt.kind), which cannot be refunded"
                )
            )
        }
        return (acquirer, backOffice)
    }
}

extension BackOfficeAnswer {
    /// Whether it may be the answer to one of several requests alone, and say nothing of the others.
    ///
    /// A refusal need not have looked at the key at all. A decline is the first answer again where the
    /// key brings that back; elsewhere it may only say that there is nothing left to give.
    fileprivate func isOfRepeatAlone(_ protection: RepeatProtection) -> Bool {
        switch self {
        case .notDone: true
        case .declined: !protection.bringsFirstAnswer
        case .done, .pending, .unknown: false
        }
    }

    /// The ending that an answer means by itself; nil when only the books can tell.
    fileprivate func ending(
        of id: AttemptID,
        _ began: JournalEntry.Began,
        now: Date
    ) -> Ending? {
        switch self {
        case .done(let approval):
            .done(Receipt(of: id, began: began, approval: approval, now: now))
        case .pending(let approval):
            .pending(Receipt(of: id, began: began, approval: approval, now: now))
        case .declined(let decline): .declined(decline)
        case .notDone(let error): .failed(error)
        case .unknown: nil
        }
    }
}

extension JournalEntry.LeftOpen {
    /// A request whose answer was lost, and that is sent again now.
    fileprivate static func again(after lost: PaymentError) -> Self {
        Self(error: lost, vendorRunning: true, isSentAgain: true)
    }
}

extension JournalEntry {
    /// Whether a request was sent again.
    fileprivate var isRepeat: Bool {
        if case .leftOpen(let open) = fact { open.isSentAgain } else { false }
    }
}

extension AttemptBook.Attempt {
    /// Whether the last thing known of it is that the books told everything, and nothing like it.
    fileprivate var wasLookedUpInVain: Bool {
        guard case .lookedUp(let look)? = history.last?.fact else { return false }
        return look.complete && look.candidates == 0
    }
}
