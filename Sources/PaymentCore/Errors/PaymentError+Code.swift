extension PaymentError {
    /// A category of failure; the outcome says whether money moved.
    ///
    /// More may come, so keep a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// A stable name, fit for a metrics label.
        public let description: String

        /// Creates a code of an adapter's own; those below are the ones the package uses.
        public init(description: String) { self.description = description }

        /// Names the wording that may be shown.
        public var messageKey: MessageKey { MessageKey("error.\(description)") }

        /// What to do about an error of this code; contact support when the code is not known here.
        public var recovery: Recovery { Self.recoveries[self] ?? .contactSupport }

        /// Every code this version of the package uses.
        public static var allKnown: [Code] {
            recoveries.keys.sorted { $0.description < $1.description }
        }
    }
}

extension PaymentError.Code {
    // Configuration
    /// A value the vendor needs is missing or empty.
    public static let notConfigured = Self(description: "notConfigured")
    /// The acquirer does not accept the credentials.
    public static let invalidCredentials = Self(description: "invalidCredentials")
    /// The credentials are good but lack a right.
    public static let accessDenied = Self(description: "accessDenied")

    // The device and its owner
    /// Neither this device nor this platform can read cards.
    public static let deviceUnsupported = Self(description: "deviceUnsupported")
    /// The system is too old to read cards.
    public static let systemTooOld = Self(description: "systemTooOld")
    /// The device has no passcode.
    public static let passcodeRequired = Self(description: "passcodeRequired")
    /// NFC is switched off.
    public static let nfcDisabled = Self(description: "nfcDisabled")
    /// The app lacks the entitlement to read cards.
    public static let notEntitled = Self(description: "notEntitled")
    /// The device may not read cards for a while, or until a date.
    public static let deviceRestricted = Self(description: "deviceRestricted")
    /// The acquirer answered that this device is switched off or was never activated there.
    public static let deviceDisabled = Self(description: "deviceDisabled")
    /// The merchant may not take payments in this way.
    public static let merchantBlocked = Self(description: "merchantBlocked")
    /// The acquirer does not know the merchant.
    public static let merchantInvalid = Self(description: "merchantInvalid")

    // The merchant's link to the reader
    /// The merchant has not accepted the reader's terms.
    public static let accountNotLinked = Self(description: "accountNotLinked")
    /// Whether the merchant accepted the terms could not be found out.
    public static let linkStatusUnknown = Self(description: "linkStatusUnknown")
    /// The person closed the terms.
    public static let linkCancelled = Self(description: "linkCancelled")
    /// The terms could not be accepted.
    public static let linkFailed = Self(description: "linkFailed")
    /// The device is not signed in to the account that the terms need.
    public static let accountSignInRequired = Self(description: "accountSignInRequired")
    /// The merchant withdrew the link.
    public static let accountDeactivated = Self(description: "accountDeactivated")

    // Preparing
    /// The reader has no session.
    public static let notPrepared = Self(description: "notPrepared")
    /// The reader could not be prepared.
    public static let preparationFailed = Self(description: "preparationFailed")
    /// The acquirer's terminal profile does not fit this merchant or device.
    public static let readerConfigurationInvalid = Self(description: "readerConfigurationInvalid")
    /// The acquirer has not enabled this merchant for card reading.
    public static let merchantNotEnabled = Self(description: "merchantNotEnabled")
    /// No reader token could be had.
    public static let tokenUnavailable = Self(description: "tokenUnavailable")
    /// The reader refused its token.
    public static let tokenInvalid = Self(description: "tokenInvalid")

    // Reading
    /// The reader does something else at the moment.
    public static let readerBusy = Self(description: "readerBusy")
    /// The card could not be read.
    public static let cardNotRead = Self(description: "cardNotRead")
    /// The reader and the card have no application in common.
    public static let cardNotSupported = Self(description: "cardNotSupported")
    /// The card must be read in another way than by a tap.
    public static let otherInterfaceNeeded = Self(description: "otherInterfaceNeeded")
    /// Nobody presented a card in time.
    public static let tapTimedOut = Self(description: "tapTimedOut")
    /// The PIN was not entered, or not in time.
    public static let pinNotEntered = Self(description: "pinNotEntered")
    /// The app left the foreground.
    public static let interrupted = Self(description: "interrupted")
    /// The call needs the app in the foreground.
    public static let inBackground = Self(description: "inBackground")
    /// A phone call is active.
    public static let callInProgress = Self(description: "callInProgress")

    // The way to the acquirer
    /// The network is not reachable.
    public static let networkUnavailable = Self(description: "networkUnavailable")
    /// The acquirer answered with a fault of its own, or not at all.
    public static let acquirerUnavailable = Self(description: "acquirerUnavailable")
    /// The acquirer asks for a pause.
    public static let rateLimited = Self(description: "rateLimited")
    /// The acquirer's answer could not be read.
    public static let malformedAnswer = Self(description: "malformedAnswer")
    /// The acquirer refused the request as wrong.
    public static let requestRejected = Self(description: "requestRejected")
    /// The acquirer has no such record.
    public static let notFound = Self(description: "notFound")
    /// The acquirer's record is in a state that does not allow the request.
    public static let conflict = Self(description: "conflict")
    /// No answer came in time.
    public static let timedOut = Self(description: "timedOut")

