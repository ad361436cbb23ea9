import Simulation

extension ReaderCore {
    mutating func read(
        _ request: ReadRequest,
        id: Int,
        caller: Int,
        _ continuation: Answer<ReadResult>
    ) {
        note("call read \(request.kind.rawValue) \(request.minorUnits) \(request.currency)")
        returning.insert(id)
        if let error = refusalOfRead(request, caller: caller) {
            note("read throws \(error)")
            answer(continuation, .failure(error))
            return lostByError(error)
        }
        state.apply(.read)
        session?.idleTimer?.cancel()
        operation = Operation(id: id, kind: .read)
        reading = ReadInProgress(request: request, continuation: continuation)
        pass(.readStarted, for: .operation(id)) { core in
            core.reading?.stage = .starting
        } then: { core in
            core.later(about: core.timing.sheet, in: id) { $0.showSheet(id) }
        }
    }

    private mutating func refusalOfRead(_ request: ReadRequest, caller: Int) -> ReaderError? {
        if let error = deafness(to: caller) { return error }
        look()
        if case .refused(let error) = state.verdict(on: .read) { return error }
        if operation != nil { return ReaderError(.readerBusy) }
        if let error = request.fault { return error }
        guard let session else { return ReaderError(.notPrepared) }
        if session.hasExpiredToken || session.token.isTooOld(at: now) {
            return ReaderError(.tokenExpired)
        }
        if isInCall { return ReaderError(.callInProgress) }
        return traits.hasPasscode ? nil : ReaderError(.passcodeRequired)
    }

    /// Whether a read runs that has not got so far yet.
    func isReading(before stage: ReadInProgress.Stage) -> Bool {
        if let now = reading?.stage { now < stage } else { false }
    }

    private mutating func showSheet(_ id: Int) {
        pass(.sheetShown, for: .operation(id)) { core in
            core.waitForTap(id)
        } then: { core in
            guard core.traits.hasNFC else { return core.failRead(ReaderError(.nfcDisabled)) }
            core.awaitCustomer(id)
        }
    }

    /// The sheet waits for a card, from now on for as long as it does.
    mutating func waitForTap(_ id: Int) {
        reading?.stage = .waiting
        let deadline = now.advanced(by: timing.tapTimeout)
        reading?.deadline = deadline
        state.waitsForTap()
        emit(.readyForTap)
        later(timing.tapTimeout, in: id) { core in
            guard core.reading?.stage == .waiting, core.reading?.deadline == deadline else {
                return
            }
            core.failRead(ReaderError(.tapTimedOut))
        }
    }

    /// Whoever is at the sheet does what was scripted, or what always happens.
    mutating func awaitCustomer(_ id: Int) {
        let decidesItself = customer.always?.hasItsOwnOutcome == true
        if customer.queue.isEmpty, !decidesItself, effect == .nobodyTaps {
            return note("nobody taps")
        }
        guard let next = customer.nextPresentation() else { return }
        later(next.after ?? shaken(timing.tap), in: id) { $0.perform(next.gesture) }
    }

    mutating func perform(_ gesture: SimulatedCustomer.Gesture) {
        switch gesture {
        case .tap(let cards, let hold): detect(cards, hold: hold)
        case .close: _ = cancelRead(by: .customer)
        case .cancel: merchantCancels()
        }
    }

    /// What the amount of the running read makes of it, where it may.
    var effect: MagicAmounts.Effect {
        guard reading?.request.kind == .purchase, reading?.card?.hasItsOwnOutcome != true,
            let amount = reading?.request.minorUnits
        else { return .approve }
        return magic.effect(of: amount)
    }

    // MARK: - Ending

    /// Completes a read, with a payload.
    mutating func complete(_ outcome: ReadResult.Outcome) {
        guard let id = operation?.id else { return }
        pass(.readCompleted, for: .operation(id)) { core in
            core.makeResult(outcome)
            core.emit(outcome == .success ? .readCompleted : .readNotCompleted)
        } then: { core in
            if core.configuration.returnsEarly { core.passDelivery(id) }
            core.later(about: core.timing.dismissal, in: id) { $0.dismiss(id) }
        }
    }

