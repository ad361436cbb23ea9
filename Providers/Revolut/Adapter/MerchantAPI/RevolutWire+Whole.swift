import PaymentCore
import PaymentTransport

extension RevolutWire {
    /// An order with everything that a back end reads.
    ///
    /// What decides about money has to be readable; the rest is left out where it is not.
    struct WholeOrder: Decodable, Sendable {
        let order: Order
        let outstanding: Int64?
        let refunded: Int64?
        let captureMode: String?
        let location: String?
        let payments: [WholePayment]

        private enum Keys: String, CodingKey {
            case outstanding_amount, refunded_amount, capture_mode, location_id, payments
        }

        init(from decoder: any Decoder) throws {
            order = try Order(from: decoder)
            let members = try decoder.container(keyedBy: Keys.self)
            outstanding = members.ifReadable(.outstanding_amount)
            refunded = members.ifReadable(.refunded_amount)
            captureMode = members.ifReadable(.capture_mode)
            location = members.ifReadable(.location_id)
            payments = try members.decodeIfPresent([WholePayment].self, forKey: .payments) ?? []
        }
    }

    struct WholePayment: Decodable, Sendable {
        let payment: Payment
        let order: String?
        let amount: Int64?
        let currency: String?
        let settled: Int64?
        let settledCurrency: String?
        let fees: [Fee]
        let acquirerReferenceNumber: String?

        private enum Keys: String, CodingKey {
            case order_id, amount, currency, settled_amount, settled_currency, fees, payment_method
        }

        private struct Reference: Decodable {
            let arn: String?
        }

        init(from decoder: any Decoder) throws {
            payment = try Payment(from: decoder)
            let members = try decoder.container(keyedBy: Keys.self)
            order = members.ifReadable(.order_id)
            amount = members.ifReadable(.amount)
            currency = members.ifReadable(.currency)
            settled = members.ifReadable(.settled_amount)
            settledCurrency = members.ifReadable(.settled_currency)
            fees = members.ifReadable(.fees) ?? []
            let reference: Reference? = members.ifReadable(.payment_method)
            acquirerReferenceNumber = reference?.arn
        }
    }

    struct Fee: Decodable, Sendable {
        let amount: Int64
        let currency: String
    }

    /// The order list; rows that cannot be read are counted, and the others survive.
    struct WholeOrders: Decodable, Sendable {
        var orders: [WholeOrder] = []
        var unreadable = 0

        private enum Keys: String, CodingKey {
            case orders
        }

        private struct Row: Decodable {
            let order: WholeOrder?
            init(from decoder: any Decoder) { order = try? WholeOrder(from: decoder) }
        }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Keys.self)
            for row in try members.decode([Row].self, forKey: .orders) {
                if let order = row.order { orders.append(order) } else { unreadable += 1 }
            }
        }
    }
}

extension KeyedDecodingContainer {
    /// A member, or nil where it is absent, null or of an unexpected type.
    fileprivate func ifReadable<Value: Decodable>(_ key: Key) -> Value? {
        try? decodeIfPresent(Value.self, forKey: key)
    }
}
