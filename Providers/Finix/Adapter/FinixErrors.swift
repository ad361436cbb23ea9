import PaymentCore

/// Tells what an end of the SDK's means for the money; the only place that does.
enum FinixErrors {
    /// The neutral code of each error case of the SDK's.
    static let codes: [String: PaymentError.Code] = [
        "notSupported": .deviceUnsupported, "modelNotSupported": .deviceUnsupported,
        "notConfigured": .notConfigured, "accountNotLinked": .accountNotLinked,
        "accountLinkingCancelled": .linkCancelled, "accountLinkingFailed": .linkFailed,
        "accountLinkingCheckFailed": .linkStatusUnknown,
        "accountLinkingRequiresiCloudSignIn": .accountSignInRequired,
        "accountDeactivated": .accountDeactivated, "readerPreparationFailed": .preparationFailed,
        "tokenFetchFailed": .tokenUnavailable, "midResolutionFailed": .acquirerUnavailable,
        "emptyReaderToken": .tokenUnavailable, "invalidReaderToken": .tokenInvalid,
        "invalidMerchant": .merchantInvalid, "merchantBlocked": .merchantBlocked,
        "deviceBanned": .deviceRestricted, "networkAuthenticationError": .networkUnavailable,
        "backgroundRequestNotAllowed": .inBackground, "transactionFailed": .cardNotRead,
        "linkingFailed": .linkFailed, "prepareFailed": .preparationFailed,
    ]

    /// The case of the SDK's that linking ends with where there is nothing to do.
    static let alreadyLinked = "accountAlreadyLinked"

    /// Whether linking can end so only where the account has no link that works.
    static func provesNotLinked(_ code: PaymentError.Code) -> Bool {
        [.linkCancelled, .linkFailed, .accountSignInRequired, .accountDeactivated].contains(code)
    }

    /// Whether linking that ended so leaves the device not set up for certain.
    static func endsSetUp(_ code: PaymentError.Code) -> Bool {
        let certain: [PaymentError.Code] = [
            .accountNotLinked, .deviceUnsupported, .deviceRestricted, .deviceDisabled,
            .notConfigured, .merchantInvalid, .merchantBlocked, .inBackground,
        ]
        return provesNotLinked(code) || certain.contains(code)
    }

    /// What may be done once before an error of preparing is told.
    enum Remedy {
        case askAboutLink, refreshConfiguration, prepareAgain
    }

    /// The remedy for an error of preparing, where the vendor or its reader names one.
    ///
    /// A merchant or a device that is not meant to take taps gets no better by trying.
    static func remedy(for error: FinixDriverError) -> Remedy? {
        if error.code == "accountNotLinked" { return .askAboutLink }
        if error.code == "emptyReaderToken" { return .prepareAgain }
        return switch code(of: error) {
        case .tokenInvalid: .refreshConfiguration
        case .preparationFailed: .prepareAgain
        default: nil
        }
    }

    /// The neutral error for one of the SDK's.
    static func error(_ error: FinixDriverError) -> PaymentError {
        PaymentError(
            code(of: error),
            vendorCode: error.code,
            detail: error.payload,
            supportIdentifiers: error.logref.map { ["logref": $0] } ?? [:]
        )
    }

    private static func code(of error: FinixDriverError) -> PaymentError.Code {
        let payload = error.payload ?? ""
        if ["transactionFailed", "tokenFetchFailed", "unknown"].contains(error.code),
            isDeviceDisabled(payload)
        {
            return .deviceDisabled
        }
        if ["readerPreparationFailed", "prepareFailed"].contains(error.code) {
            switch preparationNumber(in: payload) {
            case 2011: return .readerConfigurationInvalid
            case 2012: return .tokenInvalid
            case 2013: return .merchantNotEnabled
            default: return .preparationFailed
            }
        }
        return codes[error.code] ?? .unclassified
    }

