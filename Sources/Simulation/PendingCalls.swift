import Synchronization

/// The calls that somebody awaits, so that a simulation that hangs can name them.
public final class PendingCalls: Sendable {
    private struct State {
        var calls: [Int: String] = [:]
        var last = 0
        var witnesses: [@Sendable () -> String] = []
    }

    private let state = Mutex(State())

    init() {}

    /// Takes note of a call.
    ///
    /// - Parameter name: What a person would call it.
    /// - Returns: What to end it by.
    public func begin(_ name: String) -> Int {
        state.withLock { state in
            state.last += 1
            state.calls[state.last] = name
            return state.last
        }
    }

    /// A call has come to its end.
    public func end(_ call: Int) { state.withLock { _ = $0.calls.removeValue(forKey: call) } }

    /// Adds somebody who can say, after a hang, in which state something is.
    public func addWitness(_ witness: @escaping @Sendable () -> String) {
        state.withLock { $0.witnesses.append(witness) }
    }

    /// The calls that have not ended, in the order in which they began.
    public var names: [String] {
        state.withLock { state in state.calls.sorted { $0.key < $1.key }.map(\.value) }
    }

    /// Everything that helps to understand a hang.
    var report: String {
        let (names, witnesses) = (names, state.withLock { $0.witnesses })
        let pending = names.isEmpty ? "no call is known" : names.joined(separator: ", ")
        return (["pending: \(pending)"] + witnesses.map { $0() }).joined(separator: "; ")
    }
}
