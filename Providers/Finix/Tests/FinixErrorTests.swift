import PaymentCore
import Testing

@testable import FinixPayments

@Suite struct FinixErrorTests {
    private static let total = try? Money(minorUnits: 1_250, currency: .usd)

    private func answer(
        _ code: String,
        _ payload: String? = nil,
        after phases: [FinixPhase]
    ) throws -> ProviderAnswer {
        let total = try #require(Self.total)
        let error = FinixDriverError(code: code, payload: payload, logref: "req-1")
        let end = FinixTransactionEnd(phases: phases, answer: .failure(error))
        return FinixErrors.answer(to: end, kind: .sale, total: total, base: total)
    }

    @Test(arguments: FinixErrors.codes.keys.sorted() + ["unknown", "somethingNew"])
    func `F-083 no error before the card was read moved money, and any after it may have`(
        code: String
    ) throws {
        switch try answer(code, after: [.preparingTransaction, .readingCard]) {
        case .notCharged, .cancelled: break
        default: Issue.record("\(code) before the card was read")
        }
        for phases in [[FinixPhase.cardRead], [.cardRead, .processing], [.processing]] {
            guard case .unknown(let error) = try answer(code, after: phases) else {
                Issue.record("\(code) after \(phases)")
                continue
            }
            #expect(error.supportIdentifiers["logref"] == "req-1")
        }
    }

    @Test(arguments: [
        ("readerPreparationFailed", "code 2011", PaymentError.Code.readerConfigurationInvalid),
        ("readerPreparationFailed", "x (2012)", .tokenInvalid),
        ("readerPreparationFailed", "2013.", .merchantNotEnabled),
        ("readerPreparationFailed", "12013", .preparationFailed),
        ("tokenFetchFailed", "The Device was not ACTIVATED", .deviceDisabled),
        ("tokenFetchFailed", "card not activated", .tokenUnavailable),
        ("somethingNew", "text", .unclassified),
    ])
    func `F-086 the documented texts are recognised, and no other`(
        code: String,
        payload: String,
        expected: PaymentError.Code
    ) {
        #expect(FinixErrors.error(.init(code: code, payload: payload)).code == expected)
    }

    @Test func `N-045 a call that did not end by itself proves nothing`() throws {
        let total = try #require(Self.total)
        let end = FinixTransactionEnd(phases: [], answer: nil)
        guard case .unknown = FinixErrors.answer(to: end, kind: .sale, total: total, base: total)
        else {
            Issue.record("told something else")
            return
        }
    }

    // FC-064
    @Test(arguments: [
        (1_250, "USD", "SUCCEEDED", true), (700, "USD", "SUCCEEDED", false),
        (1_250, "EUR", "SUCCEEDED", false), (1_250, "usd", "SUCCEEDED", true),
        (1_250, "uſd", "SUCCEEDED", false),
        (1_250, "USD", "PENDING", false),
    ])
    func `F-250 a result is approved only if it is ours and succeeded`(
        amount: Int64,
        currency: String,
        state: String,
        isApproved: Bool
    ) throws {
        let total = try #require(Self.total)
        var result = FinixTransactionResult(amount: amount, currency: currency)
        result.transferState = state
        result.transferID = "TR1"
        let end = FinixTransactionEnd(phases: [.cardRead, .processing], answer: .success(result))
        let answer = FinixErrors.answer(to: end, kind: .sale, total: total, base: total)
        if case .approved = answer { #expect(isApproved) } else { #expect(!isApproved) }
    }

    /// The failure codes for cards as the vendor groups them, and what each group advises.
    private static let failures: [(Decline.Advice, String)] = [
        (
            .otherCard,
            """
            INSUFFICIENT_FUNDS EXCEEDS_APPROVAL_LIMIT EXCEEDS_WITHDRAWAL_FREQUENCY_LIMIT \
            INVALID_AMOUNT MAX_TRANSACTION_AMOUNT_EXCEEDED GENERIC_DECLINE DO_NOT_HONOR \
            CALL_ISSUER ISSUER_POLICY_VIOLATION INVALID_TRANSACTION TRANSACTION_NOT_PERMITTED \
            RESTRICTED_CARD INVALID_ISSUER CARD_NOT_SUPPORTED NON_TRANSACTION_ACCOUNT \
            PAYMENT_STOPPED CARDHOLDER_PREVENTED_RECURRING_TRANSACTION EXPIRED_CARD \
            INACTIVE_CARD CARD_NOT_ACTIVATED_OR_BLOCKED CARD_ACCOUNT_CLOSED \
            INVALID_ACCOUNT_NUMBER INVALID_CARD INVALID_CARD_NUMBER_OR_EXPIRED_CARD \
            LOST_OR_STOLEN_CARD PICK_UP_CARD FRAUD_DETECTED FRAUD_DETECTED_BY_FINIX \
            FRAUD_DETECTED_BY_ISSUER INVALID_CVV CVV_FAILED_RISK_RULES \
            ADDRESS_VERIFICATION_FAILED_RISK_RULES ALLOWABLE_NUMBER_OF_PIN_ENTRY_TRIES_EXCEEDED
            """
        ),
        (
            .sameCard,
            """
            RESUBMIT_TRANSACTION COMMUNICATION_ERROR CARD_NETWORK_ERROR INCOMPLETE_TRANSACTION \
            EXCEEDED_CARDHOLDER_INPUT_TIME_LIMIT CANCELLATION_VIA_API CANCELLATION_VIA_DEVICE \
            DEVICE_IN_USE DEVICE_NOT_CONNECTED DEVICE_UNREACHABLE
            """
        ),
        (.checkEarlierPayment, "DUPLICATE_TRANSACTION"),
        (.contactAcquirer, "AUTHORIZATION_EXPIRED_OR_ALREADY_CAPTURED"),
    ]

    @Test func `F-214 each failure code of the table is known, with the advice of its group`() {
        var codes: Set<String> = []
        for (advice, texts) in Self.failures {
            for code in texts.split(separator: " ").map(String.init) {
                codes.insert(code)
                let category = FinixDeclines.categories[code]
                #expect(category?.advice == advice, "\(code)")
                #expect(category != .generic, "\(code)")
            }
        }
        #expect(Set(FinixDeclines.categories.keys) == codes)
    }

    // FC-132, FC-133, FC-134
    @Test func `F-214 F-215 F-216 every failure code is a decline whose wording betrays nothing`() {
        for code in FinixDeclines.categories.keys.sorted() + ["SOMETHING_NEW"] {
            let decline = FinixDeclines.decline(
                code: code,
                message: "STOLEN CARD - PICK UP, call 555-0100 <b>",
                references: [],
                card: nil
            )
            let text = decline.messageKey.english.lowercased()
            for word in ["stolen", "lost", "pick", "fraud", "555", "<b>"] {
                #expect(!text.contains(word), "\(code)")
            }
            #expect(decline.code == code)
        }
        #expect(FinixDeclines.categories["SOMETHING_NEW"] == nil)
        let unknown = FinixDeclines.decline(
            code: "SOMETHING_NEW",
            message: nil,
            references: [],
            card: nil
        )
        #expect(unknown.category == .generic)
        #expect(FinixDeclines.categories["DUPLICATE_TRANSACTION"] == .possibleDuplicate)
        #expect(Decline.Category.possibleDuplicate.advice == .checkEarlierPayment)
    }
}
