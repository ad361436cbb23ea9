import AcquirerSimulation
import PaymentCore
import PaymentTransport
import Simulation
import Synchronization

/// What follows a payment in the emulated Finix: captures, voids and reversals.
extension FinixBooks {
    /// A refusal, or the row that the change left.
    private enum Changed {
        case row(FinixRow, made: FinixRow?)
        case refused(HTTPResponse)
    }

    func change(_ id: String, _ request: HTTPRequest, _ reply: FinixReply) -> HTTPResponse {
        guard let body = JSONTree.members(of: request.body) else {
            return reply.error(400, "BAD_REQUEST", "the body is no JSON object")
        }
        let now = world.time.wallTime
        let changed = state.withLock { state -> Changed in
            guard let index = state.authorizations.firstIndex(where: { $0.id == id }) else {
                return .refused(reply.error(404, "NOT_FOUND", "no authorization \(id)"))
            }
            let hold = state.authorizations[index]
            if body["void_me"]?.flag == true {
                guard hold.state == "SUCCEEDED", hold.capture == nil, !hold.isVoid else {
                    return .refused(reply.error(422, "UNPROCESSABLE_ENTITY", "cannot be voided"))
                }
                state.authorizations[index].isVoid = true
                return .row(state.authorizations[index], made: nil)
            }
            guard let amount = body["capture_amount"]?.number, amount > 0, amount <= hold.amount
            else { return .refused(reply.error(422, "INVALID_FIELD", "capture_amount")) }
            guard hold.state == "SUCCEEDED", hold.capture == nil, !hold.isVoid,
                hold.expiresAt > now
            else {
                return .refused(
                    reply.decline(
                        "PAYMENT_DECLINED",
                        "AUTHORIZATION_EXPIRED_OR_ALREADY_CAPTURED",
                        "authorization",
                        id
                    )
                )
            }
            var transfer = hold.following("CAPTURE", amount: amount, at: now)
            transfer.id = state.nextID("TR")
            transfer.settlesAs = "SUCCEEDED"
            transfer.settlesAt = now.addingTimeInterval(12 * 3_600)
            state.transfers.insert(transfer, at: 0)
            state.authorizations[index].capture = transfer.id
            state.authorizations[index].capturedAmount = amount
            return .row(state.authorizations[index], made: transfer)
        }
        switch changed {
        case .refused(let response): return response
        case .row(let hold, let transfer):
            if let transfer {
                move(transfer)
                awaitSettlement(of: transfer)
            } else {
                release(hold)
            }
            return .json(200, hold.resource, type: FinixReply.type)
        }
    }

    func reverse(_ id: String, _ request: HTTPRequest, _ reply: FinixReply) -> HTTPResponse {
        guard let body = JSONTree.members(of: request.body),
            let amount = body["refund_amount"]?.number, amount > 0
        else { return reply.error(422, "INVALID_FIELD", "refund_amount") }
        let key = body["idempotency_id"]?.text
        let now = world.time.wallTime
        let changed = state.withLock { state -> Changed in
            guard let payment = state.transfers.first(where: { $0.id == id }) else {
                return .refused(reply.error(404, "NOT_FOUND", "no transfer \(id)"))
            }
            let earlier = state.transfers.filter { $0.parent == id }
            if let key, let same = earlier.first(where: { $0.idempotencyID == key }) {
                guard same.amount == amount else {
                    return .refused(
                        reply.error(422, "UNPROCESSABLE_ENTITY", "the idempotency id was used")
                    )
                }
                return .row(same, made: nil)
            }
            let given = earlier.filter { $0.state != "FAILED" }.reduce(0) { $0 + $1.amount }
            guard !payment.isReversal, payment.state != "FAILED",
                given + amount <= payment.amount
            else {
                return .refused(
                    reply.error(422, "UNPROCESSABLE_ENTITY", "more than may be refunded")
                )
            }
            var reversal = payment.following("REVERSAL", amount: amount, at: now)
            reversal.id = state.nextID("TR")
            reversal.parent = id
            reversal.idempotencyID = key
            reversal.state = "SUCCEEDED"
            state.transfers.insert(reversal, at: 0)
            return .row(reversal, made: reversal)
        }
        switch changed {
        case .refused(let response): return response
        case .row(let reversal, let made):
            if let made { move(made) }
            return .json(201, reversal.resource, type: FinixReply.type)
        }
    }

    func reversals(
        of id: String,
        _ request: HTTPRequest,
        _ reply: FinixReply
    ) -> HTTPResponse {
        let offset = request.query.first { $0.name == "offset" }.flatMap { Int($0.value) } ?? 0
        let rows = state.withLock { $0.transfers.filter { $0.parent == id } }
        let page = rows.dropFirst(max(offset, 0)).prefix(100)
        let tree: JSONTree = .object([
            "_embedded": .object(["transfers": .list(page.map(\.resource))]),
            "page": .object([
                "offset": .number(Int64(offset)), "limit": .number(100),
                "count": .number(Int64(rows.count)),
            ]),
        ])
        return .json(200, tree, type: FinixReply.type)
    }

    private func release(_ hold: FinixRow) {
        world.ledger.book(
            Ledger.Entry(
                acquirer: "finix",
                record: hold.id,
                kind: .release,
                minorUnits: hold.amount,
                currency: hold.currency,
                time: world.time.wallTime
            )
        )
    }
}

extension FinixBooks.State {
    mutating func add(_ merchant: String) {
        if !merchants.contains(merchant) { merchants.append(merchant) }
    }

    mutating func nextID(_ prefix: String) -> String {
        count += 1
        return "\(prefix)sim\(FinixRow.letters(count))"
    }
}

extension FinixRow {
    /// A transfer that moves money of this row.
    fileprivate func following(_ type: String, amount: Int64, at now: Date) -> FinixRow {
        var row = FinixRow(
            id: "",
            type: type,
            requested: amount,
            currency: currency,
            merchant: merchant,
            device: device,
            createdAt: now
        )
        row.brand = brand
        row.lastFour = lastFour
        return row
    }
}
