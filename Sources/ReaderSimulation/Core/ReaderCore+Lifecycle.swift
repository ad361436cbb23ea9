import Simulation

extension ReaderCore {
    // MARK: - Background

    mutating func background() {
        guard state.isForeground else { return }
        pass(.background, for: .nobody) { $0.leaveScreen() }
    }

    private mutating func leaveScreen() {
        guard state.isForeground else { return }
        note("app to background")
        departures += 1
        let merchant = session?.token.merchant
        let ends = endWithInterruption() || session != nil
        dropSession()
        state.apply(.background)
        if closesAfterRead {
            closesAfterRead = false
            state.apply(.close)
        }
        if let merchant { state.learn(isLinked: linked.contains(merchant)) }
        if ends, !traits.losesSessionSilently { emit(.sessionEnded(.background)) }
    }

    /// Ends what runs because the app is not in front.
    ///
    /// - Returns: Whether a preparation was among it.
    private mutating func endWithInterruption() -> Bool {
        switch operation?.kind {
        case .link: endLink(.failure(interruption()))
        case .prepare(let continuation, _):
            endOperation()
            leaveConfigurationAlone()
            note("prepare throws interrupted")
            answer(continuation, .failure(interruption()))
            return true
        case .read where isReading(before: .completed):
            // A card that only waits for its PIN has given no payload yet.
            let detected = reading?.stage == .detected
            let continuation = reading?.continuation
            emit(.readNotCompleted)
            endOperation()
            note("read throws interrupted")
            guard let continuation else { break }
            answer(continuation, .failure(interruption(payloadMayExist: detected)))
        case .read:
            if reading?.isSheetGone == false { emit(.uiDismissed) }
            deliver()
            endOperation()
        case .pin(let capture):
            endOperation()
            note("capturePIN throws interrupted")
            answer(capture.continuation, .failure(interruption(payloadMayExist: true)))
        case nil: break
        }
        return false
    }

    func interruption(payloadMayExist: Bool = false) -> ReaderError {
        ReaderError(
            .interrupted,
            payloadMayExist: payloadMayExist,
            underlying: traits.systemVersion >= 26 ? "requestInterrupted" : "serviceConnectionError"
        )
    }

    mutating func foreground() {
        guard !state.isForeground else { return }
        pass(.foreground, for: .nobody) { core in
            core.note("app to foreground")
            core.state.apply(.foreground)
        }
    }

    /// A moment out of front, which ends the session only where the device is like that.
    mutating func inactive() {
        note("app inactive for a moment")
        guard traits.inactiveEndsSession else { return }
        background()
        foreground()
    }

    /// Somebody calls, which takes the screen for a moment and the reader for as long as it lasts.
    mutating func startCall() {
        note("a call comes in")
        isInCall = true
        background()
        foreground()
    }

    // MARK: - Processes

    /// A new process of the app takes the device over; whatever the old one awaited has ended.
    mutating func launch() -> Int {
        if process > 0 { endProcess() }
        process += 1
        launches += 1
        if traits.changesIdentifier, launches > 1 {
            name = "sim-reader-" + Self.letters(chance.next())
        }
        state = ReaderState(isLinked: !linked.isEmpty)
        look()
        note("process \(launches) begins")
        return process
    }

    /// The app's process ends; nothing that it awaits comes, save for the end of its calls.
    mutating func crash() {
        pass(.processEnd, for: .nobody) { core in
            core.note("process \(core.launches) ends")
            core.keep(.processEnded(core.process))
            core.endProcess()
            core.process += 1
            let ended = core.hooks.ended
            core.outbox.append(ended)
        }
    }

    /// The app is to be launched again, unless it has been.
    mutating func relaunch() {
        pass(.relaunch, for: .nobody) { core in
            let relaunch = core.hooks.relaunch
            core.outbox.append(relaunch)
        }
    }

    mutating func restartDevice() {
        note("the device restarts")
        traits.preparationFailure = nil
        crash()
        relaunch()
    }

    private mutating func endProcess() {
        switch operation?.kind {
        case .link: endLink(.failure(ReaderError(.closed)))
        case .prepare:
            leaveConfigurationAlone()
            endPrepare(.failure(ReaderError(.closed)))
        case .read:
            let read = reading
            endOperation()
            if let read, read.stage < .returned {
                let detected = read.stage >= .detected
                answer(
                    read.continuation,
                    .failure(ReaderError(.closed, payloadMayExist: detected))
                )
            }
        case .pin(let capture):
            endOperation()
            answer(capture.continuation, .failure(ReaderError(.closed, payloadMayExist: true)))
        case nil: break
        }
        for (_, answer) in tickets.sorted(by: { $0.key < $1.key }) {
            self.answer(answer, .failure(ReaderError(.closed)))
        }
        tickets = [:]
        dropSession()
        observers = []
        closesAfterRead = false
        heldBack = nil
        edits = []
        state = ReaderState(isLinked: !linked.isEmpty)
        look()
    }
}
