public import PaymentCore
import Synchronization

extension FinixProvider {
    /// Support, link and session.
    ///
    /// The kit says "not linked" also when nobody could find out, so that counts as unknown unless
    /// the merchant was shown the terms here and did not accept them.
    public func readiness() async -> ProviderReadiness {
        let isSupported = driver.isSupported
        guard isSupported, let driver = await till.knownDriver() else {
            return ProviderReadiness(isSupported: isSupported, link: .unknown, isPrepared: false)
        }
        let isLinked = await driver.isAccountLinked()
        return state.withLock { state in
            if isLinked { state.isKnownUnlinked = false }
            return ProviderReadiness(
                isSupported: true,
                link: isLinked ? .linked : state.isKnownUnlinked ? .notLinked : .unknown,
                isPrepared: state.isPrepared
            )
        }
    }

    /// Asks whether the account is linked, has it linked only if it is not, and prepares.
    ///
    /// Whether the terms may be shown is the app's say; without it an account that is not proven
    /// to be linked leaves the set-up unknown, and nothing is shown.
    public func setUp(
        _ options: SetUpOptions,
        attempt: PaymentAttempt?,
        context: AttemptContext
    ) async -> SetUpAnswer {
        guard driver.isSupported else {
            return SetUpAnswer(.notDone(PaymentError(.deviceUnsupported)))
        }
        guard !isTransacting else { return SetUpAnswer(.notDone(Self.busy)) }
        var isLinked = false
        do throws(PaymentError) {
            // One action, so that at most one other Device is provisioned for it.
            let obstacle = try await till.withDriver {
                (driver) throws(PaymentError) -> SetUpState? in
                isLinked = false
                if let obstacle = try await linkObstacle(options, driver) { return obstacle }
                isLinked = true
                context.report(.preparing)
                try await prepareAndNote(driver)
                return nil
            }
            return SetUpAnswer(obstacle ?? .done)
        } catch {
            return SetUpAnswer(isLinked ? .notDone(error) : Self.notSetUp(error))
        }
    }

    /// Where the link leaves the set-up; nil once the account is linked.
    private func linkObstacle(
        _ options: SetUpOptions,
        _ driver: any FinixDriver
    ) async throws(PaymentError) -> SetUpState? {
        guard await !isProvenLinked(driver) else { return nil }
        // Errors are thrown where another Device may help.
        guard options.mayAcceptTerms else { throw Self.needsAdministrator }
        switch await link(driver) {
        case .notDone(let error)? where error.code == .deviceDisabled: throw error
        case .unknown(let error)?: throw error
        case let obstacle: return obstacle
        }
    }

    /// A "no" is asked for anew, since it may be an old one.
    private func isProvenLinked(_ driver: any FinixDriver) async -> Bool {
        if await driver.isAccountLinked() { return true }
        return await driver.forceRefreshLinkStatus()
    }

    /// Shows the terms; nil once they are accepted, else where that leaves the set-up.
    private func link(_ driver: any FinixDriver) async -> SetUpState? {
        do throws(FinixDriverError) {
            try await driver.linkAccount()
        } catch {
            guard error.code != FinixErrors.alreadyLinked else { return linked() }
            let neutral = FinixErrors.error(error)
            guard FinixErrors.provesNotLinked(neutral.code) else { return Self.notSetUp(neutral) }
            state.withLock { $0.isKnownUnlinked = true }
            return .notDone(neutral)
        }
        return linked()
    }

    private static func notSetUp(_ error: PaymentError) -> SetUpState {
        FinixErrors.endsSetUp(error.code) ? .notDone(error) : .unknown(error)
    }

    private func linked() -> SetUpState? {
        state.withLock { $0.isKnownUnlinked = false }
        return nil
    }

    private static let needsAdministrator = PaymentError(
        .linkStatusUnknown,
        detail: "not linked, or nobody could find out; whoever may accept the reader's terms for "
            + "the merchant has to set the device up"
    )

    // MARK: Preparing

    /// Prepares the reader; what may help is tried once before an error is believed.
    public func prepare() async throws(PaymentError) {
        guard driver.isSupported else { throw PaymentError(.deviceUnsupported) }
        guard !isTransacting else { throw Self.busy }
        do throws(PaymentError) {
            try await till.withDriver { (driver) throws(PaymentError) in
                try await prepareAndNote(driver)
            }
        } catch {
            state.withLock { $0.isPrepared = false }
            throw error
        }
    }

    private func prepareAndNote(_ driver: any FinixDriver) async throws(PaymentError) {
        do throws(PaymentError) {
            try await prepare(driver)
        } catch {
            state.withLock { $0.isPrepared = false }
            throw error
        }
        state.withLock { $0.isPrepared = true }
    }

    private func prepare(_ driver: any FinixDriver) async throws(PaymentError) {
        do throws(FinixDriverError) {
            do throws(FinixDriverError) {
                return try await driver.prepareReader()
            } catch {
                guard await mayHelp(FinixErrors.remedy(for: error), driver) else { throw error }
            }
            try await driver.prepareReader()
        } catch {
            var neutral = FinixErrors.error(error)
            neutral.supportIdentifiers.merge(till.supportIdentifiers) { own, _ in own }
            throw neutral
        }
    }

    /// Whether preparing again may help, after what has to be done first.
    private func mayHelp(_ remedy: FinixErrors.Remedy?, _ driver: any FinixDriver) async -> Bool {
        switch remedy {
        case .askAboutLink: return await driver.forceRefreshLinkStatus()
        case .refreshConfiguration: await driver.refreshConfiguration()
        case .prepareAgain: break
        case nil: return false
        }
        return true
    }

    /// While a card is read or submitted the kit gets no call but a cancel.
    private var isTransacting: Bool { state.withLock { $0.current != nil } }

    private static let busy = PaymentError(.readerBusy, detail: "a payment is running")
}
