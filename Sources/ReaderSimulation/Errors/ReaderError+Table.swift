extension ReaderError.Code {
    /// What is known about a code.
    struct Entry: Sendable {
        let code: ReaderError.Code
        let number: Int
        let retry: ReaderError.Retry
        let payloadMayExist: Bool
    }

    /// Every code this version knows, in the order of their numbers.
    public static let all = table.map(\.code)

    /// The number in the table of errors, such as 9 for E-09; none when the name is not known.
    public var tableNumber: Int? { Self.entries[self]?.number }

    var entry: Entry {
        Self.entries[self]
            ?? Entry(code: self, number: 60, retry: .prepareOnce, payloadMayExist: true)
    }

    private static let entries = Dictionary(uniqueKeysWithValues: table.map { ($0.code, $0) })

    private static let table: [Entry] = rows.enumerated().map { index, row in
        Entry(code: row.0, number: index + 1, retry: row.1, payloadMayExist: row.2)
    }

    // E-28 and E-57 depend on whether the card was detected; whoever throws them says so.
    private static let rows: [(ReaderError.Code, ReaderError.Retry, Bool)] = [
        (.deviceUnsupported, .never, false),
        (.osUnsupported, .user, false),
        (.passcodeRequired, .user, false),
        (.nfcDisabled, .user, false),
        (.notEntitled, .prepareOnce, false),
        (.deviceRestricted, .later, false),
        (.merchantBlocked, .later, false),
        (.merchantInvalid, .never, false),
        (.accountNotLinked, .user, false),
        (.accountAlreadyLinked, .done, false),
        (.accountSignInRequired, .user, false),
        (.accountLinkCancelled, .user, false),
        (.accountLinkFailed, .user, false),
        (.accountCheckFailed, .later, false),
        (.accountDeactivated, .user, false),
        (.tokenMissing, .token, false),
        (.tokenInvalid, .token, false),
        (.tokenExpired, .token, false),
        (.prepareFailed, .prepare, false),
        (.sessionExpired, .prepare, false),
        (.notPrepared, .prepare, false),
        (.readerBusy, .later, false),
        (.readerStorageFull, .user, false),
        (.networkUnavailable, .later, false),
        (.networkAuthFailed, .later, false),
        (.serviceUnavailable, .prepare, false),
        (.appInBackground, .onForeground, false),
        (.interrupted, .onForeground, false),
        (.prepareCancelled, .prepare, false),
        (.callInProgress, .user, false),
        (.invalidAmount, .never, false),
        (.invalidCurrency, .never, false),
        (.invalidPreferredApplications, .never, false),
        (.readCancelled, .same, false),
        (.tapTimedOut, .same, false),
        (.cardReadFailed, .same, false),
        (.readFailed, .same, true),
        (.cardDeclinedOffline, .otherCard, true),
        (.cardNotSupported, .otherCard, false),
        (.anotherInterfaceNeeded, .otherMethod, false),
        (.pinCancelled, .same, false),
        (.pinTimedOut, .same, false),
        (.pinFailed, .same, false),
        (.pinNotAllowed, .otherMethod, false),
        (.pinWindowClosed, .same, false),
        (.pinTokenInvalid, .token, false),
        (.loyaltyReadFailed, .same, false),
        (.invalidLoyaltyRequest, .never, false),
        (.offlineNotAllowed, .prepare, false),
        (.offlineSessionExpired, .prepare, false),
        (.offlineSessionInvalidated, .prepare, false),
        (.offlineIssuerChanged, .user, true),
        (.offlineUndoTooLate, .never, true),
        (.offlineResultNotFound, .done, false),
        (.offlineStore, .later, true),
        (.resultExpired, .same, true),
        (.closed, .prepare, false),
        (.illegalUse, .never, false),
        (.simulatedInLive, .never, false),
        (.unknown, .prepareOnce, true),
    ]
}
