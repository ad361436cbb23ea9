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
        let captured: FinixWire.Payment
        do throws(WireError) {
            captured = try await api.send(
                .put,
                path(reference),
                body,
                as: FinixWire.Payment.self
            )
            .body
        } catch {
            guard error.decline?.category == .holdGone else { throw error }
            return await gone(reference, error)
        }
        guard let id = captured.transfer else {
            return .unknown(PaymentError(.malformedAnswer, detail: "no transfer in the answer"))
        }
        let moved = FinixReference.transfer(id)
        let accepted = Approval(references: [moved], amount: .reported(attempt.amount))
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
            .body
        let accepted = Approval(
            references: [FinixReference.release(reference.value)],
            amount: .reported(attempt.amount)
        )
        guard let record = FinixRecords.release(hold) else { return .pending(accepted) }
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
        let transfer = try await api.send(
            .post,
            "/transfers/\(reference.value)/reversals",
            body,
            as: FinixWire.Payment.self
        ).body
        let accepted = Approval(
            references: [FinixReference.transfer(transfer.id)],
            amount: .reported(attempt.amount)
        )
        guard let record = FinixRecords.transfer(transfer) else { return .pending(accepted) }
        return answer(record, accepted)
    }

    private func answer(_ record: AcquirerRecord, _ accepted: Approval) -> BackOfficeAnswer {
        switch record.state {
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
        receipt.references.first { $0.kind == kind }
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
            } else if let id = answer.body.transfer {
                let transfer = try await transfer(FinixReference.transfer(id)).body
                listing.records += FinixRecords.capture(transfer, of: parent).map { [$0] } ?? []
                listing.isComplete = !listing.records.isEmpty
            }
        } catch {
            throw error.error
        }
    }

    /// Lists the refunds of a payment; this list counts by offset and not by cursor.
    func listRefunds(
        _ query: RecordQuery,
        into listing: inout RecordListing
    ) async throws(PaymentError) {
        let parents = query.parents.filter { $0.kind == FinixReference.transferKind }
        guard let parent = parents.first else {
            listing.isComplete = false
            return
        }
        for page in 0..<Self.mostPages {
            let answer: WireAnswer<FinixWire.Page<FinixWire.Payment>>
            do throws(WireError) {
                answer = try await api.get(
                    "/transfers/\(parent.value)/reversals",
                    query: [("limit", "100"), ("offset", "\(page * 100)")],
                    as: FinixWire.Page<FinixWire.Payment>.self
                )
            } catch {
                throw error.error
            }
            listing.acquirerTime = answer.time
            let records = answer.body.rows.map { FinixRecords.transfer($0) }
            listing.records += records.compactMap(\.self)
            if answer.body.unreadable > 0 || records.contains(where: { $0 == nil }) {
                listing.isComplete = false
            }
            if answer.body.rows.count + answer.body.unreadable < 100 { return }
        }
        listing.isComplete = false
    }
}
