public import CommandLineSupport
public import PaymentCore

extension Report {
    /// The report of something that failed and moves no money.
    public static func failure(_ error: PaymentError, _ subject: PaymentSubject) -> Report {
        told("failed", .failed, error, subject)
    }

    /// The report of making the phone ready.
    ///
    /// - Parameters:
    ///   - state: What came of it.
    ///   - subject: What it was about.
    ///   - ready: What is said of a phone that is ready.
    /// - Returns: The report.
    public static func setUp(
        _ state: SetUpState,
        _ subject: PaymentSubject,
        ready: String = "The reader is ready"
    ) -> Report {
        switch state {
        case .done:
            var object = subject.object
            object.outcome = "done"
            return Report(.success, object, lines: [ready])
        case .notDone(let error):
            let isCancelled = error.code == .linkCancelled
            return told("failed", isCancelled ? .cancelled : .failed, error, subject)
        case .unknown(let error): return told("unknown", .unresolved, error, subject)
        }
    }

    private static func told(
        _ outcome: String,
        _ exitCode: ExitCode,
        _ error: PaymentError,
        _ subject: PaymentSubject
    ) -> Report {
        var object = subject.object
        object.outcome = outcome
        object.error = .init(error)
        return Report(
            exitCode,
            object,
            lines: [error.messageKey.english],
            diagnostics: ["\(outcome): \(error.code), \(error.recovery.rawValue)"]
        )
    }
}
