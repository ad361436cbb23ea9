import Simulation

extension ReaderCore {
    /// How much of the configuration one step does, in percent.
    private static let step = 5

    private var stepDuration: Duration { timing.firstPreparation / (100 / Self.step) }

    mutating func prepare(_ token: ReaderToken, id: Int, caller: Int, _ answer: Answer<Void>) {
        note("call prepare")
        if let error = deafness(to: caller) { return self.answer(answer, .failure(error)) }
        if state.phase == .ready, let session, session.token.merchant != token.merchant {
            loseSession(.closed)
        }
        look(for: token.merchant)
        if let error = refusalOfPrepare(token) {
            note("prepare throws \(error)")
            return self.answer(answer, .failure(error))
        }
        guard state.apply(.prepare) != .stays else {
            note("prepare: the session is still good")
            return self.answer(answer, .success(()))
        }
        operation = Operation(id: id, kind: .prepare(answer, token))
        catchUpConfiguration()
        guard configured < 100 else {
            return later(timing.laterPreparation / 2, in: id) { core in
                if let error = core.troubleOnTheWay() {
                    return core.endPrepare(.failure(error))
                }
                let rest = core.timing.laterPreparation - core.timing.laterPreparation / 2
                core.later(rest, in: id) { $0.issueSession() }
            }
        }
        emit(.notReady)
        later(stepDuration, in: id) { $0.configure(id) }
    }

    private mutating func refusalOfPrepare(_ token: ReaderToken) -> ReaderError? {
        if case .refused(let error) = state.verdict(on: .prepare) { return error }
        if operation != nil { return ReaderError(.readerBusy) }
        if let error = fault(at: .prepareStarted) { return error }
        if state.phase == .ready { return nil }
        return judge(token) ?? (hasNetwork ? nil : ReaderError(.networkUnavailable))
    }

    private mutating func configure(_ id: Int) {
        if let error = troubleOnTheWay() { return endPrepare(.failure(error)) }
        configured = min(configured + Self.step, 100)
        state.progress(configured)
        emit(.preparationProgress(configured))
        if configured == 100 { return issueSession() }
        later(stepDuration, in: id) { $0.configure(id) }
    }

    private mutating func troubleOnTheWay() -> ReaderError? {
        if configured >= 50 - Self.step, let error = fault(at: .configuration) { return error }
        return hasNetwork ? nil : ReaderError(.networkUnavailable)
    }

    private mutating func issueSession() {
        guard case .prepare(_, let token) = operation?.kind else { return }
        if let error = fault(at: .sessionIssued) { return endPrepare(.failure(error)) }
        guard linked.contains(token.merchant) else {
            return endPrepare(.failure(ReaderError(.accountNotLinked)))
        }
        session = Session(id: nextID(), token: token)
        state.prepared(true)
        emit(.sessionReady)
        startIdling()
        endPrepare(.success(()))
    }

    mutating func endPrepare(_ result: Result<Void, ReaderError>) {
        guard case .prepare(let continuation, let token) = operation?.kind else { return }
        endOperation()
        if case .failure(let error) = result {
            state.prepared(false)
            state.learn(isLinked: linked.contains(token.merchant))
            note("prepare throws \(error)")
        }
        answer(continuation, result)
    }

    /// The call is over, but the device goes on configuring itself.
    mutating func leaveConfigurationAlone() {
        if configured < 100 { configuringAlone = time.clock.now }
    }

    private mutating func catchUpConfiguration() {
        guard let since = configuringAlone else { return }
        configuringAlone = nil
        var rest = since.duration(to: time.clock.now)
        while configured < 100, rest >= stepDuration, stepDuration > .zero {
            rest -= stepDuration
            configured = min(configured + Self.step, 100)
        }
    }

    // MARK: - Losing the session

    /// The session lasts so long from now, unless it is used.
    mutating func startIdling() {
        session?.idleTimer?.cancel()
        guard let limit = timing.idleSession, let id = session?.id else { return }
        let timer = after(limit) { core in
            if core.session?.id == id { core.loseSession(.expired) }
        }
        session?.idleTimer = timer
    }

    /// Loses the session at once, or when the read that uses it has ended.
    mutating func loseSession(_ reason: SessionEnd) {
        guard let merchant = session?.token.merchant else { return }
        guard state.phase == .ready else {
            session?.lost = reason
            return
        }
        dropSession()
        state.sessionLost(reason)
        state.learn(isLinked: linked.contains(merchant))
        emit(.sessionEnded(reason))
    }

    mutating func dropSession() {
        session?.idleTimer?.cancel()
        session = nil
    }
}
