import Synchronization

/// The screen of the simulated kit, as a person at the till would see it.
public final class RevolutScreen: Sendable {
    /// What is on screen.
    public enum Content: Hashable, Sendable {
        /// Nothing of the kit's.
        case nothing
        /// The kit is busy, or waits for a tap.
        case sheet
        /// What the kit can do, for who sees it for the first time.
        case introduction
        /// A payment to try is offered.
        case offer
        /// A code for the customer's own device, and the order behind it.
        case code(page: String, order: String)
        /// How it ended.
        case result(String)
    }

    private struct State {
        var content = Content.nothing
        var observers: [@Sendable (Content) -> Void] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Creates an empty screen.
    public init() {}

    /// What is on screen now.
    public var content: Content { state.withLock { $0.content } }

    /// Sees everything that comes on screen from now on.
    public func observe(_ observer: @escaping @Sendable (Content) -> Void) {
        state.withLock { $0.observers.append(observer) }
    }

    /// The merchant closes the code.
    public func close() { state.withLock { $0.isClosed = true } }

    func show(_ content: Content) {
        let observers = state.withLock { state in
            state.content = content
            if case .code = content { state.isClosed = false }
            return state.observers
        }
        for observer in observers { observer(content) }
    }

    var wasClosed: Bool { state.withLock { $0.isClosed } }
}
