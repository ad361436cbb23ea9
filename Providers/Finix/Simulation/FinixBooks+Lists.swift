import AcquirerSimulation
import PaymentCore
import PaymentTransport

/// Lists in the emulated Finix, by cursor.
extension FinixBooks {
    func listPayments(
        _ request: HTTPRequest,
        _ reply: FinixReply,
        _ name: String,
        _ all: FinixRows
    ) -> HTTPResponse {
        let rows = all.filter { FinixFilter.keeps($0, request) }
        return list(rows, request, reply, key: name, id: \.id) { $0.resource }
    }

    /// One page of rows that stand newest first.
    func list<Row>(
        _ rows: [Row],
        _ request: HTTPRequest,
        _ reply: FinixReply,
        key: String,
        id: KeyPath<Row, String>,
        _ resource: (Row) -> JSONTree
    ) -> HTTPResponse {
        let asked = request.value("limit").flatMap { Int($0) }
        let limit = min(max(asked ?? Self.usualPage, 1), Self.largestPage)
        guard request.headers["Finix-Version"] == Self.version else {
            return offsetPage(rows, request, key: key, limit, resource)
        }
        var range = 0..<min(limit, rows.count)
        if let cursor = request.value("after_cursor") {
            guard let index = rows.firstIndex(where: { $0[keyPath: id] == cursor }) else {
                return reply.error(404, "NOT_FOUND", "no such cursor")
            }
            range = (index + 1)..<min(index + 1 + limit, rows.count)
        } else if let cursor = request.value("before_cursor") {
            guard let index = rows.firstIndex(where: { $0[keyPath: id] == cursor }) else {
                return reply.error(404, "NOT_FOUND", "no such cursor")
            }
            range = max(index - limit, 0)..<index
        }
        let isLast = range.upperBound >= rows.count
        let tree: JSONTree = .object([
            "_embedded": .object([key: .list(rows[range].map(resource))]),
            "page": .object([
                "limit": .number(Int64(limit)),
                "next_cursor": isLast ? .null : .optional(rows[range].last?[keyPath: id]),
            ]),
            // Shown as Finix shows them; whoever follows them leaves the cursors.
            "_links": .object([
                "self": .object([
                    "href": .text("\(FinixEmulator.origin)/\(key)?offset=0&limit=\(limit)")
                ])
            ]),
        ])
        return .json(200, tree, type: FinixReply.type)
    }

    /// How lists looked in the version that Finix falls back to: they counted by offset.
    private func offsetPage<Row>(
        _ rows: [Row],
        _ request: HTTPRequest,
        key: String,
        _ limit: Int,
        _ resource: (Row) -> JSONTree
    ) -> HTTPResponse {
        let offset = max(request.value("offset").flatMap { Int($0) } ?? 0, 0)
        let page = rows.dropFirst(offset).prefix(limit)
        let tree: JSONTree = .object([
            "_embedded": .object([key: .list(page.map(resource))]),
            "page": .object([
                "offset": .number(Int64(offset)), "limit": .number(Int64(limit)),
                "count": .number(Int64(rows.count)),
            ]),
            "_links": .object([:]),
        ])
        return .json(200, tree, type: FinixReply.type)
    }

    static let version = "2022-02-01"
    static let usualPage = 20
    static let largestPage = 100
}

/// The filters of Finix's lists.
enum FinixFilter {
    static func keeps(_ row: FinixRow, _ request: HTTPRequest) -> Bool {
        request.query.allSatisfy { keeps(row, $0.name, $0.value) }
    }

    private static func keeps(_ row: FinixRow, _ name: String, _ value: String) -> Bool {
        switch name {
        case "id": row.id == value
        case "merchant_id": row.merchant == value
        case "state": row.state == value
        case "idempotency_id": row.idempotencyID == value
        case "trace_id": row.traceID == value
        case "instrument_card_last4": row.lastFour == value
        case "instrument_brand_type": row.brand == value
        case "type": isOfType(row, value)
        default: keepsNumber(row, name, value)
        }
    }

    private static func isOfType(_ row: FinixRow, _ value: String) -> Bool {
        switch value {
        case "DEBITS": !row.isReversal
        case "REVERSAL": row.isReversal
        case "CREDITS", "SETTLEMENT": false
        default: true
        }
    }

    private static func keepsNumber(_ row: FinixRow, _ name: String, _ value: String) -> Bool {
        let parts = name.split(separator: ".").map(String.init)
        let comparison = parts.count > 1 ? parts[1] : "eq"
        switch parts.first {
        case "amount": return compare(row.amount, Int64(value), comparison)
        case "created_at": return compare(row.createdAt, WireDate.parse(value), comparison)
        case "updated_at": return compare(row.updatedAt, WireDate.parse(value), comparison)
        default: return true
        }
    }

    private static func compare<Value: Comparable>(
        _ one: Value,
        _ other: Value?,
        _ comparison: String
    ) -> Bool {
        guard let other else { return false }
        switch comparison {
        case "gt": return one > other
        case "gte": return one >= other
        case "lt": return one < other
        case "lte": return one <= other
        default: return one == other
        }
    }
}
