import AcquirerSimulation
import PaymentCore
public import PaymentTransport
import Simulation
import Synchronization

/// The emulated Revolut's webhooks: who registered, and what is delivered, by the virtual clock.
public final class RevolutWebhooks: Sendable {
    /// One try to deliver an event.
    public struct Delivery: Hashable, Sendable {
        /// The event's name.
        public let event: String
        /// The order that it is about.
        public let order: String
        /// Where it went.
        public let url: String
        /// The first try is 1.
        public let attempt: Int
        /// What was answered; nil when nothing was, in time.
        public let status: Int?
    }

    let world: SimulatedWorld.Surroundings
    let state = Mutex(State())
    private let names: Mutex<SeededGenerator>
    private let plumbing = Mutex(Plumbing())

    private struct Plumbing {
        var receivers: [String: @Sendable (HTTPRequest) -> HTTPResponse?] = [:]
        var delays: @Sendable (_ event: String, _ number: Int) -> [Duration] = { _, _ in
            [.milliseconds(500)]
        }
        var announced = 0
        var deliveries: [Delivery] = []
        var watched: Set<Date> = []
    }

    struct State: Sendable, Codable {
        var hooks: [Hook] = []
        var allowsLoopback = false
    }

    struct Hook: Sendable, Codable {
        let id: String
        var url: String
        var events: [String]
        var secret: String
        /// The secret before, while it is still used beside the new one.
        var earlier: String?
        var earlierEndsAt: Date?
    }

    init(world: SimulatedWorld.Surroundings, seed: UInt64) {
        self.world = world
        names = Mutex(SeededGenerator(seed: seed, stream: "revolut-webhooks"))
    }

    /// A text of letters that nobody had before.
    func newText() -> String {
        names.withLock { names in
            String((0..<32).map { _ in Character(UnicodeScalar(UInt8(97 + names.next() % 26))) })
        }
    }

    /// Whether addresses on this machine may be registered, which Revolut refuses.
    public var allowsLoopback: Bool {
        get { state.withLock { $0.allowsLoopback } }
        set { state.withLock { $0.allowsLoopback = newValue } }
    }

    /// Puts a server under an address; it answers at once, or with nil never.
    public func connect(
        _ url: String,
        _ receiver: @escaping @Sendable (HTTPRequest) -> HTTPResponse?
    ) {
        plumbing.withLock { $0.receivers[url] = receiver }
    }

    /// Says how long each event takes; one that is lost has no delay, a repeated one has several.
    ///
    /// - Parameter delays: The delays of an event's deliveries, by its name and its number, from 1.
    public func schedule(
        _ delays: @escaping @Sendable (_ event: String, _ number: Int) -> [Duration]
    ) {
        plumbing.withLock { $0.delays = delays }
    }

    /// Every try to deliver, in order.
    public var deliveries: [Delivery] { plumbing.withLock { $0.deliveries } }

    /// Whether anybody listens, so that time has to be watched.
    var isUsed: Bool { state.withLock { !$0.hooks.isEmpty } }

    /// Whether a moment is watched for the first time.
    func watches(_ end: Date) -> Bool { plumbing.withLock { $0.watched.insert(end).inserted } }

    // MARK: Delivering

    /// Tells everybody who subscribed.
    func announce(_ event: String, order: String, reference: String?) {
        let hooks = state.withLock { state in state.hooks.filter { $0.events.contains(event) } }
        guard !hooks.isEmpty else { return }
        let delays = plumbing.withLock { plumbing in
            plumbing.announced += 1
            return plumbing.delays(event, plumbing.announced)
        }
        var members: [String: JSONTree] = ["event": .text(event), "order_id": .text(order)]
        if let reference { members["merchant_order_ext_ref"] = .text(reference) }
        let body = HTTPResponse.json(200, .object(members)).body
        for hook in hooks {
            for delay in delays {
                deliver(Letter(hook: hook.id, event: event, order: order, body: body), after: delay)
            }
        }
    }

    private struct Letter: Sendable {
        let hook: String
        let event: String
        let order: String
        let body: Data
        var attempt = 1
    }

    private func deliver(_ letter: Letter, after delay: Duration) {
        world.time.clock.schedule(after: delay) { [self] in
            guard let hook = state.withLock({ $0.hooks.first { $0.id == letter.hook } }) else {
                return
            }
            let receiver = plumbing.withLock { $0.receivers[hook.url] }
            let status = receiver.flatMap { $0(request(letter, hook)) }?.status
            plumbing.withLock { plumbing in
                plumbing.deliveries.append(
                    Delivery(
                        event: letter.event,
                        order: letter.order,
                        url: hook.url,
                        attempt: letter.attempt,
                        status: status
                    )
                )
            }
            if let status, 200...399 ~= status { return }
            guard letter.attempt < Self.mostAttempts else { return }
            var again = letter
            again.attempt += 1
            deliver(again, after: Self.pause)
        }
    }

    private static let mostAttempts = 4
    private static let pause = Duration.seconds(600)

    private func request(_ letter: Letter, _ hook: Hook) -> HTTPRequest {
        let now = world.time.wallTime
        let timestamp = "\(Int64((now.timeIntervalSince1970 * 1_000).rounded()))"
        let text = Array("v1.\(timestamp).".utf8) + letter.body
        let signatures = hook.secrets(at: now).map { secret in
            "v1=" + Digest.hex(Digest.hmacSHA256(text, key: secret.utf8))
        }
        var request = HTTPRequest(.post, hook.url, "", body: letter.body)
        request.headers["Content-Type"] = "application/json"
        request.headers["Revolut-Request-Timestamp"] = timestamp
        request.headers["Revolut-Signature"] = signatures.joined(separator: ",")
        return request
    }
}

extension RevolutWebhooks.Hook {
    /// The secrets that sign at a moment.
    func secrets(at now: Date) -> [String] {
        guard let earlier, let earlierEndsAt, now < earlierEndsAt else { return [secret] }
        return [secret, earlier]
    }

    var tree: JSONTree {
        .object([
            "id": .text(id), "url": .text(url), "events": .list(events.map { .text($0) }),
            "signing_secret": .text(secret),
        ])
    }
}
