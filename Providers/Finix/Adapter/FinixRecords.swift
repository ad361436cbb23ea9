import PaymentCore
import PaymentTransport

/// Finix's resources as records of the acquirer's books.
enum FinixRecords {
    /// Whether Finix can be asked for a reference; the reader's own names cannot be.
    static func isFetchable(_ reference: AcquirerReference) -> Bool {
        [FinixReference.transferKind, FinixReference.authorizationKind].contains(reference.kind)
    }

    static func record(_ transfer: FinixWire.Transfer) -> AcquirerRecord? {
        guard let kind = kind(of: transfer),
            let amount = money(transfer.amount, transfer.currency),
            let createdAt = WireDate.parse(transfer.created_at)
        else { return nil }
        let reference = FinixReference.transfer(transfer.id)
        let card = transfer.card_present_details?.card
        var record = AcquirerRecord(
            reference: reference,
            kind: kind,
            amount: amount,
            state: state(
                transfer.state,
                failure: transfer.failure_code?.value,
                message: transfer.failure_message?.value,
                reference: reference,
                card: card
            ),
            createdAt: createdAt
        )
        record.amountRequested = transfer.amount_requested
            .flatMap { money($0, transfer.currency) }
        record.device = transfer.device
        record.marker = transfer.idempotency_id
        record.parent = transfer.parent_transfer.map(FinixReference.transfer)
        record.card = card
        record.method = .tap
        record.approvalCode = transfer.card_present_details?.approval_code
        record.supportIdentifiers = transfer.trace_id.map { ["traceId": $0] } ?? [:]
        return record
    }

    static func record(_ authorization: FinixWire.Authorization) -> AcquirerRecord? {
        guard let amount = money(authorization.amount, authorization.currency),
            let createdAt = WireDate.parse(authorization.created_at)
        else { return nil }
        let reference = FinixReference.authorization(authorization.id)
        let card = authorization.card_present_details?.card
        var record = AcquirerRecord(
            reference: reference,
            kind: .authorization,
            amount: amount,
            state: state(
                authorization.state,
                failure: authorization.failure_code?.value,
                message: authorization.failure_message?.value,
                reference: reference,
                card: card
            ),
            createdAt: createdAt
        )
        record.amountRequested = authorization.amount_requested
            .flatMap { money($0, authorization.currency) }
        record.device = authorization.device
        record.marker = authorization.idempotency_id
        record.card = card
        record.method = .tap
        record.approvalCode = authorization.card_present_details?.approval_code
        record.expiresAt = authorization.expires_at.flatMap(WireDate.parse)
        record.supportIdentifiers = authorization.trace_id.map { ["traceId": $0] } ?? [:]
        return record
    }

    /// The transfer that a capture made.
    static func capture(
        _ transfer: FinixWire.Transfer,
        of hold: AcquirerReference?
    ) -> AcquirerRecord? {
        guard var record = record(transfer), record.kind == .sale else { return nil }
        record.kind = .capture
        record.parent = hold
        return record
    }

    /// What became of the wish to release a hold; nil when nobody wished so.
    static func release(_ authorization: FinixWire.Authorization) -> AcquirerRecord? {
        guard var record = record(authorization) else { return nil }
        record.kind = .void
        record.parent = record.reference
        record.reference = FinixReference.release(authorization.id)
        switch (authorization.is_void, authorization.void_state) {
        case (_, "SUCCEEDED"), (true, nil): record.state = .succeeded
        case (_, "PENDING"): record.state = .pending
        case (_, "FAILED"): record.state = .cancelled
        case (true, let state?) where state != "UNATTEMPTED": record.state = .unknown(state)
        default: return nil
        }
        return record
    }

    private static func kind(of transfer: FinixWire.Transfer) -> AttemptKind? {
        switch transfer.type {
        case "DEBIT": .sale
        case "REVERSAL": transfer.parent_transfer == nil ? .refundToCard : .refund
        case "CREDIT": .refundToCard
        case "FEE", "ADJUSTMENT", "DISPUTE", "RESERVE", "SETTLEMENT": nil
        default: .sale
        }
    }

    private static func money(_ minorUnits: Int64, _ code: String) -> Money? {
        Currency(code: code.uppercased())
            .flatMap { try? Money(minorUnits: minorUnits, currency: $0) }
    }

    private static func state(
        _ state: String,
        failure: String?,
        message: String?,
        reference: AcquirerReference,
        card: CardSummary?
    ) -> AcquirerRecord.State {
        switch state {
        case "SUCCEEDED": .succeeded
        case "FAILED":
            .declined(
                FinixDeclines.decline(
                    code: failure,
                    message: message,
                    references: [reference],
                    card: card
                )
            )
        case "CANCELED": .cancelled
        case "PENDING": .pending
        default: .unknown(Scrubbing.scrub(state))
        }
    }
}
