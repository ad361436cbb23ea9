public import AcquirerSimulation
import ReaderSimulation
import Synchronization

/// The simulated iPhone that a kit runs on: its reader, what it keeps, and the Finix it reaches.
///
/// Code that was written for the vendor's kit names no phone. It runs inside of
/// `FinixPhone.$current.withValue(phone) { … }`; outside of it, as on a device without a reader,
/// nothing is supported.
public final class FinixPhone: Sendable {
    /// The phone of kits that are made without one.
    @TaskLocal public static var current: FinixPhone?

    /// The world that the phone is in.
    public let world: SimulatedWorld
    /// The Finix that its kits submit to.
    public let emulator: FinixEmulator
    let links = FinixLinkCache()
    private let state = Mutex(State())

    private struct State {
        var quirks = Quirks()
        var kits: [Int: @Sendable () -> Void] = [:]
        var count = 0
        var taps = 0
    }

    /// Creates a phone.
    ///
    /// - Parameters:
    ///   - world: The world whose device it is.
    ///   - emulator: The Finix that its kits submit to.
    public init(world: SimulatedWorld, emulator: FinixEmulator) {
        self.world = world
        self.emulator = emulator
    }

    /// In what the versions of the vendor's kit differ.
    public struct Quirks: Hashable, Sendable {
        /// Sends `failure` twice for a payment that Finix returned as failed.
        public var repeatsFailure = false
        /// Sends no `failure` for a read that was cancelled.
        public var omitsCancelEvent = false
        /// Forgets the latest event when the app cancels.
        public var forgetsEventOnCancel = false

        /// None, as in 1.2.0.
        public init() {}
    }

    /// In what its kits differ from version 1.2.0.
    public var quirks: Quirks {
        get { state.withLock { $0.quirks } }
        set { state.withLock { $0.quirks = newValue } }
    }

    /// Moves the app off the screen.
    public func background() { world.device.control.background() }

    /// Moves the app back on the screen; kits with a session renew it.
    public func foreground() {
        world.device.control.foreground()
        let kits = state.withLock { state in
            state.kits.sorted { $0.key < $1.key }.map(\.value)
        }
        for kit in kits { kit() }
    }

    var isForeground: Bool { world.device.control.state.isForeground }
    var isSupported: Bool { world.reader.support() == .supported }

    /// How many taps were submitted, this one included; no two have one name.
    func nextTap() -> Int {
        state.withLock { state in
            state.taps += 1
            return state.taps
        }
    }

    /// Has somebody called on each return to the foreground; what is returned ends it.
    func onForeground(_ handler: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.count += 1
            state.kits[state.count] = handler
            return state.count
        }
    }

    func endForeground(_ id: Int) { state.withLock { _ = $0.kits.removeValue(forKey: id) } }
}
