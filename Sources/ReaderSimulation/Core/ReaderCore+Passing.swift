import Simulation

extension ReaderCore {
    /// Whom a step belongs to, and so whom a fault at it concerns.
    enum Holder: Sendable {
        /// The operation that runs.
        case operation(Int)
        /// One tap of the read that runs, after so many that came to nothing.
        case tap(Int, Int)
        /// A call from outside of the reader that passes a step.
        case ticket(Int)
        /// Nobody.
        case nobody
    }

    /// Passes a step: what was scripted before it, its effect, what was scripted after it.
    ///
    /// - Parameters:
    ///   - transition: The step.
    ///   - percent: Which part of a configuration it is.
    ///   - holder: Whom it belongs to.
    ///   - body: Its effect.
    ///   - next: What follows; not done when the holder has ended meanwhile.
    mutating func pass(
        _ transition: ReaderTransition,
        percent: Int? = nil,
        for holder: Holder,
        _ body: @escaping Step = { _ in },
        then next: @escaping Step = { _ in }
    ) {
        guard !faults.isEmpty else {
            body(&self)
            if isAlive(holder) { next(&self) }
            return
        }
        let before = due(transition, percent, .before)
        perform(before[...], for: holder) { core in
            body(&core)
            let after = core.due(transition, percent, .after)
            core.perform(after[...], for: core.isAlive(holder) ? holder : .nobody) { core in
                if core.isAlive(holder) { next(&core) }
            }
        }
    }

    func isAlive(_ holder: Holder) -> Bool {
        switch holder {
        case .operation(let id): isRunning(id)
        case .tap(let id, let retries): isRunning(id) && reading?.retries == retries
        case .ticket(let ticket): tickets[ticket] != nil
        case .nobody: true
        }
    }

    private mutating func due(
        _ transition: ReaderTransition,
        _ percent: Int?,
        _ side: ReaderFault.Side
    ) -> [ReaderAction] {
        faults.due(at: transition, percent, side, &luck).map { fault in
            note("fault \(fault)")
            return fault.action
        }
    }

    /// Does what was scripted, one after the other, then goes on.
    private mutating func perform(
        _ actions: ArraySlice<ReaderAction>,
        for holder: Holder,
        then next: @escaping Step
    ) {
        guard isAlive(holder) else { return }
        guard let action = actions.first else { return next(&self) }
        let rest: Step = { [actions] core in
            core.perform(actions.dropFirst(), for: holder, then: next)
        }
        switch action {
        case .delay(let delay): wait(delay, for: holder, rest)
        case .hang: hang(holder, rest)
        case .fail(let error): if !end(holder, error) { rest(&self) }
        default:
            act(action)
            rest(&self)
        }
    }

    private mutating func wait(_ delay: Duration, for holder: Holder, _ next: @escaping Step) {
        let goOn: Step = { core in
            if core.isAlive(holder) { next(&core) }
        }
        switch holder {
        case .operation(let id), .tap(let id, _): later(delay, in: id, goOn)
        case .ticket, .nobody: afterwards(delay, goOn)
        }
    }

    /// Goes on only when the system's own watchdog says so, if it looks here at all.
    private mutating func hang(_ holder: Holder, _ next: @escaping Step) {
        switch (holder, operation?.kind) {
        case (.ticket(let ticket), _) where canceling.contains(ticket):
            wait(timing.watchdog, for: holder, next)
        // Nobody looks after a token provider or an acquirer but the app itself.
        case (.ticket, _): break
        case (.operation(let id), .read), (.tap(let id, _), _):
            let hasResult = !isReading(before: .completed)
            let patience = hasResult ? Self.sheetPatience : timing.watchdog
            later(patience, in: id) { core in
                if core.isAlive(holder) { core.giveUpRead() }
            }
        case (.operation(let id), .pin):
            later(timing.watchdog, in: id) { $0.endCapture(.failure(ReaderError(.pinFailed))) }
        // A preparation or a sheet of terms that is stuck is the caller's to end.
        case (.operation, _): break
        case (.nobody, _): wait(timing.watchdog, for: holder, next)
        }
    }

