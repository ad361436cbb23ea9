extension PaymentEngine {
    /// Claims an attempt's order at the app's back end, where one keeps claims.
    func claim(
        _ id: AttemptID,
        _ entry: JournalEntry,
        isAgain: Bool = false
    ) async throws(PaymentRefusal) {
        guard let claiming, let claim = claiming.claim(id, entry) else { return }
        // An order that the journal refuses need not be claimed, and is refused with more to say.
        let refusal = await journal.read { book -> PaymentRefusal? in
            do throws(PaymentRefusal) {
                _ = try book.check(entry)
                return nil
            } catch {
                return error
            }
        }
        if let refusal { throw refusal }
        let answer = await shield.run(deadline: Self.claimAnswer) {
            do throws(PaymentError) {
                return Result<OrderClaimAnswer, PaymentError>.success(
                    try await claiming.claims.claim(claim)
                )
            } catch {
                return .failure(error)
            }
        } late: { _ in
            if !claiming.goesOnUnclaimed { await self.release(claim, unlessBegun: true) }
        }
        switch answer {
        case .success(.granted): return
        case .success(.taken(let other)):
            // The till's own earlier attempt is free by now; the back end was not told yet.
            guard !isAgain,
                await journal.read({ book in
                    book[other.attempt].map { book.isFree($0) } ?? false
                }),
                await tellRelease(of: other)
            else { throw .claimed(other) }
            try await self.claim(id, entry, isAgain: true)
        case .failure(let error):
            guard claiming.goesOnUnclaimed, Self.leavesOpen(error) else {
                // It may have been claimed all the same.
                await release(claim, unlessBegun: true)
                throw .cannotClaim(error)
            }
        case nil:
            guard claiming.goesOnUnclaimed else {
                await release(claim, unlessBegun: true)
                throw .cannotClaim(PaymentError(.timedOut, detail: "the claim was not answered"))
            }
        }
    }

    /// Lets go of the order of an attempt that has moved no money, or whose hold was released.
    func releaseIfFree(_ id: AttemptID) async {
        guard let claiming else { return }
        let claim = await journal.read { book -> OrderClaim? in
            guard let attempt = book[id].flatMap({ book.payment(of: $0) }),
                book.isFree(attempt)
            else { return nil }
            return claiming.claim(attempt.id, attempt.startedAt, attempt.began)
        }
        if let claim { await release(claim) }
    }

    /// Lets go of the order of an attempt that the journal did not take.
    func releaseUnbegun(_ id: AttemptID, _ entry: JournalEntry) async {
        guard let claim = claiming?.claim(id, entry) else { return }
        await release(claim, unlessBegun: true)
    }

    /// Lets go of a claim, now or with a later one.
    func release(_ claim: OrderClaim, unlessBegun: Bool = false) async {
        if unlessBegun, await journal.read({ $0[claim.attempt] != nil }) { return }
        unreleased.append(claim)
        environment.start { await self.releaseClaims() }
    }

    /// Tells the back end what it was not told yet; what fails is told another time.
    func releaseClaims() async {
        if let releasing { await releasing.value() }
        guard claiming != nil, releasing == nil else { return }
        let ended = OneShot<Void>()
        releasing = ended
        await collectClaims()
        var failed: [OrderClaim] = []
        while !unreleased.isEmpty {
            let claim = unreleased.removeFirst()
            if await !tellRelease(of: claim) { failed.append(claim) }
        }
        unreleased = failed
        releasing = nil
        ended.resolve(())
    }

    /// Tells the back end that a claim is let go; false when that is not certain.
    private func tellRelease(of claim: OrderClaim) async -> Bool {
        guard let claims = claiming?.claims else { return true }
        let told = await shield.run(deadline: Self.claimAnswer) {
            do throws(PaymentError) {
                try await claims.release(claim)
                return true
            } catch {
                return false
            }
        }
        return told ?? false
    }

    /// Asks the back end which claims of this till it still has, and lets go of those that are free:
    /// an earlier process may not have told so.
    private func collectClaims() async {
        guard let claiming, !hasCollectedClaims else { return }
        let claims = await shield.run(deadline: Self.claimAnswer) {
            try? await claiming.claims.claims(
                ofTill: claiming.till,
                since: Date(timeIntervalSince1970: 0)
            )
        }
        guard let claims = claims ?? nil else { return }
        hasCollectedClaims = true
        let known = Set(unreleased.map(\.attempt))
        unreleased += await journal.read { book in
            claims.filter { claim in
                !known.contains(claim.attempt)
                    && book[claim.attempt].map { book.isFree($0) } ?? false
            }
        }
    }

    /// Whether an error says no more than that there was no answer; a refusal is one.
    private static func leavesOpen(_ error: PaymentError) -> Bool {
        [.networkUnavailable, .timedOut, .acquirerUnavailable].contains(error.code)
    }

    /// How long a cashier waits for the back end.
    private static let claimAnswer = Duration.seconds(5)
}

