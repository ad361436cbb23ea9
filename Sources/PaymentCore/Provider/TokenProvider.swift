/// How an app hands over short-lived credentials.
public protocol TokenProvider: Sendable {
    /// Obtains a fresh token; never a kept one.
    ///
    /// - Throws: Any error; one that conforms to ``UnauthorizedSignaling`` may say that the
    ///   acquirer no longer accepts the merchant.
    func token() async throws -> AccessToken
}

/// An error that can say whether a credential was refused for good.
public protocol UnauthorizedSignaling: Error {
    /// Whether the acquirer no longer accepts the merchant.
    var isUnauthorized: Bool { get }
}

/// A short-lived credential; prints as its length alone.
public struct AccessToken: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    private let text: String

    /// Creates a token from its text.
    public init(_ text: String) { self.text = text }

    /// Whether it holds nothing but blanks.
    package var isBlank: Bool { text.allSatisfy(\.isWhitespace) }

    /// The credential itself, for the one request that carries it.
    public func reveal() -> String { text }

    /// The kind and length.
    public var description: String { "token(\(text.utf8.count) bytes)" }
    /// The kind and length.
    public var debugDescription: String { description }
    /// Nothing of the credential.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Why a token provider has no token.
public enum TokenProviderError: Error, Hashable, Sendable {
    /// The acquirer no longer accepts the merchant.
    case unauthorized
    /// The app's own login ended; the acquirer has nothing to do with it.
    case appLoginExpired
    /// Something is set up wrongly.
    case configuration
    /// It may work later.
    case temporary
}

extension TokenProviderError: UnauthorizedSignaling {
    /// Whether the acquirer no longer accepts the merchant.
    public var isUnauthorized: Bool { self == .unauthorized }

    /// Whether any error means so: it says it itself, or it does not.
    public static func isUnauthorized(_ error: any Error) -> Bool {
        (error as? any UnauthorizedSignaling)?.isUnauthorized ?? false
    }
}

extension PaymentError {
    /// Whose refusal it is that a token provider has no token.
    ///
    /// The app's own expired login is never taken for the acquirer's refusal.
    package init(noToken error: any Error) {
        if (error as? TokenProviderError) == .appLoginExpired {
            self.init(.appLoginExpired)
        } else {
            self.init(TokenProviderError.isUnauthorized(error) ? .signedOut : .tokenUnavailable)
        }
    }
}
