import PaymentCore

/// Finix's failure codes as neutral declines.
enum FinixDeclines {
    /// The decline for a failure code; a code that is not known stays a generic decline.
    static func decline(
        code: String?,
        message: String?,
        references: [AcquirerReference],
        card: CardSummary?
    ) -> Decline {
        Decline(
            code.flatMap { categories[$0] } ?? .generic,
            code: code,
            detail: message,
            references: references,
            card: card
        )
    }

    static let categories: [String: Decline.Category] = {
        let groups: [(Decline.Category, String)] = [
            (
                .insufficientFunds,
                """
                INSUFFICIENT_FUNDS EXCEEDS_APPROVAL_LIMIT EXCEEDS_WITHDRAWAL_FREQUENCY_LIMIT \
                MAX_TRANSACTION_AMOUNT_EXCEEDED INVALID_AMOUNT
                """
            ),
            (
                .issuerRefused,
                """
                GENERIC_DECLINE DO_NOT_HONOR CALL_ISSUER ISSUER_POLICY_VIOLATION \
                INVALID_TRANSACTION TRANSACTION_NOT_PERMITTED RESTRICTED_CARD PAYMENT_STOPPED \
                CARDHOLDER_PREVENTED_RECURRING_TRANSACTION
                """
            ),
            (
                .cardProblem,
                """
                INVALID_ISSUER CARD_NOT_SUPPORTED NON_TRANSACTION_ACCOUNT INACTIVE_CARD \
                CARD_NOT_ACTIVATED_OR_BLOCKED CARD_ACCOUNT_CLOSED INVALID_ACCOUNT_NUMBER \
                INVALID_CARD INVALID_CARD_NUMBER_OR_EXPIRED_CARD INVALID_CVV \
                CVV_FAILED_RISK_RULES ADDRESS_VERIFICATION_FAILED_RISK_RULES \
                ALLOWABLE_NUMBER_OF_PIN_ENTRY_TRIES_EXCEEDED
                """
            ),
            (.expiredCard, "EXPIRED_CARD"),
            (
                .security,
                """
                LOST_OR_STOLEN_CARD PICK_UP_CARD FRAUD_DETECTED FRAUD_DETECTED_BY_FINIX \
                FRAUD_DETECTED_BY_ISSUER
                """
            ),
            (
                .temporary,
                """
                RESUBMIT_TRANSACTION COMMUNICATION_ERROR CARD_NETWORK_ERROR \
                INCOMPLETE_TRANSACTION EXCEEDED_CARDHOLDER_INPUT_TIME_LIMIT CANCELLATION_VIA_API \
                CANCELLATION_VIA_DEVICE DEVICE_IN_USE DEVICE_NOT_CONNECTED DEVICE_UNREACHABLE
                """
            ),
            (.possibleDuplicate, "DUPLICATE_TRANSACTION"),
            (.holdGone, "AUTHORIZATION_EXPIRED_OR_ALREADY_CAPTURED"),
        ]
        var categories: [String: Decline.Category] = [:]
        for (category, codes) in groups {
            for code in codes.split(separator: " ") { categories[String(code)] = category }
        }
        return categories
    }()
}
