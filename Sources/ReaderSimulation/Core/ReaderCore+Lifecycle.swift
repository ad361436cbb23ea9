import Simulation

extension ReaderCore {
    // MARK: - Returning

    /// A call of `read` is about to give its answer to its caller.
    mutating func returned(_ id: Int) {
        returning.remove(id)
        for waiting in waitingForReturn.removeValue(forKey: id) ?? [] {
            outbox.append { waiting.resume() }
        }
    }

    /// Waits until a call of `read` has come to its end.
    mutating func waitForReturn(of id: Int, _ continuation: CheckedContinuation<Void, Never>) {
        if returning.contains(id) {
            waitingForReturn[id, default: []].append(continuation)
        } else {
            outbox.append { continuation.resume() }
        }
    }

    /// The task that awaits a call was cancelled.
    mutating func taskCancelled(_ id: Int) {
        guard operation?.id == id else { return }
        switch operation?.kind {
        case .read: _ = cancelRead(by: .task, only: id)
        case .link: endLink(.failure(ReaderError(.accountLinkCancelled)))
        case .prepare:
            leaveConfigurationAlone()
            endPrepare(.failure(ReaderError(.prepareCancelled)))
        case nil: break
        }
    }

    // MARK: - Closing

    /// Closes, or sees to it that the end of the read does.
    ///
    /// - Returns: The read to wait for.
    mutating func close(caller: Int) -> Int? {
        guard caller == process else { return nil }
        note("call close")
        let running = operation?.id
        switch operation?.kind {
        case .link: endLink(.failure(ReaderError(.closed)))
        case .prepare:
            leaveConfigurationAlone()
            endPrepare(.failure(ReaderError(.closed)))
        case .read(let read) where read.stage < .detected:
            _ = cancelRead(by: .app)
        case .read(let read) where read.stage < .returned:
            closesAfterRead = true
            return running
        case .read:
            emit(.uiDismissed)
            finishRead()
        case nil: break
        }
        shut()
        return running
    }

    /// There is no session and no operation from here on.
    mutating func shut() {
        let had = session != nil
        dropSession()
        state.apply(.close)
        if had { emit(.sessionEnded(.closed)) }
    }

    /// A new process of the app takes the device over; whatever the old one awaited has ended.
    mutating func launch() -> Int {
        if process > 0 {
            switch operation?.kind {
            case .link: endLink(.failure(ReaderError(.closed)))
            case .prepare:
                leaveConfigurationAlone()
                endPrepare(.failure(ReaderError(.closed)))
            case .read(let read):
                let detected = read.stage >= .detected
                endOperation()
                if read.stage < .returned {
                    let error = ReaderError(.closed, payloadMayExist: detected)
                    answer(read.continuation, .failure(error))
                }
            case nil: break
            }
            dropSession()
        }
        process += 1
        observers = []
        closesAfterRead = false
        state = ReaderState(isLinked: !linked.isEmpty, unsupported: unsupported)
        note("process \(process) begins")
        return process
    }

    // MARK: - Background

    mutating func background() {
        guard state.isForeground else { return }
        note("app to background")
        let merchant = session?.token.merchant
        let hadSession = session != nil
        var ends = hadSession
        switch operation?.kind {
        case .link: endLink(.failure(ReaderError(.interrupted)))
        case .prepare(let continuation, _):
            endOperation()
            leaveConfigurationAlone()
            ends = true
            note("prepare throws interrupted")
            answer(continuation, .failure(ReaderError(.interrupted)))
        case .read(let read) where read.stage < .completed:
            let detected = read.stage == .detected
            endOperation()
            emit(.readNotCompleted)
            note("read throws interrupted")
            let error = ReaderError(.interrupted, payloadMayExist: detected)
            answer(read.continuation, .failure(error))
        case .read:
            emit(.uiDismissed)
            deliver()
            endOperation()
        case nil: break
        }
        dropSession()
        state.apply(.background)
        if closesAfterRead {
            closesAfterRead = false
            state.apply(.close)
        }
        if let merchant { state.learn(isLinked: linked.contains(merchant)) }
        if ends { emit(.sessionEnded(.background)) }
    }

    mutating func foreground() {
        guard !state.isForeground else { return }
        note("app to foreground")
        state.apply(.foreground)
    }
}
