import Simulation

extension ReaderCore {
    /// How much of the configuration one step does, in percent.
    private static let step = 5

    private var stepDuration: Duration { timing.firstPreparation / (100 / Self.step) }

    mutating func prepare(_ token: ReaderToken, id: Int, caller: Int, _ answer: Answer<Void>) {
        note("call prepare")
        if let error = deafness(to: caller) { return self.answer(answer, .failure(error)) }
        if operation == nil, state.phase == .ready, let session,
            session.token.merchant != token.merchant
        {
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
        pass(.prepareStarted, for: .operation(id)) { core in
            if let error = core.deviceAndTokenRefusal(token) { core.endPrepare(.failure(error)) }
        } then: { core in
            core.pass(.attestation, for: .operation(id)) { $0.begin(id) }
        }
    }

    private mutating func refusalOfPrepare(_ token: ReaderToken) -> ReaderError? {
        if case .refused(let error) = state.verdict(on: .prepare) { return error }
        if operation != nil { return ReaderError(.readerBusy) }
        return nil
    }

    /// What a device says to a token that it is to make a session from.
    private mutating func deviceAndTokenRefusal(_ token: ReaderToken) -> ReaderError? {
        if token.isOneTime, usedTokens.contains(token.text) { return ReaderError(.tokenInvalid) }
        if let error = judge(token) ?? deviceRefusal(for: token.merchant) ?? networkError() {
            return error
        }
        if token.isOneTime { usedTokens.insert(token.text) }
        accounts[token.merchant] = now
        return nil
    }

    /// Configures the device, as far as that is needed.
    private mutating func begin(_ id: Int) {
        if let number = traits.preparationFailure {
            return later(about: timing.laterPreparation / 2, in: id) { core in
                core.endPrepare(.failure(ReaderError(.prepareFailed, number: number)))
            }
        }
        if traits.configuresEveryTime { configured = 0 }
        if traits.update == .available { note("an update of the reader is available") }
        catchUpConfiguration()
        guard configured < 100 else {
            return later(about: timing.laterPreparation / 2 + networkDelay, in: id) { core in
                if let error = core.networkError() { return core.endPrepare(.failure(error)) }
                let rest = core.timing.laterPreparation - core.timing.laterPreparation / 2
                core.later(about: rest, in: id) { $0.issueSession(id) }
            }
        }
        emit(.notReady)
        later(about: stepDuration + networkDelay, in: id) { $0.configure(id) }
    }

    private mutating func configure(_ id: Int) {
        let percent = min(configured + Self.step, 100)
        pass(.configuration, percent: percent, for: .operation(id)) { core in
            if let error = core.networkError() { return core.endPrepare(.failure(error)) }
            core.configured = percent
            core.state.progress(percent)
            core.emit(.preparationProgress(percent))
        } then: { core in
            if percent == 100 { return core.issueSession(id) }
            core.later(about: core.stepDuration, in: id) { $0.configure(id) }
        }
    }

    private mutating func issueSession(_ id: Int) {
        guard case .prepare(_, let token) = operation?.kind else { return }
        pass(.sessionIssued, for: .operation(id)) { core in
            guard core.linked.contains(token.merchant) else {
                return core.endPrepare(.failure(ReaderError(.accountNotLinked)))
            }
            if core.traits.update == .required { core.traits.update = .none }
            core.session = Session(
                id: core.nextID(),
                token: token,
                hasExpiredToken: core.hasEnded(token)
            )
            core.state.prepared(true)
            core.emit(.sessionReady)
        } then: { core in
            core.pass(.prepareReturned, for: .operation(id)) { core in
                core.startIdling()
                core.endPrepare(.success(()))
            }
        }
    }

    mutating func endPrepare(_ result: Result<Void, ReaderError>) {
        guard case .prepare(let continuation, let token) = operation?.kind else { return }
        endOperation()
        if case .failure(let error) = result {
            let hadSession = session != nil
            dropSession()
            state.prepared(false)
            if hadSession {
                state.sessionLost(.closed)
                emit(.sessionEnded(.closed))
            }
            state.learn(isLinked: linked.contains(token.merchant))
            note("prepare throws \(error)")
        }
        answer(continuation, result)
        if let lost = session?.lost { loseSession(lost) }
    }

    /// The call is over, but the device goes on configuring itself.
    mutating func leaveConfigurationAlone() {
        if configured < 100 { configuringAlone = now }
    }

    private mutating func catchUpConfiguration() {
        guard let since = configuringAlone else { return }
        configuringAlone = nil
        var rest = since.duration(to: now)
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
            if core.session?.id == id { core.expireSession() }
        }
        session?.idleTimer = timer
    }

    /// Lets the session age out.
    mutating func expireSession() {
        pass(.sessionExpiry, for: .nobody) { $0.loseSession(.expired) }
    }

    /// Loses the session at once, or when what uses it has ended.
    mutating func loseSession(_ reason: SessionEnd) {
        guard let merchant = session?.token.merchant else { return }
        guard state.phase == .ready, operation == nil else {
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