    /// What the end of a transaction means.
    ///
    /// Only the SDK's own terminal answer together with a missing `cardRead` proves that nothing
    /// was submitted. Once the card was read, every error leaves the outcome to Finix's books.
    static func answer(
        to end: FinixTransactionEnd,
        kind: PaymentRequest.Kind,
        total: Money,
        base: Money
    ) -> ProviderAnswer {
        let wasRead = end.phases.contains(.cardRead) || end.phases.contains(.processing)
        switch end.answer {
        case .success(let result):
            return answer(to: result, kind: kind, total: total, base: base)
        case .failure(let failure):
            let error = error(failure)
            guard !wasRead else { return .unknown(Self.unknown(error)) }
            if failure.code == "transactionCancelled" { return .cancelled }
            if failure.code == "readerPreparationFailed", end.phases.isEmpty,
                error.code == .preparationFailed
            {
                var error = error
                error.code = .notPrepared
                return .notCharged(error)
            }
            return .notCharged(error)
        case nil:
            return .unknown(PaymentError(.outcomeUnknown, detail: "the SDK's call did not end"))
        }
    }

    /// The error of an outcome that is unknown, whatever the SDK called it.
    private static func unknown(_ error: PaymentError) -> PaymentError {
        var error = error
        if error.code != .deviceDisabled { error.code = .outcomeUnknown }
        return error
    }

    private static func answer(
        to result: FinixTransactionResult,
        kind: PaymentRequest.Kind,
        total: Money,
        base: Money
    ) -> ProviderAnswer {
        let isOurs =
            Currency(answeredCode: result.currency) == total.currency
            && [total.minorUnits, base.minorUnits].contains(result.amount)
        guard isOurs, result.transferState.map({ $0 == "SUCCEEDED" }) ?? true else {
            let detail =
                isOurs
                ? "the SDK returned state \(result.transferState ?? "none")"
                : "the SDK returned another amount or currency"
            return .unknown(PaymentError(.outcomeUnknown, detail: detail))
        }
        var references: [AcquirerReference] = []
        if let id = result.transferID, FinixReference.isKept(id) {
            references = [FinixReference.payment(id)]
        } else if let id = result.transactionIdentifier, FinixReference.isKept(id) {
            references = [FinixReference.readerTransaction(id)]
        }
        let support = [
            "traceId": result.traceID, "readerIdentifier": result.readerIdentifier,
            "transactionIdentifier": result.transactionIdentifier,
        ].compactMapValues(\.self)
        let approval = Approval(
            references: references,
            amount: .reported(total),
            card: CardSummary(brand: result.cardBrand, lastFour: result.last4),
            method: .tap,
            approvalCode: result.approvalCode,
            supportIdentifiers: support
        )
        return kind == .authorization
            ? .authorized(approval, expiresAt: nil) : .approved(approval)
    }

    /// Whether a text tells that the Device was never activated, or is switched off.
    static func isDeviceDisabled(_ text: String) -> Bool {
        let text = text.lowercased()
        return text.contains("device") && (text.contains("activat") || text.contains("not enabled"))
    }

    /// The first of the documented numbers that stands alone in a text.
    static func preparationNumber(in text: String) -> Int? {
        text.split { !$0.isNumber }.compactMap { Int($0) }.first { 2011...2013 ~= $0 }
    }
}

/// What Finix calls its records.
enum FinixReference {
    static let transferKind = "transfer"
    static let authorizationKind = "authorization"

    static func transfer(_ id: String) -> AcquirerReference {
        AcquirerReference(kind: transferKind, value: id)
    }

    static func authorization(_ id: String) -> AcquirerReference {
        AcquirerReference(kind: authorizationKind, value: id)
    }

    /// Which of the two an identifier names is told by its prefix.
    static func payment(_ id: String) -> AcquirerReference {
        id.hasPrefix("AU") ? authorization(id) : transfer(id)
    }

    /// Whether an identifier is one, and is kept as it is: what may be a card number is not, so that
    /// two of them would be the same.
    static func isKept(_ id: String) -> Bool {
        FinixWire.isIdentifier(id) && Scrubbing.scrubIdentifier(id) == id
    }

    /// Whether an identifier has neither prefix, so that what it names is a guess.
    static func isAmbiguous(_ reference: AcquirerReference) -> Bool {
        reference.kind == transferKind && !reference.value.hasPrefix("TR")
    }

    /// The release of a hold, which has no identifier of its own.
    static func release(_ id: String) -> AcquirerReference {
        AcquirerReference(kind: "release", value: id)
    }

    static func readerTransaction(_ id: String) -> AcquirerReference {
        AcquirerReference(kind: "readerTransaction", value: id)
    }
}
