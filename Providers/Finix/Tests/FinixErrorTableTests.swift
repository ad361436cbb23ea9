import PaymentCore
import Testing

@testable import FinixPayments

/// What each error of the SDK's is called, what may be done about it, and where the money is.
@Suite struct FinixErrorTableTests {
    /// One row: the SDK's case, what it carries, its neutral code, and the way out of it.
    private typealias Row = (
        code: String, payload: String?, neutral: PaymentError.Code, way: PaymentError.Recovery
    )

    private static let rows: [Row] = [
        ("notSupported", nil, .deviceUnsupported, .useOtherMethod),
        ("modelNotSupported", nil, .deviceUnsupported, .useOtherMethod),
        ("notConfigured", nil, .notConfigured, .fixConfiguration),
        ("accountNotLinked", nil, .accountNotLinked, .linkAccount),
        ("accountLinkingCancelled", nil, .linkCancelled, .linkAccount),
        ("accountLinkingFailed", "text", .linkFailed, .linkAccount),
        ("accountLinkingCheckFailed", nil, .linkStatusUnknown, .tryLater),
        ("accountLinkingRequiresiCloudSignIn", nil, .accountSignInRequired, .changeDeviceSettings),
        ("accountDeactivated", nil, .accountDeactivated, .linkAccount),
        ("readerPreparationFailed", "text", .preparationFailed, .prepareAgain),
        ("readerPreparationFailed", "2011", .readerConfigurationInvalid, .contactAcquirer),
        ("readerPreparationFailed", "2012", .tokenInvalid, .prepareAgain),
        ("readerPreparationFailed", "2013", .merchantNotEnabled, .contactAcquirer),
        ("tokenFetchFailed", "text", .tokenUnavailable, .tryLater),
        ("tokenFetchFailed", "device not activated", .deviceDisabled, .prepareAgain),
        ("midResolutionFailed", "text", .acquirerUnavailable, .tryLater),
        ("emptyReaderToken", nil, .tokenUnavailable, .tryLater),
        ("invalidReaderToken", "text", .tokenInvalid, .prepareAgain),
        ("invalidMerchant", nil, .merchantInvalid, .contactAcquirer),
        ("merchantBlocked", nil, .merchantBlocked, .contactAcquirer),
        ("deviceBanned", nil, .deviceRestricted, .tryLater),
        ("networkAuthenticationError", nil, .networkUnavailable, .checkConnection),
        ("backgroundRequestNotAllowed", nil, .inBackground, .returnToForeground),
        ("transactionFailed", "text", .cardNotRead, .tryAgain),
        ("transactionFailed", "the Device is not enabled", .deviceDisabled, .prepareAgain),
        ("unknown", "text", .unclassified, .tryAgain),
        ("linkingFailed", "text", .linkFailed, .linkAccount),
        ("prepareFailed", "text", .preparationFailed, .prepareAgain),
    ]

    /// How far a transaction came, and whether money may have moved when it then failed.
    private static let stages: [(phases: [FinixPhase], mayHaveMoved: Bool)] = [
        ([], false), ([.preparingTransaction], false),
        ([.preparingTransaction, .readingCard], false),
        ([.preparingTransaction, .readingCard, .cardRead], true),
        ([.preparingTransaction, .readingCard, .cardRead, .processing], true),
        ([.processing], true),
    ]

    @Test func `F-083 F-084 each error at each stage is told by the table, and proves no more`()
        throws
    {
        let total = try Money(minorUnits: 1_250, currency: .usd)
        for row in Self.rows {
            let failure = FinixDriverError(code: row.code, payload: row.payload)
            let neutral = FinixErrors.error(failure)
            #expect(neutral.code == row.neutral && neutral.recovery == row.way, "\(row)")
            for stage in Self.stages {
                let end = FinixTransactionEnd(phases: stage.phases, answer: .failure(failure))
                let answer = FinixErrors.answer(to: end, kind: .sale, total: total, base: total)
                switch answer {
                case .notCharged(let error):
                    #expect(!stage.mayHaveMoved, "\(row) after \(stage.phases)")
                    // A start without a session is called by its name.
                    let isUnprepared =
                        row.code == "readerPreparationFailed" && stage.phases.isEmpty
                        && row.neutral == .preparationFailed
                    #expect(error.code == (isUnprepared ? .notPrepared : row.neutral), "\(row)")
                case .unknown(let error):
                    #expect(stage.mayHaveMoved, "\(row) after \(stage.phases)")
                    #expect(row.neutral == .deviceDisabled || error.recovery == .resolve)
                default: Issue.record("\(row) after \(stage.phases): \(answer)")
                }
            }
        }
    }

    @Test func `F-083 only a read that nobody finished is a cancelled payment`() throws {
        let total = try Money(minorUnits: 1_250, currency: .usd)
        let failure = FinixDriverError(code: "transactionCancelled")
        for stage in Self.stages {
            let end = FinixTransactionEnd(phases: stage.phases, answer: .failure(failure))
            switch FinixErrors.answer(to: end, kind: .sale, total: total, base: total) {
            case .cancelled: #expect(!stage.mayHaveMoved)
            case .unknown: #expect(stage.mayHaveMoved)
            case let answer: Issue.record("\(answer) after \(stage.phases)")
            }
        }
    }

    @Test func `F-083 the table holds every case that the adapter knows`() {
        let known = Set(FinixErrors.codes.keys).union(["unknown"])
        #expect(Set(Self.rows.map(\.code)) == known)
    }
}
