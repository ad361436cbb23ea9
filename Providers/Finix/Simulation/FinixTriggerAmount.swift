/// An amount that the sandbox answers in a way of its own, as a data table.
public struct FinixTriggerAmount: Hashable, Sendable {
    /// The amount in minor units.
    public let minorUnits: Int64
    /// What happens.
    public let effect: Effect
    /// Whether it concerns tapped sales alone, or every payment, hold and capture.
    public let isInPersonOnly: Bool

    /// What an amount does.
    public enum Effect: Hashable, Sendable {
        /// It is approved like any other.
        case approved
        /// It is declined with a failure code.
        case declined(String)
        /// It ends in the state `CANCELED`.
        case cancelled
        /// It is declined with a failure code, and so is the card from then on.
        case flagged(String)
    }

    /// Every amount of the published tables that is known.
    public static let all: [FinixTriggerAmount] = general + inPerson

    private static let general: [FinixTriggerAmount] = [
        (102, .declined("GENERIC_DECLINE")), (103, .cancelled),
        (193, .declined("INSUFFICIENT_FUNDS")), (194, .declined("INVALID_ACCOUNT_NUMBER")),
        (888_888, .approved),
        (889_986, .flagged("ADDRESS_VERIFICATION_FAILED_RISK_RULES")),
        (889_987, .flagged("CVV_FAILED_RISK_RULES")),
    ].map { FinixTriggerAmount(minorUnits: $0, effect: $1, isInPersonOnly: false) }

    private static let inPerson: [FinixTriggerAmount] = [
        (499, .approved), (500, .approved), (6_299, .approved),
        (1, .declined("CALL_ISSUER")), (3, .declined("RESTRICTED_CARD")),
        (40, .declined("RESTRICTED_CARD")), (4, .declined("PICK_UP_CARD")),
        (41, .declined("PICK_UP_CARD")), (269, .declined("PICK_UP_CARD")),
        (51, .declined("GENERIC_DECLINE")), (57, .declined("TRANSACTION_NOT_PERMITTED")),
        (252, .declined("INVALID_AMOUNT")), (253, .declined("INVALID_ACCOUNT_NUMBER")),
        (260, .declined("INVALID_TRANSACTION")), (267, .declined("EXPIRED_CARD")),
    ].map { FinixTriggerAmount(minorUnits: $0, effect: $1, isInPersonOnly: true) }

    /// The effect of an amount on a transaction type of the reader service, or on a capture.
    static func effect(of minorUnits: Int64, on type: String) -> Effect? {
        guard ["SALE", "AUTHORIZATION", "CAPTURE"].contains(type) else { return nil }
        return all.first { amount in
            amount.minorUnits == minorUnits && (!amount.isInPersonOnly || type == "SALE")
        }?.effect
    }
}
