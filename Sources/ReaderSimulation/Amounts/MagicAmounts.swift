/// Amounts that make a simulation behave in a certain way, as acquirers' sandboxes have them.
public struct MagicAmounts: Hashable, Sendable {
    /// Which tables there are.
    public enum Profile: String, Hashable, Sendable, CaseIterable {
        /// This package's own: the last two digits.
        case neutral
        /// Stripe's: the last two digits.
        case stripe
        /// Adyen's: the last three digits.
        case adyen
        /// Finix's: the whole amount.
        case finix
        /// No amount is special.
        case none
    }

    /// What an amount does.
    public enum Effect: Hashable, Sendable {
        /// The issuer says yes.
        case approve
        /// The issuer says no.
        case decline(IssuerRefusal)
        /// A PIN is asked for in the read; whether any is right.
        case asksForPIN(anyIsRight: Bool)
        /// The issuer asks for a PIN after the tap, and declines so if none is given.
        case asksForPINAfterTap(otherwise: IssuerRefusal)
        /// The issuer approves half, rounded down.
        case approveHalf
        /// No answer comes.
        case noAnswer(charged: Bool)
        /// The answer comes twice.
        case answerTwice
        /// The issuer says yes and takes it back by a notice.
        case approveThenReverse
        /// The acquirer answers with an error, and nothing is booked.
        case acquirerError
        /// The acquirer says that the payment was cancelled or not submitted.
        case cancelledByAcquirer
        /// The issuer says yes, and the customer disputes the payment later.
        case approveThenDispute
        /// The first tap of a read asks for another.
        case retriesOnce(SimulatedCard.RetryReason)
        /// The read stops.
        case stops(ReaderError.Code)
        /// The card itself refuses.
        case refusesOffline
        /// Nobody taps.
        case nobodyTaps
        /// The app leaves the screen while the card is in the field.
        case background
        /// The read takes so long.
        case takes(Duration)
    }

    /// One line of a table.
    public struct Row: Hashable, Sendable {
        /// The digits that make an amount special.
        public let digits: Int64
        /// What it does then.
        public let effect: Effect
    }

    /// Which table it is.
    public let profile: Profile
    /// Its lines, in order.
    public let rows: [Row]
    /// By what an amount's minor units are divided to find the line by the rest; nil for all of it.
    public let modulus: Int64?
    /// Amounts below this one are not special.
    public let smallest: Int64
    private let effects: [Int64: Effect]

    init(
        _ profile: Profile,
        modulus: Int64?,
        smallest: Int64 = 0,
        _ rows: [(Int64, Effect)]
    ) {
        self.profile = profile
        self.rows = rows.map { Row(digits: $0.0, effect: $0.1) }
        self.modulus = modulus
        self.smallest = smallest
        effects = Dictionary(rows) { first, _ in first }
    }

    /// What an amount does.
    ///
    /// - Parameter minorUnits: The amount in minor units, of any currency.
    /// - Returns: Its effect; an amount that is not special is approved.
    public func effect(of minorUnits: Int64) -> Effect {
        guard minorUnits >= smallest else { return .approve }
        return effects[modulus.map { minorUnits % $0 } ?? minorUnits] ?? .approve
    }

    /// The table of a profile.
    public static func table(_ profile: Profile) -> MagicAmounts {
        switch profile {
        case .neutral: neutral
        case .stripe: stripe
        case .adyen: adyen
        case .finix: finix
        case .none: MagicAmounts(.none, modulus: nil, [])
        }
    }
}