    /// Ends what a step belongs to with an error; false when there is nothing to end.
    private mutating func end(_ holder: Holder, _ error: ReaderError) -> Bool {
        switch holder {
        case .operation, .tap: return failOperation(error)
        case .ticket(let ticket):
            guard let answer = tickets.removeValue(forKey: ticket) else { return false }
            self.answer(answer, .failure(error))
            return true
        case .nobody:
            note("there is no call that could fail")
            return false
        }
    }

    /// Ends whatever runs with an error.
    ///
    /// - Returns: False when its answer is out already.
    private mutating func failOperation(_ scripted: ReaderError) -> Bool {
        let error = withPayload(scripted)
        switch operation?.kind {
        case .link: endLink(.failure(error))
        case .prepare:
            leaveConfigurationAlone()
            endPrepare(.failure(error))
        case .pin: endCapture(.failure(error))
        case .read where isReading(before: .completed): failRead(error)
        case .read where isReading(before: .returned): deliver(.failure(error))
        case .read, nil: return false
        }
        return true
    }

    /// What depends on whether a card was detected, told as it is.
    private func withPayload(_ error: ReaderError) -> ReaderError {
        guard error.code == .interrupted || error.code == .closed else { return error }
        let mayExist: Bool
        switch operation?.kind {
        case .read: mayExist = !isReading(before: .detected)
        case .pin: mayExist = true
        default: mayExist = false
        }
        return ReaderError(
            error.code,
            number: error.number,
            payloadMayExist: error.payloadMayExist || mayExist,
            underlying: error.underlying
        )
    }

    private mutating func act(_ action: ReaderAction) {
        switch action {
        case .delay, .hang, .fail: break
        case .dropEvent: edits.append(.drop)
        case .duplicateEvent: edits.append(.duplicate)
        case .swapWithNext: edits.append(.swap)
        case .background, .lock:
            background()
            afterwards(Self.absence) { $0.foreground() }
        case .inactive: inactive()
        case .call:
            startCall()
            afterwards(Self.absence) { $0.isInCall = false }
        case .crash:
            crash()
            afterwards(.seconds(1)) { $0.relaunch() }
        case .networkDown:
            set(.down)
            afterwards(Self.absence) { $0.set(.up) }
        case .networkUp: set(.up)
        case .networkFlap(let times): flap(times)
        case .expireToken: expireToken()
        case .expireSession: expireSession()
        case .revokeLink: revokeLink(nil)
        case .removeCard: cardRemoved()
        case .secondCard(let card): comesToo(card)
        case .cancel: merchantCancels()
        case .tapAgain:
            if let card = reading?.card { detect([card], hold: nil) }
        case .clockJump(let duration): time.jumpWallTime(by: duration)
        }
    }

    /// How long a sheet whose read is over may stay.
    private static let sheetPatience = Duration.seconds(15)

    /// How long an app that a fault sent away, or a network that it cut, is gone.
    private static let absence = Duration.seconds(5)

    /// The merchant wants to cancel: by the app, as soon as the present job is done.
    mutating func merchantCancels() {
        note("the merchant cancels")
        let cancel = hooks.merchantCancels
        outbox.append(cancel)
    }
}

// MARK: - Steps outside of the reader

extension ReaderCore {
    /// Whether nothing is scripted, so that a step from outside need not wait.
    var isFree: Bool { faults.isEmpty }

    /// Passes one side of a step for somebody who waits.
    mutating func reach(
        _ transition: ReaderTransition,
        _ side: ReaderFault.Side,
        ticket: Int,
        _ answer: Answer<Void>
    ) {
        tickets[ticket] = answer
        if transition == .cancelRequested || transition == .cancelAnswered {
            canceling.insert(ticket)
        }
        let actions = due(transition, nil, side)
        perform(actions[...], for: .ticket(ticket)) { core in
            core.canceling.remove(ticket)
            if let answer = core.tickets.removeValue(forKey: ticket) {
                core.answer(answer, .success(()))
            }
        }
    }

    /// Whoever waited was cancelled.
    mutating func leave(_ ticket: Int) {
        guard let answer = tickets.removeValue(forKey: ticket) else { return }
        self.answer(answer, .failure(.readCancelled(by: .task)))
    }
}
