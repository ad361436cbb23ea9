import AcquirerSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import Simulation
import Synchronization

/// What the emulated Revolut knows, and how it answers.
final class RevolutBooks: Sendable {
    let world: SimulatedWorld.Surroundings
    let state: Mutex<State>
    private let names: Mutex<SeededGenerator>
    let authorization: RevolutAuthorization
    let webhooks: RevolutWebhooks
    let locations = RevolutLocations()
    let modes = Mutex(RevolutEmulator.Modes())
    /// What clients did that a strict Revolut would not take.
    let complaints = Mutex<[String]>([])
    /// What scripts asked for that cannot happen.
    let faults = Mutex<[String]>([])

    struct State: Codable {
        var orders: [RevolutOrderRow] = []
        var refundKeys: [String: RefundKey] = [:]
        var currencies: Set<String>?
        /// How many of the next taps fail for a technical reason.
        var failingTaps: Int?
        /// Why the next refunds are declined.
        var refundDeclines: [String]?
    }

    struct RefundKey: Codable, Hashable {
        let order: String
        let amount: Int64
        let refund: String
        var currency: String?
        var status: Int?
    }

    /// The device tokens that are accepted, which no saved world keeps.
    private let tokens = Mutex<(valid: Set<String>, count: Int)>(([], 0))

    init(world: SimulatedWorld) {
        self.world = world.surroundings
        state = Mutex(State())
        let seed =
            world.time.seed ^ UInt64(abs(world.time.wallTime.timeIntervalSince1970 * 1_000))
        names = Mutex(SeededGenerator(seed: seed, stream: "revolut"))
        authorization = RevolutAuthorization(world: self.world, seed: seed)
        webhooks = RevolutWebhooks(world: self.world, seed: seed)
    }

    var now: Date { world.time.wallTime }

    /// A UUID of letters, so that it holds no run of digits.
    func newID() -> String {
        let letters = Array("abcdef")
        return names.withLock { names in
            [8, 4, 4, 4, 12].map { count in
                String((0..<count).map { _ in letters[Int(names.next() % 6)] })
            }.joined(separator: "-")
        }
    }

    // MARK: Device tokens

    func issueToken() -> String {
        tokens.withLock { tokens in
            tokens.count += 1
            let token = "device-\(RevolutBooks.letters(tokens.count))"
            tokens.valid.insert(token)
            return token
        }
    }

    func revokeTokens() {
        tokens.withLock { $0.valid = [] }
        authorization.revokeDeviceTokens()
    }

    private func isDevice(_ request: HTTPRequest) -> Bool {
        guard let header = request.headers["Authorization"], header.hasPrefix("Bearer ") else {
            return false
        }
        let token = String(header.dropFirst(7))
        return tokens.withLock { $0.valid.contains(token) } || authorization.accepts(device: token)
    }

    // MARK: Answering

    func answer(_ request: HTTPRequest, _ requestID: String) -> HTTPResponse {
        expire()
        if let answer = authorization.answer(request) { return answer }
        let parts = request.path.split(separator: "/").map(String.init)
        if parts.starts(with: ["_emu", "kit", "orders"]) {
            guard isDevice(request) else { return problem(401, "unauthenticated") }
            return kit(request, Array(parts.dropFirst(3)))
        }
        guard request.headers["Authorization"] == "Bearer \(RevolutEmulator.apiKey)" else {
            return problem(401, "unauthenticated")
        }
        guard request.headers["Revolut-Api-Version"] != nil || !needsVersion(request, parts) else {
            return problem(400, "bad_request", "header Revolut-Api-Version is missing")
        }
        if let refused = refusedByMode(request, parts) { return refused }
        if parts.starts(with: ["api", "locations"]) { return location(request, parts) }
        if parts.starts(with: ["api", "webhooks"]) { return webhook(request, parts) }
        if parts.starts(with: ["api", "payments"]) { return payment(request, parts) }
        guard parts.starts(with: ["api", "orders"]) else { return problem(404, "not_found") }
        return api(request, Array(parts.dropFirst(2)))
    }

