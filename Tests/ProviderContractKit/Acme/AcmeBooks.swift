import AcquirerSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import Simulation
import Synchronization

/// What the emulated Acme knows, and how it answers.
final class AcmeBooks: Sendable {
    struct Row: Sendable {
        let id: String
        let key: String
        let kind: String
        var state = "open"
        var amount: Int64
        let requested: Int64
        let currency: String
        var reason: String?
        var brand: String?
        var last4: String?
        var method: String?
        var code: String?
        let created: Date
        var expires: Date?
        var parent: String?
        var isUsed = false
    }

    struct Pending: Sendable {
        let delay: Duration
        let succeeds: Bool
    }

    struct State {
        var rows: [Row] = []
        var tokens: Set<String> = []
        var count = 0
        var pending: Pending?
        var paysPageAfter: Duration?
        var listsTwice = false
    }

    let world: SimulatedWorld
    let state = Mutex(State())

    init(world: SimulatedWorld) { self.world = world }

    func issueToken() -> String {
        state.withLock { state in
            state.count += 1
            let token = "acme-device-token-\(Self.letters(state.count))"
            state.tokens.insert(token)
            return token
        }
    }

    func answer(_ request: HTTPRequest) -> HTTPResponse {
        let credential = request.headers["Authorization"]?.dropFirst(7) ?? ""
        let isDevice = state.withLock { $0.tokens.contains(String(credential)) }
        let parts = request.path.split(separator: "/").map(String.init)
        switch (request.method, parts.first, parts.count) {
        case (.get, "reader-token", 1):
            return isDevice ? .json(200, .object(["token": .text("acme-reader")])) : refused(401)
        case (.post, "payments", 1): return isDevice ? pay(request) : refused(401)
        default: break
        }
        guard credential == AcmeEmulator.apiKey else { return refused(401) }
        switch (request.method, parts.first, parts.count) {
        case (.get, "payments", 1): return list(request)
        case (.get, "payments", 2):
            return row(parts[1]).map { .json(200, $0.tree) } ?? refused(404)
        case (.post, "links", 1): return link(request)
        case (.post, "payments", 3): return change(parts[1], parts[2], request)
        default: return refused(404)
        }
    }

    private func refused(_ status: Int) -> HTTPResponse {
        .json(status, .object(["error": .text("refused")]))
    }

    private func row(_ id: String) -> Row? { state.withLock { $0.rows.first { $0.id == id } } }

    private func list(_ request: HTTPRequest) -> HTTPResponse {
        func value(_ name: String) -> String? { request.query.first { $0.name == name }?.value }
        guard let from = value("from").flatMap(WireDate.parse),
            let to = value("to").flatMap(WireDate.parse),
            let start = value("start").flatMap({ Int($0) })
        else { return refused(400) }
        let rows = state.withLock { state in
            let rows = state.rows.reversed().filter { from...to ~= $0.created }
            return state.listsTwice ? rows.flatMap { [$0, $0] } : rows
        }
        let page = rows.dropFirst(start).prefix(40)
        let end = start + page.count
        return .json(
            200,
            .object([
                "payments": .list(page.map(\.tree)),
                "next": end < rows.count ? .number(Int64(end)) : .null,
            ])
        )
    }

    // MARK: Payments

    private func make(_ request: HTTPRequest) -> Row? {
        guard let body = JSONTree.members(of: request.body), let key = body["key"]?.text,
            let kind = body["kind"]?.text, let amount = body["amount"]?.number, amount > 0,
            let currency = body["currency"]?.text, (body["note"]?.text ?? "").count <= 40
        else { return nil }
        return state.withLock { state in
            state.count += 1
            return Row(
                id: "ac-\(Self.letters(state.count))",
                key: key,
                kind: kind,
                amount: amount,
                requested: amount,
                currency: currency,
                created: world.time.wallTime
            )
        }
    }

    private func known(_ key: String, parent: String? = nil) -> Row? {
        state.withLock { $0.rows.first { $0.key == key && $0.parent == parent } }
    }

    private func pay(_ request: HTTPRequest) -> HTTPResponse {
        guard var row = make(request),
            let payload = JSONTree.members(of: request.body)?["payload"]?.text
        else { return refused(422) }
        if let known = known(row.key) { return .json(200, known.tree) }
        let decision = world.issuer.decide(
            payload,
            minorUnits: row.amount,
            currency: row.currency
        )
        row.brand = decision.card?.brand
        row.last4 = decision.card?.lastFour
        row.method = "tap"
        switch decision.answer {
        case .approved(let part, let code):
            row.state = "succeeded"
            row.amount = part
            row.code = code
        case .declined(let refusal):
            row.state = "declined"
            row.reason = Self.reasons[refusal] ?? "other_\(refusal.rawValue)"
        case .asksForPIN:
            row.state = "declined"
            row.reason = "pin"
        }
        if row.kind == "authorization" { row.expires = row.created + 7 * 24 * 3_600 }
        let pending = state.withLock { state in
            defer { state.pending = nil }
            return state.pending
        }
        if let pending, row.state == "succeeded" {
            row.state = "pending"
            let id = row.id
            world.time.clock.schedule(after: pending.delay) { [self] in
                settle(id, as: pending.succeeds ? "succeeded" : "declined")
            }
        }
        keep(row)
        return .json(201, row.tree)
    }

