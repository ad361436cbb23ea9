public import PaymentCore

extension RevolutProvider {
    /// Runs the kit's first set-up; its test payment is of one minor unit, and real money.
    public func setUp(
        _ options: SetUpOptions,
        attempt: PaymentAttempt?,
        context: AttemptContext
    ) async -> SetUpAnswer {
        guard driver.isSupported else {
            let isDone = code != nil
            return SetUpAnswer(isDone ? .done : .notDone(PaymentError(.deviceUnsupported)))
        }
        if let error = refusal(of: options, attempt) {
            return SetUpAnswer(.notDone(error), testPayment: .notCharged(error))
        }
        let error = PaymentError(.signedOut)
        guard let attempt, case .take(let request) = attempt.operation else {
            return SetUpAnswer(.notDone(error), testPayment: .notCharged(error))
        }
        let flow = flow(of: attempt, context)
        guard session.begin(flow) else {
            return SetUpAnswer(.notDone(error), testPayment: .notCharged(error))
        }
        defer { session.end() }
        let setUp = RevolutFirstTimeSetup(
            shouldShowIntro: true,
            currency: attempt.amount.currency.code,
            merchantName: request.merchantName
        )
        driver.performFirstTimeSetup(setUp) { report in
            flow.report(report)
            flow.complete()
        }
        let report = await flow.reported()
        // Without a receipt no payment was made, so there is nothing to remember of one.
        if report?.receipt != nil || report?.failure != nil { await note(report, attempt, context) }
        return await flow.ended().setUpAnswer(tokenRefusal: tokens.refusal, total: attempt.amount)
    }

    /// Why the kit must not be asked; nil when it may.
    private func refusal(of options: SetUpOptions, _ attempt: PaymentAttempt?) -> PaymentError? {
        guard options.mayAcceptTerms else {
            return PaymentError(
                .accountNotLinked,
                detail: "the kit shows the reader's terms, which may not be accepted here"
            )
        }
        guard attempt?.amount.minorUnits == 1 else {
            return PaymentError(
                .requestRejected,
                detail: "the kit fixes the test payment at one minor unit; ask for that"
            )
        }
        return nil
    }
}

extension RevolutFlowState {
    /// What a set-up means, once it is over.
    ///
    /// A failure does not tell whether the device is set up, nor whether money moved.
    func setUpAnswer(tokenRefusal: PaymentError?, total: Money) -> SetUpAnswer {
        if let report, report.failure == nil, report.receipt == nil, anomalies.isEmpty, !isGivenUp {
            return SetUpAnswer(.done, testPayment: .cancelled)
        }
        let answer = answer(tokenRefusal: tokenRefusal, total: total)
        switch answer {
        case .notCharged(let error): return SetUpAnswer(.notDone(error), testPayment: answer)
        case .unknown(let error): return SetUpAnswer(.unknown(error), testPayment: answer)
        default: return SetUpAnswer(.done, testPayment: answer)
        }
    }
}
