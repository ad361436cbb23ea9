import PaymentCore
import PaymentTransport

/// Finix's resources as records of the acquirer's books.
enum FinixRecords {
    /// Whether Finix can be asked for a reference; the reader's own names cannot be.
    static func isFetchable(_ reference: AcquirerReference) -> Bool {
        [FinixReference.transferKind, FinixReference.authorizationKind].contains(reference.kind)
            && FinixWire.isIdentifier(reference.value) && reference.isDistinct
    }

    /// Whether a transfer is something between a customer and the merchant.
    static func isPayment(_ transfer: FinixWire.Payment) -> Bool {
        !["FEE", "ADJUSTMENT", "DISPUTE", "RESERVE", "SETTLEMENT"].contains(transfer.type)
    }

    /// A transfer as a record; nil when it is no payment or cannot be read.
    static func transfer(_ payment: FinixWire.Payment) -> AcquirerRecord? {
        guard let kind = kind(of: payment) else { return nil }
        return record(payment, kind, FinixReference.transfer(payment.id))
    }

    /// An authorization as a record; nil when it cannot be read.
    static func hold(_ payment: FinixWire.Payment) -> AcquirerRecord? {
        record(payment, .authorization, FinixReference.authorization(payment.id))
    }

    private static func record(
        _ payment: FinixWire.Payment,
        _ kind: AttemptKind,
        _ reference: AcquirerReference
    ) -> AcquirerRecord? {
        guard let currency = Currency(answeredCode: payment.currency),
            let amount = try? Money(minorUnits: payment.amount, currency: currency),
            let createdAt = WireDate.parse(payment.created_at), FinixReference.isKept(payment.id)
        else { return nil }
        let card = payment.card_present_details?.card
        var record = AcquirerRecord(
            reference: reference,
            kind: kind,
            amount: amount,
            state: state(
                payment.state,
                failure: payment.failure_code?.value,
                message: payment.failure_message?.value,
                reference: reference,
                card: card
            ),
            createdAt: createdAt
        )
        record.amountRequested = payment.amount_requested.flatMap {
            try? Money(minorUnits: $0, currency: currency)
        }
        // A Device that cannot be told from another is none that could be compared.
        record.device = payment.device.flatMap { FinixReference.isKept($0) ? $0 : nil }
        record.marker = payment.idempotency_id
        record.parent = payment.parent_transfer.map(FinixReference.transfer)
        record.card = card
        record.method = .tap
        record.approvalCode = payment.card_present_details?.approval_code
        record.expiresAt = payment.expires_at.flatMap(WireDate.parse)
        record.supportIdentifiers = payment.trace_id.map { ["traceId": $0] } ?? [:]
        return record
    }

    /// A transfer that nobody named; of which type it is nobody guesses.
    static func listed(_ payment: FinixWire.Payment) -> AcquirerRecord? {
        guard var record = transfer(payment) else { return nil }
        if record.state == .succeeded, !["DEBIT", "CREDIT", "REVERSAL"].contains(payment.type) {
            record.state = .unknown(Scrubbing.scrub("type \(payment.type ?? "none")"))
        }
        return record
    }

    /// A transfer from the refunds of a payment.
    static func refund(
        _ payment: FinixWire.Payment,
        of paid: AcquirerReference?
    ) -> AcquirerRecord? {
        guard isPayment(payment), payment.type != "DEBIT",
            var record = record(payment, .refund, FinixReference.transfer(payment.id))
        else { return nil }
        record.parent = record.parent ?? paid
        return record
    }

    /// The transfer that a capture made.
    static func capture(
        _ payment: FinixWire.Payment,
        of hold: AcquirerReference?
    ) -> AcquirerRecord? {
        guard var record = transfer(payment), record.kind == .sale else { return nil }
        record.kind = .capture
        record.parent = hold
        return record
    }

    /// What became of the wish to release a hold; nil when nobody wished so.
    static func release(_ authorization: FinixWire.Payment) -> AcquirerRecord? {
        guard var record = hold(authorization) else { return nil }
        record.kind = .void
        record.parent = record.reference
        record.reference = FinixReference.release(authorization.id)
        switch (authorization.is_void, authorization.void_state) {
        case (_, "SUCCEEDED"), (true, nil): record.state = .succeeded
        case (_, "PENDING"): record.state = .pending
        case (_, "FAILED"): record.state = .cancelled
        case (true, let state?): record.state = .unknown(Scrubbing.scrub(state))
        default: return nil
        }
        return record
    }

    private static func kind(of transfer: FinixWire.Payment) -> AttemptKind? {
        guard isPayment(transfer) else { return nil }
        return switch transfer.type {
        case "REVERSAL": transfer.parent_transfer == nil ? .refundToCard : .refund
        case "CREDIT": .refundToCard
        default: .sale
        }
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
