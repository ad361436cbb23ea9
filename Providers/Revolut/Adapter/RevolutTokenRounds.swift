/// Counts how token rounds end, and says when the merchant is signed out.
///
/// A value with no clock and no task: the adapter's own token source uses it, and so does the
/// simulated kit. Two strikes in a row sign out, once.
public struct RevolutTokenRounds: Hashable, Sendable {
    /// How a round can end.
    public enum End: Hashable, Sendable, CaseIterable {
        /// The token's first request got any answer but "unauthorized".
        case accepted
        /// The app's provider said that the merchant is not accepted any more.
        case refusedByProvider
        /// The token's first request got "unauthorized".
        case refusedByService
        /// Anything else went wrong.
        case inconclusive
        /// Nobody waited any more.
        case cancelled
    }

    /// How many strikes stand in a row.
    public private(set) var strikes = 0
    /// Whether the merchant is signed out; final.
    public private(set) var isSignedOut = false

    /// Starts with no strikes.
    public init() {}

    /// Takes the end of a round.
    ///
    /// - Parameter end: How it ended.
    /// - Returns: Whether this end signs the merchant out; true once at most.
    public mutating func ended(_ end: End) -> Bool {
        guard !isSignedOut else { return false }
        switch end {
        case .accepted, .inconclusive: strikes = 0
        case .refusedByProvider, .refusedByService: strikes += 1
        case .cancelled: break
        }
        isSignedOut = strikes >= 2
        return isSignedOut
    }
}
