/// What a simulated device is like when a simulation begins.
public struct SimulatedDeviceConfiguration: Hashable, Sendable {
    /// How long everything takes.
    public var timing: ReaderTiming
    /// The merchants who accepted the terms before.
    public var linkedMerchants: Set<String>
    /// How much of the configuration is there already, 0 to 100.
    public var configured: Int
    /// Why the device cannot read cards, if it cannot.
    public var unsupported: ReaderError?
    /// Whether a read returns before its sheet is gone; the next may start only afterwards.
    public var returnsEarly: Bool
    /// Whether a card that refuses is told by a result with a payload, and not by an error.
    public var errorsInResult: Bool
    /// Whether the app learns what a live reader would hide.
    public var fidelity: Fidelity
    /// Everything else about the device and its owner.
    public var traits = DeviceTraits()
    /// The limits by the currency's code.
    public var limits = ReaderLimits.defaults
    /// The amounts that make the reader behave in a certain way.
    public var magic = MagicAmounts.Profile.none

    /// Creates a configuration; by default a new device on which nobody accepted the terms.
    ///
    /// - Parameters:
    ///   - timing: How long everything takes.
    ///   - linkedMerchants: The merchants who accepted the terms before.
    ///   - configured: How much of the configuration is there already, 0 to 100.
    ///   - unsupported: Why the device cannot read cards, if it cannot.
    ///   - returnsEarly: Whether a read returns before its sheet is gone.
    ///   - errorsInResult: Whether a card that refuses is told by a result with a payload.
    ///   - fidelity: Whether the app learns what a live reader would hide.
    public init(
        timing: ReaderTiming = .typical,
        linkedMerchants: Set<String> = [],
        configured: Int = 0,
        unsupported: ReaderError? = nil,
        returnsEarly: Bool = false,
        errorsInResult: Bool = true,
        fidelity: Fidelity = .apple
    ) {
        self.timing = timing
        self.linkedMerchants = linkedMerchants
        self.configured = min(max(configured, 0), 100)
        self.unsupported = unsupported
        self.returnsEarly = returnsEarly
        self.errorsInResult = errorsInResult
        self.fidelity = fidelity
    }

    /// How much a simulated reader tells.
    public enum Fidelity: String, Hashable, Sendable, CaseIterable {
        /// What a live reader tells; the rest is in the trace.
        case apple
        /// Reasons too.
        case open
    }
}
