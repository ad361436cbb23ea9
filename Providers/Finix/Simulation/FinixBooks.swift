import AcquirerSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import Simulation
import Synchronization

/// What the emulated Finix knows, and how it answers.
final class FinixBooks: Sendable {
    let world: SimulatedWorld.Surroundings
    let merchant: String
    let state: Mutex<State>

    struct State: Codable {
        var merchants: [String]
        var devices: [FinixDeviceRow]
        var transfers = FinixRows()
        var authorizations = FinixRows()
        /// Answers to creating calls, by endpoint and idempotency id.
        var made: [String: Made] = [:]
        /// Payment instruments that keep failing, and with what.
        var flagged: [String: String] = [:]
        var count = 0
    }

    /// How the next payments are left, which is no part of the books.
    let pending = Mutex<[Pending]>([])
    private let pendingRefunds = Mutex<[Pending]>([])
    private let scripted = Mutex(0)

    private let manner = Mutex((modes: FinixEmulator.Modes(), complaints: [String]()))

    /// How it behaves.
    var modes: FinixEmulator.Modes {
        get { manner.withLock { $0.modes } }
        set { manner.withLock { $0.modes = newValue } }
    }

    var complaints: [String] { manner.withLock { $0.complaints } }

    struct Pending {
        let delay: Duration
        let succeeds: Bool
    }

    init(world: SimulatedWorld, merchant: String, devices: [String: Bool]) {
        self.world = world.surroundings
        self.merchant = merchant
        state = Mutex(State(merchants: [merchant], devices: []))
        for (id, isEnabled) in devices.sorted(by: { $0.key < $1.key }) { admit(id, isEnabled) }
    }

    /// Has a Device of the merchant's exist, unless it does.
    func admit(_ device: String, _ isEnabled: Bool = true) {
        var row = FinixDeviceRow(
            id: device,
            merchant: merchant,
            name: device,
            createdAt: world.time.wallTime
        )
        row.isEnabled = isEnabled
        state.withLock { [row] state in
            guard !state.devices.contains(where: { $0.id == device }) else { return }
            state.devices.append(row)
        }
    }

    func leavePending(times: Int, until delay: Duration, succeeds: Bool) {
        let pending = Pending(delay: delay, succeeds: succeeds)
        self.pending.withLock { $0 += Array(repeating: pending, count: times) }
    }

    func leaveRefundPending(times: Int, until delay: Duration, succeeds: Bool) {
        let pending = Pending(delay: delay, succeeds: succeeds)
        pendingRefunds.withLock { $0 += Array(repeating: pending, count: times) }
    }

    /// How the next refund is left; nil for as usual.
    func nextPendingRefund() -> Pending? {
        pendingRefunds.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }

    /// The identifier of an answer that was given on demand.
    func nextScriptedID() -> String {
        scripted.withLock { count in
            count += 1
            return "req-scripted-\(count)"
        }
    }

    func answer(_ request: HTTPRequest, _ requestID: String) -> HTTPResponse {
        let reply = FinixReply(requestID: requestID)
        guard request.headers["Authorization"] == Self.credentials else {
            return reply.error(401, "UNKNOWN", "Unauthorized")
        }
        if request.headers["Finix-Version"] != Self.version, modes.demandsVersion {
            manner.withLock { $0.complaints.append("\(request) names no version") }
            return reply.error(400, "BAD_REQUEST", "the version header is missing or wrong")
        }
        let parts = request.path.split(separator: "/").map(String.init)
        switch (request.method, parts.first, parts.count) {
        case (.get, "tap_to_pay_token", 1): return token(request, reply)
        case (.post, "card_reader", 2) where parts[1] == "transfers": return pay(request, reply)
        case (.get, "transfers", 1):
            return listPayments(request, reply, "transfers", state.withLock { $0.transfers })
        case (.get, "authorizations", 1):
            return listPayments(
                request,
                reply,
                "authorizations",
                state.withLock { $0.authorizations }
            )
        case (.get, "transfers", 2):
            return fetch(parts[1], reply, state.withLock { $0.transfers })
        case (.post, "transfers", 1): return create(isHold: false, request, reply)
        case (.post, "authorizations", 1): return create(isHold: true, request, reply)
        case (.put, "transfers", 2): return tag(parts[1], request, reply)
        case (.put, "authorizations", 2): return change(parts[1], request, reply)
        case (.post, "transfers", 3) where parts[2] == "reversals":
            return reverse(parts[1], request, reply)
        case (.get, "transfers", 3) where parts[2] == "reversals":
            return reversals(of: parts[1], request, reply)
        case (.get, "authorizations", 2):
            return fetch(parts[1], reply, state.withLock { $0.authorizations })
        default: return answerAboutDevices(request, parts, reply)
        }
    }

