import Simulation
import Synchronization

/// The lock around the simulated reader's core, and the way out of it.
///
/// Nothing from outside is called while the lock is held. What is to be told is put in one queue,
/// so that everybody sees one order, also when an observer calls back.
final class ReaderMachine: Sendable {
    let clock: VirtualClock
    let pending: PendingCalls
    private let core: Mutex<ReaderCore>

    init(time: SimulatedTime, configuration: SimulatedDeviceConfiguration) {
        clock = time.clock
        pending = time.pending
        core = Mutex(ReaderCore(time: time, configuration: configuration))
        core.withLock { $0.machine = self }
        pending.addWitness { [weak self] in
            guard let self else { return "the reader is gone" }
            return "the reader is \(act { $0.state.phase.traceName })"
        }
    }

    /// Changes the core, then tells what came of it.
    @discardableResult
    func act<Value: Sendable>(_ change: @Sendable (inout ReaderCore) -> Value) -> Value {
        let (value, mayTell) = core.withLock { core in
            let value = change(&core)
            core.keepAudit()
            defer { core.isTelling = true }
            return (value, !core.isTelling)
        }
        if mayTell { tell() }
        return value
    }

    private func tell() {
        while let next = core.withLock({ core -> (@Sendable () -> Void)? in
            if core.outbox.isEmpty {
                core.isTelling = false
                return nil
            }
            return core.outbox.removeFirst()
        }) {
            next()
        }
    }
}
