public import PaymentCore
import PaymentTransport

extension FinixBackOffice {
    /// Captures, voids or refunds, once, and says how sure the result is.
    public func perform(_ attempt: PaymentAttempt) async -> BackOfficeAnswer {
        do throws(WireError) {
            switch attempt.operation {
            case .capture(let authorization): return try await capture(authorization, attempt)
            case .void(let authorization): return try await void(authorization, attempt)
            case .refund(let receipt): return try await refund(receipt, attempt)
            case .take:
                return .notDone(PaymentError(.requestRejected, detail: "needs a reader"))
            }
        } catch {
            if let decline = error.decline { return .declined(decline) }
            return error.mayHaveActed ? .unknown(error.error) : .notDone(error.error)
        }
    }

    /// What Finix keeps beside a record.
    private struct Tags: Encodable {
        let attempt: String

        init(_ attempt: PaymentAttempt) { self.attempt = attempt.id.description }
    }

    private struct Capture: Encodable {
        let capture_amount: Int64
        let tags: Tags
    }

    private struct Release: Encodable {
        let void_me = true
        let tags: Tags
    }

    private struct Reversal: Encodable {
        let refund_amount: Int64
        let idempotency_id: String
        let tags: Tags
    }

    private func capture(
        _ authorization: Authorization,
        _ attempt: PaymentAttempt
    ) async throws(WireError) -> BackOfficeAnswer {
        guard let reference = reference(authorization.receipt, FinixReference.authorizationKind)
        else { return .notDone(Self.noReference) }
        let body = Capture(capture_amount: attempt.amount.minorUnits, tags: Tags(attempt))
        let captured: WireAnswer<FinixWire.Payment>
        do throws(WireError) {
            captured = try await api.send(
                .put,
                path(reference),
                body,
                as: FinixWire.Payment.self
            )
        } catch {
            guard error.decline?.category == .holdGone else { throw error }
            return await gone(reference, error)
        }
        guard let id = captured.body.transfer else {
            return .unknown(
                PaymentError(
                    .malformedAnswer,
                    detail: "no transfer in the answer",
                    supportIdentifiers: FinixAPI.supportIdentifiers(captured.headers)
                )
            )
        }
        let moved = FinixReference.transfer(id)
        let accepted = accepted(moved, attempt, captured)
        // The captured sum is the transfer's; without it the capture is accepted all the same.
        guard let transfer = try? await self.transfer(moved).body,
            let record = FinixRecords.capture(transfer, of: reference)
        else { return .pending(accepted) }
        return answer(record, accepted)
    }

    /// A hold that is gone either lapsed, or was captured by a request whose answer was lost.
    private func gone(
        _ reference: AcquirerReference,
        _ failure: WireError
    ) async -> BackOfficeAnswer {
        guard let hold = try? await hold(reference).body else { return .unknown(failure.error) }
        guard hold.transfer == nil, hold.is_void != true else { return .unknown(failure.error) }
        var error = failure.error
        error.code = .expired
        return .notDone(error)
    }

    private func void(
        _ authorization: Authorization,
        _ attempt: PaymentAttempt
    ) async throws(WireError) -> BackOfficeAnswer {
        guard let reference = reference(authorization.receipt, FinixReference.authorizationKind)
        else { return .notDone(Self.noReference) }
        let body = Release(tags: Tags(attempt))
        let hold = try await api.send(.put, path(reference), body, as: FinixWire.Payment.self)
        let accepted = accepted(FinixReference.release(reference.value), attempt, hold)
        guard let record = FinixRecords.release(hold.body) else { return .pending(accepted) }
        return answer(record, accepted)
    }

    private func refund(
        _ receipt: Receipt,
        _ attempt: PaymentAttempt
    ) async throws(WireError) -> BackOfficeAnswer {
        guard let reference = reference(receipt, FinixReference.transferKind) else {
            return .notDone(Self.noReference)
        }
        let body = Reversal(
            refund_amount: attempt.amount.minorUnits,
            idempotency_id: attempt.id.description,
            tags: Tags(attempt)
        )
        let transfer: WireAnswer<FinixWire.Payment>
        do throws(WireError) {
            transfer = try await api.send(
                .post,
                "/transfers/\(reference.value)/reversals",
                body,
                as: FinixWire.Payment.self
            )
        } catch {
            guard error.decline != nil else { throw error }
            return try await refused(attempt, of: reference, error)
        }
        let accepted = accepted(FinixReference.transfer(transfer.body.id), attempt, transfer)
        guard let record = FinixRecords.refund(transfer.body, of: reference) else {
            return .pending(accepted)
        }
        return answer(record, accepted)
    }

