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
            shield.start {
                let result = await self.shield.run(deadline: self.settling.preparationDeadline) {
                    () async -> PaymentError? in
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
        // Asking may take as long as the vendor likes; nobody waits for it here.
        shield.start { await self.tellReadiness() }
    }

    private func tellReadiness() async {
        let readiness = await active.provider.readiness()
        feed.update { $0.readiness = readiness }
    }
}
