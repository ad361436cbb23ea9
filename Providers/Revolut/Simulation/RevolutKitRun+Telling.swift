extension RevolutKitRun {
    /// Calls back in the order and shape of the script.
    func tell(_ end: RevolutKitFlow.End) {
        let isSignedOut = if case .signedOut = end { true } else { false }
        if isSignedOut, flow.script.logoutOrder == .first { service.tellLogout() }
        report(end)
        if flow.script.anomaly == .secondReport {
            flow.onDidCharge(nil, .failure(.internalError))
        }
        if isSignedOut, flow.script.logoutOrder == .between { service.tellLogout() }
        dismiss()
        guard flow.script.anomaly != .noCompletion else { return }
        flow.completion()
        if flow.script.anomaly == .secondCompletion { flow.completion() }
        if flow.script.anomaly == .reportAfterCompletion {
            flow.onDidCharge(nil, .failure(.internalError))
        }
        if isSignedOut, flow.script.logoutOrder == .last { service.tellLogout() }
    }

    /// Takes everything off the screen.
    func dismiss() {
        flow.enter(.dismissed)
        phone.stage.installation.keep(flow.value)
        screen.show(.nothing)
    }
}