    private static let reasons: [IssuerRefusal: String] = [
        .insufficientFunds: "funds", .expiredCard: "expired", .lostCard: "lost",
        .stolenCard: "lost", .pickUpCard: "lost", .suspectedFraud: "fraud",
    ]

    private func settle(_ id: String, as end: String) {
        let row = state.withLock { state -> Row? in
            guard let index = state.rows.firstIndex(where: { $0.id == id }),
                ["open", "pending"].contains(state.rows[index].state)
            else { return nil }
            state.rows[index].state = end
            if state.rows[index].method == nil { state.rows[index].method = "qr" }
            return state.rows[index]
        }
        if let row { book(row) }
    }

    private func keep(_ row: Row) {
        state.withLock { $0.rows.append(row) }
        book(row)
    }

    private func book(_ row: Row) {
        let kinds: [String: Ledger.Kind] = [
            "sale": .charge, "authorization": .hold, "refundToCard": .refund, "refund": .refund,
            "capture": .charge, "void": .release,
        ]
        guard row.state == "succeeded", let kind = kinds[row.kind] else { return }
        world.ledger.book(
            Ledger.Entry(
                acquirer: "acme",
                record: row.id,
                kind: kind,
                minorUnits: row.amount,
                currency: row.currency,
                time: world.time.wallTime
            )
        )
    }

    private func link(_ request: HTTPRequest) -> HTTPResponse {
        guard var row = make(request) else { return refused(422) }
        if let known = known(row.key) { return .json(200, known.tree) }
        row.expires = row.created + 600
        let delay = state.withLock { state in
            state.rows.append(row)
            defer { state.paysPageAfter = nil }
            return state.paysPageAfter
        }
        if let delay {
            let id = row.id
            world.time.clock.schedule(after: delay) { [self] in settle(id, as: "succeeded") }
        }
        return .json(201, row.tree)
    }

    // MARK: What follows

    private func change(_ id: String, _ verb: String, _ request: HTTPRequest) -> HTTPResponse {
        guard let parent = row(id) else { return refused(404) }
        if verb == "close" {
            state.withLock { state in
                guard let index = state.rows.firstIndex(where: { $0.id == id }),
                    state.rows[index].state == "open"
                else { return }
                state.rows[index].state = "closed"
            }
            return row(id).map { .json(200, $0.tree) } ?? refused(404)
        }
        guard let body = JSONTree.members(of: request.body), let key = body["key"]?.text,
            let amount = body["amount"]?.number, amount > 0
        else { return refused(422) }
        if let known = known(key, parent: id) { return .json(200, known.tree) }
        let given = state.withLock { state in
            state.rows.filter { $0.parent == id && $0.kind == "refund" }.reduce(0) {
                $0 + $1.amount
            }
        }
        let isHold = parent.kind == "authorization" && parent.state == "succeeded"
        let isLapsed = parent.expires.map { $0 < world.time.wallTime } ?? false
        let isAllowed =
            switch verb {
            case "capture": isHold && !parent.isUsed && !isLapsed && amount <= parent.amount
            case "void": isHold && !parent.isUsed
            case "refund":
                ["sale", "capture"].contains(parent.kind) && parent.state == "succeeded"
                    && given + amount <= parent.amount
            default: false
            }
        guard isAllowed else { return refused(409) }
        let row = state.withLock { state in
            state.count += 1
            if isHold, let index = state.rows.firstIndex(where: { $0.id == id }) {
                state.rows[index].isUsed = true
            }
            return Row(
                id: "ac-\(Self.letters(state.count))",
                key: key,
                kind: verb,
                state: "succeeded",
                amount: verb == "void" ? parent.amount : amount,
                requested: amount,
                currency: parent.currency,
                created: world.time.wallTime,
                parent: id
            )
        }
        keep(row)
        return .json(201, row.tree)
    }

    /// A number as letters, so that an identifier holds no run of digits.
    private static func letters(_ number: Int) -> String {
        var text = ""
        var rest = number
        repeat {
            text = String(UnicodeScalar(UInt8(97 + rest % 26))) + text
            rest /= 26
        } while rest > 0
        return text
    }
}

extension AcmeBooks.Row {
    var tree: JSONTree {
        .object([
            "id": .text(id), "key": .text(key), "kind": .text(kind), "state": .text(state),
            "amount": .number(amount), "requested": .number(requested),
            "currency": .text(currency), "reason": .optional(reason), "brand": .optional(brand),
            "last4": .optional(last4), "method": .optional(method), "code": .optional(code),
            "created": .text(WireDate.format(created)),
            "expires": .optional(expires.map(WireDate.format)), "parent": .optional(parent),
            "url": .text("https://pay.acme.simulated/\(id)"),
        ])
    }
}