    /// A refund that is refused was never made, or was made by an earlier request with the same
    /// id: Finix may refuse every repeat.
    private func refused(
        _ attempt: PaymentAttempt,
        of paid: AcquirerReference,
        _ refusal: WireError
    ) async throws(WireError) -> BackOfficeAnswer {
        var listing = RecordListing(
            records: [],
            isComplete: true,
            account: account,
            acquirerTime: nil
        )
        do throws(PaymentError) {
            try await listRefunds(of: paid, into: &listing)
        } catch {
            return .unknown(refusal.error)
        }
        let own = listing.records.filter { $0.marker == attempt.id.description }
        guard let made = own.first(where: { !$0.isOver }) else {
            guard listing.isComplete else { return .unknown(refusal.error) }
            throw refusal
        }
        return answer(made, made.approval)
    }

    /// What an answer of success proves before it is read any further.
    private func accepted(
        _ reference: AcquirerReference,
        _ attempt: PaymentAttempt,
        _ answer: WireAnswer<FinixWire.Payment>
    ) -> Approval {
        Approval(
            references: reference.isDistinct ? [reference] : [],
            amount: .reported(attempt.amount),
            supportIdentifiers: FinixAPI.supportIdentifiers(answer.headers)
        )
    }

    private func answer(_ known: AcquirerRecord, _ accepted: Approval) -> BackOfficeAnswer {
        var record = known
        record.supportIdentifiers.merge(accepted.supportIdentifiers) { books, _ in books }
        return switch record.state {
        case .succeeded: .done(record.approval)
        case .pending: .pending(record.approval)
        case .declined(let decline): .declined(decline)
        case .cancelled: .notDone(PaymentError(.conflict, detail: "Finix cancelled it"))
        case .payable, .unknown: .unknown(PaymentError(.outcomeUnknown))
        }
    }

    private func path(_ reference: AcquirerReference) -> String {
        "/authorizations/\(reference.value)"
    }

    private func reference(_ receipt: Receipt, _ kind: String) -> AcquirerReference? {
        receipt.references.first { $0.kind == kind && FinixRecords.isFetchable($0) }
    }

    private static let noReference = PaymentError(
        .notFound,
        detail: "the receipt names no record of Finix's that this could act on"
    )

    // MARK: Looking them up

    func hold(
        _ reference: AcquirerReference
    ) async throws(WireError) -> WireAnswer<FinixWire.Payment> {
        try await api.get(path(reference), as: FinixWire.Payment.self)
    }

    func transfer(
        _ reference: AcquirerReference
    ) async throws(WireError) -> WireAnswer<FinixWire.Payment> {
        try await api.get("/transfers/\(reference.value)", as: FinixWire.Payment.self)
    }

    /// Reads what became of a hold: one can be captured once or released once.
    func readHold(
        _ query: RecordQuery,
        into listing: inout RecordListing
    ) async throws(PaymentError) {
        let parents = query.parents.filter { $0.kind == FinixReference.authorizationKind }
        guard let parent = parents.first else {
            listing.isComplete = false
            return
        }
        do throws(WireError) {
            let answer = try await hold(parent)
            listing.acquirerTime = answer.time
            if query.kind == .void {
                listing.records += FinixRecords.release(answer.body).map { [$0] } ?? []
                listing.isComplete = !listing.records.isEmpty || answer.body.isHeld
            } else if let id = answer.body.transfer {
                let transfer = try await transfer(FinixReference.transfer(id)).body
                listing.records += FinixRecords.capture(transfer, of: parent).map { [$0] } ?? []
                listing.isComplete = !listing.records.isEmpty
            }
        } catch {
            throw error.error
        }
    }
}

extension AcquirerRecord {
    /// Whether it ended, and no money moved.
    fileprivate var isOver: Bool {
        switch state {
        case .declined, .cancelled: true
        case .succeeded, .payable, .pending, .unknown: false
        }
    }
}
