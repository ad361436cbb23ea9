import ReaderSimulation

/// What Apple calls the condition behind an error of the reader's.
enum RevolutReaderConditions {
    static func name(of error: ReaderError) -> String {
        names[error.code.description] ?? error.code.description
    }

    private static let names: [String: String] = [
        "deviceUnsupported": "unsupported", "osUnsupported": "osVersionNotSupported",
        "passcodeRequired": "passcodeDisabled", "notEntitled": "notAllowed",
        "deviceRestricted": "deviceBanned", "merchantInvalid": "invalidMerchant",
        "callInProgress": "readNotAllowedDuringCall",
        "accountSignInRequired": "accountLinkingRequiresiCloudSignIn",
        "accountLinkCancelled": "accountLinkingCancelled",
        "accountLinkFailed": "accountLinkingFailed", "sessionExpired": "prepareExpired",
        "readerStorageFull": "readerMemoryFull", "serviceUnavailable": "serviceConnectionError",
        "networkUnavailable": "networkError", "networkAuthFailed": "networkAuthenticationError",
        "tokenInvalid": "invalidReaderToken", "tokenMissing": "emptyReaderToken",
        "appInBackground": "backgroundRequestNotAllowed", "readFailed": "paymentReadFailed",
        "cardDeclinedOffline": "paymentCardDeclined", "pinFailed": "pinEntryFailed",
        "pinTimedOut": "pinEntryTimeout",
    ]
}
