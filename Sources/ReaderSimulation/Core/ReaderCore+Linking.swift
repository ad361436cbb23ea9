import Simulation

extension ReaderCore {
    /// Brings the state up to date with the device before a call is judged.
    mutating func look(for merchant: String? = nil) {
        state.learn(unsupported: unsupported ?? traits.unsupported)
        // What another merchant has accepted is nothing to a preparation that runs.
        guard let merchant, session == nil, !isPreparing else { return }
        state.learn(isLinked: linked.contains(merchant))
    }

    private var isPreparing: Bool {
        if case .prepare = operation?.kind { true } else { false }
    }

    /// What keeps a call of an app from being heard at all.
    func deafness(to caller: Int) -> ReaderError? {
        caller == process ? nil : ReaderError(.closed)
    }

    mutating func support() -> ReaderSupport {
        pass(.supportAsked, for: .nobody)
        look()
        return (unsupported ?? traits.unsupported).map { .unsupported($0) } ?? .supported
    }

    /// What answers a question, once its time has come.
    typealias Decision<Value> = @Sendable (inout ReaderCore) -> Result<Value, ReaderError>

    /// Answers a small question after a while, with what is true by then.
    mutating func ask<Value>(
        _ continuation: Answer<Value>,
        of caller: Int,
        _ begin: (inout ReaderCore) -> Decision<Value>
    ) {
        let decide: Decision<Value> =
            if let error = deafness(to: caller) { { _ in .failure(error) } } else { begin(&self) }
        afterwards(shaken(timing.answer + networkDelay)) { core in
            if let error = core.deafness(to: caller) {
                core.answer(continuation, .failure(error))
            } else {
                core.answer(continuation, decide(&core))
            }
        }
    }

    mutating func linkStatus(of token: ReaderToken) -> Decision<Bool> {
        if let error = refusalOfLinkStatus(token) { return { _ in .failure(error) } }
        return { [departures] core in
            if core.departures != departures { return .failure(core.interruption()) }
            if let error = core.refusalOfLinkStatus(token) { return .failure(error) }
            if core.networkError() != nil { return .failure(ReaderError(.accountCheckFailed)) }
            core.note("link status \(core.linked.contains(token.merchant))")
            return .success(core.linked.contains(token.merchant))
        }
    }

    private mutating func refusalOfLinkStatus(_ token: ReaderToken) -> ReaderError? {
        look(for: token.merchant)
        if case .refused(let error) = state.verdict(on: .linkStatus) { return error }
        return judge(token) ?? accountTrouble()
    }

    mutating func identifier() -> Result<String, ReaderError> {
        (unsupported ?? traits.unsupported).map { .failure($0) } ?? .success(name)
    }

    mutating func link(
        _ token: ReaderToken,
        again: Bool,
        id: Int,
        caller: Int,
        _ continuation: Answer<Void>
    ) {
        note("call \(again ? "relink" : "link")")
        if let error = deafness(to: caller) { return answer(continuation, .failure(error)) }
        look(for: token.merchant)
        if let error = refusalOfLink(token, again: again) {
            note("link throws \(error)")
            return answer(continuation, .failure(error))
        }
        operation = Operation(id: id, kind: .link(continuation, token, again: again))
        pass(.linkAsked, for: .operation(id)) { core in
            guard again || !core.linked.contains(token.merchant) else {
                core.state.apply(.link)
                core.note("link: accepted before")
                return core.endLink(.success(()))
            }
        } then: { core in
            core.pass(.linkSheetShown, for: .operation(id)) { core in
                core.emit(.linkSheetShown)
            } then: { core in
                core.later(about: core.timing.terms, in: id) { $0.answerTerms(token, id) }
            }
        }
    }

    private mutating func refusalOfLink(_ token: ReaderToken, again: Bool) -> ReaderError? {
        if case .refused(let error) = state.verdict(on: again ? .relink : .link) { return error }
        if operation != nil { return ReaderError(.readerBusy) }
        if let error = judge(token) ?? networkError() ?? accountTrouble() { return error }
        return linked.contains(token.merchant) || traits.isSignedIn
            ? nil : ReaderError(.accountSignInRequired)
    }

    private func accountTrouble() -> ReaderError? {
        traits.entitlement == .missing ? ReaderError(.notEntitled) : nil
    }

    private mutating func answerTerms(_ token: ReaderToken, _ id: Int) {
        if let error = networkError() { return endLink(.failure(error)) }
        switch customer.nextTermsAnswer() {
        case .accepts:
            pass(.linkAccepted, for: .operation(id)) {
                $0.acceptTerms(token)
            } then: { core in
                core.endLink(.success(()))
            }
        case .closes: endLink(.failure(ReaderError(.accountLinkCancelled)))
        case .fails: endLink(.failure(ReaderError(.accountLinkFailed)))
        }
    }

    private mutating func acceptTerms(_ token: ReaderToken) {
        linked.insert(token.merchant)
        emit(.termsAccepted)
        guard case .link(_, _, let again) = operation?.kind else { return }
        state.apply(again ? .relink : .link)
        state.learn(isLinked: true)
        guard again, session != nil else { return }
        dropSession()
        emit(.sessionEnded(.revoked))
    }

    mutating func endLink(_ result: Result<Void, ReaderError>) {
        guard case .link(let continuation, _, _) = operation?.kind else { return }
        endOperation()
        if case .failure(let error) = result { note("link throws \(error)") }
        answer(continuation, result)
        if let lost = session?.lost { loseSession(lost) }
    }

    /// Undoes the acceptance of the terms, of one merchant or of all.
    mutating func revokeLink(_ merchant: String?) {
        note("link revoked")
        if let merchant { linked.remove(merchant) } else { linked = [] }
        guard let user = session?.token.merchant else {
            if linked.isEmpty { state.learn(isLinked: false) }
            return
        }
        if !linked.contains(user) { loseSession(.revoked) }
    }
}
