extension PaymentEngine {
    /// Sets the device up for the acquirer of new payments.
    ///
    /// A test payment is an attempt like any other: written first, settled, ended.
    func setUp(_ options: SetUpOptions) async throws(PaymentRefusal) -> SetUpResult {
        let acquirer = active
        guard acquirer.provider.capabilities.setUpTakesPayment else {
            return SetUpResult(state: await setUp(acquirer, options), testPayment: nil)
        }
        guard let request = options.testPayment else {
            throw .invalidRequest(
                .init(
                    field: "testPayment",
                    problem: "\(acquirer.account.provider) sets up with a payment; name one"
                )
            )
        }
        let state = OneShot<SetUpState>()
        let watch = try await start(request, isHeard: false) { attempt, context in
            // The payment's own deadline bounds this call, and hears its late answer.
            let answer = await acquirer.provider.setUp(options, attempt: attempt, context: context)
            await self.tellReadiness()
            state.resolve(answer.state)
            return answer.testPayment ?? answer.state.withoutPayment
        }
        let outcome = try await watch.outcome()
        // A vendor that never answered has said nothing about the device either.
        state.resolve(.unknown(Self.setUpHangs))
        return SetUpResult(state: await state.value(), testPayment: outcome)
    }

    private func setUp(_ acquirer: Acquirer, _ options: SetUpOptions) async -> SetUpState {
        let answer = await shield.run(deadline: settling.vendorDeadline) {
            await acquirer.provider.setUp(options, attempt: nil, context: .silent)
        }
        await tellReadiness()
        return answer?.state ?? .unknown(Self.setUpHangs)
    }

    private static let setUpHangs = PaymentError(.timedOut, detail: "setting up did not end")
}

extension SetUpState {
    /// What is believed of a test payment about which the adapter says nothing.
    fileprivate var withoutPayment: ProviderAnswer {
        switch self {
        case .done: .notCharged(PaymentError(.unclassified))
        case .notDone(let error): .notCharged(error)
        case .unknown(let error): .unknown(error)
        }
    }
}

extension AttemptContext {
    /// A context in which nobody listens.
    fileprivate static let silent = AttemptContext(report: { _ in }, note: { _ in })
}
