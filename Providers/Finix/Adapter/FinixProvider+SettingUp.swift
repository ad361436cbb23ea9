public import PaymentCore
import Synchronization

extension FinixProvider {
    /// Support, link and session.
    ///
    /// The kit says "not linked" also when nobody could find out, so that counts as unknown unless
    /// the merchant was shown the terms here and did not accept them.
    public func readiness() async -> ProviderReadiness {
        guard driver.isSupported else {
            return ProviderReadiness(isSupported: false, link: .unknown, isPrepared: false)
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
        if await !isProvenLinked() {
            guard options.mayAcceptTerms else {
                return SetUpAnswer(.unknown(Self.needsAdministrator))
            }
            if let obstacle = await link() { return SetUpAnswer(obstacle) }
        }
        context.report(.preparing)
        do throws(PaymentError) {
            try await prepare()
            return SetUpAnswer(.done)
        } catch {
            return SetUpAnswer(.notDone(error))
        }
    }

    /// A "no" is asked for anew, since it may be an old one.
    private func isProvenLinked() async -> Bool {
        if await driver.isAccountLinked() { return true }
        return await driver.forceRefreshLinkStatus()
    }

    /// Shows the terms; nil once they are accepted, else where that leaves the set-up.
    private func link() async -> SetUpState? {
        do throws(FinixDriverError) {
            try await driver.linkAccount()
        } catch {
            guard error.code != FinixErrors.alreadyLinked else { return linked() }
            let neutral = FinixErrors.error(error)
            guard FinixErrors.provesNotLinked(neutral.code) else {
                return FinixErrors.endsSetUp(neutral.code) ? .notDone(neutral) : .unknown(neutral)
            }
            state.withLock { $0.isKnownUnlinked = true }
            return .notDone(neutral)
        }
        return linked()
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

    /// Prepares the reader; a missing link is asked for once more before it is believed.
    public func prepare() async throws(PaymentError) {
        guard driver.isSupported else { throw PaymentError(.deviceUnsupported) }
        guard !isTransacting else { throw Self.busy }
        do throws(FinixDriverError) {
            try await driver.prepareReader()
        } catch {
            guard error.code == "accountNotLinked", await driver.forceRefreshLinkStatus() else {
                state.withLock { $0.isPrepared = false }
                throw FinixErrors.error(error)
            }
            try await prepareAgain()
        }
        state.withLock { $0.isPrepared = true }
    }

    private func prepareAgain() async throws(PaymentError) {
        do throws(FinixDriverError) {
            try await driver.prepareReader()
        } catch {
            state.withLock { $0.isPrepared = false }
            throw FinixErrors.error(error)
        }
    }

    /// While a card is read or submitted the kit gets no call but a cancel.
    private var isTransacting: Bool { state.withLock { $0.current != nil } }

    private static let busy = PaymentError(.readerBusy, detail: "a payment is running")
}
