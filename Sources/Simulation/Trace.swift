import Synchronization

/// What happened in a simulation, in order; equal runs give equal text.
public final class Trace: Sendable {
    private let lines = Mutex<[String]>([])
    private let clock: VirtualClock

    init(clock: VirtualClock) { self.clock = clock }

    /// Adds a line with the virtual time.
    ///
    /// - Parameters:
    ///   - origin: Who says it, such as `reader`.
    ///   - text: What happened; nothing that may not be shown.
    public func add(_ origin: String, _ text: String) {
        let offset = clock.now.offset
        let milliseconds =
            offset.components.seconds * 1_000
            + offset.components.attoseconds / 1_000_000_000_000_000
        lines.withLock { $0.append("\(milliseconds)ms \(origin): \(text)") }
    }

    /// Every line.
    public var text: String { lines.withLock { $0.joined(separator: "\n") } }

    /// Every line, one by one.
    public var all: [String] { lines.withLock { $0 } }
}
