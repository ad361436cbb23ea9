public import PaymentCore

/// Merchant and Device that the kit works for.
public struct TapToPayConfiguration: Sendable {
    /// Finix's merchant.
    public var merchantID: String
    /// The name on the tap screen.
    public var merchantName: String
    /// The activated Device.
    public var deviceID: String

    /// Creates a configuration.
    public init(merchantID: String, merchantName: String, deviceID: String) {
        self.merchantID = merchantID
        self.merchantName = merchantName
        self.deviceID = deviceID
    }
}

/// What a transaction does.
public enum TransactionType: String, Hashable, Sendable, CaseIterable {
    /// Authorise and capture together.
    case sale = "SALE"
    /// Hold only.
    case authorization = "AUTHORIZATION"
    /// Refund to the tapped card.
    case refund = "REFUND"
}

/// What happens during a transaction.
public enum TapToPayTransactionEvent: Hashable, Sendable {
    /// It begins.
    case preparingTransaction
    /// The read is about to start.
    case readingCard
    /// The card was read.
    case cardRead
    /// The payment is submitted.
    case processing
    /// It was approved.
    case success(TapToPayTransactionResult)
    /// It ended otherwise.
    case failure(TapToPayError)
}

/// What an approved transaction returns.
public struct TapToPayTransactionResult: Hashable, Sendable {
    /// The amount asked for, in minor units.
    public let amount: Int
    /// The currency asked for.
    public let currency: String
    /// The card's brand.
    public let cardBrand: String?
    /// The last four digits.
    public let last4: String?
    /// The masked number.
    public let maskedCardNumber: String?
    /// When it completed, by the phone's clock.
    public let timestamp: Date
    /// The reader's identifier.
    public let readerIdentifier: String?
    /// The reader's identifier of the transaction.
    public let transactionIdentifier: String?
    /// Finix's identifier of the payment.
    public let transferId: String?
    /// Finix's state of the payment.
    public let transferState: String?
    /// The issuer's approval code.
    public let approvalCode: String?
    /// The processor's identifier.
    public let traceId: String?
}
