// Values as a journal kept them: what was checked when it was written is not checked again.

extension Receipt {
    /// Creates a receipt from what was kept.
    init(
        kept account: Account,
        attempt: AttemptID,
        order: Order,
        kind: AttemptKind,
        references: [AcquirerReference],
        asked: Money,
        approved: ApprovedAmount,
        tip: Money?,
        surcharge: Money?,
        card: CardSummary?,
        method: PaymentMethod,
        approvalCode: String?,
        time: Date,
        url: URL?,
        merchantName: String?,
        supportIdentifiers: [String: String]
    ) {
        self.account = account
        self.attempt = attempt
        self.order = order
        self.kind = kind
        self.references = references
        self.asked = asked
        self.approved = approved
        self.tip = tip
        self.surcharge = surcharge
        self.card = card
        self.method = method
        self.approvalCode = approvalCode
        self.time = time
        self.url = url
        self.merchantName = merchantName
        self.supportIdentifiers = supportIdentifiers
    }
}

extension CardSummary {
    /// Creates a summary from what was kept.
    init(kept brand: String?, lastFour: String?, funding: String?) {
        self.brand = brand
        self.lastFour = lastFour
        self.funding = funding
    }
}

extension Decline {
    /// Creates a decline from what was kept.
    init(
        kept category: Category,
        code: String?,
        detail: String?,
        references: [AcquirerReference],
        card: CardSummary?
    ) {
        self.category = category
        self.code = code
        self.detail = detail
        self.references = references
        self.card = card
    }
}

extension AcquirerReference {
    /// Creates a reference from what was kept.
    init(kept kind: String, value: String) {
        self.kind = kind
        self.value = value
    }
}

extension Order {
    /// Creates an order without a part from ASCII text; nil when that has to be looked at closely.
    init?(kept text: UnsafeRawBufferPointer) {
        guard Self.isPlain(text) else { return nil }
        id = String(decoding: text, as: UTF8.self)
        part = nil
    }
}
