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
        let read = ReadInProgress(request: request, continuation: continuation)
        operation = Operation(id: id, kind: .read(read))
        later(timing.sheet, in: id) { $0.showSheet() }
    }

    private mutating func refusalOfRead(_ request: ReadRequest, caller: Int) -> ReaderError? {
        if let error = deafness(to: caller) { return error }
        look()
        if case .refused(let error) = state.verdict(on: .read) { return error }
        if operation != nil { return ReaderError(.readerBusy) }
        if let error = fault(at: .readStarted) ?? request.fault { return error }
        guard let token = session?.token else { return ReaderError(.notPrepared) }
        return token.isTooOld(at: time.clock.now) ? ReaderError(.tokenExpired) : nil
    }

    /// The running read, if there is one.
    var reading: ReadInProgress? {
        get {
            if case .read(let read) = operation?.kind { read } else { nil }
        }
        set {
            if let newValue { operation?.kind = .read(newValue) }
        }
    }

    private mutating func showSheet() {
        guard let id = operation?.id else { return }
        if let error = fault(at: .sheetShown) { return failRead(error, sheet: false) }
        reading?.stage = .waiting
        let now = time.clock.now
        reading?.waitsSince = now
        emit(.readyForTap)
        later(timing.tapTimeout, in: id) { core in
            guard core.reading?.stage == .waiting else { return }
            core.failRead(ReaderError(.tapTimedOut))
        }
        if let presentation = customer.nextPresentation() {
            let card = presentation.card
            later(presentation.after ?? timing.tap, in: id) { $0.detect(card) }
        }
    }

    /// A card comes near; nothing happens unless a sheet waits for one.
    mutating func detect(_ card: SimulatedCard) {
        guard let id = operation?.id, let read = reading, read.stage == .waiting,
            let since = read.waitsSince,
            // At the very end of the wait the sheet is as good as gone, whichever timer is first.
            since.duration(to: time.clock.now) < timing.tapTimeout
        else { return note("tap \(card.id): nobody looks") }
        note("tap \(card.id)")
        reading?.stage = .detected
        state.cardDetected()
        emit(.cardDetected)
        if let error = fault(at: .cardDetected) { return failRead(error) }
        if case .stops(let error) = card.behavior { return failRead(error) }
        later(timing.cardData, in: id) { core in
            core.emit(.removeCard)
            if let error = core.fault(at: .cardDataRead) { return core.failRead(error) }
            core.later(core.timing.completion, in: id) { $0.complete(card) }
        }
    }

    private mutating func complete(_ card: SimulatedCard) {
        guard let id = operation?.id, let request = reading?.request else { return }
        let now = time.clock.now.offset
        let content = SimulatedPayload(
            readID: "read-" + Self.letters(chance.next()),
            cardID: card.id,
            minorUnits: request.minorUnits,
            currency: request.currency,
            kind: request.kind,
            cvm: request.kind == .purchase ? card.verification : .none,
            issuedAt: now,
            expiresAt: now + timing.payloadLifetime
        )
        reading?.result = ReadResult(payload: CardPayload(content), outcome: .success)
        reading?.stage = .completed
        emit(.readCompleted)
        if configuration.returnsEarly { deliver() }
        later(timing.dismissal, in: id) { core in
            core.emit(.uiDismissed)
            core.finishRead()
        }
    }

    /// Gives the result of a completed read to its caller, once.
    mutating func deliver() {
        guard let read = reading, read.stage == .completed, let result = read.result else { return }
        reading?.stage = .returned
        if let error = fault(at: .resultDelivered) {
            note("read throws \(error)")
            answer(read.continuation, .failure(error))
            return lostByError(error)
        }
        note("read returns \(result.readID)")
        answer(read.continuation, .success(result))
    }

    /// Ends a completed read whose sheet is gone.
    mutating func finishRead() {
        deliver()
        endOperation()
        state.readEnded()
        afterRead()
    }

    /// Ends a read without a result.
    ///
    /// - Parameters:
    ///   - error: What the caller gets.
    ///   - terminal: The event that says so first.
    ///   - sheet: Whether a sheet closes.
    mutating func failRead(
        _ error: ReaderError,
        terminal: ReaderEvent = .readNotCompleted,
        sheet: Bool = true
    ) {
        guard let read = reading, read.stage < .completed else { return }
        endOperation()
        emit(terminal)
        if sheet, read.stage > .starting { emit(.uiDismissed) }
        note("read throws \(error)")
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

    private mutating func afterRead() {
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
