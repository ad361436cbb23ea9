/// What a simulated device and its owner are like; everything is in order unless it says otherwise.
public struct DeviceTraits: Hashable, Sendable {
    /// Whether the model can read cards.
    public var hasReader = true
    /// The version of the system; 26 tells more about an interruption than earlier ones.
    public var systemVersion = 26
    /// Whether the system is new enough, which only a preparation finds out.
    public var isSystemSupported = true
    /// From when on the system is too old, counted from the start of the simulation.
    public var systemSupportEnds: Duration?
    /// Whether the device has a passcode.
    public var hasPasscode = true
    /// Whether near-field communication is on.
    public var hasNFC = true
    /// Whether the app may use the reader.
    public var entitlement = Entitlement.granted
    /// Whether somebody is signed in on the device.
    public var isSignedIn = true
    /// Until when the device is banned, counted from the start of the simulation.
    public var bannedUntil: Duration?
    /// Whether the secure storage is full.
    public var isStorageFull = false
    /// The merchants there are; any when nil.
    public var knownMerchants: Set<String>?
    /// The number of a preparation that fails until the device is restarted.
    public var preparationFailure: Int?
    /// Whether every preparation configures anew.
    public var configuresEveryTime = false
    /// Whether the reader wants an update.
    public var update = Update.none
    /// Whether a PIN can be typed on this device.
    public var allowsPIN = true
    /// Whether a moment out of front ends the session.
    public var inactiveEndsSession = false
    /// Whether leaving the screen ends the session without anybody saying so.
    public var losesSessionSilently = false
    /// Whether the reader has another name in the next process of the app.
    public var changesIdentifier = false

    /// Creates a device on which everything is in order.
    public init() {}

    /// Whether the app may use the reader.
    public enum Entitlement: String, Hashable, Sendable, CaseIterable {
        /// It may.
        case granted
        /// It may not.
        case missing
        /// It may, after one failure that means nothing.
        case grantedAfterOneFailure
    }

    /// Whether the reader wants an update.
    public enum Update: String, Hashable, Sendable, CaseIterable {
        /// No.
        case none
        /// It would like one.
        case available
        /// It needs one, which takes as long as a first preparation.
        case required
        /// One of these, by chance.
        case random
    }
}
