extension PaymentEngine {
    /// Makes the reader of new payments ready; concurrent calls are one.
    func prepare() async throws(PaymentError) {
        let outcome: OneShot<PaymentError?>
        if let preparation {
            outcome = preparation
        } else {
            outcome = OneShot()
            preparation = outcome
            let provider = active.provider
            let (shield, deadline) = (shield, settling.preparationDeadline)
            shield.start {
                let result = await shield.run(deadline: deadline) { () async -> PaymentError? in
                    do throws(PaymentError) {
                        try await provider.prepare()
                        return nil
                    } catch {
                        return error
                    }
                }
                await self.preparationEnded()
                outcome.resolve(result ?? PaymentError(.timedOut, detail: "preparing hangs"))
            }
        }
        if let error = await outcome.value() { throw error }
    }

    private func preparationEnded() async {
        preparation = nil
        await tellReadiness()
    }

    func tellReadiness() async {
        guard let readiness = await readiness(of: active) else { return }
        feed.update { $0.readiness = readiness }
    }

    /// What is missing before a payment; nil when the vendor does not say in time.
    func readiness(of acquirer: Acquirer) async -> ProviderReadiness? {
        await shield.run(deadline: Self.smallAnswer) { await acquirer.provider.readiness() }
    }

    /// How long a vendor may take to answer a small question.
    static let smallAnswer = Duration.seconds(15)
}
