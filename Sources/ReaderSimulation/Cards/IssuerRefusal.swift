/// Why a simulated issuer says no, in the words of no vendor.
public enum IssuerRefusal: String, Hashable, Sendable, CaseIterable, Codable {
    /// No reason given.
    case generic
    /// The merchant should call the issuer.
    case callIssuer
    /// The card should be kept.
    case pickUpCard
    /// No reason given, and no use in asking.
    case doNotHonor
    /// Such a payment is not possible.
    case invalidTransaction
    /// The amount is not possible.
    case invalidAmount
    /// There is no such card.
    case invalidCard
    /// The card was reported lost.
    case lostCard
    /// The card was reported stolen.
    case stolenCard
    /// Not enough money.
    case insufficientFunds
    /// The card is too old.
    case expiredCard
    /// The PIN was wrong.
    case incorrectPIN
    /// The cardholder may not do this.
    case notPermitted
    /// The card may not be used here.
    case restrictedCard
    /// The PIN must be typed where the card is inserted.
    case pinRequiredElsewhere
    /// The amount is above what the card may do.
    case amountLimitExceeded
    /// The card was used too often.
    case countLimitExceeded
    /// The PIN was wrong too often.
    case pinTriesExceeded
    /// The issuer cannot be reached.
    case issuerUnavailable
    /// Something went wrong at the issuer.
    case processingError
    /// The issuer suspects fraud.
    case suspectedFraud
    /// The card itself refused.
    case refusedByCard
    /// The payload is worthless: opened before, too old, changed, or for another currency.
    case invalidPayload

    /// The response code of ISO 8583 that a receipt may show.
    public var responseCode: String {
        switch self {
        case .callIssuer: "01"
        case .pickUpCard: "04"
        case .generic, .doNotHonor: "05"
        case .invalidTransaction: "12"
        case .invalidAmount: "13"
        case .invalidCard, .invalidPayload: "14"
        case .lostCard: "41"
        case .stolenCard: "43"
        case .insufficientFunds: "51"
        case .expiredCard: "54"
        case .incorrectPIN: "55"
        case .notPermitted: "57"
        case .suspectedFraud: "59"
        case .amountLimitExceeded: "61"
        case .restrictedCard: "62"
        case .countLimitExceeded, .pinRequiredElsewhere: "65"
        case .pinTriesExceeded: "75"
        case .issuerUnavailable: "91"
        case .processingError: "96"
        case .refusedByCard: "Z1"
        }
    }
}
