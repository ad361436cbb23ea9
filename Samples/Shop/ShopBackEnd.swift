import PaymentCore
import PaymentTransport
import RevolutPayments
import Synchronization

/// The back end of the shop's own app: keeps the merchant's consent from one command to the next.
final class ShopBackEnd: RevolutGrantStore {
    /// The merchant's name in the back end.
    static let merchant = "corner-shop"

    /// How the merchant stands, as it is kept beside the simulated world.
    struct Kept: Codable, Sendable {
        var accessToken: String?
        var refreshToken: String?
        var expiresAt: Date?
    }

    private let state = Mutex(Kept?.none)

    /// What is kept; nil when nobody ever consented.
    var kept: Kept? { state.withLock { $0 } }

    func restore(_ kept: Kept?) { state.withLock { $0 = kept ?? $0 } }

    func standing(of merchant: String) -> RevolutMerchantStanding {
        guard merchant == Self.merchant, let kept else { return .unknown }
        guard let token = kept.accessToken, let end = kept.expiresAt else { return .needsConsent }
        return .granted(
            RevolutGrant(
                accessToken: Secret(token),
                refreshToken: kept.refreshToken.map { Secret($0) },
                expiresAt: end
            )
        )
    }

    func keep(_ standing: RevolutMerchantStanding, of merchant: String) {
        state.withLock { state in
            switch standing {
            case .unknown: state = nil
            case .needsConsent: state = Kept()
            case .granted(let grant):
                state = Kept(
                    accessToken: grant.accessToken.reveal(),
                    refreshToken: grant.refreshToken?.reveal(),
                    expiresAt: grant.expiresAt
                )
            }
        }
    }
}

/// The way from the app to its back end, without a network between them.
struct BackEndTransport: HTTPTransport {
    let endpoint: RevolutDeviceTokenEndpoint

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        await endpoint.answer(request)
    }
}
