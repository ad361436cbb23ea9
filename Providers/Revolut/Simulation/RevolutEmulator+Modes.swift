import Synchronization

/// In which ways the emulated Revolut is stricter than the real one is known to be.
extension RevolutEmulator {
    /// Ways to behave; what clients did that a strict one would not take is always written down.
    public struct Modes: Hashable, Sendable {
        /// Refuses bodies with members that no operation lists.
        public var refusesUnknownMembers = false
        /// Refuses an idempotency key where Revolut takes none, so that nobody relies on one.
        public var refusesNeedlessKeys = false
        /// Refuses requests without a version, also where one may be missing.
        public var demandsVersion = false

        /// The ways of today's Revolut, as far as they are known.
        public init() {}
    }

    /// How it behaves.
    public var modes: Modes {
        get { books.modes.withLock { $0 } }
        set { books.modes.withLock { $0 = newValue } }
    }

    /// What clients did that a strict Revolut would not take; a test expects none.
    public var complaints: [String] { books.complaints.withLock { $0 } }
}
