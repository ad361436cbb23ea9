import PaymentCore

/// The parts of Finix's JSON that the adapter reads and writes; everything else is passed over.
enum FinixWire {
    /// A transfer or an authorization: the same shape where the names agree.
    struct Payment: Decodable {
        @Identifier var id: String
        var type: String?
        var state: String
        var amount: Int64
        var amount_requested: Int64?
        var currency: String
        var created_at: String
        var device: String?
        var failure_code: Text?
        var failure_message: Text?
        var idempotency_id: String?
        var trace_id: String?
        var parent_transfer: String?
        var card_present_details: CardPresentDetails?
        // Of an authorization alone.
        var expires_at: String?
        var transfer: String?
        var is_void: Bool?
        var void_state: String?

        /// Whether it says that nobody wished to release it.
        var isHeld: Bool {
            is_void != true && void_state == "UNATTEMPTED" || is_void == false && void_state == nil
        }
    }

    /// What an authorization says of its capture alone.
    struct Captured: Decodable {
        @Identifier var id: String
        var transfer: String?
    }

    struct CardPresentDetails: Decodable {
        var approval_code: String?
        var brand: String?
        var masked_account_number: String?
        var payment_type: String?

        var card: CardSummary {
            CardSummary(
                brand: brand,
                lastFour: masked_account_number.map { String($0.suffix(4)) },
                funding: payment_type == "NONE" ? nil : payment_type
            )
        }
    }

    /// One page of a list; rows that cannot be read are counted, and the others survive.
    struct Page<Row: Decodable & Sendable>: Decodable, Sendable {
        var rows: [Row] = []
        var unreadable = 0
        var nextCursor: String?
        /// Of a list that counts by offset: how many rows a page has at most, and the list.
        var limit: Int?
        var count: Int?

        /// How many rows came, read or not.
        var length: Int { rows.count + unreadable }

        private struct AnyKey: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        private struct Lenient: Decodable {
            var row: Row?
            init(from decoder: any Decoder) { row = try? Row(from: decoder) }
        }

        private struct Place: Decodable {
            var next_cursor: String?
            var limit: Text?
            var count: Text?
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyKey.self)
            let place = try container.decodeIfPresent(
                Place.self,
                forKey: AnyKey(stringValue: "page")
            )
            nextCursor = place?.next_cursor
            limit = place?.limit?.value.flatMap { Int($0) }
            count = place?.count?.value.flatMap { Int($0) }
            let embedded = AnyKey(stringValue: "_embedded")
            guard container.contains(embedded) else { return }
            let lists = try container.decode([String: [Lenient]].self, forKey: embedded)
            for row in lists.values.joined() {
                if let row = row.row { rows.append(row) } else { unreadable += 1 }
            }
        }
    }

    struct Errors: Decodable {
        var _embedded: Embedded?

        struct Embedded: Decodable {
            var errors: [Entry]?
        }

        struct Entry: Decodable {
            var code: Text?
            var message: Text?
            var logref: String?
            var field: String?
            var failure_code: Text?
            var failure_message: Text?
            var authorization: String?
            var transfer: String?
        }
    }

    /// Text that some answers give as a number.
    struct Text: Decodable {
        var value: String?

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                value = text
            } else if let number = try? container.decode(Int64.self) {
                value = String(number)
            }
        }
    }
}
