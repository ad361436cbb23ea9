public import CommandLineSupport
import AcquirerSimulation
import PaymentCore
import PaymentTransport
public import RevolutPayments
import RevolutSimulation

/// What the merchant of a simulated shop does with Revolut beside taking payments.
public struct RevolutDesk: Sendable {
    /// Revolut's books, as the merchant's back end reads them.
    public let books: RevolutMerchant
    private let emulator: RevolutEmulator
    private let backEnd: ShopBackEnd
    private let environment: PaymentEnvironment
    private let profile: RevolutAuthorizationProfile
    private let grants: RevolutGrants
    private let tell: @Sendable (String) -> Void

    init(
        _ configuration: RevolutConfiguration,
        _ emulator: RevolutEmulator,
        _ backEnd: ShopBackEnd,
        _ environment: PaymentEnvironment,
        _ tell: @escaping @Sendable (String) -> Void
    ) {
        self.emulator = emulator
        self.backEnd = backEnd
        self.environment = environment
        self.tell = tell
        let redirect = "https://shop.example/revolut/back"
        emulator.authorization.register(clientID: configuration.clientID, redirectURI: redirect)
        profile = .simulated(clientID: configuration.clientID, redirectURI: redirect)
        grants = RevolutGrants(
            profile,
            store: backEnd,
            transport: emulator.host,
            environment: environment
        )
        books = RevolutMerchant(
            origin: RevolutEmulator.origin,
            apiKey: Secret(RevolutEmulator.apiKey),
            apiVersion: configuration.apiVersion,
            transport: emulator.host,
            environment: environment
        )
    }

    /// How the merchant stands with Revolut, in a sentence.
    public var standing: String {
        switch backEnd.standing(of: ShopBackEnd.merchant) {
        case .unknown: "not signed in yet; the first payment does it"
        case .needsConsent: "the consent is gone; sign in again"
        case .granted: "signed in"
        }
    }

    /// How the merchant stands with Revolut, as a word for programs.
    public var standingCode: String {
        switch backEnd.standing(of: ShopBackEnd.merchant) {
        case .unknown: "notSignedIn"
        case .needsConsent: "needsConsent"
        case .granted: "signedIn"
        }
    }

    /// Whether nobody but the merchant can help, by consenting again.
    public var needsConsent: Bool {
        backEnd.standing(of: ShopBackEnd.merchant) == .needsConsent
    }

    /// The merchant consents in a browser, and the back end redeems the code.
    ///
    /// - Throws: What went wrong, in a sentence.
    public func signIn() async throws(UsageError) {
        let request = RevolutConsentRequest(profile, environment: environment)
        do {
            let code = try request.code(from: try await visit(request))
            try await grants.redeem(code, of: request, for: ShopBackEnd.merchant)
        } catch {
            throw UsageError("Revolut did not sign the merchant in (\(error))")
        }
    }

    /// The merchant's browser goes to the consent page, and comes back.
    private func visit(_ request: RevolutConsentRequest) async throws -> URL {
        guard let url = request.url,
            let parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        else { throw UsageError("the consent page has no address") }
        let query = (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") }
        let answer = try await emulator.host.send(
            HTTPRequest(.get, RevolutEmulator.origin, parts.path, query: query)
        )
        guard let location = answer.headers["Location"].flatMap({ URL(string: $0) }) else {
            throw UsageError("the consent page did not lead back")
        }
        return location
    }

    /// The merchant withdraws every consent at Revolut; nobody tells the back end.
    ///
    /// - Returns: How many there were.
    public func revoke() -> Int {
        let consents = emulator.authorization.consents
        emulator.revokeDeviceTokens()
        return consents.count { emulator.authorization.revoke($0) }
    }

    // MARK: Device tokens

    /// Where the kit's device tokens come from: the app's back end, each round told.
    var tokenProvider: any TokenProvider {
        let endpoint = RevolutDeviceTokenEndpoint(grants) { _ in
            .valid(merchants: [ShopBackEnd.merchant])
        }
        return ToldTokenProvider(
            desk: self,
            inner: RevolutBackEndTokenProvider(
                transport: BackEndTransport(endpoint: endpoint),
                origin: "https://shop.example"
            ) { AccessToken("session") }
        )
    }

    private struct ToldTokenProvider: TokenProvider {
        let desk: RevolutDesk
        let inner: RevolutBackEndTokenProvider

        func token() async throws -> AccessToken {
            if desk.backEnd.kept == nil { try await desk.signIn() }
            do {
                return try await inner.token()
            } catch {
                let isRefused = TokenProviderError.isUnauthorized(error)
                desk.tell("Token round: \(isRefused ? "unauthorized" : "no token (\(error))")")
                throw error
            }
        }
    }
}
