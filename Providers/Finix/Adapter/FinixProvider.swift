public import PaymentCore
import Synchronization

/// Takes payments at the counter through Finix's SDK.
public final class FinixProvider: PaymentProvider {
    /// What Finix's Tap to Pay supports.
    public let capabilities: ProviderCapabilities
    let till: FinixTill
    private let environment: PaymentEnvironment
    let state = Mutex(State())

    var driver: any FinixDriver { till.driver }

    /// The transaction that runs, and who wants it cancelled.
    struct State {
        var current: AttemptID?
        /// What it runs on; meanwhile the till may get another.
        var driver: (any FinixDriver)?
        /// Whether linking ended in a way that only an account without a link can have.
        var isKnownUnlinked = false
        var isReading = false
        var wasRead = false
        var cancelWanted: AttemptID?
        var isPrepared = false
        var cancelling: Task<Void, Never>?
    }

    /// Creates the counter side for one Device.
    ///
    /// - Parameters:
    ///   - driver: The shim over Finix's SDK, or the simulated kit.
    ///   - deviceID: Finix's identifier of this phone for this merchant.
    ///   - environment: Where time and threads come from.
    public convenience init(
        driver: any FinixDriver,
        deviceID: String,
        environment: PaymentEnvironment
    ) {
        self.init(till: FinixTill(driver: driver, device: deviceID), environment: environment)
    }

    /// Creates the counter side for a phone whose Device is known or will be.
    init(till: FinixTill, environment: PaymentEnvironment) {
        self.till = till
        self.environment = environment
        capabilities = Self.capabilities
    }

    private static var capabilities: ProviderCapabilities {
        var capabilities = ProviderCapabilities()
        capabilities.kinds = [.sale, .authorization, .refundToCard]
        capabilities.amounts.minorUnitDigits = [2]
        capabilities.amounts.largest = 999_999_999
        capabilities.tip = true
        capabilities.surcharge = true
        capabilities.cancelFromCode = true
        return capabilities
    }

    /// The Device on Finix's records; nil as long as this phone has none.
    public func device() async -> String? { await till.deviceOfPayment() }

    /// Runs one transaction and classifies its end.
    public func perform(
        _ attempt: PaymentAttempt,
        context: AttemptContext
    ) async -> ProviderAnswer {
        guard case .take(let request) = attempt.operation else {
            return .notCharged(PaymentError(.requestRejected, detail: "not a payment"))
        }
        let language = request.language.map(FinixLanguageTag.init)
        guard language == nil || language?.text != nil else {
            return .notCharged(
                PaymentError(.requestRejected, detail: "language: \(FinixLanguageTag.accepted)")
            )
        }
        guard driver.isSupported else { return .notCharged(PaymentError(.deviceUnsupported)) }
        guard let driver = till.driverOfPayment else {
            return .notCharged(
                PaymentError(.notPrepared, detail: "the phone has no Device yet, or another one")
            )
        }
        guard begin(attempt.id, driver) else { return .cancelled }
        // The kit keeps a language until it is told another, or nil for the phone's own.
        await driver.setLanguage(language?.text)
        var transaction = FinixTransaction(
            amount: request.amount.minorUnits,
            currency: request.amount.currency.code,
            kind: request.kind
        )
        transaction.identityID = request.customerReference
        transaction.tip = request.tip?.minorUnits
        transaction.surcharge = request.surcharge?.minorUnits
        var end = await driver.startTransaction(transaction) { phase in
            self.saw(phase, of: attempt.id)
            if let progress = phase.progress { context.report(progress) }
        }
        // A card that was told as read on the way was read, whatever the end remembers.
        if !mayCancel(attempt.id) { end.phases.append(.cardRead) }
        await self.end(attempt.id)
        let answer = FinixErrors.answer(
            to: end,
            kind: request.kind,
            total: attempt.amount,
            base: request.amount
        )
        if let error = answer.error { await till.heard(error) }
        return answer
    }

    /// Cancels the read of an attempt, at once or as soon as it begins.
    public func cancel(_ attempt: AttemptID) -> Cancellation {
        let tooLate = state.withLock { state in
            if state.current == attempt, state.wasRead { return true }
            state.cancelWanted = attempt
            return false
        }
        guard !tooLate else { return .tooLate }
        relayCancel(of: attempt)
        return .asked
    }

    private func begin(_ attempt: AttemptID, _ driver: any FinixDriver) -> Bool {
        state.withLock { state in
            state.isReading = false
            state.wasRead = false
            guard state.cancelWanted != attempt else {
                state.cancelWanted = nil
                return false
            }
            state.current = attempt
            state.driver = driver
            return true
        }
    }

    /// Ends the attempt; a cancel that is still on its way must not reach the next read.
    private func end(_ attempt: AttemptID) async {
        let relay = state.withLock { state in
            defer {
                state.current = nil
                state.driver = nil
                state.cancelWanted = nil
                state.cancelling = nil
                state.isPrepared = false
            }
            return state.cancelling
        }
        relay?.cancel()
        await relay?.value
    }

    private func saw(_ phase: FinixPhase, of attempt: AttemptID) {
        state.withLock { state in
            // What is told late of an earlier transaction says nothing of this one.
            guard state.current == attempt else { return }
            switch phase {
            case .readingCard: state.isReading = true
            case .cardRead, .processing: state.wasRead = true
            case .preparingTransaction, .other: break
            }
        }
        if phase == .readingCard { relayCancel(of: attempt) }
    }

    /// Asks the SDK to cancel until the read has ended: it forgets a request that comes before the
    /// sheet is up.
    private func relayCancel(of attempt: AttemptID) {
        state.withLock { state in
            guard state.current == attempt, state.cancelWanted == attempt, state.isReading,
                state.cancelling == nil, let driver = state.driver
            else { return }
            state.cancelling = environment.start {
                while !Task.isCancelled, self.mayCancel(attempt) {
                    await driver.cancelTransaction()
                    try? await self.environment.clock.sleep(for: .milliseconds(200))
                }
            }
        }
    }

    private func mayCancel(_ attempt: AttemptID) -> Bool {
        state.withLock { $0.current == attempt && !$0.wasRead }
    }
}

extension ProviderAnswer {
    fileprivate var error: PaymentError? {
        switch self {
        case .notCharged(let error), .unknown(let error): error
        default: nil
        }
    }
}

extension FinixPhase {
    fileprivate var progress: AttemptProgress? {
        switch self {
        case .preparingTransaction: .preparing
        case .readingCard: .presentCard
        case .cardRead: .cardRead
        case .processing: .submitting
        case .other: nil
        }
    }
}
