import CommandLineSupport

/// The part of the proof that starts and kills processes.
enum RealRun {
    static func play() -> RealProcesses.Outcome {
        BlockingWork.wait { () async -> RealProcesses.Outcome in
            guard let processes = RealProcesses() else {
                return RealProcesses.Outcome(violations: ["the emulator cannot be started"])
            }
            let signals = StopSignals {
                processes.end()
                exit(ExitCode.checkFailed.rawValue)
            }
            defer { signals.cancel() }
            return await processes.play()
        }
    }
}
