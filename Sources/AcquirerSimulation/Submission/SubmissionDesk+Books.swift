import PaymentCore
import ReaderSimulation
import Simulation
import Synchronization

extension SubmissionDesk {
    /// What becomes of one submission.
    struct Decision {
        let reply: Reply
        var isLost = false
        var comesTwice = false
    }

    /// Decides about a submission and books it, once a key.
    func decide(_ submission: Submission) -> Decision {
        if let known = state.withLock({ state in
            state.byKey[submission.key].map { state.books[$0].reply }
        }), known != .pinRequired {
            return Decision(reply: known)
        }
        if submission.minorUnits < 1 { return Decision(reply: .refused(422)) }
        let content = CardPayload.open(submission.payload.reveal())
        guard content?.merchant == submission.merchant,
            content?.minorUnits == submission.minorUnits
        else { return Decision(reply: .refused(422)) }
        let script = state.withLock { $0.scripts.isEmpty ? nil : $0.scripts.removeFirst() }
        switch script {
        case .errorBefore: return Decision(reply: .refused(500))
        case .refuse(let status): return Decision(reply: .refused(status))
        case .pending(let approves):
            book(submission, .pending)
            settle(submission, approves: approves, after: .seconds(600))
            return Decision(reply: .pending)
        case .errorAfter:
            book(submission, reply(submission).reply)
            return Decision(reply: .refused(500))
        case .declineThenApprove:
            book(submission, .declined(.issuerUnavailable))
            settle(submission, approves: true, after: .seconds(120))
            return Decision(reply: .declined(.issuerUnavailable))
        case .approveThenReverse: return reverseLater(submission)
        case nil: return decideFreely(submission)
        }
    }

    private func decideFreely(_ submission: Submission) -> Decision {
        let (reply, effect, data) = reply(submission)
        switch effect {
        case .noAnswer(charged: false): return Decision(reply: .refused(500), isLost: true)
        case .noAnswer(charged: true):
            book(submission, reply, data)
            return Decision(reply: reply, isLost: true)
        case .acquirerError: return Decision(reply: .refused(500))
        case .cancelledByAcquirer:
            book(submission, .cancelled, data)
            return Decision(reply: .cancelled)
        case .approveThenReverse: return reverseLater(submission, reply)
        default:
            book(submission, reply, data)
            return Decision(reply: reply, comesTwice: effect == .answerTwice)
        }
    }

    private func reverseLater(_ submission: Submission, _ known: Reply? = nil) -> Decision {
        let reply = known ?? reply(submission).reply
        book(submission, reply)
        world.time.clock.schedule(after: .seconds(60)) { [weak self] in
            self?.change(submission.attempt, to: .reversed)
        }
        return Decision(reply: reply)
    }

    private func reply(
        _ submission: Submission
    ) -> (reply: Reply, effect: MagicAmounts.Effect, data: CardData?) {
        let decision = world.issuer.decide(
            submission.payload.reveal(),
            minorUnits: submission.minorUnits,
            currency: submission.currency
        )
        let reply: Reply =
            switch decision.answer {
            case .approved(let minorUnits, _): .approved(minorUnits: minorUnits)
            case .declined(let refusal): .declined(refusal)
            case .asksForPIN: .pinRequired
            }
        return (reply, decision.effect, decision.data)
    }

    private func settle(_ submission: Submission, approves: Bool, after delay: Duration) {
        world.time.clock.schedule(after: delay) { [weak self] in
            self?.change(
                submission.attempt,
                to: approves
                    ? .approved(minorUnits: submission.minorUnits) : .declined(.generic)
            )
        }
    }

    private func book(_ submission: Submission, _ reply: Reply, _ data: CardData? = nil) {
        let content = CardPayload.open(submission.payload.reveal())
        let book = state.withLock { state -> Book in
            if let index = state.byKey[submission.key] {
                state.books[index].reply = reply
                state.books[index].data = data
                return state.books[index]
            }
            let book = Book(
                id: "charge-\(state.books.count + 1)",
                attempt: submission.attempt,
                currency: submission.currency,
                isRefund: content?.kind == .refund,
                reply: reply,
                data: data
            )
            state.byKey[submission.key] = state.books.count
            state.books.append(book)
            return book
        }
        move(book)
    }

