/// What to do when the reader cannot take a tap; a pure table.
public enum RevolutQRFallback: Hashable, Sendable, CaseIterable {
    /// Show a code.
    case fallBack
    /// Ask to end the call, then show a code.
    case endCallThenFallBack
    /// Show a code if the merchant declines the terms.
    case fallBackIfTermsDeclined
    /// Try once more, then show a code.
    case retryThenFallBack
    /// Try once more with a new reader token, then show a code.
    case newTokenThenFallBack
    /// Report a failure, and show no code.
    case fail
    /// Somebody cancelled.
    case cancel
    /// Ask for the card again.
    case retryTap
    /// Treat it as a decline.
    case decline

    /// The decision for one of Apple's conditions, by its name; a failure for one not known here.
    public init(condition: String) { self = Self.decisions[condition] ?? .fail }

    /// The decision for every condition that is known.
    public static let decisions: [String: RevolutQRFallback] = {
        let groups: [(RevolutQRFallback, String)] = [
            (
                .fallBack,
                """
                unsupported modelNotSupported osVersionNotSupported notAllowed deviceBanned \
                merchantBlocked invalidMerchant passcodeDisabled nfcDisabled
                """
            ),
            (.endCallThenFallBack, "readNotAllowedDuringCall"),
            (
                .fallBackIfTermsDeclined,
                """
                accountNotLinked accountLinkingCancelled accountLinkingFailed \
                accountLinkingRequiresiCloudSignIn accountDeactivated
                """
            ),
            (
                .retryThenFallBack,
                """
                prepareFailed prepareExpired readerBusy readerMemoryFull serviceConnectionError \
                networkError networkAuthenticationError
                """
            ),
            (.newTokenThenFallBack, "tokenExpired invalidReaderToken emptyReaderToken"),
            (.fail, "backgroundRequestNotAllowed readFromBackgroundError"),
            (.cancel, "readCancelled"),
            (.retryTap, "cardReadFailed paymentReadFailed"),
            (
                .decline,
                """
                paymentCardDeclined pinEntryFailed pinEntryTimeout pinCancelled pinNotAllowed \
                pinTokenInvalid
                """
            ),
        ]
        var decisions: [String: RevolutQRFallback] = [:]
        for (decision, names) in groups {
            for name in names.split(separator: " ") { decisions[String(name)] = decision }
        }
        return decisions
    }()
}
