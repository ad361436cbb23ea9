import Synchronization

/// In which ways the emulated Finix behaves where sources leave room, or where it is stricter.
extension FinixEmulator {
    /// Ways to behave.
    public struct Modes: Hashable, Sendable {
        /// Lists every Device of a merchant, whichever serial number was asked for.
        public var ignoresSerialNumber = false
        /// Shows the app's bundle id in Devices.
        public var showsBundle = false
        /// Refuses every repeat of an idempotency id, also an identical one.
        public var refusesRepeats = false
        /// Refuses requests without the version header, and complains of them.
        public var demandsVersion = false
        /// For how many seconds a reader token is good.
        public var tokenLifetime: Int64 = 60
        /// Leaves a void pending until it is settled.
        public var voidsSlowly = false
        /// Leaves a surcharge out, as Finix may decide for a debit card.
        public var leavesOutSurcharge = false
        /// Takes the sandbox's special amounts for what they are; live Finix has none.
        public var ignoresTriggerAmounts = false

        /// The ways of today's Finix, as far as they are known.
        public init() {}
    }

    /// How it behaves.
    public var modes: Modes {
        get { books.modes }
        set { books.modes = newValue }
    }

    /// What clients did that a strict Finix would not take; a test expects none.
    public var complaints: [String] { books.complaints }

    /// Lets another merchant exist.
    public func add(merchant: String) { books.state.withLock { $0.add(merchant) } }

    /// The Devices that exist, by id, and whether they are enabled.
    public var devices: [String: Bool] {
        books.state.withLock { state in
            Dictionary(state.devices.map { ($0.id, $0.isEnabled) }) { $1 }
        }
    }

    /// Switches a Device off, as a person does in the dashboard.
    public func disable(device: String) {
        books.state.withLock { state in
            for index in state.devices.indices where state.devices[index].id == device {
                state.devices[index].isEnabled = false
            }
        }
    }

    /// Removes a Device.
    public func remove(device: String) {
        books.state.withLock { $0.devices.removeAll { $0.id == device } }
    }
}
