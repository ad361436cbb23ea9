extension ReaderControl {
    // MARK: - The app

    /// Moves the app off the screen.
    public func background() { machine.act { $0.background() } }

    /// Moves the app back on the screen.
    public func foreground() { machine.act { $0.foreground() } }

    /// Takes the app out of front for a moment, as a notification or the control center does.
    public func inactive() { machine.act { $0.inactive() } }

    /// Locks the screen.
    public func lock() { machine.act { $0.background() } }

    /// Unlocks the screen.
    public func unlock() { machine.act { $0.foreground() } }

    /// Somebody calls.
    public func call() { machine.act { $0.startCall() } }

    /// The call is over.
    public func endCall() { machine.act { $0.isInCall = false } }

    /// Ends the app's process.
    public func crash() { machine.act { $0.crash() } }

    /// Has the app launched again.
    public func relaunch() { machine.act { $0.relaunch() } }

    /// Restarts the device, which ends the app's process too.
    public func restartDevice() { machine.act { $0.restartDevice() } }

    // MARK: - The network

    /// Sets how the network is.
    public func network(_ network: Network) { machine.act { $0.set(network) } }

    /// Cuts the network.
    public func networkDown() { network(.down) }

    /// Gives the network back.
    public func networkUp() { network(.up) }

    /// Has the network go and come back so often, a second each.
    public func networkFlap(_ times: Int) { machine.act { $0.flap(times) } }

    // MARK: - Account, session and device

    /// Undoes the acceptance of the terms, of one merchant or of all.
    public func revokeLink(merchant: String? = nil) { machine.act { $0.revokeLink(merchant) } }

    /// Lets the session age out, at once or when the read that uses it has ended.
    public func expireSession() { machine.act { $0.expireSession() } }

    /// Lets every token so far age out.
    public func expireToken() { machine.act { $0.expireToken() } }

    /// Says why the device cannot read cards, or that it can.
    public func setUnsupported(_ reason: ReaderError?) {
        machine.act { core in
            core.unsupported = reason
            core.look()
        }
    }

    /// What the device and its owner are like from now on.
    public var traits: DeviceTraits {
        get { machine.act { $0.traits } }
        set {
            machine.act { core in core.setTraits(newValue, before: core.traits.update) }
        }
    }

    // MARK: - Faults

    /// Makes something go wrong at a step.
    public func add(_ fault: ReaderFault) { machine.act { $0.faults.add(fault) } }

    /// Nothing that was scripted goes wrong any more.
    public func clearFaults() { machine.act { $0.faults = FaultBook() } }

    /// Makes the reader fail at the next passage of a step; several wait for one passage each.
    public func throwAtNext(_ transition: ReaderTransition, _ error: ReaderError) {
        machine.act { core in
            let waiting = core.faults.unused.count { $0.at == transition && $0.side == .before }
            core.faults.add(ReaderFault(.fail(error), .before, transition, nth: waiting + 1))
        }
    }

    /// Passes a step that lies outside of the reader, with what was scripted for it.
    ///
    /// - Parameters:
    ///   - transition: The step.
    ///   - side: Before it has its effect, or after.
    /// - Throws: The error that was scripted; `readCancelled` by the task when that was cancelled.
    public func reach(
        _ transition: ReaderTransition,
        _ side: ReaderFault.Side
    ) async throws(ReaderError) {
        guard let ticket = machine.act({ $0.isFree ? nil : $0.nextID() })
        else { return }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (answer: ReaderCore.Answer<Void>) in
                machine.act { $0.reach(transition, side, ticket: ticket, answer) }
                if Task.isCancelled { machine.act { $0.leave(ticket) } }
            }
        } onCancel: {
            machine.act { $0.leave(ticket) }
        }
        try result.get()
    }

    /// Waits for as long as the network makes a request wait.
    ///
    /// - Returns: What is wrong with the network; nil when a request comes through.
    public func networkTrouble() async -> ReaderError? {
        let (error, wait) = machine.act { core in (core.networkError(), core.networkDelay) }
        if wait > .zero { try? await machine.clock.sleep(for: wait) }
        return error
    }
}
