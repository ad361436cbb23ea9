public import RevolutPayments

extension RevolutAuthorizationProfile {
    /// The profile of the emulated authorization server.
    ///
    /// - Parameters:
    ///   - clientID: The app that was registered there.
    ///   - client: How it proves itself.
    ///   - redirectURI: Where browsers come back to.
    /// - Returns: The profile, with the usual lifetimes.
    public static func simulated(
        clientID: String,
        client: ClientAuthentication = .none,
        redirectURI: String
    ) -> RevolutAuthorizationProfile {
        RevolutAuthorizationProfile(
            authorize: RevolutAuthorization.authorizeAddress,
            token: RevolutAuthorization.tokenAddress,
            clientID: clientID,
            client: client,
            redirectURI: redirectURI
        )
    }
}
