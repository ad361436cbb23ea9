public import PaymentCore

extension ReceiptDocument {
    /// The document of a receipt, whatever it is the receipt of.
    public init(_ receipt: Receipt) { self.init(receipt, status: Self.status(of: receipt)) }

    /// The document of a payment's end.
    ///
    /// - Parameters:
    ///   - outcome: How the payment ended.
    ///   - subject: What it was about; a receipt within the outcome knows better.
    public init(_ outcome: PaymentOutcome, of subject: Subject) {
        switch outcome {
        case .approved(let receipt):
            // Less than was asked is all there is to pay where the surcharge was left out.
            let isSale = receipt.kind == .sale
            self.init(receipt, status: isSale ? .approved : Self.status(of: receipt))
        case .partlyApproved(let receipt, let remaining):
            self.init(receipt, status: .partlyApproved, remaining: remaining)
        case .authorized(let authorization):
            self.init(
                authorization.receipt,
                status: .held,
                expiresAt: authorization.expiresAt
            )
        case .declined(let decline): self.init(decline, of: subject)
        case .cancelled:
            self.init(.cancelled, subject, message: MessageKey("outcome.cancelled"))
        case .failed(let error): self.init(.failed, subject, message: error.messageKey)
        case .unresolved(let payment): self.init(payment, of: subject)
        }
    }

    /// The document of the end of a capture, void or refund.
    ///
    /// - Parameters:
    ///   - outcome: How it ended.
    ///   - subject: What it was about; a receipt within the outcome knows better.
    public init(_ outcome: FollowUpOutcome, of subject: Subject) {
        switch outcome {
        case .done(let receipt): self.init(receipt, status: Self.status(of: receipt))
        case .pending(let receipt): self.init(receipt, status: .pending)
        case .declined(let decline): self.init(decline, of: subject)
        case .failed(let error): self.init(.failed, subject, message: error.messageKey)
        case .unresolved(let payment): self.init(payment, of: subject)
        }
    }

    /// The document of an attempt as the journal has it.
    ///
    /// An attempt that is open is unresolved, and so is one about whose end the evidence differs.
    public init(_ attempt: AttemptBook.Attempt) {
        let subject = Subject(attempt)
        switch attempt.contradiction == nil ? attempt.told : nil {
        case .payment(let outcome): self.init(outcome, of: subject)
        case .followUp(let outcome): self.init(outcome, of: subject)
        case nil:
            self.init(
                .unresolved,
                subject,
                references: attempt.references,
                message: MessageKey("outcome.unresolved")
            )
        }
    }

    private init(
        _ receipt: Receipt,
        status: Status,
        remaining: Money? = nil,
        expiresAt: Date? = nil
    ) {
        self.init(
            status,
            Subject(
                account: receipt.account,
                order: receipt.order,
                kind: receipt.kind,
                asked: receipt.asked,
                tip: receipt.tip,
                surcharge: receipt.surcharge,
                attempt: receipt.attempt,
                time: receipt.time,
                merchantName: receipt.merchantName
            ),
            approved: receipt.approved.money,
            remaining: remaining,
            card: receipt.card,
            method: receipt.method,
            approvalCode: receipt.approvalCode,
            references: receipt.references,
            url: receipt.url,
            expiresAt: expiresAt
        )
    }

    private init(_ decline: Decline, of subject: Subject) {
        self.init(
            .declined,
            subject,
            card: decline.card,
            references: decline.references,
            message: decline.messageKey
        )
    }

    private init(_ payment: UnresolvedPayment, of subject: Subject) {
        var subject = subject
        subject.account = payment.account
        subject.order = payment.order
        subject.kind = payment.kind
        subject.asked = payment.amount
        subject.attempt = payment.attempt
        self.init(.unresolved, subject, message: MessageKey("outcome.unresolved"))
    }

    private static func status(of receipt: Receipt) -> Status {
        switch receipt.kind {
        case .sale:
            if let money = receipt.approved.money, money.currency == receipt.asked.currency,
                money.minorUnits < receipt.asked.minorUnits
            {
                .partlyApproved
            } else {
                .approved
            }
        case .authorization: .held
        case .capture: .captured
        case .void: .released
        case .refund, .refundToCard: .refunded
        }
    }
}

extension ReceiptDocument.Subject {
    /// What an attempt in the journal is about.
    public init(_ attempt: AttemptBook.Attempt) {
        let began = attempt.began
        self.init(
            account: began.account,
            order: began.order,
            kind: began.kind,
            asked: began.amount,
            tip: began.tip,
            surcharge: began.surcharge,
            attempt: attempt.id,
            time: attempt.history.last?.at ?? attempt.startedAt,
            merchantName: began.merchantName
        )
    }
}