    private func answerAboutDevices(
        _ request: HTTPRequest,
        _ parts: [String],
        _ reply: FinixReply
    ) -> HTTPResponse {
        switch (request.method, parts.first, parts.count) {
        case (.get, "devices", 1): listDevices(request, reply)
        case (.get, "devices", 2): fetchDevice(parts[1], reply)
        case (.put, "devices", 2): changeDevice(parts[1], request, reply)
        case (.get, "merchants", 2): fetchMerchant(parts[1], reply)
        case (.post, "merchants", 3) where parts[2] == "devices":
            createDevice(of: parts[1], request, reply)
        case (let method, let first?, _) where method != .get && Self.collections.contains(first):
            reply.error(405, "METHOD_NOT_ALLOWED", "\(method.rawValue) is not possible here")
        default: reply.error(404, "NOT_FOUND", "no such resource")
        }
    }

    private static let collections = [
        "transfers", "authorizations", "devices", "merchants", "card_reader", "tap_to_pay_token",
    ]

    private static var credentials: String {
        let pair = "\(FinixEmulator.username):\(FinixEmulator.password)"
        return "Basic " + Data(pair.utf8).base64EncodedString()
    }

    // MARK: The reader service

    private func token(_ request: HTTPRequest, _ reply: FinixReply) -> HTTPResponse {
        let device = request.query.first { $0.name == "device_id" }?.value
        if let refusal = refusal(of: device, reply) { return refusal }
        let owner = state.withLock { $0.devices.first { $0.id == device }?.merchant }
        let token = FinixReaderToken.make(
            merchant: owner ?? merchant,
            id: reply.requestID,
            at: world.time.wallTime,
            lifetime: modes.tokenLifetime
        )
        return .json(200, .object(["tap_to_pay_token": .text(token)]))
    }

    private func pay(_ request: HTTPRequest, _ reply: FinixReply) -> HTTPResponse {
        guard let body = JSONTree.members(of: request.body) else {
            return reply.error(400, "BAD_REQUEST", "the body is no JSON object")
        }
        let device = body["device_id"]?.text
        if let refusal = refusal(of: device, reply) { return refusal }
        let owner = state.withLock { $0.devices.first { $0.id == device }?.merchant }
        guard let owner, body["merchant_id"]?.text == owner else {
            return reply.error(422, "UNPROCESSABLE_ENTITY", "another merchant's device")
        }
        guard let type = body["transaction_type"]?.text, let amount = body["amount"]?.number,
            amount > 0, let currency = body["currency"]?.text,
            let payload = body["tap_to_pay_card_data"]?.text,
            let card = Data(base64Encoded: payload).map({ String(decoding: $0, as: UTF8.self) })
        else { return reply.error(422, "INVALID_FIELD", "a required field is missing or wrong") }
        let surcharge = modes.leavesOutSurcharge ? 0 : body["surcharge_amount"]?.number
        let extras = [body["tip_amount"]?.number, surcharge]
        let parts = [amount] + extras.map { $0 ?? 0 }
        guard parts.allSatisfy({ 0...Self.largestAmount ~= $0 }) else {
            return reply.invalid("amount")
        }
        let total = parts.reduce(0, +)
        let decision = world.issuer.decide(card, minorUnits: total, currency: currency)
        var row = FinixRow(
            id: "",
            type: type,
            requested: total,
            currency: currency,
            merchant: owner,
            device: device,
            createdAt: world.time.wallTime
        )
        row.brand = decision.card?.brand.uppercased()
        row.lastFour = decision.card?.lastFour
        row.source = decision.card.map(Self.instrument)
        row.tags = body["tags"]?.members?.compactMapValues(\.text) ?? [:]
        row.idempotencyID = body["idempotency_id"]?.text
        row.decide(decision.answer)
        pull(on: &row)
        return .json(201, book(row).readerAnswer)
    }

    // MARK: The books

    private func fetch(_ id: String, _ reply: FinixReply, _ rows: FinixRows) -> HTTPResponse {
        rows[id].map { .json(200, $0.resource, type: FinixReply.type) }
            ?? reply.error(404, "NOT_FOUND", "no resource \(id)")
    }
}
