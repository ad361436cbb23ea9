import AcquirerSimulation
import PaymentCore
import PaymentTransport
import Simulation
import Synchronization

/// What a back end may do with an order that is there.
extension RevolutBooks {
    /// Whether an operation answers without a version only with an error.
    func needsVersion(_ request: HTTPRequest, _ parts: [String]) -> Bool {
        if parts.starts(with: ["api", "payments"]) || parts.starts(with: ["api", "locations"]) {
            return false
        }
        return !["payments", "cancel"].contains(parts.last)
    }

    func update(_ id: String, _ request: HTTPRequest) -> HTTPResponse {
        guard let body = JSONTree.members(of: request.body) else {
            return problem(400, "bad_request", "the body is no JSON object")
        }
        // A member that no update has is passed over.
        if let refused = refusedUnknown(body, RevolutOrderRow.Terms.known) { return refused }
        let asked = Self.changeable.values.reduce(Set(), { $0.union($1) }).intersection(body.keys)
        return change(id) { order in
            guard Self.changeable[order.state]?.isSuperset(of: asked) ?? false else {
                let states = Self.changeable.filter { $0.value.isSuperset(of: asked) }.keys
                return self.problem(
                    422,
                    "order_invalid_state",
                    "order is \(order.state), expected \(states.sorted().joined(separator: ", "))"
                )
            }
            do throws(RevolutProblem) {
                var terms = order.terms ?? RevolutOrderRow.Terms()
                let old = terms
                try terms.apply(body)
                if terms.heldFor != old.heldFor, let releasesAt = old.releasesAt {
                    guard old.canHold(for: terms.heldFor, at: self.now) else {
                        return self.problem(422, "bad_state", "cancel_authorised_after is too late")
                    }
                    terms.releasesAt = releasesAt - old.heldFor + terms.heldFor
                }
                order.terms = terms
            } catch {
                return self.problem(error.status, error.code, error.message)
            }
            if let asked = body["amount"] {
                guard let amount = asked.number, amount > 0,
                    body["currency"]?.text ?? order.currency == order.currency
                else {
                    return self.problem(400, "validation", "amount or currency")
                }
                order.amount = amount
            }
            if let text = body["description"]?.text { order.description = text }
            if let data = body["merchant_order_data"]?.members {
                order.reference = data["reference"]?.text
            }
            return nil
        }
    }

    /// Which members can be changed in which state.
    private static let changeable: [String: Set<String>] = {
        let always: Set = [
            "merchant_order_data", "description", "metadata", "shipping", "industry_data",
        ]
        let held = always.union(["cancel_authorised_after"])
        // How long an order can be paid is said when it is made, and never again.
        let all = RevolutOrderRow.Terms.known.subtracting(["expire_pending_after"])
        return ["pending": all, "authorised": held, "completed": always]
    }()

    /// Notes members that are passed over, so that a test can look for them; the answer of a strict
    /// Revolut, if it is to be one.
    func refusedUnknown(_ body: [String: JSONTree], _ known: Set<String>) -> HTTPResponse? {
        let names = Set(body.keys).subtracting(known).sorted().map { Scrubbing.scrub($0) }
        for name in names {
            world.time.trace.add("revolut", "unknown member \(name) passed over")
            complain("unknown member \(name)")
        }
        guard let first = names.first, modes.withLock({ $0.refusesUnknownMembers }) else {
            return nil
        }
        return problem(400, "validation", "\(first) is not known")
    }

    /// What a strict Revolut refuses whatever the body says.
    func refusedByMode(_ request: HTTPRequest, _ parts: [String]) -> HTTPResponse? {
        let modes = modes.withLock { $0 }
        if request.headers["Revolut-Api-Version"] == nil {
            complain("no version in \(request.method.rawValue) \(request.path)")
            if modes.demandsVersion {
                return problem(400, "bad_request", "header Revolut-Api-Version is missing")
            }
        }
        if request.headers["Idempotency-Key"] != nil, parts.last != "refund" {
            complain("a key that has no effect in \(request.method.rawValue) \(request.path)")
            if modes.refusesNeedlessKeys {
                return problem(400, "validation", "Idempotency-Key is taken by refunds alone")
            }
        }
        return nil
    }

    private func complain(_ what: String) { complaints.withLock { $0.append(what) } }

    /// Held money is taken once; the same amount again only reads the order.
    func capture(_ id: String, _ request: HTTPRequest) -> HTTPResponse {
        guard let body = JSONTree.members(of: request.body) else {
            return problem(400, "bad_request", "the body is no JSON object")
        }
        guard body["amount"].map({ $0.number != nil }) ?? true else {
            return problem(400, "validation", "amount is no whole number")
        }
        var taken: (hold: RevolutOrderRow, amount: Int64)?
        let response = change(id) { order in
            let amount = body["amount"]?.number ?? order.terms?.captured ?? order.amount
            guard order.isManual, order.state == "authorised" else {
                if order.isManual, order.terms?.captured == amount {
                    return .json(200, order.tree())
                }
                return self.problem(
                    422,
                    "order_invalid_state",
                    "order is \(order.state), expected authorised"
                )
            }
            guard amount > 0, amount <= order.amount else {
                return self.problem(400, "validation", "amount is more than what is held")
            }
            taken = (order, amount)
            _ = order.enter("completed")
            order.terms?.captured = amount
            order.terms?.releasesAt = nil
            order.payments[order.payments.count - 1].state = "captured"
            return nil
        }
        if let (hold, amount) = taken {
            book(hold, .release)
            var charge = hold
            charge.amount = amount
            book(charge, .charge)
        }
        return response
    }

    func payments(_ id: String) -> HTTPResponse {
        let order = state.withLock { state in state.orders.first { $0.id == id } }
        guard let order else { return problem(404, "not_found", "no order \(id)") }
        return .json(200, .list(order.payments.map(order.tree)))
    }

    /// One payment; what is not there is answered with a body of its own.
    func payment(_ request: HTTPRequest, _ parts: [String]) -> HTTPResponse {
        guard request.method == .get, parts.count == 3 else { return problem(404, "not_found") }
        let found = state.withLock { state in
            state.orders.lazy.compactMap { order in
                order.payments.first { $0.id == parts[2] }.map { (order, $0) }
            }.first
        }
        guard let (order, payment) = found, case .object(var members) = order.tree(payment) else {
            return .json(
                404,
                .object([
                    "errorId": .text(newID()), "code": .number(1_024),
                    "timestamp": .number(Int64(now.timeIntervalSince1970 * 1_000)),
                ])
            )
        }
        members["order_id"] = .text(order.id)
        return .json(200, .object(members))
    }
}

extension RevolutBooks.State {
    /// Adds a refund that was given to what the order that was paid shows.
    mutating func refunded(_ refund: RevolutOrderRow) {
        guard let index = orders.firstIndex(where: { $0.id == refund.related }) else { return }
        var terms = orders[index].terms ?? RevolutOrderRow.Terms()
        terms.refunded = (terms.refunded ?? 0) + refund.amount
        orders[index].terms = terms
    }
}
