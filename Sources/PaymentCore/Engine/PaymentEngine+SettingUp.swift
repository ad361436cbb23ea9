extension PaymentEngine {
    /// Sets the device up for the acquirer of new payments.
    ///
    /// A test payment is an attempt like any other: written first, settled, ended.
    func setUp(_ options: SetUpOptions) async throws(PaymentRefusal) -> SetUpResult {
        let acquirer = active
        guard acquirer.provider.capabilities.setUpTakesPayment else {
            return SetUpResult(
                state: await setUp(acquirer, options, nil, .silent).state,
                testPayment: nil
            )
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
        let (_, events) = try await start(request) { attempt, context in
            let answer = await self.setUp(acquirer, options, attempt, context)
            state.resolve(answer.state)
            return answer.testPayment
                ?? .notCharged(answer.state.error ?? PaymentError(.unclassified))
        }
        while true {
            guard case .finished(let outcome) = await events.next().kind else { continue }
            // A vendor that never answered has said nothing about the device either.
            state.resolve(.unknown(PaymentError(.timedOut, detail: "setting up did not end")))
            return SetUpResult(state: await state.value(), testPayment: outcome)
        }
    }

    private func setUp(
        _ acquirer: Acquirer,
        _ options: SetUpOptions,
        _ attempt: PaymentAttempt?,
        _ context: AttemptContext
    ) async -> SetUpAnswer {
        let answer = await shield.run(deadline: settling.vendorDeadline) {
            await acquirer.provider.setUp(options, attempt: attempt, context: context)
        }
        await tellReadiness()
        let late = PaymentError(.timedOut, detail: "setting up did not end")
        return answer
            ?? SetUpAnswer(.unknown(late), testPayment: attempt.map { _ in .unknown(late) })
    }
}

extension SetUpState {
    /// Why the device is not set up, or why nobody knows.
    fileprivate var error: PaymentError? {
        switch self {
        case .done: nil
        case .notDone(let error), .unknown(let error): error
        }
    }
}

extension AttemptContext {
    /// A context in which nobody listens.
    fileprivate static let silent = AttemptContext(report: { _ in }, note: { _ in })
}
