import AcquirerSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation

/// One transfer or authorization in the emulated Finix.
struct FinixRow: Sendable, Codable {
    var id: String
    /// The transaction type of the reader service.
    let type: String
    var state = "PENDING"
    var amount: Int64 = 0
    let requested: Int64
    let currency: String
    let merchant: String
    let device: String?
    let createdAt: Date
    var updatedAt: Date
    var brand: String?
    var lastFour: String?
    var approvalCode: String?
    var failureCode: String?
    var idempotencyID: String?
    /// When a pending row becomes final, and as what.
    var settlesAt: Date?
    var settlesAs: String?
    /// The payment that a reversal gives back.
    var parent: String?
    /// What became of a hold.
    var capture: String?
    var capturedAmount: Int64?
    var isVoid = false
    var voidState = "UNATTEMPTED"
    /// The payment instrument that was charged.
    var source: String?
    var tags: [String: String] = [:]
    /// Whether money moves only when a pending row has become final.
    var movesLate = false

    init(
        id: String,
        type: String,
        requested: Int64,
        currency: String,
        merchant: String,
        device: String?,
        createdAt: Date
    ) {
        self.id = id
        self.type = type
        self.requested = requested
        self.currency = currency
        self.merchant = merchant
        self.device = device
        self.createdAt = createdAt
        updatedAt = createdAt
        amount = requested
    }

    var traceID: String { "trace-\(id)" }
    var isHold: Bool { type == "AUTHORIZATION" }
    var isReversal: Bool { type == "REFUND" || type == "REVERSAL" }
    /// Whether Finix accepted it and only its batch is missing.
    var isAccepted: Bool {
        state == "PENDING" && !movesLate && (type == "CAPTURE" || type == "REVERSAL")
    }
    /// When a hold lapses: seven days after it was made.
    var expiresAt: Date { createdAt + 7 * 24 * 3_600 }

    var ledgerKind: Ledger.Kind {
        switch type {
        case "AUTHORIZATION": .hold
        case "REFUND", "REVERSAL": .refund
        default: .charge
        }
    }

    mutating func decide(_ answer: SimulatedIssuer.Answer) {
        switch answer {
        case .approved(let minorUnits, let code):
            state = "SUCCEEDED"
            amount = minorUnits
            approvalCode = code
        case .declined(let refusal):
            state = "FAILED"
            failureCode = Self.failureCodes[refusal] ?? "GENERIC_DECLINE"
        case .asksForPIN:
            state = "FAILED"
            failureCode = "TRANSACTION_NOT_PERMITTED"
        }
    }

    /// How Finix spells an issuer's no; whatever is missing is a generic one.
    private static let failureCodes: [IssuerRefusal: String] = [
        .insufficientFunds: "INSUFFICIENT_FUNDS", .invalidPayload: "INVALID_CARD",
        .callIssuer: "CALL_ISSUER", .pickUpCard: "PICK_UP_CARD", .doNotHonor: "DO_NOT_HONOR",
        .invalidTransaction: "INVALID_TRANSACTION", .invalidAmount: "INVALID_AMOUNT",
        .invalidCard: "INVALID_ACCOUNT_NUMBER", .lostCard: "LOST_OR_STOLEN_CARD",
        .stolenCard: "LOST_OR_STOLEN_CARD", .expiredCard: "EXPIRED_CARD",
        .notPermitted: "TRANSACTION_NOT_PERMITTED", .restrictedCard: "RESTRICTED_CARD",
        .amountLimitExceeded: "EXCEEDS_APPROVAL_LIMIT",
        .countLimitExceeded: "EXCEEDS_WITHDRAWAL_FREQUENCY_LIMIT",
        .pinTriesExceeded: "ALLOWABLE_NUMBER_OF_PIN_ENTRY_TRIES_EXCEEDED",
        .issuerUnavailable: "COMMUNICATION_ERROR", .processingError: "CARD_NETWORK_ERROR",
        .suspectedFraud: "FRAUD_DETECTED_BY_ISSUER", .refusedByCard: "CARD_NOT_SUPPORTED",
    ]

    /// Turns an approval into something else, of which no money is left.
    mutating func refuse(_ state: String, _ code: String?) {
        self.state = state
        failureCode = code
        approvalCode = nil
        amount = requested
    }

    private var masked: String? { lastFour.map { "************\($0)" } }

    private var failureMessage: String? { failureCode.map { "the issuer said \($0)" } }

    /// The flat answer of the reader service.
    var readerAnswer: JSONTree {
        .object([
            "id": .text(id), "state": .text(state), "amount": .number(amount),
            "amount_requested": .number(requested), "brand": .optional(brand),
            "masked_account_number": .optional(masked),
            "approval_code": .optional(approvalCode), "trace_id": .text(traceID),
            "failure_code": .optional(failureCode), "failure_message": .optional(failureMessage),
        ])
    }

    /// The resource as REST shows it.
    var resource: JSONTree {
        var members: [String: JSONTree] = [
            "id": .text(id), "state": .text(state), "amount": .number(amount),
            "amount_requested": .number(requested), "currency": .text(currency),
            "merchant": .text(merchant), "device": .optional(device),
            "failure_code": .optional(failureCode), "failure_message": .optional(failureMessage),
            "idempotency_id": .optional(idempotencyID), "trace_id": .text(traceID),
            "created_at": .text(WireDate.format(createdAt)),
            "updated_at": .text(WireDate.format(updatedAt)),
            "created_via": .text("CARD_PRESENT_IOS_TAP_TO_PAY_SDK"), "fee": .number(0),
            "tags": .object(tags.mapValues { .text($0) }), "source": .optional(source),
            "_links": .object([:]),
            "card_present_details": .object([
                "approval_code": .optional(approvalCode), "brand": .optional(brand),
                "entry_mode": .text("CONTACTLESS"), "masked_account_number": .optional(masked),
                "name": .null, "payment_type": .text("CREDIT"), "emv_data": .null,
            ]),
        ]
        if isHold {
            members["is_void"] = .flag(isVoid)
            members["void_state"] = .text(voidState)
            members["transfer"] = .optional(capture)
            members["capture_amount"] = capturedAmount.map { .number($0) } ?? .null
            members["expires_at"] = .text(WireDate.format(expiresAt))
        } else {
            members["type"] = .text(isReversal ? "REVERSAL" : "DEBIT")
            members["subtype"] = .text("API")
            members["parent_transfer"] = .optional(parent)
        }
        return .object(members)
    }

    /// A number as letters, so that an identifier holds no run of digits.
    static func letters(_ number: Int) -> String {
        var text = ""
        var rest = number
        repeat {
            text = String(UnicodeScalar(UInt8(97 + rest % 26))) + text
            rest /= 26
        } while rest > 0
        return text
    }
}
