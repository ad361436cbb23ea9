public import AcquirerSimulation
public import FinixPayments
public import PaymentCore
import PaymentTransport
import Synchronization

/// Joins the simulated kit to the driver seam, as a shim joins the vendor's.
struct SimulatedFinixDriver: FinixDriver {
    let kit: FinixTapToPay

    var isSupported: Bool { kit.phone?.isSupported ?? false }

    func isAccountLinked() async -> Bool { await kit.isAccountLinked() }

    func forceRefreshLinkStatus() async -> Bool { await kit.forceRefreshLinkStatus() }

    func linkAccount() async throws(FinixDriverError) {
        do throws(TapToPayError) {
            try await kit.linkAccount()
        } catch {
            throw error.driverError
        }
    }

    func prepareReader() async throws(FinixDriverError) {
        do throws(TapToPayError) {
            try await kit.prepareReader()
        } catch {
            throw error.driverError
        }
    }

    func refreshConfiguration() { kit.refreshConfiguration() }

    func startTransaction(
        _ transaction: FinixTransaction,
        report: @escaping @Sendable (FinixPhase) -> Void
    ) async -> FinixTransactionEnd {
        let recorder = PhaseRecorder(report: report)
        let stopObserving = kit.observe { recorder.hear($0) }
        defer { stopObserving() }
        recorder.begin()
        let answer: Result<FinixTransactionResult, FinixDriverError>
        do throws(TapToPayError) {
            let result = try await kit.startTransaction(
                amount: Int(transaction.amount),
                currency: transaction.currency,
                type: TransactionType(transaction.kind),
                identityId: transaction.identityID,
                surchargeAmount: transaction.surcharge.map { Int($0) },
                tipAmount: transaction.tip.map { Int($0) }
            )
            answer = .success(result.driverResult)
        } catch {
            answer = .failure(error.driverError)
        }
        return FinixTransactionEnd(phases: recorder.end(), answer: answer)
    }

    func cancelTransaction() async { try? await kit.cancelTransaction() }

    func setLanguage(_ tag: String?) {
        kit.setUserInterfaceLanguage(tag.map(FinixLanguage.language))
    }
}

/// Records one transaction's phases; what is replayed from an earlier one is not heard.
private final class PhaseRecorder: Sendable {
    private let report: @Sendable (FinixPhase) -> Void
    private let state = Mutex((isOpen: false, phases: [FinixPhase]()))

    init(report: @escaping @Sendable (FinixPhase) -> Void) { self.report = report }

    func begin() { state.withLock { $0.isOpen = true } }

    func hear(_ event: TapToPayTransactionEvent) {
        guard let phase = event.phase else { return }
        let isOpen = state.withLock { state in
            if state.isOpen { state.phases.append(phase) }
            return state.isOpen
        }
        if isOpen { report(phase) }
    }

    func end() -> [FinixPhase] {
        state.withLock { state in
            state.isOpen = false
            return state.phases
        }
    }
}

extension TapToPayTransactionEvent {
    fileprivate var phase: FinixPhase? {
        switch self {
        case .preparingTransaction: .preparingTransaction
        case .readingCard: .readingCard
        case .cardRead: .cardRead
        case .processing: .processing
        case .success, .failure: nil
        }
    }
}

extension TapToPayError {
    fileprivate var driverError: FinixDriverError {
        FinixDriverError(code: parts.name, payload: parts.payload)
    }
}

extension TransactionType {
    fileprivate init(_ kind: PaymentRequest.Kind) {
        switch kind {
        case .sale: self = .sale
        case .authorization: self = .authorization
        case .refundToCard: self = .refund
        }
    }
}

extension TapToPayTransactionResult {
    fileprivate var driverResult: FinixTransactionResult {
        var result = FinixTransactionResult(amount: Int64(amount), currency: currency)
        result.cardBrand = cardBrand
        result.last4 = last4
        result.transferID = transferId
        result.transferState = transferState
        result.transactionIdentifier = transactionIdentifier
        result.readerIdentifier = readerIdentifier
        result.approvalCode = approvalCode
        result.traceID = traceId
        return result
    }
}

extension Acquirer {
    /// Finix in a simulated world.
    ///
    /// - Parameters:
    ///   - configuration: A configuration whose environment is `simulated`.
    ///   - world: The world with the reader and the ledger.
    ///   - emulator: The Finix that both sides of the adapter talk to.
    ///   - phone: What the phone kept from earlier runs of the app; a new phone without.
    ///   - parts: What a Device is provisioned with, where the configuration names none.
    ///   - environment: Where time and threads come from.
    /// - Returns: Both sides of the adapter.
    public static func simulatedFinix(
        _ configuration: FinixConfiguration,
        world: SimulatedWorld,
        emulator: FinixEmulator,
        phone: FinixPhone? = nil,
        parts: FinixPhoneParts = .simulated,
        environment: PaymentEnvironment
    ) -> Acquirer {
        let phone = phone ?? FinixPhone(world: world, emulator: emulator)
        return .finix(
            configuration,
            origin: FinixEmulator.origin,
            username: Secret(FinixEmulator.username),
            password: Secret(FinixEmulator.password),
            transport: emulator.host,
            phone: parts,
            environment: environment
        ) { configuration in
            SimulatedFinixDriver(kit: FinixTapToPay(configuration, on: phone))
        }
    }
}

extension FinixPhoneParts {
    /// A simulated phone that keeps nothing from launch to launch.
    public static var simulated: FinixPhoneParts {
        FinixPhoneParts(store: MemoryFinixDeviceStore()) { FinixReaderService.readerIdentifier }
    }
}

extension FinixTapToPay {
    /// The kit of a configuration, as a shim makes the vendor's.
    fileprivate convenience init(_ configuration: FinixConfiguration, on phone: FinixPhone) {
        self.init(
            configuration: TapToPayConfiguration(
                credentials: APICredentials(
                    username: FinixEmulator.username,
                    password: FinixEmulator.password
                ),
                merchant: MerchantInfo(
                    merchantId: configuration.account.merchant,
                    merchantName: configuration.merchantName
                ),
                environment: .sandbox,
                deviceId: configuration.deviceID
            ),
            phone: phone
        )
    }
}
