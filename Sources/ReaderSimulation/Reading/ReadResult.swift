/// What a finished read yields: no brand, no digits, no expiry, as with a live reader.
public struct ReadResult: Hashable, Sendable {
    /// How the read went at the card.
    public enum Outcome: String, Hashable, Sendable, CaseIterable {
        /// The card took part.
        case success
        /// The read failed, and the payload must be sent all the same.
        case failure
        /// The card itself refused, and the payload must be sent all the same.
        case cardDeclined
    }

    /// Names the read, for a later PIN and for support; not an idempotency key.
    public let readID: String
    /// To be sent at once, whatever the outcome.
    public let payload: CardPayload
    /// How the read went at the card.
    public let outcome: Outcome
    /// Tags of the card's answer, for receipts and providers; never a number or a date of it.
    public let tagBlock: TagBlock
    /// The contactless kernel that read the card.
    public let kernel: Int?
    /// Whether the customer used a PIN instead of the card's own way.
    public let isPINFallback: Bool
    /// Whether the customer skipped the PIN.
    public let pinBypassed: Bool
    /// The loyalty passes that were wanted and are there.
    public let passes: [LoyaltyPass]
    /// Whether no real card was read; always true here.
    public var isSimulated: Bool { true }

    init(
        payload: CardPayload,
        outcome: Outcome,
        tagBlock: TagBlock,
        kernel: Int?,
        isPINFallback: Bool,
        pinBypassed: Bool,
        passes: [LoyaltyPass] = []
    ) {
        readID = payload.readID
        self.payload = payload
        self.outcome = outcome
        self.tagBlock = tagBlock
        self.kernel = kernel
        self.isPINFallback = isPINFallback
        self.pinBypassed = pinBypassed
        self.passes = passes
    }
}
