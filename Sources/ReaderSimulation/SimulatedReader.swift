/// The reader of a simulated device, as one process of an app sees it.
///
/// Making another one for the same device is the next launch of the app: what the earlier one still
/// awaited ends with `closed`, and so does whatever is asked of it later.
public final class SimulatedReader: CardReader {
    private let machine: ReaderMachine
    private let process: Int

    /// Begins a process on a device.
    public init(device: SimulatedDevice) {
        machine = device.machine
        process = machine.act { $0.launch() }
    }

    /// Whether this device can read cards at all.
    public func support() -> ReaderSupport { machine.act { $0.support() } }

    /// Whether the merchant of a token has accepted the terms.
    public func linkStatus(token: ReaderToken) async throws(ReaderError) -> Bool {
        try await ask { $0.linkStatus(of: token) }
    }

    /// The reader's own name.
    public func readerIdentifier() async throws(ReaderError) -> String {
        try await ask { $0.identifier() }
    }

    /// Has the merchant accept the terms.
    public func link(token: ReaderToken) async throws(ReaderError) {
        try await call { [process] core, id, answer in
            core.link(token, id: id, caller: process, answer)
        }
    }

    /// Makes a session, or keeps the one there is.
    public func prepare(token: ReaderToken) async throws(ReaderError) {
        try await call { [process] core, id, answer in
            core.prepare(token, id: id, caller: process, answer)
        }
    }

    /// Collects one card.
    public func read(_ request: ReadRequest) async throws(ReaderError) -> ReadResult {
        try await call { [process] core, id, answer in
            core.read(request, id: id, caller: process, answer)
        }
    }

    /// Ends the running read while no card was detected.
    public func cancelRead() async -> Bool {
        let ended = machine.act { [process] core -> Int? in
            guard process == core.process else { return nil }
            core.note("call cancelRead")
            return core.cancelRead(by: .app)
        }
        guard let ended else { return false }
        await waitForReturn(of: ended)
        return true
    }

    /// Gives the session up.
    public func close() async {
        if let ending = machine.act({ [process] in $0.close(caller: process) }) {
            await waitForReturn(of: ending)
        }
    }

    /// Hears every event from now on, in order.
    @discardableResult
    public func subscribe(
        _ observer: @escaping @Sendable (ReaderEvent) -> Void
    ) -> ReaderSubscription {
        let id = machine.act { [process] core in
            let id = core.nextID()
            if process == core.process { core.observers.append((id, observer)) }
            return id
        }
        return ReaderSubscription { [machine] in
            machine.act { core in core.observers.removeAll { $0.id == id } }
        }
    }
}

extension SimulatedReader {
    private func call<Value: Sendable>(
        _ start: @Sendable (inout ReaderCore, Int, ReaderCore.Answer<Value>) -> Void
    ) async throws(ReaderError) -> Value {
        let id = machine.act { $0.nextID() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (answer: ReaderCore.Answer<Value>) in
                machine.act { start(&$0, id, answer) }
                // A cancellation that came before the start has not found anything to end.
                if Task.isCancelled { machine.act { $0.taskCancelled(id) } }
            }
        } onCancel: {
            machine.act { $0.taskCancelled(id) }
        }
        machine.act { $0.returned(id) }
        return try result.get()
    }

    private func ask<Value: Sendable>(
        _ decide: @escaping @Sendable (inout ReaderCore) -> Result<Value, ReaderError>
    ) async throws(ReaderError) -> Value {
        let result = await withCheckedContinuation { (answer: ReaderCore.Answer<Value>) in
            machine.act { [process] in $0.ask(answer, of: process, decide) }
        }
        return try result.get()
    }

    private func waitForReturn(of id: Int) async {
        await withCheckedContinuation { continuation in
            machine.act { $0.waitForReturn(of: id, continuation) }
        }
    }
}
