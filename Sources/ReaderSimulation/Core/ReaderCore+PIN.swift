import Simulation

extension ReaderCore {
    // MARK: - Inside a read

    /// Whether the customer must type a PIN in the running read.
    func wantsPIN(_ card: SimulatedCard) -> Bool {
        guard let request = reading?.request, request.kind == .purchase else { return false }
        if request.asksForPIN { return true }
        switch card.verification {
        case .pinAlways: return true
        case .pinAboveLimit:
            if let limit = configuration.limits[request.currency]?.cvm,
                request.minorUnits > limit
            {
                return true
            }
        case .none, .device, .offlinePIN: break
        }
        if case .asksForPIN = effect { return true }
        return false
    }

    mutating func askForPIN(_ id: Int) {
        guard traits.allowsPIN else { return failRead(ReaderError(.pinNotAllowed)) }
        pass(.pinShown, for: .operation(id)) { core in
            core.reading?.stage = .pin
            core.state.pinAsked()
            core.emit(.pinRequested)
        } then: { core in
            core.awaitPIN(id)
        }
    }

    /// The keypad is shown: it closes after its time, or with what the customer does.
    private mutating func awaitPIN(_ id: Int) {
        later(timing.pinTimeout, in: id) { core in
            if core.operation?.isPINTyped == false { core.endPIN(ReaderError(.pinTimedOut)) }
        }
        let typing = customer.nextTyping()
        guard typing.answer != .none else { return }
        later(typing.after ?? shaken(timing.pin), in: id) { $0.type(typing.answer) }
    }

    /// The customer does something with the keypad, where one is shown.
    mutating func type(_ answer: ReaderControl.PINAnswer) {
        guard case .pinEntry = state.phase, let operation, !operation.isPINTyped else { return }
        let id = operation.id
        note("PIN \(answer.rawValue)")
        self.operation?.isPINTyped = answer != .none
        switch answer {
        case .none: break
        case .cancel: endPIN(ReaderError(.pinCancelled))
        case .bypass: pinDone(.bypassed, id)
        case .correct: pinDone(.right, id)
        case .wrong: pinDone(.wrong, id)
        }
    }

    private mutating func pinDone(_ pin: SimulatedPayload.PIN, _ id: Int) {
        pass(.pinDone, for: .operation(id)) { core in
            if pin != .bypassed { core.emit(.pinCompleted) }
        } then: { core in
            guard case .read = core.operation?.kind else { return core.completeCapture(pin) }
            guard core.reading?.stage == .pin, let card = core.reading?.card else { return }
            core.reading?.stage = .detected
            core.reading?.pin = pin
            core.state.pinTyped()
            core.finish(card, id)
        }
    }

    /// The keypad is gone without a PIN.
    private mutating func endPIN(_ error: ReaderError) {
        switch operation?.kind {
        case .read where reading?.stage == .pin: failRead(error)
        case .pin: endCapture(.failure(error))
        default: break
        }
    }

    // MARK: - After a read

    mutating func capturePIN(
        _ token: PINToken,
        readID: String,
        id: Int,
        caller: Int,
        _ continuation: Answer<ReadResult>
    ) {
        note("call capturePIN \(readID)")
        returning.insert(id)
        guard let read = session?.lastRead else {
            return answer(continuation, .failure(refusalOfSession(caller)))
        }
        if let error = refusalOfCapture(token, readID: readID, read, caller: caller) {
            note("capturePIN throws \(error)")
            return answer(continuation, .failure(error))
        }
        usedPINTokens.insert(token.text)
        state.apply(.capturePIN)
        session?.idleTimer?.cancel()
        operation = Operation(
            id: id,
            kind: .pin(CaptureInProgress(read: read, continuation: continuation))
        )
        pass(.pinShown, for: .operation(id)) {
            $0.emit(.pinRequested)
        } then: { core in
            core.awaitPIN(id)
        }
    }

    private mutating func refusalOfSession(_ caller: Int) -> ReaderError {
        if let error = deafness(to: caller) { return error }
        if case .refused(let error) = state.verdict(on: .capturePIN) { return error }
        return ReaderError(.pinTokenInvalid)
    }

    private mutating func refusalOfCapture(
        _ token: PINToken,
        readID: String,
        _ read: FinishedRead,
        caller: Int
    ) -> ReaderError? {
        if let error = deafness(to: caller) { return error }
        look()
        if case .refused(let error) = state.verdict(on: .capturePIN) { return error }
        if operation != nil { return ReaderError(.readerBusy) }
        if read.at.duration(to: now) > timing.pinWindow { return ReaderError(.pinWindowClosed) }
        guard traits.allowsPIN else { return ReaderError(.pinNotAllowed) }
        let fits =
            token.readID == readID && readID == read.result.readID
            && !usedPINTokens.contains(token.text)
        return fits ? nil : ReaderError(.pinTokenInvalid)
    }

    private mutating func completeCapture(_ pin: SimulatedPayload.PIN) {
        guard case .pin(let capture) = operation?.kind else { return }
        let content = capture.read.content.adding(
            pin,
            at: now.offset,
            until: now.offset + timing.payloadLifetime
        )
        let result = ReadResult(
            payload: CardPayload(content),
            outcome: .success,
            tagBlock: capture.read.result.tagBlock.telling(of: content),
            kernel: capture.read.result.kernel,
            isPINFallback: true,
            pinBypassed: pin == .bypassed
        )
        endCapture(.success(result))
    }

    mutating func endCapture(
        _ result: Result<ReadResult, ReaderError>,
        telling event: ReaderEvent? = nil
    ) {
        guard case .pin(let capture) = operation?.kind else { return }
        if let event { emit(event) }
        emit(.uiDismissed)
        endOperation()
        note("capturePIN \(result.traceText)")
        answer(capture.continuation, result)
        state.readEnded()
        afterRead()
    }
}
