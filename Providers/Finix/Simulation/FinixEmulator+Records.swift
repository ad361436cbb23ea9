import Synchronization

extension FinixEmulator {
    /// The names of every transfer and authorization, newest first.
    public var recordIDs: [String] {
        books.state.withLock { state in (Array(state.transfers) + state.authorizations).map(\.id) }
    }
}
