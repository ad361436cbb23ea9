extension PaymentEngine {
    /// Makes the reader of new payments ready; concurrent calls are one.
    func prepare() async throws(PaymentError) {
        let error = await preparationError(of: active)
        await tellReadiness()
        if let error { throw error }
    }

    /// Makes an acquirer's reader ready; nil when it is.
    ///
    /// Concurrent preparations of one acquirer are one.
    func preparationError(of acquirer: Acquirer) async -> PaymentError? {
        if let running = preparations[acquirer.account] { return await running.value() }
        let outcome = OneShot<PaymentError?>()
        preparations[acquirer.account] = outcome
        // A departure from now on makes the session doubtful again.
        doubtful.remove(acquirer.account)
        let provider = acquirer.provider
        let (shield, deadline) = (shield, settling.preparationDeadline)
        environment.start {
            let result = await shield.run(deadline: deadline) { () async -> PaymentError? in
                do throws(PaymentError) {
                    try await provider.prepare()
                    return nil
                } catch {
                    return error
                }
            }
            await self.preparationEnded(of: acquirer)
            outcome.resolve(result ?? PaymentError(.timedOut, detail: "preparing hangs"))
        }
        return await outcome.value()
    }

    private func preparationEnded(of acquirer: Acquirer) { preparations[acquirer.account] = nil }

    func tellReadiness() async {
        guard let readiness = await readiness(of: active) else { return }
        feed.update { $0.readiness = readiness }
    }

    /// What is missing before a payment; nil when the vendor does not say in time.
    func readiness(of acquirer: Acquirer) async -> ProviderReadiness? {
        let readiness = await shield.run(deadline: Self.smallAnswer) {
            await acquirer.provider.readiness()
        }
        guard doubtful.contains(acquirer.account) else { return readiness }
        var doubted = readiness
        doubted?.isPrepared = false
        return doubted
    }

    /// How long a vendor may take to answer a small question.
    static let smallAnswer = Duration.seconds(15)
}
