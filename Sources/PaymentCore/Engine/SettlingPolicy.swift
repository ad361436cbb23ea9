/// How long the point of sale waits for whom.
public struct SettlingPolicy: Hashable, Sendable {
    /// How long the acquirer's books are asked before an outcome is told as unresolved.
    public var patience: Duration = .seconds(20)
    /// How long the books are asked to confirm the amount of an approved payment.
    public var confirmation: Duration = .seconds(5)
    /// How long a vendor's call may take before the payment is told as unresolved.
    public var vendorDeadline: Duration = .seconds(900)

    /// How long preparing the reader may take; the first time on a device needs minutes.
    public var preparationDeadline: Duration = .seconds(300)

    /// Creates the default policy.
    public init() {}
}
