/// How a payment at the counter ended, and with it where the money is.
public indirect enum PaymentOutcome: Sendable {
    /// The money moved, in full; give the goods.
    case approved(Receipt)
    /// The money moved in part; ask for the rest, or refund.
    case partlyApproved(Receipt, remaining: Money)
    /// The money is held; capture or void it later.
    case authorized(Authorization)
    /// Nothing moved; ask for another card.
    case declined(Decline)
    /// Nothing moved; go back to the basket.
    case cancelled
    /// Nothing moved, provably; follow the error's recovery, charging again is safe.
    case failed(PaymentError)
    /// Nobody knows; charging again is refused until it is resolved, closed or settled.
    case unresolved(UnresolvedPayment)

    /// Where the money is.
    public var money: MoneyPlace {
        switch self {
        case .approved: .moved
        case .partlyApproved: .partly
        case .authorized: .held
        case .declined, .cancelled, .failed: .none
        case .unresolved: .unknown
        }
    }

    /// Names the wording for a screen.
    public var messageKey: MessageKey {
        switch self {
        case .approved: MessageKey("outcome.approved")
        case .partlyApproved: MessageKey("outcome.partlyApproved")
        case .authorized: MessageKey("outcome.authorized")
        case .declined(let decline): decline.messageKey
        case .cancelled: MessageKey("outcome.cancelled")
        case .failed(let error): error.messageKey
        case .unresolved: MessageKey("outcome.unresolved")
        }
    }
}

/// How a capture, void or refund ended.
public indirect enum FollowUpOutcome: Sendable {
    /// It is done.
    case done(Receipt)
    /// The acquirer accepted it; it may still fail.
    case pending(Receipt)
    /// The acquirer or issuer refused.
    case declined(Decline)
    /// Nothing changed, provably.
    case failed(PaymentError)
    /// Nobody knows; look it up before anything else.
    case unresolved(UnresolvedPayment)

    /// Names the wording for a screen.
    public var messageKey: MessageKey {
        switch self {
        case .done: MessageKey("followUp.done")
        case .pending: MessageKey("followUp.pending")
        case .declined(let decline): decline.messageKey
        case .failed(let error): error.messageKey
        case .unresolved: MessageKey("outcome.unresolved")
        }
    }
}

/// Where the money of a payment is.
public enum MoneyPlace: String, Hashable, Sendable, Codable, CaseIterable {
    /// With the merchant.
    case moved
    /// With the merchant in part.
    case partly
    /// Held on the card.
    case held
    /// With the customer.
    case none
    /// Unknown.
    case unknown
}
