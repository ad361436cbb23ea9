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
        if case .repeated(let earlier) = try await journal.begin(entry) {
            return await outcome(of: earlier.id)
        }
        let done = OneShot<FollowUpOutcome>()
        shield.start { done.resolve(await self.perform(attempt, at: backOffice, began)) }
        return await done.value()
    }

    private func perform(
        _ attempt: PaymentAttempt,
        at backOffice: any BackOffice,
        _ began: JournalEntry.Began
    ) async -> FollowUpOutcome {
        let answer = await shield.run(deadline: settling.vendorDeadline) {
            await backOffice.perform(attempt)
        } late: { answer in
            await self.lateFollowUp(answer, to: attempt.id, began)
        }
        let now = environment.wallTime()
        if let ending = answer?.ending(of: attempt.id, began, now: now) {
            let told = await conclude(attempt.id, .ended(ending, by: .vendor))
            return (told ?? ending).followUpOutcome
        }
        var error = PaymentError(.timedOut, detail: "the acquirer's call did not come back")
        if case .unknown(let told) = answer { error = told }
        let leftOpen = JournalEntry.LeftOpen(error: error, vendorRunning: answer == nil)
        await append([.leftOpen(leftOpen)], for: attempt.id)
        let settled = await settled(
            attempt.id,
            by: backOffice,
            patience: settling.patience,
            vendorRunning: answer == nil,
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

    private func lateFollowUp(
        _ answer: BackOfficeAnswer,
        to id: AttemptID,
        _ began: JournalEntry.Began
    ) async {
        if let ending = answer.ending(of: id, began, now: environment.wallTime()) {
            _ = await conclude(id, .ended(ending, by: .vendor))
        } else if case .unknown(let error) = answer,
            await journal.read({ $0[id]?.isOpen == true })
        {
            await append([.leftOpen(.init(error: error))], for: id)
        }
        await tellOpenPayments()
    }

    /// The first answer to a follow-up, asked for again while it is open.
    private func outcome(of id: AttemptID) async -> FollowUpOutcome {
        if let ending = await journal.read({ $0[id]?.ending }) { return ending.followUpOutcome }
        switch await resolve(id) {
        case .followUp(let outcome): return outcome
        case .payment, nil: return .failed(PaymentError(.notFound))
        }
    }

    // MARK: Checking

    private func check(
        _ followUp: FollowUp
    ) throws(PaymentRefusal) -> (Acquirer, any BackOffice) {
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
