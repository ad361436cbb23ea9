extension ReaderCore {
    /// The app cancels: a read before its card, or a PIN that is captured on its own.
    ///
    /// - Returns: The call that was ended.
    mutating func cancel(caller: Int) -> Int? {
        guard caller == process else { return nil }
        note("call cancelRead")
        guard case .pin = operation?.kind, let id = operation?.id else {
            return cancelRead(by: .app)
        }
        note("cancelled by app")
        endCapture(.failure(.readCancelled(by: .app)), telling: .readCancelled)
        return id
    }

    /// A call is about to give its answer to its caller.
    mutating func returned(_ id: Int) {
        returning.remove(id)
        for waiting in waitingForReturn.removeValue(forKey: id) ?? [] {
            outbox.append { waiting.resume() }
        }
    }

    /// Waits until a call has come to its end.
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
        case .pin: endCapture(.failure(.readCancelled(by: .task)), telling: .readCancelled)
        case nil: break
        }
    }

    // MARK: - Closing

    /// Closes, or sees to it that the end of the read does.
    ///
    /// - Returns: The call to wait for.
    mutating func close(caller: Int) -> Int? {
        guard caller == process else { return nil }
        note("call close")
        let running = operation?.id
        switch operation?.kind {
        case .link: endLink(.failure(ReaderError(.closed)))
        case .prepare:
            leaveConfigurationAlone()
            endPrepare(.failure(ReaderError(.closed)))
        case .read where isReading(before: .detected):
            _ = cancelRead(by: .app)
        case .read where isReading(before: .returned):
            closesAfterRead = true
            return running
        case .read:
            if reading?.isSheetGone == false { emit(.uiDismissed) }
            finishRead()
        case .pin:
            closesAfterRead = true
            return running
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
}
