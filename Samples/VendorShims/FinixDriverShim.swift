import Combine
import FinixPayments
@preconcurrency import FinixTapToPaySDK
import Foundation
import PaymentCore
import Synchronization

/// Joins Finix's SDK to ``FinixDriver``; an app copies this file.
///
/// It forwards calls and hands back what the SDK said. The SDK's class is not `Sendable`, so one
/// instance lives on the main actor; each method says so, or the protocol would decide otherwise.
/// With an SDK before 1.2.0 define `FINIX_SDK_1_0`.
@MainActor
final class FinixDriverShim: FinixDriver {
    private let configuration: TapToPayConfiguration
    private lazy var sdk = FinixTapToPay(configuration: configuration)

    /// Creates a shim; another merchant, environment or Device needs another shim.
    nonisolated init(_ configuration: FinixConfiguration) {
        let credentials = APICredentials(
            username: configuration.username?.reveal() ?? "",
            password: configuration.password?.reveal() ?? ""
        )
        #if FINIX_SDK_1_0
            // Versions before 1.2.0 want the processor's number of the merchant from the app.
            let merchant = MerchantInfo(
                merchantId: configuration.account.merchant,
                merchantName: configuration.merchantName,
                merchantMid: Bundle.main.object(forInfoDictionaryKey: "FinixMID") as? String ?? ""
            )
        #else
            let merchant = MerchantInfo(
                merchantId: configuration.account.merchant,
                merchantName: configuration.merchantName
            )
        #endif
        self.configuration = TapToPayConfiguration(
            credentials: credentials,
            merchant: merchant,
            environment: configuration.account.environment == .production ? .production : .sandbox,
            deviceId: configuration.deviceID
        )
    }

    nonisolated var isSupported: Bool { FinixTapToPay.isSupported() }

    @MainActor func isAccountLinked() async -> Bool { await sdk.isAccountLinked() }

    @MainActor func forceRefreshLinkStatus() async -> Bool { await sdk.forceRefreshLinkStatus() }

    @MainActor func linkAccount() async throws(FinixDriverError) {
        do {
            try await sdk.linkAccount()
        } catch {
            throw FinixDriverError(vendor: error)
        }
    }

    @MainActor func prepareReader() async throws(FinixDriverError) {
        do {
            try await sdk.prepareReader()
        } catch {
            throw FinixDriverError(vendor: error)
        }
    }

    @MainActor func refreshConfiguration() async { sdk.refreshConfiguration() }

    @MainActor func startTransaction(
        _ transaction: FinixTransaction,
        report: @escaping @Sendable (FinixPhase) -> Void
    ) async -> FinixTransactionEnd {
        let recorder = FinixPhaseRecorder(report)
        // Not the main actor's: the SDK does not say on which thread it tells.
        let subscription = sdk.transactionEvents.sink { @Sendable event in recorder.hear(event) }
        defer { subscription.cancel() }
        recorder.begin()
        do {
            let result = try await start(transaction)
            let answer = FinixTransactionResult(vendor: result)
            return FinixTransactionEnd(phases: recorder.end().phases, answer: .success(answer))
        } catch {
            let (phases, hasEnded) = recorder.end()
            let error = FinixDriverError(vendor: error)
            // The SDK tells these failures as events before it throws. Where it did not, events
            // are still on their way, and a card that seems unread may have been charged.
            let isProof = hasEnded || !["transactionFailed", "unknown"].contains(error.code)
            return FinixTransactionEnd(phases: phases, answer: isProof ? .failure(error) : nil)
        }
    }

    @MainActor private func start(_ wanted: FinixTransaction) async throws
        -> TapToPayTransactionResult
    {
        let type: TransactionType =
            switch wanted.kind {
            case .sale: .sale
            case .authorization: .authorization
            case .refundToCard: .refund
            }
        #if FINIX_SDK_1_0
            guard wanted.tip ?? 0 == 0, wanted.surcharge ?? 0 == 0 else {
                throw TapToPayError.notConfigured  // This version would charge without them.
            }
            return try await sdk.startTransaction(
                amount: Int(wanted.amount),
                currency: wanted.currency,
                type: type,
                identityId: wanted.identityID
            )
        #else
            return try await sdk.startTransaction(
                amount: Int(wanted.amount),
                currency: wanted.currency,
                type: type,
                identityId: wanted.identityID,
                surchargeAmount: wanted.surcharge.map { Int($0) },
                tipAmount: wanted.tip.map { Int($0) }
            )
        #endif
    }

    @MainActor func cancelTransaction() async { try? await sdk.cancelTransaction() }

    @MainActor func setLanguage(_ tag: String?) async {
        sdk.setUserInterfaceLanguage(tag.map { Locale.Language(identifier: $0) })
    }
}

