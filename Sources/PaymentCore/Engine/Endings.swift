// How answers and records become endings, and endings become what an app is told.

extension JournalEntry.Began {
    /// The ending that an approval means: in full, in part, held or done.
    func ending(
        of attempt: AttemptID,
        for approval: Approval,
        expiresAt: Date?,
        now: Date
    ) -> Ending {
        let receipt = Receipt(of: attempt, began: self, approval: approval, now: now)
        switch kind {
        case .authorization:
            return .authorized(Authorization(receipt: receipt, expiresAt: expiresAt))
        case .sale, .refundToCard:
            guard !leavesOutSurcharge(approval.amount.money), let approved = approval.amount.money,
                let remaining = try? amount.subtracting(approved), !remaining.isZero
            else { return .approved(receipt) }
            return .partlyApproved(receipt, remaining: remaining)
        case .capture, .void, .refund: return .done(receipt)
        }
    }
}

extension JournalEntry.Began {
    /// Whether an amount is all that was asked for save the surcharge, which an acquirer may leave
    /// out, as for a debit card.
    func leavesOutSurcharge(_ money: Money?) -> Bool {
        guard let money, let surcharge, !surcharge.isZero else { return false }
        return (try? amount.subtracting(surcharge)) == money
    }

    /// Whether the acquirer's books may call an amount the one that was asked for.
    func mayHaveAsked(_ money: Money) -> Bool { money == amount || leavesOutSurcharge(money) }
}

extension PaymentAttempt {
    /// What the journal keeps of the attempt.
    func began(device: String? = nil, software: [String: String] = [:]) -> JournalEntry.Began {
        var request: PaymentRequest?
        if case .take(let taken) = operation { request = taken }
        return JournalEntry.Began(
            account: account,
            order: order,
            kind: kind,
            amount: amount,
            tip: request?.tip,
            surcharge: request?.surcharge,
            merchantName: request?.merchantName,
            device: Scrubbing.distinct(device),
            software: software.isEmpty ? nil : software
        )
    }

    /// The ending that an approval at the counter means.
    func ending(for approval: Approval, expiresAt: Date?, now: Date) -> Ending {
        began().ending(of: id, for: approval, expiresAt: expiresAt, now: now)
    }

    func unresolved(
        because reason: UnresolvedPayment.Reason,
        candidates: [AcquirerRecord]
    ) -> UnresolvedPayment {
        UnresolvedPayment(
            attempt: id,
            account: account,
            order: order,
            kind: kind,
            amount: amount,
            startedAt: startedAt,
            reason: reason,
            candidates: candidates
        )
    }
}

extension AttemptBook.Attempt {
    /// The ending that the acquirer's final record of the attempt means.
    func ending(for record: AcquirerRecord, now: Date) -> Ending {
        switch record.state {
        case .succeeded:
            began.ending(of: id, for: record.approval, expiresAt: record.expiresAt, now: now)
        case .declined(let decline): .declined(decline)
        case .cancelled, .payable, .pending, .unknown: .cancelled
        }
    }

    /// How the attempt stands, for whoever asked to resolve it.
    var resolution: Resolution? {
        let isPayment = began.kind.isAtCounter
        if let ending { return ending.resolution(isPayment: isPayment) }
        guard let verdict else { return nil }
        return verdict.ending(of: self).resolution(isPayment: isPayment)
    }

    /// What is known about how the attempt ended; nil while nobody knows.
    public var told: Resolution? { resolution }

    /// Whether new evidence may still change what is known.
    var canChange: Bool {
        ending?.isPending ?? true
    }
}

extension PersonalVerdict {
    /// Whether evidence says the opposite of what the person decided.
    func contradicts(_ ending: Ending) -> Bool {
        (ending.receipt != nil) != (decision != .notMoved)
    }

    /// What a person's decision means for whoever asks; the amount is not confirmed by it.
    func ending(of attempt: AttemptBook.Attempt) -> Ending {
        guard case .moved(let reference) = decision else {
            return .failed(PaymentError(.settledByPerson))
        }
        let approval = Approval(references: reference.map { [$0] } ?? [])
        return attempt.began.ending(
            of: attempt.id,
            for: approval,
            expiresAt: nil,
            now: attempt.history.last?.at ?? attempt.startedAt
        )
    }
}

extension Ending {
    /// What the app is told about a payment that ended so.
    var outcome: PaymentOutcome {
        switch self {
        case .approved(let receipt), .done(let receipt), .pending(let receipt): .approved(receipt)
        case .partlyApproved(let receipt, let remaining):
            .partlyApproved(receipt, remaining: remaining)
        case .authorized(let authorization): .authorized(authorization)
        case .declined(let decline): .declined(decline)
        case .cancelled: .cancelled
        case .failed(let error): .failed(error)
        }
    }

