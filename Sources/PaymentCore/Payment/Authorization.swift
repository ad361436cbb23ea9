/// Proof that money is held; the only thing that a capture or void accepts.
public struct Authorization: Hashable, Sendable, Codable {
    /// What is known about the hold.
    public let receipt: Receipt
    /// When the hold lapses, in the acquirer's time; nil when it does not say.
    public let expiresAt: Date?

    /// Creates the proof from a receipt.
    public init(receipt: Receipt, expiresAt: Date?) {
        self.receipt = receipt
        self.expiresAt = expiresAt
    }

    /// What the money is held for.
    public var order: Order { receipt.order }
    /// The amount that is held, as far as it is known.
    public var amount: Money { receipt.approved.money ?? receipt.asked }
}
