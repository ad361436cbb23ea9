public import Simulation

/// What a provider issues so that a reader may be prepared for a merchant.
///
/// It never prints its text.
public struct ReaderToken: Sendable {
    /// The merchant it is for, as the simulated reader would find it inside.
    public let merchant: String
    /// When it was issued; it does not age without.
    public let issuedAt: VirtualClock.Instant?
    /// How long it and the session made from it are good.
    public let lifetime: Duration
    /// How long it may wait before it is used; a session made in time is not concerned.
    public let patience: Duration?
    /// Whether it may be used once only.
    public let isOneTime: Bool
    /// Whether it is signed and spelled as it should be.
    public let isWellFormed: Bool
    let text: String

    /// A token for the merchant `merchant-1` that does not age.
    public init(_ text: String) { self.init(text: text, merchant: "merchant-1") }

    /// Creates a token.
    ///
    /// - Parameters:
    ///   - text: The secret; empty text is a missing token.
    ///   - merchant: Whom it is for.
    ///   - issuedAt: When it was issued; it does not age without.
    ///   - lifetime: How long it and the session made from it are good.
    ///   - patience: How long it may wait before it is used; as long as it is good without.
    ///   - isOneTime: Whether it may be used once only.
    ///   - isWellFormed: Whether it is signed and spelled as it should be.
    public init(
        text: String,
        merchant: String,
        issuedAt: VirtualClock.Instant? = nil,
        lifetime: Duration = .seconds(48 * 3_600),
        patience: Duration? = nil,
        isOneTime: Bool = false,
        isWellFormed: Bool = true
    ) {
        self.text = text
        self.merchant = merchant
        self.issuedAt = issuedAt
        self.lifetime = lifetime
        self.patience = patience
        self.isOneTime = isOneTime
        self.isWellFormed = isWellFormed
    }

    func isTooOld(at now: VirtualClock.Instant) -> Bool {
        issuedAt.map { $0.duration(to: now) >= lifetime } ?? false
    }

    func waitedTooLong(at now: VirtualClock.Instant) -> Bool {
        guard let issuedAt, let patience else { return false }
        return issuedAt.duration(to: now) > patience
    }
}

extension ReaderToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Kind and length alone.
    public var description: String { "token(\(text.utf8.count) bytes)" }

    /// Kind and length alone.
    public var debugDescription: String { description }

    /// Nothing to look into.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
