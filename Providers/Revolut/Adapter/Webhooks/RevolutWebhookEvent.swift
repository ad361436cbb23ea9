public import PaymentCore
import PaymentTransport

/// What a delivery tells: a name and whom it is about, without state or amount.
///
/// Deliveries come more than once, late and in any order, so read the order before acting.
public struct RevolutWebhookEvent: Hashable, Sendable {
    /// What happened.
    public let name: Name
    /// Whom it happened to.
    public let subject: Subject
    /// The merchant's own identifier of the order.
    public let orderReference: String?
    /// The merchant's own identifier of an incremental authorization.
    public let incrementReference: String?

    /// Whom an event is about.
    public enum Subject: Hashable, Sendable {
        /// An order, by Revolut's identifier.
        case order(String)
        /// A payout.
        case payout(String)
        /// A dispute.
        case dispute(String)
        /// Something that is not known here.
        case unknown
    }

    /// Reads a body that is believed already.
    ///
    /// - Parameter body: The delivery's body.
    /// - Throws: ``RevolutWebhookRefusal`` with `bodyMalformed` when it tells no event, or a known
    ///   event without whom it is about; an unknown event is kept as it is.
    public init(body: Data) throws(RevolutWebhookRefusal) {
        let wire: Wire
        do throws(PaymentError) {
            wire = try JSONBody.decode(Wire.self, from: body)
        } catch {
            throw .bodyMalformed(error.detail ?? "the body cannot be read")
        }
        guard !wire.event.isEmpty else { throw .bodyMalformed(".event is empty") }
        name = Name(description: wire.event)
        guard let subject = wire.subject(of: name) else {
            throw .bodyMalformed("the body names nothing that \(name) is about")
        }
        self.subject = subject
        orderReference = wire.merchant_order_ext_ref
        incrementReference = wire.incremental_authorisation_ext_reference
    }

    private struct Wire: Decodable {
        let event: String
        let order_id: String?
        let payout_id: String?
        let dispute_id: String?
        let merchant_order_ext_ref: String?
        let incremental_authorisation_ext_reference: String?

        func subject(of name: Name) -> Subject? {
            let order = order_id.flatMap { $0.isEmpty ? nil : Subject.order($0) }
            let payout = payout_id.flatMap { $0.isEmpty ? nil : Subject.payout($0) }
            let dispute = dispute_id.flatMap { $0.isEmpty ? nil : Subject.dispute($0) }
            switch name.group {
            case .order, .payment: return order
            case .payout: return payout
            case .dispute: return dispute
            case nil: return order ?? payout ?? dispute ?? .unknown
            }
        }
    }
}

extension RevolutWebhookEvent {
    /// What happened; an open set.
    public struct Name: Hashable, Sendable, CustomStringConvertible {
        /// Revolut's word.
        public let description: String

        /// Takes up a word.
        public init(description: String) { self.description = description }

        /// An order's money is held.
        public static let orderAuthorized = Self(description: "ORDER_AUTHORISED")
        /// An order's money moved; the order may be a refund.
        public static let orderCompleted = Self(description: "ORDER_COMPLETED")
        /// An order was closed.
        public static let orderCancelled = Self(description: "ORDER_CANCELLED")
        /// An order ended unpaid.
        public static let orderFailed = Self(description: "ORDER_FAILED")
        /// An attempt to pay was refused.
        public static let paymentDeclined = Self(description: "ORDER_PAYMENT_DECLINED")
        /// An attempt to pay went wrong.
        public static let paymentFailed = Self(description: "ORDER_PAYMENT_FAILED")

        /// Which family a known word belongs to; nil for words that are not known here.
        var group: Group? { Self.groups[description] }

        enum Group {
            case order, payment, payout, dispute
        }

        /// Every word that Revolut publishes for the events that are dealt with here.
        public static var allKnown: [Name] {
            groups.keys.sorted().map { Name(description: $0) }
        }

        private static let groups: [String: Group] = {
            let words: [(Group, String, String)] = [
                (
                    .order, "ORDER_",
                    """
                    COMPLETED AUTHORISED CANCELLED FAILED INCREMENTAL_AUTHORISATION_AUTHORISED \
                    INCREMENTAL_AUTHORISATION_DECLINED INCREMENTAL_AUTHORISATION_FAILED
                    """
                ),
                (
                    .payment, "ORDER_PAYMENT_",
                    """
                    AUTHENTICATION_CHALLENGED AUTHENTICATED AUTHORISATION_STARTED DECLINED FAILED
                    """
                ),
                (.payout, "PAYOUT_", "INITIATED COMPLETED FAILED"),
                (.dispute, "DISPUTE_", "ACTION_REQUIRED UNDER_REVIEW WON LOST"),
            ]
            var groups: [String: Group] = [:]
            for (group, prefix, rest) in words {
                for word in rest.split(separator: " ") { groups[prefix + word] = group }
            }
            return groups
        }()
    }
}
