import AcquirerSimulation
import PaymentCore
import ReaderSimulation
import Simulation
import Synchronization

extension FinixTapToPay {
    /// Whether the account is linked; false also when nobody could find out.
    public func isAccountLinked() async -> Bool {
        guard let phone, configuration.isComplete else { return false }
        let kept = phone.links.answer(
            for: merchant,
            at: phone.world.time.wallTime,
            within: configuration.transactionOptions.linkStatusCacheDuration
        )
        if let kept { return kept }
        return await forceRefreshLinkStatus()
    }

    /// The same, asked of the reader anew.
    public func forceRefreshLinkStatus() async -> Bool {
        clearLinkStatus()
        guard let phone, configuration.isComplete,
            let token = try? await service(on: phone).token(),
            let isLinked = try? await phone.world.reader.linkStatus(token: token)
        else { return false }
        phone.links.keep(isLinked, for: merchant, at: phone.world.time.wallTime)
        return isLinked
    }

    /// Forgets the answer about the link; the next check asks the reader.
    public func clearLinkStatus() { phone?.links.drop(merchant) }

    /// Has the merchant accept the terms.
    ///
    /// - Throws: ``TapToPayError``; `accountAlreadyLinked` means success.
    public func linkAccount() async throws(TapToPayError) {
        let phone = try ready()
        let wasLinked = phone.world.device.control.linkedMerchants.contains(merchant)
        let token = try await service(on: phone).token()
        do throws(ReaderError) {
            try await phone.world.reader.link(token: token)
        } catch {
            throw FinixReaderErrors.link(error)
        }
        phone.links.keep(true, for: merchant, at: phone.world.time.wallTime)
        if wasLinked { throw .accountAlreadyLinked }
    }

    var merchant: String { configuration.merchant.merchantId }

    /// The phone, if a call that needs the reader may go on.
    func ready() throws(TapToPayError) -> FinixPhone {
        guard let phone else { throw .notSupported }
        guard configuration.isComplete else { throw .notConfigured }
        guard phone.isForeground else { throw .backgroundRequestNotAllowed }
        return phone
    }
}
