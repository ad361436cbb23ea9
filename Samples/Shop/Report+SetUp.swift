public import CommandLineSupport
public import PaymentCore

extension Report {
    /// The report of something that failed and moves no money.
    public static func failure(_ error: PaymentError, _ subject: PaymentSubject) -> Report {
        var object = subject.object
        object.outcome = "failed"
        object.error = .init(error)
        return Report(
            .failed,
            object,
            lines: [error.messageKey.english],
            diagnostics: ["failed: \(error.code), \(error.recovery.rawValue)"]
        )
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
        var object = subject.object
        switch state {
        case .done:
            object.outcome = "done"
            return Report(.success, object, lines: [ready])
        case .notDone(let error):
            let isCancelled = error.code == .linkCancelled
            let report = failure(error, subject)
            return isCancelled
                ? Report(
                    .cancelled,
                    report.object,
                    lines: report.lines,
                    diagnostics: report.diagnostics
                ) : report
        case .unknown(let error):
            object.outcome = "unknown"
            object.error = .init(error)
            return Report(
                .unresolved,
                object,
                lines: [error.messageKey.english],
                diagnostics: ["unknown: \(error.code), \(error.recovery.rawValue)"]
            )
        }
    }
}
