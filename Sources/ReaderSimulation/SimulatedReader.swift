import Simulation
import Synchronization

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
        try await ask("linkStatus") { $0.linkStatus(of: token) }
    }

    /// The reader's own name.
    public func readerIdentifier() async throws(ReaderError) -> String {
        try await ask("readerIdentifier") { _ in { $0.identifier() } }
    }

    /// Has the merchant accept the terms.
    public func link(token: ReaderToken) async throws(ReaderError) {
        try await call("link") { [process] core, id, answer in
            core.link(token, again: false, id: id, caller: process, answer)
        }
    }

    /// Has the merchant accept the terms with another account.
    public func relink(token: ReaderToken) async throws(ReaderError) {
        try await call("relink") { [process] core, id, answer in
            core.link(token, again: true, id: id, caller: process, answer)
        }
    }

    /// Makes a session, or keeps the one there is.
    public func prepare(token: ReaderToken) async throws(ReaderError) {
        try await call("prepare") { [process] core, id, answer in
            core.prepare(token, id: id, caller: process, answer)
        }
    }

    /// Collects one card.
    public func read(_ request: ReadRequest) async throws(ReaderError) -> ReadResult {
        try await call("read") { [process] core, id, answer in
            core.read(request, id: id, caller: process, answer)
        }
    }

    /// Collects loyalty passes alone.
    public func readPasses(of merchants: [String]) async throws(ReaderError) -> [LoyaltyPass] {
        try await read(ReadRequest(passesOf: merchants)).passes
    }

    /// Adds a PIN to the last read.
    public func capturePIN(
        token: PINToken,
        readID: String
    ) async throws(ReaderError) -> ReadResult {
        try await call("capturePIN") { [process] core, id, answer in
            core.capturePIN(token, readID: readID, id: id, caller: process, answer)
        }
    }

    /// Ends the running read while no card was detected, or a PIN that is asked for on its own.
    public func cancelRead() async -> Bool {
        let control = ReaderControl(machine)
        try? await control.reach(.cancelRequested, .before)
        let ended = machine.act { [process] core in
            let ended = core.cancel(caller: process)
            core.keep(.cancelAnswered(ended: ended))
            return ended
        }
        try? await control.reach(.cancelRequested, .after)
        if let ended { await waitForReturn(of: ended) }
        try? await control.reach(.cancelAnswered, .before)
        return ended != nil
    }

    /// Gives the session up.
    public func close() async {
        let ending = machine.act { [process] core in
            core.keep(.closeAsked)
            return core.close(caller: process)
        }
        if let ending {
            await waitForReturn(of: ending)
        }
    }

    /// Hears what is now, then every event, in order.
    @discardableResult
    public func subscribe(
        _ observer: @escaping @Sendable (ReaderEvent) -> Void
    ) -> ReaderSubscription {
        let place = Place(observer)
        let id = machine.act { [process] core in
            let id = core.nextID()
            if process == core.process {
                core.observers.append((id, { place.hear($0) }))
                if let event = core.state.phase.event { core.outbox.append { place.hear(event) } }
            }
            return id
        }
        return ReaderSubscription { [machine] in
            // What is on its way already is not heard either.
            place.leave()
            machine.act { core in core.observers.removeAll { $0.id == id } }
        }
    }
}

extension SimulatedReader {
    private func call<Value: Sendable>(
        _ name: String,
        _ start: @Sendable (inout ReaderCore, Int, ReaderCore.Answer<Value>) -> Void
    ) async throws(ReaderError) -> Value {
        let pending = machine.pending.begin("reader.\(name)")
        defer { machine.pending.end(pending) }
        let id = machine.act { core in
            let id = core.nextID()
            core.keep(.called(name, id: id, process: core.process))
            return id
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (answer: ReaderCore.Answer<Value>) in
                machine.act { start(&$0, id, answer) }
                // A cancellation that came before the start has not found anything to end.
                if Task.isCancelled { machine.act { $0.taskCancelled(id) } }
            }
        } onCancel: {
            machine.act { $0.taskCancelled(id) }
        }
        machine.act { core in
            core.returned(id)
            core.keep(.returned(id, ReaderAudit.End(result)))
        }
        return try result.get()
    }

    private func ask<Value: Sendable>(
        _ name: String,
        _ begin: @Sendable (inout ReaderCore) -> ReaderCore.Decision<Value>
    ) async throws(ReaderError) -> Value {
        let pending = machine.pending.begin("reader.\(name)")
        defer { machine.pending.end(pending) }
        let result = await withCheckedContinuation { (answer: ReaderCore.Answer<Value>) in
            machine.act { [process] in $0.ask(answer, of: process, begin) }
        }
        return try result.get()
    }

    private func waitForReturn(of id: Int) async {
        await withCheckedContinuation { continuation in
            machine.act { $0.waitForReturn(of: id, continuation) }
        }
    }
}

/// An observer, until it has cancelled its subscription.
private final class Place: Sendable {
    private let observer: @Sendable (ReaderEvent) -> Void
    private let isLeft = Atomic(false)

    init(_ observer: @escaping @Sendable (ReaderEvent) -> Void) { self.observer = observer }

    func hear(_ event: ReaderEvent) {
        if !isLeft.load(ordering: .acquiring) { observer(event) }
    }

    func leave() { isLeft.store(true, ordering: .releasing) }
}
