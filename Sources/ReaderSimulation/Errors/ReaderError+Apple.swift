extension ReaderError {
    /// The error that stands for one of Apple's.
    ///
    /// - Parameters:
    ///   - name: The name of Apple's case, such as `paymentCardDeclined`.
    ///   - text: What came with it; only the first short number in it is kept.
    ///   - cancelledBy: Who cancelled, where the caller knows.
    ///   - leftForeground: Whether the app left the active state while the call ran (D-2).
    ///   - cardWasDetected: Whether a card was detected before that.
    /// - Returns: The error; a case that this version does not know is `unknown`.
    public static func apple(
        _ name: String,
        text: String? = nil,
        cancelledBy: Canceller? = nil,
        leftForeground: Bool = false,
        cardWasDetected: Bool = false
    ) -> ReaderError {
        if leftForeground, mayBeInterruption.contains(name) {
            return ReaderError(.interrupted, payloadMayExist: cardWasDetected, underlying: name)
        }
        let code = appleCases[name] ?? .unknown
        return ReaderError(
            code,
            number: text.flatMap(firstNumber),
            by: code == .readCancelled ? cancelledBy ?? .system : nil,
            underlying: name
        )
    }

    /// The first number in a text, unless it is so long that it may be something else.
    static func firstNumber(in text: String) -> Int? {
        let digits = text.drop { !("0"..."9").contains($0) }.prefix { ("0"..."9").contains($0) }
        return digits.count < 8 ? Int(digits) : nil
    }

    /// What a call may end with because the app left the active state.
    private static let mayBeInterruption: Set = [
        "requestInterrupted", "serviceConnectionError", "readerServiceConnectionError",
        "readerServiceError", "backgroundRequestNotAllowed", "readFromBackgroundError",
        "readCancelled", "noReaderSession",
    ]

    /// Apple's cases, of the reader and of a read, and what they stand for.
    static let appleCases: [String: Code] = [
        "unsupported": .deviceUnsupported, "modelNotSupported": .deviceUnsupported,
        "osVersionNotSupported": .osUnsupported, "passcodeDisabled": .passcodeRequired,
        "nfcDisabled": .nfcDisabled, "notAllowed": .notEntitled, "readNotAllowed": .notEntitled,
        "deviceBanned": .deviceRestricted, "merchantBlocked": .merchantBlocked,
        "invalidMerchant": .merchantInvalid, "accountNotLinked": .accountNotLinked,
        "accountAlreadyLinked": .accountAlreadyLinked,
        "accountLinkingRequiresiCloudSignIn": .accountSignInRequired,
        "accountLinkingCancelled": .accountLinkCancelled,
        "accountLinkingFailed": .accountLinkFailed,
        "accountLinkingCheckFailed": .accountCheckFailed,
        "accountDeactivated": .accountDeactivated, "emptyReaderToken": .tokenMissing,
        "invalidReaderToken": .tokenInvalid, "tokenExpired": .tokenExpired,
        "readerTokenExpired": .tokenExpired, "prepareFailed": .prepareFailed,
        "readerInitializationFailed": .prepareFailed, "prepareExpired": .sessionExpired,
        "readerSessionExpired": .sessionExpired, "notReady": .notPrepared,
        "noReaderSession": .notPrepared, "readerBusy": .readerBusy,
        "readerSessionBusy": .readerBusy, "readerNotAvailable": .readerBusy,
        "readerMemoryFull": .readerStorageFull, "networkError": .networkUnavailable,
        "readerSessionNetworkError": .networkUnavailable,
        "networkAuthenticationError": .networkAuthFailed,
        "readerSessionAuthenticationError": .networkAuthFailed,
        "serviceConnectionError": .serviceUnavailable,
        "readerServiceConnectionError": .serviceUnavailable,
        "readerServiceError": .serviceUnavailable,
        "backgroundRequestNotAllowed": .appInBackground,
        "readFromBackgroundError": .appInBackground, "requestInterrupted": .interrupted,
        "readNotAllowedDuringCall": .callInProgress, "invalidAmount": .invalidAmount,
        "invalidCurrencyCode": .invalidCurrency,
        "invalidPreferredAID": .invalidPreferredApplications, "readCancelled": .readCancelled,
        "cardReadFailed": .cardReadFailed, "paymentReadFailed": .readFailed,
        "paymentCardDeclined": .cardDeclinedOffline, "cardNotSupported": .cardNotSupported,
        "pinCancelled": .pinCancelled, "pinEntryTimeout": .pinTimedOut,
        "pinEntryFailed": .pinFailed, "pinNotAllowed": .pinNotAllowed,
        "pinTokenInvalid": .pinTokenInvalid, "vasReadFail": .loyaltyReadFailed,
        "invalidVASMerchants": .invalidLoyaltyRequest,
        "invalidVASRequestParameters": .invalidLoyaltyRequest,
        "storeAndForwardNotAllowed": .offlineNotAllowed,
        "storeAndForwardSessionExpired": .offlineSessionExpired,
        "storeAndForwardSessionInvalidated": .offlineSessionInvalidated,
        "storeAndForwardTokenIssuerChanged": .offlineIssuerChanged,
        "storeAndForwardDeclineFailed": .offlineUndoTooLate,
        "storeAndForwardResultNotFound": .offlineResultNotFound, "unknown": .unknown,
    ]
}
