import Dispatch
import Synchronization

/// Waits, on the program's own thread, for what runs in real time.
enum RealTime {
    static func wait<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value? {
        let done = DispatchSemaphore(value: 0)
        let result = Mutex<Value?>(nil)
        Task(executorPreference: globalConcurrentExecutor) {
            let value = await work()
            result.withLock { $0 = value }
            done.signal()
        }
        done.wait()
        return result.withLock { $0 }
    }
}

/// The part of the proof that starts and kills processes.
enum RealRun {
    static func play() -> RealProcesses.Outcome {
        let outcome = RealTime.wait { () async -> RealProcesses.Outcome in
            guard let processes = RealProcesses() else {
                return RealProcesses.Outcome(violations: ["the emulator cannot be started"])
            }
            return await processes.play()
        }
        return outcome ?? RealProcesses.Outcome(violations: ["the proof did not end"])
    }
}
