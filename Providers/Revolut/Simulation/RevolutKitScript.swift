/// Which of several possible shapes the simulated kit shows, and what it does wrong.
public struct RevolutKitScript: Hashable, Sendable {
    /// How the kit tells that somebody cancelled.
    public enum CancelShape: String, Hashable, Sendable, CaseIterable {
        /// A failure report, then the end.
        case reportThenCompletion
        /// The end alone.
        case completionAlone
    }

    /// Where the sign-out falls among the other callbacks of a flow.
    public enum LogoutOrder: String, Hashable, Sendable, CaseIterable {
        /// Before the report.
        case first
        /// Between report and end.
        case between
        /// After the end.
        case last
    }

    /// What is wrong with the callbacks.
    public enum Anomaly: String, Hashable, Sendable, CaseIterable {
        /// A failure report follows the first one.
        case secondReport
        /// The end comes twice.
        case secondCompletion
        /// A report follows the end.
        case reportAfterCompletion
        /// The end never comes.
        case noCompletion
    }

    /// How a cancellation is told.
    public var cancelShape = CancelShape.reportThenCompletion
    /// Whether a decline is tried again inside the kit.
    public var retriesDeclines = false
    /// Whether approved payments come with a receipt.
    public var givesReceipts = true
    /// Where a sign-out falls.
    public var logoutOrder = LogoutOrder.first
    /// Whether an order is made only when something is charged, or a code is shown.
    ///
    /// Where Revolut says nothing of the moment, an earlier end then leaves no order to be found.
    public var ordersLate = false
    /// What is wrong with the callbacks, if something is.
    public var anomaly: Anomaly?
    /// How long a code is shown before the kit gives up; for ever when nil.
    public var codePatience: Duration? = .seconds(600)

    /// Creates the script of a kit that does nothing wrong.
    public init() {}
}