    // Amounts
    /// Two amounts of different currencies met.
    public static let currencyMismatch = Self(description: "currencyMismatch")
    /// An amount is larger than can be counted.
    public static let amountOverflow = Self(description: "amountOverflow")
    /// An amount would have become negative.
    public static let amountNegative = Self(description: "amountNegative")

    // Authorization of the app
    /// The acquirer no longer accepts the merchant's consent.
    public static let signedOut = Self(description: "signedOut")
    /// The app's own login ended; the acquirer has nothing to do with it.
    public static let appLoginExpired = Self(description: "appLoginExpired")

    // Outcomes
    /// Nobody knows yet whether money moved.
    public static let outcomeUnknown = Self(description: "outcomeUnknown")
    /// The vendor reported a failure without saying which.
    public static let unclassified = Self(description: "unclassified")
    /// The acquirer's books hold no such payment, and none can appear any more.
    public static let notBooked = Self(description: "notBooked")
    /// A hold ran out, or a page to pay on did.
    public static let expired = Self(description: "expired")
    /// What happened could not be written down.
    public static let cannotRecord = Self(description: "cannotRecord")
    /// A person decided that no money moved.
    public static let settledByPerson = Self(description: "settledByPerson")

    static let recoveries: [Self: PaymentError.Recovery] = [
        .notConfigured: .fixConfiguration, .invalidCredentials: .fixConfiguration,
        .accessDenied: .contactAcquirer, .deviceUnsupported: .useOtherMethod,
        .systemTooOld: .changeDeviceSettings, .passcodeRequired: .changeDeviceSettings,
        .nfcDisabled: .changeDeviceSettings, .notEntitled: .fixConfiguration,
        .deviceRestricted: .tryLater, .deviceDisabled: .prepareAgain,
        .merchantBlocked: .contactAcquirer, .merchantInvalid: .contactAcquirer,
        .accountNotLinked: .linkAccount, .linkStatusUnknown: .tryLater,
        .linkCancelled: .linkAccount, .linkFailed: .linkAccount,
        .accountSignInRequired: .changeDeviceSettings, .accountDeactivated: .linkAccount,
        .notPrepared: .prepareAgain, .preparationFailed: .prepareAgain,
        .readerConfigurationInvalid: .contactAcquirer, .merchantNotEnabled: .contactAcquirer,
        .tokenUnavailable: .tryLater, .tokenInvalid: .prepareAgain,
        .readerBusy: .tryLater, .cardNotRead: .tryAgain, .cardNotSupported: .useOtherCard,
        .otherInterfaceNeeded: .useOtherMethod, .tapTimedOut: .tryAgain,
        .pinNotEntered: .tryAgain, .interrupted: .returnToForeground,
        .inBackground: .returnToForeground, .callInProgress: .changeDeviceSettings,
        .networkUnavailable: .checkConnection, .acquirerUnavailable: .tryLater,
        .rateLimited: .tryLater, .malformedAnswer: .contactSupport,
        .requestRejected: .fixRequest, .notFound: .fixRequest, .conflict: .resolve,
        .timedOut: .tryLater, .currencyMismatch: .fixRequest, .amountOverflow: .fixRequest,
        .amountNegative: .fixRequest, .signedOut: .signIn, .appLoginExpired: .signIn,
        .outcomeUnknown: .resolve, .unclassified: .tryAgain, .notBooked: .tryAgain,
        .expired: .tryAgain, .cannotRecord: .freeStorage, .settledByPerson: .tryAgain,
    ]
}

extension PaymentError {
    /// What the caller may do about an error.
    public enum Recovery: String, Hashable, Sendable, CaseIterable {
        /// Do the same again.
        case tryAgain
        /// Do the same again after a while.
        case tryLater
        /// Ask for another card.
        case useOtherCard
        /// Offer another way to pay.
        case useOtherMethod
        /// Prepare the reader, then do the same again.
        case prepareAgain
        /// Have the merchant accept the reader's terms.
        case linkAccount
        /// Sign in, or obtain the merchant's consent again.
        case signIn
        /// Return to the foreground, then do the same again.
        case returnToForeground
        /// Change something in the device's settings.
        case changeDeviceSettings
        /// Look at the network connection.
        case checkConnection
        /// Change what was asked for.
        case fixRequest
        /// Change the configuration.
        case fixConfiguration
        /// Make room for the journal, or give it another place.
        case freeStorage
        /// Resolve the open payment before anything else.
        case resolve
        /// Ask the acquirer.
        case contactAcquirer
        /// Ask whoever maintains the app.
        case contactSupport
    }
}
