import AcquirerSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import Simulation
import Synchronization

/// The three calls of REST that make something, each checked for repeats.
extension FinixBooks {
    /// What became of an idempotency id.
    struct Made: Sendable, Codable {
        let payload: String
        let status: Int
        let body: Data
    }

    /// Has a creating call done once for each idempotency id.
    ///
    /// - Parameters:
    ///   - endpoint: Ids are checked for each of the three apart.
    ///   - request: The call.
    ///   - reply: Builds refusals.
    ///   - make: Does it.
    /// - Returns: The answer, or that of the first request with the same id and payload.
    func once(
        _ endpoint: String,
        _ request: HTTPRequest,
        _ reply: FinixReply,
        _ make: ([String: JSONTree]) -> HTTPResponse
    ) -> HTTPResponse {
        guard let body = JSONTree.members(of: request.body) else {
            return reply.error(400, "BAD_REQUEST", "the body is no JSON object")
        }
        guard let id = body["idempotency_id"]?.text else { return make(body) }
        let payload = request.path + Self.canonical(body)
        let key = "\(endpoint) \(id)"
        if let made = state.withLock({ $0.made[key] }) {
            guard made.payload == payload, !modes.refusesRepeats else {
                return reply.error(422, "UNPROCESSABLE_ENTITY", "the idempotency id was used")
            }
            var headers = HTTPHeaders()
            headers["Content-Type"] = FinixReply.type
            return HTTPResponse(status: made.status, headers: headers, body: made.body)
        }
        let response = make(body)
        if response.isSuccess || response.status == 402 {
            let made = Made(payload: payload, status: response.status, body: response.body)
            state.withLock { $0.made[key] = made }
        }
        return response
    }

    private static func canonical(_ body: [String: JSONTree]) -> String {
        String(decoding: HTTPResponse.json(200, .object(body)).body, as: UTF8.self)
    }

    func create(isHold: Bool, _ request: HTTPRequest, _ reply: FinixReply) -> HTTPResponse {
        once(isHold ? "authorizations" : "transfers", request, reply) { body in
            guard let amount = body["amount"]?.number, 1...Self.largestAmount ~= amount else {
                return reply.invalid("amount")
            }
            guard let currency = body["currency"]?.text, Currency(code: currency) != nil else {
                return reply.invalid("currency")
            }
            guard let merchant = body["merchant"]?.text,
                state.withLock({ $0.merchants.contains(merchant) })
            else { return reply.invalid("merchant") }
            guard let source = body["source"]?.text, let card = Self.card(of: source) else {
                return reply.invalid("source")
            }
            if let device = body["device"]?.text, let refusal = refusal(of: device, reply) {
                return refusal
            }
            var row = FinixRow(
                id: "",
                type: isHold ? "AUTHORIZATION" : "SALE",
                requested: amount,
                currency: currency,
                merchant: merchant,
                device: body["device"]?.text,
                createdAt: world.time.wallTime
            )
            row.brand = card.brand.uppercased()
            row.lastFour = card.lastFour
            row.source = source
            row.idempotencyID = body["idempotency_id"]?.text
            row.tags = body["tags"]?.members?.compactMapValues(\.text) ?? [:]
            row.decide(.approved(minorUnits: amount, approvalCode: "SIMREST"))
            state.withLock { pull(on: &row, in: &$0) }
            row = book(row)
            guard row.state == "FAILED" else {
                return .json(201, row.resource, type: FinixReply.type)
            }
            return reply.decline(
                isHold ? "DECLINED" : "PAYMENT_DECLINED",
                row.failureCode ?? "GENERIC_DECLINE",
                isHold ? "authorization" : "transfer",
                row.id
            )
        }
    }

    /// Lets an amount of the sandbox's tables, or a card flagged by one, decide about a payment.
    func pull(on row: inout FinixRow, in state: inout State) {
        guard row.state == "SUCCEEDED" || row.isAccepted, !row.isReversal else { return }
        let flag = row.source.flatMap { state.flagged[$0] }
        let special =
            modes.ignoresTriggerAmounts
            ? nil : FinixTriggerAmount.effect(of: row.requested, on: row.type)
        switch flag.map({ .declined($0) }) ?? special {
        case nil, .approved: return
        case .cancelled: row.refuse("CANCELED", nil)
        case .declined(let code): row.refuse("FAILED", code)
        case .flagged(let code):
            row.refuse("FAILED", code)
            if let source = row.source { state.flagged[source] = code }
        }
    }

    /// The payment instrument of a card.
    static func instrument(of card: SimulatedCard) -> String { "PI\(card.id)" }

    private static func card(of instrument: String) -> SimulatedCard? {
        guard instrument.hasPrefix("PI") else { return nil }
        return SimulatedCard.named(String(instrument.dropFirst(2)))
    }

    static let largestAmount: Int64 = 999_999_999
}

extension FinixBooks {
    /// Replaces a transfer's tags, the one thing about it that can be changed.
    func tag(_ id: String, _ request: HTTPRequest, _ reply: FinixReply) -> HTTPResponse {
        guard let body = JSONTree.members(of: request.body) else {
            return reply.error(400, "BAD_REQUEST", "the body is no JSON object")
        }
        guard body.count == 1, let tags = body["tags"]?.members, tags.count <= 50,
            tags.allSatisfy({ $0.key.count <= 40 && ($0.value.text?.count ?? 501) <= 500 })
        else { return reply.invalid("tags") }
        let row = state.withLock { state -> FinixRow? in
            guard let index = state.transfers.index(of: id) else { return nil }
            state.transfers[index].tags = tags.compactMapValues(\.text)
            return state.transfers[index]
        }
        guard let row else { return reply.error(404, "NOT_FOUND", "no transfer \(id)") }
        return .json(200, row.resource, type: FinixReply.type)
    }

    func settleVoids(succeeds: Bool) {
        let released = state.withLock { state -> [FinixRow] in
            var released: [FinixRow] = []
            for index in state.authorizations.indices
            where state.authorizations[index].voidState == "PENDING" {
                state.authorizations[index].voidState = succeeds ? "SUCCEEDED" : "FAILED"
                state.authorizations[index].isVoid = succeeds
                if succeeds { released.append(state.authorizations[index]) }
            }
            return released
        }
        for hold in released { release(hold) }
    }
}