extension PaymentEngine {
    /// Takes over what the app's back end and the acquirers know and the journal does not.
    func adopt(since: Date) async throws(PaymentError) -> Adoption {
        var adoption = Adoption()
        if let claiming {
            let claims = try await answered("the back end's claims") { () throws(PaymentError) in
                try await claiming.claims.claims(ofTill: claiming.till, since: since)
            }
            for claim in claims {
                guard await journal.read({ $0[claim.attempt] == nil }),
                    runningUntold != claim.attempt
                else { continue }
                await adopt(claim, &adoption)
            }
            await tellOpenPayments()
        }
        for acquirer in acquirers {
            guard let backOffice = acquirer.backOffice else { continue }
            let kinds = acquirer.provider.capabilities.kinds
            for kind in [AttemptKind.sale, .authorization]
            where PaymentRequest.Kind(rawValue: kind.rawValue).map(kinds.contains) == true {
                let now = environment.wallTime()
                let query = RecordQuery(
                    account: acquirer.account,
                    created: min(since, now)...now.addingTimeInterval(3_600),
                    kind: kind
                )
                let listing = try await answered("the books") { () throws(PaymentError) in
                    try await backOffice.records(query)
                }
                adoption.isComplete = adoption.isComplete && listing.isComplete
                let known = Set(adoption.strangers.map(\.reference))
                adoption.strangers += await journal.read { book in
                    listing.records.map(\.scrubbed).filter { record in
                        book.isStranger(record)
                            && !(record.reference.isDistinct && known.contains(record.reference))
                    }
                }
                await contradict(
                    by: journal.read { book in
                        book.contradicting(listing.records.map(\.scrubbed), of: listing.account)
                    }
                )
            }
        }
        return adoption
    }

    /// An answer that is waited for no longer than somebody should.
    private func answered<Value: Sendable>(
        _ who: String,
        _ question: @escaping @Sendable () async throws(PaymentError) -> Value
    ) async throws(PaymentError) -> Value {
        let answer = await shield.run(deadline: settling.preparationDeadline) {
            do throws(PaymentError) {
                return Result<Value, PaymentError>.success(try await question())
            } catch {
                return .failure(error)
            }
        }
        guard let answer else { throw PaymentError(.timedOut, detail: "\(who) did not answer") }
        return try answer.get()
    }

    private func adopt(_ claim: OrderClaim, _ adoption: inout Adoption) async {
        let began = JournalEntry.Began(
            account: claim.account,
            order: claim.order,
            kind: claim.kind,
            amount: claim.amount
        )
        let entry = JournalEntry(at: claim.at, attempt: claim.attempt, fact: .began(began))
        do throws(PaymentRefusal) {
            guard acquirer(of: claim.account) != nil, claim.kind.isAtCounter else {
                throw .invalidRequest(.init(field: "account", problem: "is not configured"))
            }
            _ = try await journal.begin(entry)
        } catch {
            adoption.refused.append(.init(claim: claim, reason: error))
            return
        }
        await append([.leftOpen(.init(error: nil))], for: claim.attempt)
        let payment = await journal.read { book in
            book[claim.attempt].map { book.unresolved($0) }
        }
        if let payment { adoption.adopted.append(payment) }
    }
}

/// What a journal did not know.
public struct Adoption: Sendable {
    /// The till's own attempts, by the app's back end; unresolved from here on.
    public var adopted: [UnresolvedPayment] = []
    /// Claims that could not be taken over.
    public var refused: [Refused] = []
    /// Payments in the acquirers' books that no attempt of the journal claims: of other tills, of
    /// other apps, or of this till before its journal was lost.
    public var strangers: [AcquirerRecord] = []
    /// Whether the books told everything in the span.
    public var isComplete = true

    /// A claim that could not be taken over.
    public struct Refused: Sendable {
        /// The claim.
        public let claim: OrderClaim
        /// Why.
        public let reason: PaymentRefusal
    }
}

extension OrderClaiming {
    fileprivate func claim(_ id: AttemptID, _ entry: JournalEntry) -> OrderClaim? {
        guard case .began(let began) = entry.fact else { return nil }
        return claim(id, entry.at, began)
    }

    fileprivate func claim(
        _ id: AttemptID,
        _ at: Date,
        _ began: JournalEntry.Began
    ) -> OrderClaim? {
        guard began.kind.isAtCounter else { return nil }
        return OrderClaim(
            order: began.order,
            attempt: id,
            till: till,
            account: began.account,
            kind: began.kind,
            amount: began.amount,
            at: at
        )
    }
}

extension AttemptBook {
    /// The payment at the counter that an attempt is, or follows.
    fileprivate func payment(of attempt: Attempt) -> Attempt? {
        attempt.began.kind.isAtCounter ? attempt : attempt.began.parent.flatMap { self[$0] }
    }

    /// Whether a payment at the counter leaves its order as it was.
    fileprivate func isFree(_ attempt: Attempt) -> Bool {
        attempt.began.kind.isAtCounter && !attempt.isOpen && !isTaken(by: attempt)
    }

    /// Whether no attempt claims a record, by its marker or any of its names.
    fileprivate func isStranger(_ record: AcquirerRecord) -> Bool {
        attempt(marked: record.marker) == nil
            && ([record.reference] + record.otherReferences).allSatisfy { claimant(of: $0) == nil }
    }
}
