public import Foundation

#if FINIX_SDK_1_0
    /// Why a call failed: an enum up to 1.0.x.
    public enum TapToPayError: Error, Sendable, Equatable {
        case notSupported, modelNotSupported, notConfigured
        case accountNotLinked, accountAlreadyLinked, accountLinkingCancelled
        case accountLinkingFailed(String?)
        case accountLinkingCheckFailed, accountLinkingRequiresiCloudSignIn, accountDeactivated
        case readerPreparationFailed(String?)
        case tokenFetchFailed(String)
        case emptyReaderToken
        case invalidReaderToken(String?)
        case invalidMerchant, merchantBlocked
        case deviceBanned(Date?)
        case networkAuthenticationError, backgroundRequestNotAllowed, transactionCancelled
        case transactionFailed(String)
        case unknown(String)
    }
#else
    /// Why a call failed: a struct from 1.2.0.
    public struct TapToPayError: Error, Sendable, Equatable {
        /// Which failure.
        public let code: Code
        /// Finix's identifier of the request.
        public let logref: String?

        /// Creates an error.
        public init(_ code: Code, logref: String? = nil) {
            self.code = code
            self.logref = logref
        }

        /// The failures.
        public enum Code: Sendable, Equatable {
            case notSupported, modelNotSupported, notConfigured
            case accountNotLinked, accountAlreadyLinked, accountLinkingCancelled
            case accountLinkingFailed(String?)
            case accountLinkingCheckFailed, accountLinkingRequiresiCloudSignIn
            case accountDeactivated
            case readerPreparationFailed(String?)
            case tokenFetchFailed(String)
            case midResolutionFailed(String)
            case emptyReaderToken
            case invalidReaderToken(String?)
            case invalidMerchant, merchantBlocked
            case deviceBanned(Date?)
            case networkAuthenticationError, backgroundRequestNotAllowed, transactionCancelled
            case transactionFailed(String)
            case unknown(String)
        }
    }
#endif