    /// What the app is told about a follow-up that ended so.
    var followUpOutcome: FollowUpOutcome {
        switch self {
        case .done(let receipt), .approved(let receipt), .partlyApproved(let receipt, _):
            .done(receipt)
        case .authorized(let authorization): .done(authorization.receipt)
        case .pending(let receipt): .pending(receipt)
        case .declined(let decline): .declined(decline)
        case .failed(let error): .failed(error)
        case .cancelled: .failed(PaymentError(.notBooked))
        }
    }

    func resolution(isPayment: Bool) -> Resolution {
        isPayment ? .payment(outcome) : .followUp(followUpOutcome)
    }
}

extension ProviderAnswer {
    /// The ending that an answer means by itself; nil when only the books can tell.
    func ending(of attempt: PaymentAttempt, now: Date) -> Ending? {
        switch self {
        case .approved(let approval), .partlyApproved(let approval):
            attempt.ending(for: approval, expiresAt: nil, now: now)
        case .authorized(let approval, let expiresAt):
            attempt.ending(for: approval, expiresAt: expiresAt, now: now)
        case .declined(let decline): .declined(decline)
        case .cancelled: .cancelled
        case .notCharged(let error): .failed(error)
        case .unknown: nil
        }
    }
}

extension ProviderAnswer {
    /// An answer as far as it can be taken at its word.
    struct Belief: Sendable {
        /// The answer; unknown where it cannot be taken so.
        let answer: ProviderAnswer
        /// The approval that cannot be taken so.
        var doubted: Approval?
        /// Whether money moved all the same, by the vendor's word.
        var saidMoved = false
    }

    /// What to believe of an answer: not an approval under the record of an earlier payment, in
    /// another currency or of another kind, nor one in part that does not say how much.
    func believed(for attempt: PaymentAttempt, in journal: any AttemptJournal) async -> Belief {
        guard let approval else { return Belief(answer: self) }
        if let doubt = doubt(about: approval, for: attempt) {
            let error = PaymentError(.outcomeUnknown, detail: doubt)
            return Belief(answer: .unknown(error), doubted: approval, saidMoved: true)
        }
        let isEarlier = await journal.read { book in
            approval.references.contains { reference in
                book.claimant(of: reference).map { $0 != attempt.id } ?? false
            } || book.problem != nil
        }
        guard isEarlier else { return Belief(answer: self) }
        let error = PaymentError(
            .outcomeUnknown,
            detail: "the vendor named an earlier payment's record"
        )
        return Belief(answer: .unknown(error), doubted: approval)
    }

    /// What an answer says that money moved or is held by.
    private var approval: Approval? {
        switch self {
        case .approved(let approval), .partlyApproved(let approval), .authorized(let approval, _):
            approval
        case .declined, .cancelled, .notCharged, .unknown: nil
        }
    }

    private func doubt(about approval: Approval, for attempt: PaymentAttempt) -> String? {
        if let money = approval.amount.money, money.currency != attempt.amount.currency {
            return "approved in another currency"
        }
        switch self {
        case .partlyApproved:
            let ending = attempt.ending(for: approval, expiresAt: nil, now: .distantPast)
            if case .partlyApproved = ending { return nil }
            return "approved in part, without an amount"
        case .authorized where attempt.kind != .authorization: return "held, and not taken"
        default: return nil
        }
    }
}

extension Approval {
    /// What the books say, completed by what the vendor said at the counter.
    func merging(_ told: Approval) -> Approval {
        var merged = self
        merged.references += told.references.filter { !references.contains($0) }
        merged.card = card ?? told.card
        if merged.method == .unknown { merged.method = told.method }
        merged.approvalCode = approvalCode ?? told.approvalCode
        merged.url = url ?? told.url
        merged.supportIdentifiers.merge(told.supportIdentifiers) { books, _ in books }
        return merged
    }
}

extension Ending {
    /// Where the money is after an attempt of a kind ended so.
    func place(after kind: AttemptKind) -> MoneyPlace {
        switch self {
        case .pending: .unknown
        case .approved, .done:
            switch kind {
            case .sale, .capture: .moved
            case .authorization: .held
            case .void, .refund, .refundToCard: .none
            }
        case .partlyApproved: .partly
        case .authorized: .held
        case .declined, .cancelled, .failed:
            // What follows a payment and did not happen leaves the money where it was.
            switch kind {
            case .sale, .authorization, .refundToCard: .none
            case .capture, .void: .held
            case .refund: .moved
            }
        }
    }
}
