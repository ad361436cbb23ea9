public import Combine
public import Foundation

/// The documented surface of the vendor's class; it does nothing.
public final class FinixTapToPay {
    /// Creates it.
    public init(configuration: TapToPayConfiguration) {}

    /// Whether this device can read cards.
    public static func isSupported() -> Bool { false }

    /// What happens during transactions.
    public var transactionEvents: AnyPublisher<TapToPayTransactionEvent, Never> {
        Empty().eraseToAnyPublisher()
    }

    /// Whether the account is linked.
    public func isAccountLinked() async -> Bool { false }
    /// The same, asked anew.
    public func forceRefreshLinkStatus() async -> Bool { false }
    /// Forgets the answer.
    public func clearLinkStatus() {}
    /// Shows the terms.
    public func linkAccount() async throws { throw notSupported }
    /// Prepares the reader.
    public func prepareReader() async throws { throw notSupported }
    /// Ends a read.
    public func cancelTransaction() async throws {}
    /// Sets the language of the buyer's screens.
    public func setUserInterfaceLanguage(_ language: Locale.Language?) {}
    /// Drops the session.
    public func refreshConfiguration() {}
    /// Drops everything.
    public func clearAllCaches() {}

    #if FINIX_SDK_1_0
        /// Takes a payment.
        public func startTransaction(
            amount: Int,
            currency: String,
            type: TransactionType = .sale,
            identityId: String? = nil
        ) async throws -> TapToPayTransactionResult { throw notSupported }

        private var notSupported: TapToPayError { .notSupported }
    #else
        /// Takes a payment.
        public func startTransaction(
            amount: Int,
            currency: String,
            type: TransactionType = .sale,
            identityId: String? = nil,
            surchargeAmount: Int? = nil,
            tipAmount: Int? = nil,
            promptForSignature: Bool? = nil
        ) async throws -> TapToPayTransactionResult { throw notSupported }

        private var notSupported: TapToPayError { TapToPayError(.notSupported) }
    #endif
}

/// What a transaction does.
public enum TransactionType: String, Sendable, CaseIterable {
    case sale, authorization, refund
    /// What a screen calls it.
    public var displayName: String { rawValue.capitalized }
}

/// What happens during a transaction.
public enum TapToPayTransactionEvent: Sendable, Equatable {
    case preparingTransaction, readingCard, cardRead, processing
    case success(TapToPayTransactionResult)
    case failure(TapToPayError)
}

/// What an approved transaction returns.
public struct TapToPayTransactionResult: Sendable, Equatable {
    /// The amount asked for.
    public let amount: Int
    /// The currency asked for.
    public let currency: String
    /// The card's brand.
    public let cardBrand: String?
    /// The last four digits.
    public let last4: String?
    /// The masked number.
    public let maskedCardNumber: String?
    /// Reserved.
    public let cardType: String?
    /// Reserved.
    public let emvData: String?
    /// When it completed.
    public let timestamp: Date
    /// The reader.
    public let readerIdentifier: String?
    /// The reader's name of the transaction.
    public let transactionIdentifier: String?
    /// Finix's name of the payment.
    public let transferId: String?
    /// Finix's state of the payment.
    public let transferState: String?
    /// The issuer's approval code.
    public let approvalCode: String?
    /// The processor's name of the payment.
    public let traceId: String?
}
