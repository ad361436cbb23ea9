/// What is missing before a provider can take a payment.
public struct ProviderReadiness: Hashable, Sendable {
    /// Whether this device can read cards at all.
    public var isSupported: Bool
    /// Whether the merchant accepted the reader's terms.
    public var link: Link
    /// Whether the reader has a session.
    public var isPrepared: Bool
    /// Whether the merchant's consent was lost.
    public var isSignedOut: Bool

    /// Creates a readiness.
    public init(isSupported: Bool, link: Link, isPrepared: Bool, isSignedOut: Bool = false) {
        self.isSupported = isSupported
        self.link = link
        self.isPrepared = isPrepared
        self.isSignedOut = isSignedOut
    }

    /// Whether a payment can start at once.
    public var isReady: Bool { isSupported && link == .linked && isPrepared && !isSignedOut }

    /// The state of the merchant's link to the reader.
    public enum Link: String, Hashable, Sendable, Codable, CaseIterable {
        /// The terms are accepted.
        case linked
        /// The terms are not accepted.
        case notLinked
        /// It could not be found out.
        case unknown
        /// This provider has nothing to link.
        case notNeeded
    }
}
