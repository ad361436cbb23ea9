import Simulation

extension ReaderCore {
    /// Brings the state up to date with the device before a call is judged.
    mutating func look(for merchant: String? = nil) {
        state.learn(unsupported: unsupported)
        guard let merchant, session == nil else { return }
        state.learn(isLinked: linked.contains(merchant))
    }

    /// What keeps a call of an app from being heard at all.
    func deafness(to caller: Int) -> ReaderError? {
        caller == process ? nil : ReaderError(.closed)
    }

    mutating func support() -> ReaderSupport {
        look()
        return unsupported.map { .unsupported($0) } ?? .supported
    }

    /// Answers a small question after a while, with what is true by then.
    mutating func ask<Value>(
        _ continuation: Answer<Value>,
        of caller: Int,
        _ decide: @escaping @Sendable (inout ReaderCore) -> Result<Value, ReaderError>
    ) {
        _ = after(timing.answer) { core in
            if let error = core.deafness(to: caller) {
                core.answer(continuation, .failure(error))
            } else {
                core.answer(continuation, decide(&core))
            }
        }
    }

    mutating func linkStatus(of token: ReaderToken) -> Result<Bool, ReaderError> {
        if let error = fault(at: .statusAsked) { return .failure(error) }
        look(for: token.merchant)
        if case .refused(let error) = state.verdict(on: .linkStatus) { return .failure(error) }
        if let error = judge(token) { return .failure(error) }
        guard hasNetwork else { return .failure(ReaderError(.accountCheckFailed)) }
        note("link status \(linked.contains(token.merchant))")
        return .success(linked.contains(token.merchant))
    }

    mutating func identifier() -> Result<String, ReaderError> {
        if let error = fault(at: .identifierAsked) { return .failure(error) }
        return unsupported.map { .failure($0) } ?? .success(name)
    }

    /// What is wrong with a token.
    func judge(_ token: ReaderToken) -> ReaderError? {
        if token.text.isEmpty { return ReaderError(.tokenMissing) }
        let now = time.clock.now
        return token.isTooOld(at: now) || token.waitedTooLong(at: now)
            ? ReaderError(.tokenExpired) : nil
    }

    mutating func link(_ token: ReaderToken, id: Int, caller: Int, _ continuation: Answer<Void>) {
        note("call link")
        if let error = deafness(to: caller) { return answer(continuation, .failure(error)) }
        look(for: token.merchant)
        if let error = refusalOfLink(token) {
            note("link throws \(error)")
            return answer(continuation, .failure(error))
        }
        guard !linked.contains(token.merchant) else {
            state.apply(.link)
            note("link: accepted before")
            return answer(continuation, .success(()))
        }
        operation = Operation(id: id, kind: .link(continuation, token))
        emit(.linkSheetShown)
        if let error = fault(at: .linkSheetShown) { return endLink(.failure(error)) }
        later(timing.terms, in: id) { core in
            guard core.hasNetwork else {
                return core.endLink(.failure(ReaderError(.networkUnavailable)))
            }
            switch core.customer.nextTermsAnswer() {
            case .accepts: core.acceptTerms(token)
            case .closes: core.endLink(.failure(ReaderError(.accountLinkCancelled)))
            case .fails: core.endLink(.failure(ReaderError(.accountLinkFailed)))
            }
        }
    }

    private mutating func refusalOfLink(_ token: ReaderToken) -> ReaderError? {
        if let error = fault(at: .linkAsked) { return error }
        if case .refused(let error) = state.verdict(on: .link) { return error }
        if operation != nil { return ReaderError(.readerBusy) }
        return judge(token) ?? (hasNetwork ? nil : ReaderError(.networkUnavailable))
    }

    private mutating func acceptTerms(_ token: ReaderToken) {
        linked.insert(token.merchant)
        state.apply(.link)
        state.learn(isLinked: true)
        emit(.termsAccepted)
        endLink(.success(()))
    }

    mutating func endLink(_ result: Result<Void, ReaderError>) {
        guard case .link(let continuation, _) = operation?.kind else { return }
        endOperation()
        if case .failure(let error) = result { note("link throws \(error)") }
        answer(continuation, result)
    }
}