    private mutating func dismiss(_ id: Int) {
        pass(.uiDismissed, for: .operation(id)) { core in
            core.reading?.isSheetGone = true
            core.emit(.uiDismissed)
        } then: { core in
            core.passDelivery(id)
            if core.isRunning(id), core.reading?.stage == .returned { core.finishRead() }
        }
    }

    private mutating func passDelivery(_ id: Int) {
        guard let read = reading, read.stage == .completed, !read.isDelivering else { return }
        read.isDelivering = true
        pass(.resultDelivered, for: .operation(id)) {
            $0.deliver()
        } then: { core in
            // Where the delivery was held up, the sheet may be gone by now.
            if core.reading?.isSheetGone == true { core.finishRead() }
        }
    }

    /// Gives the result of a completed read to its caller, once.
    ///
    /// - Parameter end: Something else in place of the result.
    mutating func deliver(_ end: Result<ReadResult, ReaderError>? = nil) {
        guard reading?.stage == .completed, let result = reading?.result,
            let continuation = reading?.continuation
        else { return }
        reading?.stage = .returned
        let end = end ?? .success(result)
        note("read \(end.traceText)")
        answer(continuation, end)
        if case .failure(let error) = end {
            finishRead()
            lostByError(error)
        }
    }

    /// Ends a read whose result is out and whose sheet is gone.
    mutating func finishRead() {
        deliver()
        guard let read = reading else { return }
        endOperation()
        state.readEnded()
        afterRead()
        if read.card?.tapsAgain == true { note("tap again: nobody looks") }
    }

    /// The system ends a read that is stuck.
    mutating func giveUpRead() {
        guard let read = reading else { return }
        note("the system gives up")
        switch read.stage {
        case .asked, .starting, .waiting: failRead(ReaderError(.serviceUnavailable))
        case .detected, .pin: failRead(ReaderError(.readFailed))
        case .completed, .returned: finishRead()
        }
    }

    /// Ends a read without a result.
    ///
    /// - Parameters:
    ///   - error: What the caller gets.
    ///   - terminal: The event that says so first.
    mutating func failRead(_ error: ReaderError, terminal: ReaderEvent = .readNotCompleted) {
        guard let read = reading, read.stage < .completed else { return }
        if read.stage > .asked { emit(terminal) }
        if read.stage > .starting { emit(.uiDismissed) }
        note("read throws \(error)")
        endOperation()
        answer(read.continuation, .failure(error))
        state.readEnded()
        lostByError(error)
        afterRead()
    }

    /// Ends the running read on somebody's behalf, if no card was detected.
    ///
    /// - Returns: The read that was ended.
    mutating func cancelRead(by canceller: ReaderError.Canceller, only id: Int? = nil) -> Int? {
        guard let running = operation?.id, id == nil || id == running, let read = reading,
            read.stage < .detected
        else { return nil }
        note("cancelled by \(canceller.rawValue)")
        let shown: ReaderError.Canceller =
            canceller == .customer && configuration.fidelity == .apple ? .system : canceller
        if read.stage == .asked { reading?.stage = .starting }
        failRead(.readCancelled(by: shown), terminal: .readCancelled)
        return running
    }

    /// Some errors say that the session is worth nothing any more.
    private mutating func lostByError(_ error: ReaderError) {
        switch error.code {
        case .sessionExpired: loseSession(.expired)
        case .tokenExpired: loseSession(.tokenExpired)
        default: break
        }
    }

    /// What was put off until a read or a capture has ended.
    mutating func afterRead() {
        if closesAfterRead {
            closesAfterRead = false
            shut()
        } else if let lost = session?.lost {
            loseSession(lost)
        } else if session != nil {
            startIdling()
        }
    }
}

extension Result<ReadResult, ReaderError> {
    /// How a trace tells the end of a read.
    var traceText: String {
        switch self {
        case .success(let result): "returns \(result.readID)"
        case .failure(let error): "throws \(error)"
        }
    }
}
