import AcquirerSimulation
import PaymentCore
import PaymentTransport
import RevolutPayments
import RevolutSimulation
import Simulation
import Synchronization

/// A partner's back end with an emulated Revolut behind it, for tests.
struct RevolutPartner: Sendable {
    let world = SimulatedWorld(time: SimulatedTime(seed: 7))
    let emulator: RevolutEmulator
    let store = WatchedStore()
    let wire: WatchedTransport
    let profile: RevolutAuthorizationProfile
    let grants: RevolutGrants

    static let redirectURI = "https://shop.example/back"
    static let secret = "partner+secret/ä"

    init(client: RevolutAuthorizationProfile.ClientAuthentication = .none) {
        emulator = RevolutEmulator(world: world)
        wire = WatchedTransport(emulator.host, store: store)
        profile = .simulated(clientID: "demo", client: client, redirectURI: Self.redirectURI)
        grants = RevolutGrants(
            profile,
            store: store,
            transport: wire,
            environment: world.environment
        )
        var secret: Secret?
        if case .none = client {} else { secret = Secret(Self.secret) }
        emulator.authorization.register(
            clientID: "demo",
            secret: secret,
            redirectURI: Self.redirectURI
        )
    }

    func run<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        try world.time.run { () async -> Result<Value, any Error> in
            do { return .success(try await operation()) } catch { return .failure(error) }
        }.get()
    }

    /// Sends a merchant's browser to the consent page, and follows it back.
    func visit(_ request: RevolutConsentRequest) async throws -> URL {
        guard let url = request.url,
            let parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        else { throw TransportError(.notSent, "no address") }
        let query = (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") }
        let answer = try await emulator.host.send(
            HTTPRequest(.get, RevolutEmulator.origin, parts.path, query: query)
        )
        guard let location = answer.headers["Location"].flatMap({ URL(string: $0) }) else {
            throw TransportError(.notSent, "no redirect but \(answer)")
        }
        return location
    }

    /// A merchant consents, and the back end redeems the code.
    func consent(_ merchant: String = "corner-shop") async throws {
        let request = RevolutConsentRequest(profile, environment: world.environment)
        let code = try request.code(from: try await visit(request))
        try await grants.redeem(code, of: request, for: merchant)
    }

    func deviceToken(_ merchant: String = "corner-shop") async -> Result<
        AccessToken, RevolutGrantError
    > {
        do throws(RevolutGrantError) {
            return .success(try await grants.deviceToken(for: merchant).token)
        } catch {
            return .failure(error)
        }
    }

    /// What the kit's stand-in answers to a device token.
    func kitStatus(_ token: AccessToken) async throws -> Int {
        var request = HTTPRequest(.post, RevolutEmulator.origin, "/_emu/kit/orders")
        request.headers["Authorization"] = "Bearer " + token.reveal()
        request.body = Data(#"{"amount":100,"currency":"GBP"}"#.utf8)
        return try await emulator.host.send(request).status
    }
}

/// A store that writes down when it was used, and can be broken.
actor WatchedStore: RevolutGrantStore {
    private var standings: [String: RevolutMerchantStanding] = [:]
    private(set) var log: [String] = []
    private var failures = 0

    func fail(times: Int) { failures = times }
    func note(_ text: String) { log.append(text) }

    func standing(of merchant: String) -> RevolutMerchantStanding {
        standings[merchant] ?? .unknown
    }

    func keep(_ standing: RevolutMerchantStanding, of merchant: String) throws {
        guard failures == 0 else {
            failures -= 1
            throw TransportError(.notSent, "disk full")
        }
        standings[merchant] = standing
        log.append("keep")
    }
}

/// Passes requests on, and keeps them.
final class WatchedTransport: HTTPTransport {
    private let inner: any HTTPTransport
    private let store: WatchedStore
    private let sent = Mutex<[HTTPRequest]>([])

    init(_ inner: any HTTPTransport, store: WatchedStore) {
        self.inner = inner
        self.store = store
    }

    var requests: [HTTPRequest] { sent.withLock { $0 } }
    var bodies: [String] { requests.map { String(decoding: $0.body ?? Data(), as: UTF8.self) } }

    func count(_ grant: String) -> Int { bodies.filter { $0.contains(grant) }.count }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        sent.withLock { $0.append(request) }
        let body = String(decoding: request.body ?? Data(), as: UTF8.self)
        await store.note(body.contains("refresh_token") ? "refresh" : "other")
        return try await inner.send(request)
    }
}

/// The app's way to the back end, without a network.
struct EndpointTransport: HTTPTransport {
    let endpoint: RevolutDeviceTokenEndpoint

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        await endpoint.answer(request)
    }
}
