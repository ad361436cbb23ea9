public import PaymentCore
import PaymentTransport

/// One attempt to pay an order.
public struct RevolutOrderPayment: Hashable, Sendable {
    /// What Revolut calls it.
    public let id: String
    /// The order that it pays.
    public let order: String
    /// How far it is.
    public let state: State
    /// Revolut's reason for a refusal, as the payment tells it.
    public let declineReason: String?
    /// Revolut's reason for a refusal, as the payment's method tells it.
    public let failureReason: String?
    /// What was asked for; nil when the answer names no amount.
    public let amount: Money?
    /// What the merchant receives after fees; negative for a refund.
    public let settled: SignedAmount?
    /// What Revolut keeps.
    public let fees: [SignedAmount]
    /// How the customer paid, in Revolut's word, such as `apple_tap_to_pay`; an open set.
    public let method: String?
    /// The card, as far as it may be shown.
    public let card: CardSummary?
    /// The issuer's code.
    public let approvalCode: String?
    /// The number by which a bank finds a refund.
    public let acquirerReferenceNumber: String?
    /// The refusal, if it was refused or failed.
    public let decline: Decline?

    /// How far a payment is; an open set.
    public struct State: Hashable, Sendable, CustomStringConvertible {
        /// Revolut's word.
        public let description: String

        /// What the state means; a state that nobody knows is in progress.
        public var meaning: Meaning {
            switch description {
            case "captured", "completed": .succeeded
            case "authorised": .held
            case "declined", "soft_declined": .refused
            case "failed": .failed
            case "cancelled": .cancelled
            default: .inProgress
            }
        }
    }

    /// What a payment's state means.
    public enum Meaning: Hashable, Sendable {
        /// The money moved.
        case succeeded
        /// The money is held.
        case held
        /// Somebody said no.
        case refused
        /// Something went wrong.
        case failed
        /// It was called off.
        case cancelled
        /// Nothing is to be decided by it.
        case inProgress
    }

    /// An amount that may be below zero.
    public struct SignedAmount: Hashable, Sendable {
        /// The count of the currency's smallest unit.
        public let minorUnits: Int64
        /// The currency's code.
        public let currency: String
    }

    init(_ wire: RevolutWire.WholePayment, order: String) {
        id = wire.payment.id
        self.order = wire.order ?? order
        state = State(description: wire.payment.state)
        declineReason = wire.payment.decline_reason
        failureReason = wire.payment.payment_method?.failure_reason
        let currency = wire.currency.flatMap { Currency(answeredCode: $0) }
        amount = wire.amount.flatMap { amount in
            currency.flatMap { try? Money(minorUnits: amount, currency: $0) }
        }
        settled = wire.settled.map { amount in
            SignedAmount(
                minorUnits: amount,
                currency: wire.settledCurrency ?? wire.currency ?? ""
            )
        }
        fees = wire.fees.map { SignedAmount(minorUnits: $0.amount, currency: $0.currency) }
        method = wire.payment.payment_method?.type
        card = wire.payment.card
        approvalCode = wire.payment.payment_method?.authorisation_code
        acquirerReferenceNumber = wire.acquirerReferenceNumber
        let wasRefused = [.refused, .failed].contains(state.meaning)
        decline =
            wasRefused ? RevolutDeclines.decline(wire.payment, order: wire.order ?? order) : nil
    }

    /// How the customer paid: by a tap, or on a device of their own.
    public var paidBy: PaymentMethod {
        switch method {
        case "apple_tap_to_pay": .tap
        case nil: .unknown
        default: .qr
        }
    }
}
