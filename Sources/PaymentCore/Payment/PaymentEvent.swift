/// What happens during one payment, for a screen; the outcome alone decides about goods.
public struct PaymentEvent: Sendable {
    /// The attempt that it belongs to.
    public let attempt: AttemptID
    /// What happened.
    public let kind: Kind

    /// Creates an event.
    public init(attempt: AttemptID, kind: Kind) {
        self.attempt = attempt
        self.kind = kind
    }

    /// What can happen.
    public indirect enum Kind: Sendable {
        /// The attempt is written down and begins.
        case started
        /// The reader is being prepared.
        case preparing
        /// The customer may present a card.
        case presentCard
        /// The card has been read.
        case cardRead
        /// The payment is on its way to the acquirer.
        case submitting
        /// The customer may scan this address.
        case showQRCode(URL, expiresAt: Date?)
        /// The acquirer's books are being asked.
        case checking
        /// Another acquirer is tried, since the first never began.
        case switchingProvider(from: String, to: String)
        /// The end; nothing of the vendor's is on screen any more.
        case finished(PaymentOutcome)
    }

    /// Names the wording for a screen.
    public var messageKey: MessageKey {
        switch kind {
        case .started: MessageKey("event.started")
        case .preparing: MessageKey("event.preparing")
        case .presentCard: MessageKey("event.presentCard")
        case .cardRead: MessageKey("event.cardRead")
        case .submitting: MessageKey("event.submitting")
        case .showQRCode: MessageKey("event.showQRCode")
        case .checking: MessageKey("event.checking")
        case .switchingProvider: MessageKey("event.switchingProvider")
        case .finished(let outcome): outcome.messageKey
        }
    }
}