    private func api(_ request: HTTPRequest, _ parts: [String]) -> HTTPResponse {
        switch (request.method, parts.count) {
        case (.post, 0): return create(request)
        case (.get, 0): return list(request)
        case (.get, 1): return read(parts[0])
        case (.patch, 1): return update(parts[0], request)
        case (.get, 2) where parts[1] == "payments": return payments(parts[0])
        case (.post, 2) where parts[1] == "capture": return capture(parts[0], request)
        case (.post, 2) where parts[1] == "cancel": return cancel(parts[0])
        case (.post, 2) where parts[1] == "refund": return refund(parts[0], request)
        default: return problem(404, "not_found")
        }
    }

    private func webhook(_ request: HTTPRequest, _ parts: [String]) -> HTTPResponse {
        defer { watchTime() }
        switch webhooks.answer(request, Array(parts.dropFirst(2))) {
        case .success(let response): return response
        case .failure(let refused):
            return problem(refused.status, refused.code, refused.message)
        }
    }

    private func location(_ request: HTTPRequest, _ parts: [String]) -> HTTPResponse {
        switch locations.answer(request, Array(parts.dropFirst(2)), newID: newID) {
        case .success(let response): return response
        case .failure(let refused):
            return problem(refused.status, refused.code, refused.message)
        }
    }

    private func kit(_ request: HTTPRequest, _ parts: [String]) -> HTTPResponse {
        switch (request.method, parts.count) {
        case (.get, 0): return .json(200, .object(["state": .text("paired")]))
        case (.post, 0): return create(request)
        case (.get, 1): return read(parts[0])
        case (.post, 2) where parts[1] == "tap": return tap(parts[0], request)
        default: return problem(404, "not_found")
        }
    }

    func problem(_ status: Int, _ code: String, _ message: String? = nil) -> HTTPResponse {
        var members: [String: JSONTree] = [
            "code": .text(code), "timestamp": .number(Int64(now.timeIntervalSince1970 * 1_000)),
        ]
        if let message { members["message"] = .text(message) }
        return .json(status, .object(members))
    }

    // MARK: Orders

    private func create(_ request: HTTPRequest) -> HTTPResponse {
        guard let body = JSONTree.members(of: request.body) else {
            return problem(400, "bad_request", "the body is no JSON object")
        }
        guard let amount = body["amount"]?.number, amount > 0 else {
            return problem(400, "validation", "amount must be more than zero")
        }
        guard let currency = body["currency"]?.text, Currency(code: currency) != nil else {
            return problem(400, "validation", "currency is not accepted")
        }
        let accepted = state.withLock { $0.currencies }
        guard accepted?.contains(currency) ?? true else {
            return problem(422, "bad_state", "the merchant may not use \(currency)")
        }
        let terms: RevolutOrderRow.Terms
        do throws(RevolutProblem) {
            terms = try RevolutOrderRow.Terms(body)
        } catch {
            return problem(error.status, error.code, error.message)
        }
        if let location = terms.location, !locations.has(location) {
            return problem(404, "not_found", "no location \(location)")
        }
        // Nobody makes customers here, so that there is none to be named.
        if let customer = body["customer"]?.members?["id"] {
            return problem(404, "not_found", "no customer \(customer.text ?? "")")
        }
        var order = RevolutOrderRow(
            id: newID(),
            token: newID(),
            type: "payment",
            amount: amount,
            currency: currency,
            description: body["description"]?.text,
            reference: body["merchant_order_data"]?.members?["reference"]?.text,
            createdAt: now,
            updatedAt: now,
            related: nil
        )
        if let period = body["expire_pending_after"] {
            guard let seconds = ISODuration.seconds(period.text), 60...2_592_000 ~= seconds else {
                return problem(400, "validation", "expire_pending_after is from PT1M to PT720H")
            }
            order.expiresAt = now + TimeInterval(seconds)
        }
        order.terms = terms
        if let refused = refusedUnknown(body, RevolutOrderRow.Terms.known) { return refused }
        state.withLock { [order] in $0.orders.insert(order, at: 0) }
        watchTime()
        return .json(201, order.tree())
    }

