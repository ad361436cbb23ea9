/// Names a wording that an app may show, in whatever language it shows it.
public struct MessageKey: Hashable, Sendable, CustomStringConvertible {
    /// The key, such as `event.presentCard`.
    public let description: String

    /// Creates a key.
    public init(_ description: String) { self.description = description }
}
