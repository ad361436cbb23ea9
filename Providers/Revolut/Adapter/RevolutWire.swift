import PaymentCore

/// The parts of Revolut's JSON that the adapter reads and writes; everything else is passed over.
enum RevolutWire {
    struct Order: Decodable {
        var id: String
        var type: String?
        var state: String
        var amount: Int64
        var currency: String
        var created_at: String
        var updated_at: String?
        var description: String?
        var checkout_url: String?
        var related_order_id: String?
        var location_id: String?
        var metadata: [String: String]?
        var merchant_order_data: Merchant?
        var payments: [Payment]?
    }

    struct Merchant: Decodable {
        var reference: String?
    }

    struct Payment: Decodable {
        var id: String
        var state: String
        var decline_reason: String?
        var bank_message: String?
        var payment_method: Method?
    }

    struct Method: Decodable {
        var type: String?
        var failure_reason: String?
        var card_brand: String?
        var card_last_four: String?
        var funding: String?
        var authorisation_code: String?
    }

    /// The order list; rows that cannot be read are counted, and the others survive.
    struct Orders: Decodable, Sendable {
        var orders: [Order] = []
        var unreadable = 0

        private enum CodingKeys: String, CodingKey {
            case orders
        }

        private struct Lenient: Decodable {
            var order: Order?
            init(from decoder: any Decoder) { order = try? Order(from: decoder) }
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            for row in try container.decode([Lenient].self, forKey: .orders) {
                if let order = row.order { orders.append(order) } else { unreadable += 1 }
            }
        }
    }

    struct NewOrder: Encodable {
        let amount: Int64
        let currency: String
        let description: String
        let expire_pending_after: String
        let merchant_order_data: Reference
        var location_id: String?

        struct Reference: Encodable {
            let reference: String
        }
    }

    struct NewRefund: Encodable {
        let amount: Int64
        let currency: String
    }

    struct Nothing: Encodable {}

    /// An error body, whichever of its shapes it has; its code may be text or a number.
    struct Problem: Decodable {
        var code: String?
        var message: String?
        var errorId: String?

        private enum CodingKeys: String, CodingKey {
            case code, message, errorId
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            code =
                (try? container.decode(String.self, forKey: .code))
                ?? (try? container.decode(Int64.self, forKey: .code)).map { String($0) }
            message = try? container.decode(String.self, forKey: .message)
            errorId = try? container.decode(String.self, forKey: .errorId)
        }
    }
}