    private func list(_ request: HTTPRequest) -> HTTPResponse {
        func value(_ name: String) -> String? { request.query.first { $0.name == name }?.value }
        var orders = state.withLock { $0.orders }
        if let from = value("from").flatMap(WireDate.parse) {
            orders = orders.filter { $0.createdAt >= from }
        }
        if let to = value("to").flatMap(WireDate.parse) {
            orders = orders.filter { $0.createdAt <= to }
        }
        if let reference = value("merchant_order_data_reference") {
            orders = orders.filter { $0.reference == reference }
        }
        if let location = value("location_id") {
            orders = orders.filter { $0.terms?.location == location }
        }
        if value("customer_id") != nil { orders = [] }
        let states = request.query.filter { $0.name == "state" }.map(\.value)
        if !states.isEmpty { orders = orders.filter { states.contains($0.state) } }
        guard let limit = Int(value("limit") ?? "100"), 1...500 ~= limit else {
            return problem(400, "validation", "limit is from 1 to 500")
        }
        let page = orders.prefix(limit).map { $0.tree(inList: true) }
        return .json(200, .object(["orders": .list(Array(page))]))
    }

    private func read(_ id: String) -> HTTPResponse {
        state.withLock { state in state.orders.first { $0.id == id } }
            .map { .json(200, $0.tree()) } ?? problem(404, "not_found", "no order \(id)")
    }

    private func cancel(_ id: String) -> HTTPResponse {
        var released: RevolutOrderRow?
        let response = change(id) { order in
            guard order.state == "pending" || order.state == "authorised" else {
                return self.problem(422, "order_invalid_state", "order is \(order.state)")
            }
            if order.state == "authorised" { released = order }
            _ = order.cancel()
            return nil
        }
        if let released { book(released, .release) }
        return response
    }

    /// Changes an order; the answer is the order, unless the change is refused.
    func change(
        _ id: String,
        _ body: (inout RevolutOrderRow) -> HTTPResponse?
    ) -> HTTPResponse {
        let now = now
        var change: (old: RevolutOrderRow, new: RevolutOrderRow)?
        let response = state.withLock { state in
            guard let index = state.orders.firstIndex(where: { $0.id == id }) else {
                return problem(404, "not_found", "no order \(id)")
            }
            let old = state.orders[index]
            if let refused = body(&state.orders[index]) { return refused }
            state.orders[index].updatedAt = now
            change = (old, state.orders[index])
            return .json(200, state.orders[index].tree())
        }
        if let change { announce(change.old, change.new) }
        return response
    }

    /// Unpaid orders fail once their time is over; refunds complete a while later.
    func expire() {
        let now = now
        let changes = state.withLock { state in
            state.orders.indices.compactMap { index -> (RevolutOrderRow, RevolutOrderRow)? in
                let old = state.orders[index]
                if old.state == "pending", let end = old.expiresAt, end <= now {
                    _ = state.orders[index].enter("failed")
                }
                if let end = old.settlesAt, end <= now, state.orders[index].enter("completed") {
                    state.refunded(old)
                    state.orders[index].settlesAt = nil
                    for payment in old.payments.indices {
                        state.orders[index].payments[payment].state = "completed"
                    }
                }
                if old.state == "authorised", let end = old.terms?.releasesAt, end <= now {
                    _ = state.orders[index].cancel()
                }
                guard state.orders[index].state != old.state else { return nil }
                state.orders[index].updatedAt = now
                return (old, state.orders[index])
            }
        }
        for (old, new) in changes.reversed() {
            if old.state == "authorised" { book(old, .release) }
            announce(old, new)
        }
    }

    static func letters(_ number: Int) -> String {
        var text = ""
        var rest = number
        repeat {
            text = String(UnicodeScalar(UInt8(97 + rest % 26))) + text
            rest /= 26
        } while rest > 0
        return text
    }
}
