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
        let voidsSlowly = modes.voidsSlowly
        let changed = state.withLock { state -> Changed in
            guard let index = state.authorizations.index(of: id) else {
                return .refused(reply.error(404, "NOT_FOUND", "no authorization \(id)"))
            }
            let hold = state.authorizations[index]
            if body["void_me"]?.flag == true {
                guard hold.state == "SUCCEEDED", hold.capture == nil, !hold.isVoid else {
                    return .refused(reply.error(422, "UNPROCESSABLE_ENTITY", "cannot be voided"))
                }
                state.authorizations[index].isVoid = true
                state.authorizations[index].voidState = voidsSlowly ? "PENDING" : "SUCCEEDED"
                state.authorizations[index].updatedAt = now
                return .row(state.authorizations[index], made: nil)
            }
            guard let amount = body["capture_amount"]?.number, amount > 0, amount <= hold.amount
            else { return .refused(reply.invalid("capture_amount")) }
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
            pull(on: &transfer, in: &state)
            guard transfer.state == "PENDING" else {
                let code = transfer.failureCode ?? "CANCELLATION_VIA_API"
                state.transfers.add(transfer)
                return .refused(
                    reply.decline("PAYMENT_DECLINED", code, "transfer", transfer.id)
                )
            }
            transfer.settlesAs = "SUCCEEDED"
            transfer.settlesAt = now.addingTimeInterval(12 * 3_600)
            state.transfers.add(transfer)
            state.authorizations[index].capture = transfer.id
            state.authorizations[index].capturedAmount = amount
            state.authorizations[index].updatedAt = now
            return .row(state.authorizations[index], made: transfer)
        }
        switch changed {
        case .refused(let response): return response
        case .row(let hold, let transfer):
            if let transfer {
                move(transfer)
                awaitSettlement(of: transfer)
            } else if hold.voidState == "SUCCEEDED" {
                release(hold)
            }
            return .json(200, hold.resource, type: FinixReply.type)
        }
    }

    func reverse(_ id: String, _ request: HTTPRequest, _ reply: FinixReply) -> HTTPResponse {
        once("reversals", request, reply) { body in
            guard let amount = body["refund_amount"]?.number, 1...Self.largestAmount ~= amount
            else { return reply.invalid("refund_amount") }
            switch reversed(id, amount, body, reply) {
            case .refused(let response): return response
            case .row(let reversal, _):
                awaitSettlement(of: reversal)
                move(reversal)
                return .json(201, reversal.resource, type: FinixReply.type)
            }
        }
    }

    private func reversed(
        _ id: String,
        _ amount: Int64,
        _ body: [String: JSONTree],
        _ reply: FinixReply
    ) -> Changed {
        let now = world.time.wallTime
        return state.withLock { state in
            guard let payment = state.transfers[id] else {
                return .refused(reply.error(404, "NOT_FOUND", "no transfer \(id)"))
            }
            guard !payment.isReversal, payment.state == "SUCCEEDED" || payment.isAccepted,
                state.given(of: id) + amount <= payment.amount
            else {
                return .refused(
                    reply.error(422, "UNPROCESSABLE_ENTITY", "more than may be refunded")
                )
            }
            var reversal = payment.following("REVERSAL", amount: amount, at: now)
            reversal.id = state.nextID("TR")
            reversal.parent = id
            reversal.idempotencyID = body["idempotency_id"]?.text
            reversal.tags = body["tags"]?.members?.compactMapValues(\.text) ?? [:]
            reversal.state = "SUCCEEDED"
            if let pending = nextPendingRefund() {
                reversal.state = "PENDING"
                reversal.movesLate = true
                reversal.settlesAs = pending.succeeds ? "SUCCEEDED" : "FAILED"
                reversal.settlesAt = now.addingTimeInterval(pending.delay / .seconds(1))
            }
            state.transfers.add(reversal)
            return .row(reversal, made: reversal)
        }
    }

    func reversals(
        of id: String,
        _ request: HTTPRequest,
        _ reply: FinixReply
    ) -> HTTPResponse {
        let offset = request.query.first { $0.name == "offset" }.flatMap { Int($0.value) } ?? 0
        let (payment, rows, given) = state.withLock { state in
            (
                state.transfers[id], state.transfers.following(id),
                state.given(of: id)
            )
        }
        guard let payment else { return reply.error(404, "NOT_FOUND", "no transfer \(id)") }
        let asked = request.value("limit").flatMap { Int($0) }
        let limit = min(max(asked ?? Self.usualPage, 1), Self.largestPage)
        let page = rows.dropFirst(max(offset, 0)).prefix(limit)
        let tree: JSONTree = .object([
            "unreversed_amount": .number(payment.amount - given),
            "_embedded": .object(["transfers": .list(page.map(\.resource))]),
            "page": .object([
                "offset": .number(Int64(max(offset, 0))), "limit": .number(Int64(limit)),
                "count": .number(Int64(rows.count)),
            ]),
        ])
        return .json(200, tree, type: FinixReply.type)
    }

    func release(_ hold: FinixRow) {
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

    /// How much of a payment went back, or may.
    func given(of id: String) -> Int64 {
        transfers.following(id).filter { $0.state != "FAILED" }.reduce(0) { $0 + $1.amount }
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
        row.source = type == "CAPTURE" ? source : nil
        return row
    }
}
