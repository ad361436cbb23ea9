import Synchronization

/// Something that a harness remembers to have been asked for.
public final class ContractFlag: Sendable {
    private let state = Mutex(false)

    /// Creates a flag that is not set.
    public init() {}

    /// Whether it was set.
    public var isSet: Bool { state.withLock { $0 } }

    /// Sets it.
    public func set() { state.withLock { $0 = true } }
}
