import ReaderSimulation

/// Which of the kit's errors stands for an error of the reader's.
enum FinixReaderErrors {
    /// Only a cancelled read has a case of its own; every other read error hides in one.
    static func read(_ error: ReaderError) -> TapToPayError {
        error.code == .readCancelled
            ? .transactionCancelled : .transactionFailed("the card was not read: \(error.code)")
    }

    static func prepare(_ error: ReaderError) -> TapToPayError {
        switch error.code {
        case .deviceUnsupported: .modelNotSupported
        case .accountNotLinked: .accountNotLinked
        case .accountDeactivated: .accountDeactivated
        case .appInBackground: .backgroundRequestNotAllowed
        case .tokenMissing: .emptyReaderToken
        case .tokenInvalid, .tokenExpired: .invalidReaderToken(nil)
        case .merchantInvalid: .invalidMerchant
        case .merchantBlocked: .merchantBlocked
        case .deviceRestricted: .deviceBanned(nil)
        case .networkAuthFailed: .networkAuthenticationError
        case .prepareFailed: .readerPreparationFailed(error.number.map(String.init))
        default: .readerPreparationFailed("\(error.code)")
        }
    }

    static func link(_ error: ReaderError) -> TapToPayError {
        switch error.code {
        case .accountAlreadyLinked: .accountAlreadyLinked
        case .accountLinkCancelled: .accountLinkingCancelled
        case .accountLinkFailed: .accountLinkingFailed(nil)
        case .accountCheckFailed: .accountLinkingCheckFailed
        case .accountSignInRequired: .accountLinkingRequiresiCloudSignIn
        default: prepare(error)
        }
    }
}
