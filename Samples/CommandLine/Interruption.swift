@preconcurrency import Dispatch
import Synchronization

/// Counts how often a person pressed Ctrl-C, and wakes whoever waits in real time.
public final class Interruption: Sendable {
    private let state = Mutex((presses: 0, handled: 0))
    private let wake = DispatchSemaphore(value: 0)
    private let source: any DispatchSourceSignal

    /// Takes Ctrl-C over from the system.
    public init() {
        signal(SIGINT, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler { [weak self] in
            guard let self else { return }
            state.withLock { $0.presses += 1 }
            wake.signal()
        }
        source.resume()
    }

    /// How often it was pressed.
    public var presses: Int { state.withLock { $0.presses } }

    /// True once, for the first press.
    public func takeFirst() -> Bool {
        state.withLock { state in
            guard state.presses > 0, state.handled == 0 else { return false }
            state.handled = 1
            return true
        }
    }

    /// Waits in real time; false when it was pressed meanwhile.
    public func wait(_ duration: Duration) -> Bool { wake.wait(for: duration) }
}
