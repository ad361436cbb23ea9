import CommandLineSupport
import Dispatch
public import PaymentCore
import PaymentTransport
import Synchronization

/// How a till of the samples asks the shop's back end for its orders.
public enum ShopClaims {
    /// The token of the samples' app, unless `SHOP_TOKEN` names another.
    public static let token = "demo"

    /// The accounts of the samples' shop.
    public static let accounts: Set<Account> = [
        Account(provider: "finix", merchant: "MU-demo", environment: .simulated),
        Account(provider: "revolut", merchant: "demo", environment: .simulated),
    ]

    /// Whether a text names a back end on this machine.
    static func isOrigin(_ text: String) -> Bool {
        guard let parts = URLComponents(string: text), parts.scheme == "http",
            let host = parts.host, LoopbackAddress(host: host) != nil
        else { return false }
        return parts.path.isEmpty && parts.query == nil && parts.fragment == nil
            && parts.user == nil
    }

    /// Claims at a back end, under the name of a till.
    static func claiming(
        at origin: String,
        till: String,
        environment: PaymentEnvironment
    ) -> OrderClaiming {
        let claims = RemoteOrderClaims(
            origin: origin,
            transport: BlockingTransport(),
            tokenProvider: AppToken(),
            environment: environment
        )
        return OrderClaiming(claims, till: till)
    }

    private struct AppToken: TokenProvider {
        func token() async throws -> AccessToken {
            AccessToken(getenv("SHOP_TOKEN").map { String(cString: $0) } ?? ShopClaims.token)
        }
    }
}

/// Carries requests in real time, while the simulated world stands still.
private struct BlockingTransport: HTTPTransport {
    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let transport = LoopbackTransport(timeLimit: .seconds(10))
        let result = BlockingWork.wait { () async -> Result<HTTPResponse, TransportError> in
            do throws(TransportError) {
                return .success(try await transport.send(request))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
