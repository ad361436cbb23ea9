import PaymentCore
import AcquirerSimulation
import ReaderSimulation
import Simulation
import Synchronization

extension FinixTapToPay {
    /// Prepares the reader; allowed again while it is prepared.
    ///
    /// - Throws: ``TapToPayError``; a failed link check counts as `accountNotLinked`.
    public func prepareReader() async throws(TapToPayError) {
        let phone = try ready()
        guard await isAccountLinked() else { throw .accountNotLinked }
        let service = service(on: phone)
        async let number = service.number()
        let token = try await service.token()
        do throws(ReaderError) {
            try await phone.world.reader.prepare(token: token)
        } catch {
            throw FinixReaderErrors.prepare(error)
        }
        // A number that cannot be had is looked for again when a payment needs it.
        let found = await number
        state.withLock { state in
            state.session = .standing
            if let found { state.number = found }
        }
    }

    /// Renews a session if there was one; that it fails is told to nobody.
    func returnedToForeground() {
        guard let phone, configuration.transactionOptions.autoPrepareOnForeground,
            state.withLock({ $0.session != .none && !$0.isRunning })
        else { return }
        phone.world.environment.start { try? await self.prepareReader() }
    }
}
