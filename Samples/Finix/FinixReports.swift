import CommandLineSupport
import FinixPayments
import FinixSimulation
import PaymentCore
import ShopSupport

extension Report {
    /// The report of a configuration that leads to no Finix that could be asked.
    static var noFinix: Report {
        .problem(.configuration, ["finix: the configuration lets nobody ask Finix's books"])
    }

    /// The report of something that failed and moves no money.
    static func failure(_ error: PaymentError, _ subject: PaymentSubject) -> Report {
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
    static func setUp(_ state: SetUpState, _ subject: PaymentSubject) -> Report {
        var object = subject.object
        switch state {
        case .done:
            object.outcome = "done"
            return Report(.success, object, lines: ["The reader is ready"])
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

extension SimulatedShop {
    /// What finds and makes Devices at the emulated Finix.
    var finixDevices: FinixDevices? {
        guard let emulator = emulatedFinix else { return nil }
        return FinixDevices(
            world: .simulated,
            origin: FinixEmulator.origin,
            username: Secret(FinixEmulator.username),
            password: Secret(FinixEmulator.password),
            transport: emulator.host,
            environment: environment
        )
    }
}
