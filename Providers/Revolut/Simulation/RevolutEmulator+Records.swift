import Synchronization

extension RevolutEmulator {
    /// The names of every order, newest first.
    public var recordIDs: [String] { books.state.withLock { state in state.orders.map(\.id) } }
}
