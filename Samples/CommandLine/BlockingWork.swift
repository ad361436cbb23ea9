import Dispatch
import PaymentCore
import Synchronization

/// Waits, on the program's own thread, for what runs in real time.
public enum BlockingWork {
    /// Runs work on the threads that all share, and returns its value.
    @discardableResult
    public static func wait<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value
    {
        let done = DispatchSemaphore(value: 0)
        let result = Mutex<Value?>(nil)
        Task(executorPreference: globalConcurrentExecutor) {
            let value = await work()
            result.withLock { $0 = value }
            done.signal()
        }
        while true {
            done.wait()
            if let value = result.withLock({ $0 }) { return value }
        }
    }
}
