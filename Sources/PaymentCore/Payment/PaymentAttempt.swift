/// One try; the same for a payment at the counter and for what follows it.
public struct PaymentAttempt: Sendable {
    /// The try's identity, also the key that goes to the acquirer wherever it has room for one.
    public let id: AttemptID
    /// Whose money it is.
    public let account: Account
    /// What is tried.
    public let operation: Operation
    /// When it started, by this device's clock.
    public let startedAt: Date
    /// The amount that would move: the total for a payment.
    public let amount: Money

    /// Creates an attempt.
    public init(
        id: AttemptID,
        account: Account,
        operation: Operation,
        startedAt: Date,
        amount: Money
    ) {
        self.id = id
        self.account = account
        self.operation = operation
        self.startedAt = startedAt
        self.amount = amount
    }

    /// The order that the try belongs to.
    public var order: Order {
        switch operation {
        case .take(let request): request.order
        case .capture(let authorization), .void(let authorization): authorization.order
        case .refund(let receipt): receipt.order
        }
    }

    /// What is tried, without its details.
    public var kind: AttemptKind {
        switch operation {
        case .take(let request): AttemptKind(request.kind)
        case .capture: .capture
        case .void: .void
        case .refund: .refund
        }
    }

    /// What is tried.
    public indirect enum Operation: Sendable {
        /// A payment at the counter.
        case take(PaymentRequest)
        /// Taking held money, in full or in part.
        case capture(Authorization)
        /// Letting held money go.
        case void(Authorization)
        /// Giving captured money back, in full or in part.
        case refund(Receipt)
    }
}

/// The kinds of attempts.
public enum AttemptKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// Money is taken at once.
    case sale
    /// Money is held.
    case authorization
    /// Money is given to the tapped card.
    case refundToCard
    /// Held money is taken.
    case capture
    /// Held money is let go.
    case void
    /// Captured money is given back.
    case refund

    init(_ kind: PaymentRequest.Kind) {
        switch kind {
        case .sale: self = .sale
        case .authorization: self = .authorization
        case .refundToCard: self = .refundToCard
        }
    }

    /// Whether it happens at the counter, with a card present.
    public var isAtCounter: Bool {
        switch self {
        case .sale, .authorization, .refundToCard: true
        case .capture, .void, .refund: false
        }
    }
}
