public import PaymentCore

/// What a transaction does.
public enum TransactionType: String, Hashable, Sendable, CaseIterable {
    /// Authorise and capture together.
    case sale = "SALE"
    /// Hold only.
    case authorization = "AUTHORIZATION"
    /// Refund to the tapped card.
    case refund = "REFUND"

    /// What a merchant's screen calls it, in English.
    public var displayName: String {
        switch self {
        case .sale: "Sale"
        case .authorization: "Authorization"
        case .refund: "Refund"
        }
    }
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
    /// Reserved: nil in live results.
    public let cardType: String?
    /// Reserved: nil in live results.
    public let emvData: String?
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

    /// A result for an app's own tests; it does not look like a live one.
    ///
    /// - Parameters:
    ///   - amount: The amount in minor units.
    ///   - currency: The currency's code.
    ///   - cardBrand: The card's brand.
    ///   - last4: The last four digits.
    ///   - maskedCardNumber: The masked number.
    ///   - cardType: A type, which live results lack.
    ///   - transferId: Finix's identifier of the payment.
    ///   - transferState: Finix's state of the payment.
    ///   - approvalCode: The issuer's approval code.
    /// - Returns: A result that completed at the beginning of 1970.
    public static func mock(
        amount: Int,
        currency: String,
        cardBrand: String? = "VISA",
        last4: String? = "1234",
        maskedCardNumber: String? = "**** **** **** 1234",
        cardType: String? = "CREDIT",
        transferId: String? = nil,
        transferState: String? = nil,
        approvalCode: String? = nil
    ) -> TapToPayTransactionResult {
        TapToPayTransactionResult(
            amount: amount,
            currency: currency,
            cardBrand: cardBrand,
            last4: last4,
            maskedCardNumber: maskedCardNumber,
            cardType: cardType,
            emvData: nil,
            timestamp: Date(timeIntervalSince1970: 0),
            readerIdentifier: nil,
            transactionIdentifier: nil,
            transferId: transferId,
            transferState: transferState,
            approvalCode: approvalCode,
            traceId: nil
        )
    }
}
