extension ReaderError {
    /// A category of failure; more may come, so keep a `default`.
    ///
    /// A name this version does not know is kept, and counts as ``unknown`` in all else.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// A stable name, fit for a metrics label.
        public let name: String

        /// The code of that name.
        public init(_ name: String) { self.name = name }

        /// The name.
        public var description: String { name }

        /// Hardware cannot do it, or is faulty.
        public static let deviceUnsupported = Self("deviceUnsupported")
        /// iOS too old for Apple or for this region or provider.
        public static let osUnsupported = Self("osUnsupported")
        /// The device has no passcode.
        public static let passcodeRequired = Self("passcodeRequired")
        /// NFC is off.
        public static let nfcDisabled = Self("nfcDisabled")
        /// Entitlement, bundle, configuration or token does not permit it.
        public static let notEntitled = Self("notEntitled")
        /// Security restriction until a date, if one is given.
        public static let deviceRestricted = Self("deviceRestricted")
        /// This merchant may not use the feature.
        public static let merchantBlocked = Self("merchantBlocked")
        /// Merchant data inside the token is wrong.
        public static let merchantInvalid = Self("merchantInvalid")
        /// Terms not accepted, or the link was lost.
        public static let accountNotLinked = Self("accountNotLinked")
        /// Terms were accepted before.
        public static let accountAlreadyLinked = Self("accountAlreadyLinked")
        /// No Apple Account on the device.
        public static let accountSignInRequired = Self("accountSignInRequired")
        /// The person closed the terms sheet.
        public static let accountLinkCancelled = Self("accountLinkCancelled")
        /// Linking did not work with this Apple Account.
        public static let accountLinkFailed = Self("accountLinkFailed")
        /// The status could not be asked, which is not the same as not linked.
        public static let accountCheckFailed = Self("accountCheckFailed")
        /// The merchant removed the link.
        public static let accountDeactivated = Self("accountDeactivated")
        /// Empty token.
        public static let tokenMissing = Self("tokenMissing")
        /// Malformed or wrongly signed token.
        public static let tokenInvalid = Self("tokenInvalid")
        /// The token is too old; fetch a new one, prepare and repeat the call.
        public static let tokenExpired = Self("tokenExpired")
        /// Configuration failed.
        public static let prepareFailed = Self("prepareFailed")
        /// The session aged out.
        public static let sessionExpired = Self("sessionExpired")
        /// No session.
        public static let notPrepared = Self("notPrepared")
        /// Another preparation or a sheet is active, or a pause of seconds is needed.
        public static let readerBusy = Self("readerBusy")
        /// Secure storage is full.
        public static let readerStorageFull = Self("readerStorageFull")
        /// A needed server was not reached.
        public static let networkUnavailable = Self("networkUnavailable")
        /// Server reached, but the mutual check failed, as behind a captive portal.
        public static let networkAuthFailed = Self("networkAuthFailed")
        /// System service or system sheet could not be reached.
        public static let serviceUnavailable = Self("serviceUnavailable")
        /// Call made while in the background.
        public static let appInBackground = Self("appInBackground")
        /// The app left the foreground before the call had finished.
        public static let interrupted = Self("interrupted")
        /// The task that awaited the preparation was cancelled.
        public static let prepareCancelled = Self("prepareCancelled")
        /// A phone call is active.
        public static let callInProgress = Self("callInProgress")
        /// Zero, negative or too many digits.
        public static let invalidAmount = Self("invalidAmount")
        /// Not an ISO 4217 code, or empty.
        public static let invalidCurrency = Self("invalidCurrency")
        /// List too long or entries of a wrong length.
        public static let invalidPreferredApplications = Self("invalidPreferredApplications")
        /// Somebody ended the read before a card was detected.
        public static let readCancelled = Self("readCancelled")
        /// Nobody presented a card in time.
        public static let tapTimedOut = Self("tapTimedOut")
        /// The card could not be read.
        public static let cardReadFailed = Self("cardReadFailed")
        /// Internal failure of the read.
        public static let readFailed = Self("readFailed")
        /// The card itself refused.
        public static let cardDeclinedOffline = Self("cardDeclinedOffline")
        /// No application in common.
        public static let cardNotSupported = Self("cardNotSupported")
        /// Contactless is not possible for this card or amount here.
        public static let anotherInterfaceNeeded = Self("anotherInterfaceNeeded")
        /// PIN entry was cancelled, and with it the read.
        public static let pinCancelled = Self("pinCancelled")
        /// Time for the PIN ran out.
        public static let pinTimedOut = Self("pinTimedOut")
        /// PIN could not be captured.
        public static let pinFailed = Self("pinFailed")
        /// PIN not available in this configuration.
        public static let pinNotAllowed = Self("pinNotAllowed")
        /// Too late to add a PIN.
        public static let pinWindowClosed = Self("pinWindowClosed")
        /// PIN token wrong, reused or of another read.
        public static let pinTokenInvalid = Self("pinTokenInvalid")
        /// Loyalty pass could not be read.
        public static let loyaltyReadFailed = Self("loyaltyReadFailed")
        /// Programming error in the loyalty request.
        public static let invalidLoyaltyRequest = Self("invalidLoyaltyRequest")
        /// No online session in the last 24 h, or the device restarted since.
        public static let offlineNotAllowed = Self("offlineNotAllowed")
        /// Offline session aged out.
        public static let offlineSessionExpired = Self("offlineSessionExpired")
        /// Offline session revoked.
        public static let offlineSessionInvalidated = Self("offlineSessionInvalidated")
        /// Stored payments belong to another token issuer.
        public static let offlineIssuerChanged = Self("offlineIssuerChanged")
        /// More than 60 s, or already in a batch.
        public static let offlineUndoTooLate = Self("offlineUndoTooLate")
        /// Nothing to undo.
        public static let offlineResultNotFound = Self("offlineResultNotFound")
        /// The store of offline reads refused.
        public static let offlineStore = Self("offlineStore")
        /// The payload is older than 60 s or was already submitted.
        public static let resultExpired = Self("resultExpired")
        /// The reader was closed during the call.
        public static let closed = Self("closed")
        /// The call is a programming error.
        public static let illegalUse = Self("illegalUse")
        /// A simulated reader, session or payload met a live provider environment.
        public static let simulatedInLive = Self("simulatedInLive")
        /// Not known to this version.
        public static let unknown = Self("unknown")
    }
}
