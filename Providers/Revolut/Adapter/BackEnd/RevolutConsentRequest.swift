public import PaymentCore
import PaymentTransport

/// One merchant's way to Revolut's consent page and back.
///
/// Keep it beside the merchant's browser session, since what comes back is checked against it.
public struct RevolutConsentRequest: Sendable {
    /// What the browser must bring back unchanged.
    public let state: Secret
    /// What redeems the code.
    public let verifier: RevolutCodeVerifier
    private let profile: RevolutAuthorizationProfile

    /// Begins a consent.
    ///
    /// - Parameters:
    ///   - profile: Where the page is, and who asks.
    ///   - environment: Where randomness comes from.
    public init(_ profile: RevolutAuthorizationProfile, environment: PaymentEnvironment) {
        self.init(
            profile,
            state: Secret(RandomText.make(environment)),
            verifier: RevolutCodeVerifier(environment)
        )
    }

    /// Takes up a consent that was kept.
    ///
    /// - Parameters:
    ///   - profile: Where the page is, and who asks.
    ///   - state: What the browser must bring back.
    ///   - verifier: What redeems the code.
    public init(
        _ profile: RevolutAuthorizationProfile,
        state: Secret,
        verifier: RevolutCodeVerifier
    ) {
        self.profile = profile
        self.state = state
        self.verifier = verifier
    }

    /// Where to send the merchant's browser; nil when the profile's address is malformed.
    public var url: URL? {
        HTTPRequest(
            .get,
            profile.authorize.origin,
            profile.authorize.path,
            query: [
                ("response_type", "code"), ("client_id", profile.clientID),
                ("redirect_uri", profile.redirectURI), ("scope", profile.scope),
                ("state", state.reveal()), ("code_challenge", verifier.challenge),
                ("code_challenge_method", "S256"),
            ]
        ).url
    }

    /// Reads what the browser came back with.
    ///
    /// - Parameter query: The names and values of the redirect's query, decoded.
    /// - Returns: The code, to be redeemed at once.
    /// - Throws: ``RevolutConsentError``; nothing may be redeemed then.
    public func code(
        from query: [(name: String, value: String)]
    ) throws(RevolutConsentError) -> Secret {
        func values(_ name: String) -> [String] { query.filter { $0.name == name }.map(\.value) }
        let states = values("state")
        guard states.count == 1,
            Digest.areEqual(Array(state.reveal().utf8), Array(states[0].utf8))
        else { throw .stateMismatch }
        if let error = values("error").first { throw .refused(Scrubbing.scrub(error)) }
        let codes = values("code")
        guard codes.count == 1, !codes[0].isEmpty else { throw .malformed }
        return Secret(codes[0])
    }

    /// Reads what the browser came back with.
    ///
    /// - Parameter redirect: The address that the browser was sent to.
    /// - Returns: The code, to be redeemed at once.
    /// - Throws: ``RevolutConsentError``; nothing may be redeemed then.
    public func code(from redirect: URL) throws(RevolutConsentError) -> Secret {
        let items = URLComponents(url: redirect, resolvingAgainstBaseURL: false)?.queryItems ?? []
        return try code(from: items.map { ($0.name, $0.value ?? "") })
    }
}

/// Why a consent brought no code.
public enum RevolutConsentError: Error, Hashable, Sendable {
    /// The browser brought back another state, so the redirect is not the answer to this request.
    case stateMismatch
    /// Revolut or the merchant refused; the text is the protocol's, such as `access_denied`.
    case refused(String)
    /// There is no code, or more than one.
    case malformed
}
