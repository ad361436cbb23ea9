public import PaymentCore

/// A merchant's long-lived tokens, which never leave the back end; prints as its end alone.
public struct RevolutGrant: Hashable, Sendable, CustomStringConvertible {
    /// What device tokens are exchanged for.
    public let accessToken: Secret
    /// What obtains the next access token; nil when Revolut gave none.
    public let refreshToken: Secret?
    /// When the access token ends.
    public let expiresAt: Date

    /// Creates a grant, such as one that was kept.
    ///
    /// - Parameters:
    ///   - accessToken: What device tokens are exchanged for.
    ///   - refreshToken: What obtains the next access token.
    ///   - expiresAt: When the access token ends.
    public init(accessToken: Secret, refreshToken: Secret?, expiresAt: Date) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresAt = expiresAt
    }

    /// The end of the access token.
    public var description: String {
        "RevolutGrant(until \(Date.ISO8601FormatStyle().format(expiresAt)))"
    }
}

/// A short-lived credential for one device.
public struct RevolutDeviceToken: Sendable {
    /// The credential.
    public let token: AccessToken
    /// How long it lives from now.
    public let expiresIn: Duration
}

/// How a merchant stands with Revolut, as far as the back end knows.
public enum RevolutMerchantStanding: Hashable, Sendable {
    /// The back end never heard of the merchant.
    case unknown
    /// The merchant consented.
    case granted(RevolutGrant)
    /// The merchant's consent is gone; only a new one helps.
    case needsConsent
}

/// Where a back end keeps its merchants' grants.
///
/// Grants are to be encrypted at rest, and never to be sent to a phone or written to a log. When
/// several processes share one store, each merchant's calls belong in one of them: a refresh token
/// that was replaced must not be presented again.
public protocol RevolutGrantStore: Sendable {
    /// How a merchant stands.
    ///
    /// - Parameter merchant: The back end's own name for the merchant.
    /// - Returns: What was kept last; `unknown` when nothing was.
    /// - Throws: Any error; the merchant is then told that it may work later.
    func standing(of merchant: String) async throws -> RevolutMerchantStanding
    /// Keeps how a merchant stands now; durable when it returns.
    ///
    /// - Parameters:
    ///   - standing: What to keep in place of what was kept before.
    ///   - merchant: The back end's own name for the merchant.
    /// - Throws: Any error; a grant that was not kept is kept again later, before it is used.
    func keep(_ standing: RevolutMerchantStanding, of merchant: String) async throws
}

/// Keeps grants in memory, for tests and trials.
public actor MemoryRevolutGrantStore: RevolutGrantStore {
    private var standings: [String: RevolutMerchantStanding] = [:]

    /// Creates an empty store.
    public init() {}

    /// How a merchant stands.
    public func standing(of merchant: String) -> RevolutMerchantStanding {
        standings[merchant] ?? .unknown
    }

    /// Keeps how a merchant stands now.
    public func keep(_ standing: RevolutMerchantStanding, of merchant: String) {
        standings[merchant] = standing
    }
}
