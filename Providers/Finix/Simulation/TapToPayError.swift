public import PaymentCore

/// Why a call of the kit's failed, in the vendor's words.
public enum TapToPayError: Error, Hashable, Sendable {
    /// The device or system cannot do Tap to Pay.
    case notSupported
    /// This model is rejected.
    case modelNotSupported
    /// The configuration is incomplete.
    case notConfigured
    /// There is no link, or the check failed.
    case accountNotLinked
    /// The link exists.
    case accountAlreadyLinked
    /// The merchant closed the terms.
    case accountLinkingCancelled
    /// The link was refused.
    case accountLinkingFailed(String?)
    /// The link status cannot be read.
    case accountLinkingCheckFailed
    /// Nobody is signed in to iCloud.
    case accountLinkingRequiresiCloudSignIn
    /// The merchant deactivated the account.
    case accountDeactivated
    /// Preparing failed, or there is no session.
    case readerPreparationFailed(String?)
    /// No reader token was issued.
    case tokenFetchFailed(String)
    /// The processor's merchant number could not be fetched.
    case midResolutionFailed(String)
    /// The token is empty.
    case emptyReaderToken
    /// The token was rejected.
    case invalidReaderToken(String?)
    /// The merchant is not known.
    case invalidMerchant
    /// The merchant is blocked.
    case merchantBlocked
    /// The phone is banned, until a date if there is one.
    case deviceBanned(Date?)
    /// Authentication failed on the way.
    case networkAuthenticationError
    /// The app is not in the foreground.
    case backgroundRequestNotAllowed
    /// The read was cancelled by the buyer or the app.
    case transactionCancelled
    /// A decline, a read error, a submission error or any state other than success.
    case transactionFailed(String)
    /// Anything else.
    case unknown(String)

    /// The case's name, and the text that came with it.
    var parts: (name: String, payload: String?) {
        switch self {
        case .notSupported: ("notSupported", nil)
        case .modelNotSupported: ("modelNotSupported", nil)
        case .notConfigured: ("notConfigured", nil)
        case .accountNotLinked: ("accountNotLinked", nil)
        case .accountAlreadyLinked: ("accountAlreadyLinked", nil)
        case .accountLinkingCancelled: ("accountLinkingCancelled", nil)
        case .accountLinkingFailed(let text): ("accountLinkingFailed", text)
        case .accountLinkingCheckFailed: ("accountLinkingCheckFailed", nil)
        case .accountLinkingRequiresiCloudSignIn: ("accountLinkingRequiresiCloudSignIn", nil)
        case .accountDeactivated: ("accountDeactivated", nil)
        case .readerPreparationFailed(let text): ("readerPreparationFailed", text)
        case .tokenFetchFailed(let text): ("tokenFetchFailed", text)
        case .midResolutionFailed(let text): ("midResolutionFailed", text)
        case .emptyReaderToken: ("emptyReaderToken", nil)
        case .invalidReaderToken(let text): ("invalidReaderToken", text)
        case .invalidMerchant: ("invalidMerchant", nil)
        case .merchantBlocked: ("merchantBlocked", nil)
        case .deviceBanned(let date):
            ("deviceBanned", date.map { Date.ISO8601FormatStyle().format($0) })
        case .networkAuthenticationError: ("networkAuthenticationError", nil)
        case .backgroundRequestNotAllowed: ("backgroundRequestNotAllowed", nil)
        case .transactionCancelled: ("transactionCancelled", nil)
        case .transactionFailed(let text): ("transactionFailed", text)
        case .unknown(let text): ("unknown", text)
        }
    }
}

extension TapToPayError: LocalizedError {
    /// An English text for logs, as the vendor's; what a person reads comes from elsewhere.
    public var errorDescription: String? {
        let (name, payload) = parts
        var words = ""
        for character in name {
            words += character.isUppercase ? " \(character.lowercased())" : String(character)
        }
        let sentence = words.prefix(1).uppercased() + words.dropFirst()
        return payload.map { "\(sentence): \($0)" } ?? "\(sentence)."
    }
}