    /// A payment becomes another one at the acquirer, and the acquirer says so by a notice.
    private func change(_ attempt: String, to reply: Reply) {
        let changed = state.withLock { state -> Book? in
            guard let index = state.books.lastIndex(where: { $0.attempt == attempt }),
                state.books[index].reply != reply
            else { return nil }
            state.books[index].reply = reply
            return state.books[index]
        }
        guard let changed else { return }
        world.time.trace.add("desk", "notice \(attempt): \(reply)")
        move(changed)
        tell(attempt, reply)
    }

    private func move(_ book: Book) {
        let (kind, minorUnits): (Ledger.Kind, Int64)
        switch book.reply {
        case .approved(let amount): (kind, minorUnits) = (book.isRefund ? .refund : .charge, amount)
        case .reversed:
            (kind, minorUnits) = (
                .refund, world.ledger.entries.last { $0.record == book.id }?.minorUnits ?? 0
            )
        default: return
        }
        world.ledger.book(
            Ledger.Entry(
                acquirer: "desk",
                record: book.id,
                kind: kind,
                minorUnits: minorUnits,
                currency: book.currency,
                time: world.time.wallTime
            )
        )
    }

    // MARK: - Asking and hearing

    /// What the books say about an attempt; nil when they know nothing of it.
    ///
    /// - Throws: ``Failure`` when nobody could be asked.
    public func query(_ attempt: String) async throws(Failure) -> Reply? {
        if let error = await world.device.control.networkTrouble() { throw .notSent(error) }
        try? await world.time.clock.sleep(for: .milliseconds(80))
        return book(of: attempt)?.reply
    }

    /// What a receipt may show about an attempt.
    public func cardData(of attempt: String) -> CardData? { book(of: attempt)?.data }

    private func book(of attempt: String) -> Book? {
        state.withLock { state in state.books.last { $0.attempt == attempt } }
    }

    /// Gives the money of an attempt back, unless its card is one whose refunds fail.
    ///
    /// - Returns: Whether it was accepted; it may fail later, by a notice.
    public func refund(_ attempt: String) -> Bool {
        guard let book = book(of: attempt), case .approved = book.reply else { return false }
        let fails = book.data.map { data in
            SimulatedCard.catalogue.contains {
                $0.outcome == .approvesWithoutRefunds && $0.lastFour == data.lastFour
            }
        }
        world.time.clock.schedule(after: .seconds(30)) { [weak self] in
            guard let self else { return }
            if fails == true {
                world.time.trace.add("desk", "refund of \(attempt) failed")
                tell(attempt, .refused(402))
            } else {
                change(attempt, to: .reversed)
            }
        }
        return true
    }

    /// Hears the acquirer's notices, each with the attempt it is about.
    public func hear(_ hear: @escaping @Sendable (String, Reply) -> Void) {
        state.withLock { $0.hears.append(hear) }
    }

    func tell(_ attempt: String, _ reply: Reply) {
        for hear in state.withLock({ $0.hears }) { hear(attempt, reply) }
    }

    /// Whether anything is booked about an attempt.
    public func knows(_ attempt: String) -> Bool { book(of: attempt) != nil }

    /// Whether an attempt was paid and taken back.
    public func isReversed(_ attempt: String) -> Bool { book(of: attempt)?.reply == .reversed }

    /// How often each attempt was charged, and for how much.
    public var charges: [String: [Int64]] {
        let books = state.withLock { $0.books }
        var charges: [String: [Int64]] = [:]
        for entry in world.ledger.entries(.charge) {
            guard let book = books.first(where: { $0.id == entry.record }) else { continue }
            charges[book.attempt, default: []].append(entry.minorUnits)
        }
        return charges
    }
}
