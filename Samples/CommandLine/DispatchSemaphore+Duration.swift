public import Dispatch

extension DispatchSemaphore {
    /// Waits in real time, for about eleven days at most; false when it was signaled meanwhile.
    public func wait(for duration: Duration) -> Bool {
        let (seconds, attoseconds) = duration.components
        let nanoseconds = min(seconds, 1_000_000) * 1_000_000_000 + attoseconds / 1_000_000_000
        return wait(timeout: .now() + .nanoseconds(Int(nanoseconds))) == .timedOut
    }
}