/// Records the phases of one transaction, whichever thread tells them.
private final class FinixPhaseRecorder: Sendable {
    private let report: @Sendable (FinixPhase) -> Void
    private let state = Mutex((isOpen: false, phases: [FinixPhase](), hasEnded: false))

    init(_ report: @escaping @Sendable (FinixPhase) -> Void) { self.report = report }

    /// Opens the record; what was replayed from an earlier transaction came before.
    func begin() { state.withLock { $0.isOpen = true } }

    func hear(_ event: TapToPayTransactionEvent) {
        let phase = FinixPhase(vendor: event)
        let isHeard = state.withLock { state in
            guard state.isOpen else { return false }
            if let phase {
                state.phases.append(phase)
            } else if !state.phases.isEmpty {
                // An end before any phase is an earlier transaction's, told again.
                state.hasEnded = true
            }
            return true
        }
        if isHeard, let phase { report(phase) }
    }

    func end() -> (phases: [FinixPhase], hasEnded: Bool) {
        state.withLock { state in
            state.isOpen = false
            return (state.phases, state.hasEnded)
        }
    }
}

extension FinixPhase {
    /// The phase of an event; nil for the two that end a transaction.
    fileprivate init?(vendor event: TapToPayTransactionEvent) {
        switch event {
        case .preparingTransaction: self = .preparingTransaction
        case .readingCard: self = .readingCard
        case .cardRead: self = .cardRead
        case .processing: self = .processing
        case .success, .failure: return nil
        @unknown default: self = .other("\(event)")
        }
    }
}

extension FinixTransactionResult {
    fileprivate init(vendor result: TapToPayTransactionResult) {
        self.init(amount: Int64(result.amount), currency: result.currency)
        cardBrand = result.cardBrand
        last4 = result.last4
        transferID = result.transferId
        transferState = result.transferState
        transactionIdentifier = result.transactionIdentifier
        readerIdentifier = result.readerIdentifier
        approvalCode = result.approvalCode
        traceID = result.traceId
    }
}

extension FinixDriverError {
    #if FINIX_SDK_1_0
        private typealias Code = TapToPayError
    #else
        private typealias Code = TapToPayError.Code
    #endif

    fileprivate init(vendor error: any Error) {
        guard let error = error as? TapToPayError else {
            self.init(code: "unknown", payload: "\(type(of: error))")
            return
        }
        #if FINIX_SDK_1_0
            let (name, payload) = Self.parts(of: error)
            self.init(code: name, payload: payload)
        #else
            let (name, payload) = Self.parts(of: error.code)
            self.init(code: name, payload: payload, logref: error.logref)
        #endif
    }

    /// The case's name and what came with it; a case of a later version is "unknown", so that it
    /// proves nothing, and its own name is what came with it.
    private static func parts(of code: Code) -> (String, String?) {
        switch code {
        case .notSupported: ("notSupported", nil)
        case .modelNotSupported: ("modelNotSupported", nil)
        case .notConfigured: ("notConfigured", nil)
        case .accountNotLinked: ("accountNotLinked", nil)
        case .accountAlreadyLinked: ("accountAlreadyLinked", nil)
        case .accountLinkingCancelled: ("accountLinkingCancelled", nil)
        case .accountLinkingFailed(let text): ("accountLinkingFailed", text)
        case .accountLinkingCheckFailed: ("accountLinkingCheckFailed", nil)
        case .accountLinkingRequiresiCloudSignIn: ("accountLinkingRequiresiCloudSignIn", nil)
        case .accountDeactivated: ("accountDeactivated", nil)
        case .readerPreparationFailed(let text): ("readerPreparationFailed", text)
        case .tokenFetchFailed(let text): ("tokenFetchFailed", text)
        case .emptyReaderToken: ("emptyReaderToken", nil)
        case .invalidReaderToken(let text): ("invalidReaderToken", text)
        case .invalidMerchant: ("invalidMerchant", nil)
        case .merchantBlocked: ("merchantBlocked", nil)
        case .deviceBanned(let date): ("deviceBanned", date.map { $0.formatted(.iso8601) })
        case .networkAuthenticationError: ("networkAuthenticationError", nil)
        case .backgroundRequestNotAllowed: ("backgroundRequestNotAllowed", nil)
        case .transactionCancelled: ("transactionCancelled", nil)
        case .transactionFailed(let text): ("transactionFailed", text)
        case .unknown(let text): ("unknown", text)
        #if !FINIX_SDK_1_0
            case .midResolutionFailed(let text): ("midResolutionFailed", text)
        #endif
        @unknown default: ("unknown", "\(code)")
        }
    }
}
