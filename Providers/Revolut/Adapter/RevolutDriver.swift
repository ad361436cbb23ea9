public import PaymentCore

/// The seam to Revolut's kit: a shim over it on an iPhone, the simulated kit elsewhere.
///
/// The kit tells everything by callbacks, on any thread, and a shim passes them on as they come.
public protocol RevolutDriver: Sendable {
    /// Whether a kit can run here at all; where none can, the adapter shows a code itself.
    var isSupported: Bool { get }
    /// Starts one payment of a fixed amount.
    ///
    /// - Parameters:
    ///   - payment: What to take.
    ///   - onDidCharge: The kit's charge report; the kit's interface is still on screen.
    ///   - completion: The end of the flow; nothing of the kit's is on screen any more.
    func performPayment(
        _ payment: RevolutPayment,
        onDidCharge: @escaping @Sendable (RevolutChargeReport) -> Void,
        completion: @escaping @Sendable () -> Void
    )
    /// Starts a series: the kit's own screen asks for each amount, and for tap or code.
    ///
    /// - Parameters:
    ///   - series: What is the same for all payments.
    ///   - onDidCharge: The kit's charge report of each payment; its interface stays on screen.
    ///   - completion: The end of the flow; nothing of the kit's is on screen any more.
    func performPayments(
        _ series: RevolutSeries,
        onDidCharge: @escaping @Sendable (RevolutChargeReport) -> Void,
        completion: @escaping @Sendable () -> Void
    )
    /// Starts the first set-up, which offers a payment of one minor unit.
    ///
    /// - Parameters:
    ///   - setUp: What is wanted.
    ///   - completion: The end of it; with a receipt only if a payment was made.
    func performFirstTimeSetup(
        _ setUp: RevolutFirstTimeSetup,
        completion: @escaping @Sendable (RevolutChargeReport) -> Void
    )
}

/// What the first set-up is asked to do.
public struct RevolutFirstTimeSetup: Hashable, Sendable {
    /// Whether the introduction is wanted; the kit shows it once at most.
    public var shouldShowIntro: Bool
    /// The currency of the payment that it offers.
    public var currency: String
    /// The name on the receipt.
    public var merchantName: String?

    /// Creates a set-up.
    public init(shouldShowIntro: Bool, currency: String, merchantName: String?) {
        self.shouldShowIntro = shouldShowIntro
        self.currency = currency
        self.merchantName = merchantName
    }
}

/// What makes a driver: the kit needs a source of tokens and somebody to tell of a sign-out.
public struct RevolutDriverContext: Sendable {
    /// What the configuration says.
    public let configuration: RevolutConfiguration
    /// Hands out device tokens, one round at a time.
    public let tokens: RevolutTokenSource
    /// To be called when the kit signs out.
    public let onLogout: @Sendable () -> Void
}

/// What the kit is asked to take.
public struct RevolutPayment: Hashable, Sendable {
    /// The amount in minor units.
    public var amount: UInt
    /// The ISO 4217 code.
    public var currency: String
    /// The text in the merchant's account; ends with the attempt's marker.
    public var description: String
    /// The name on the receipt.
    public var merchantName: String?

    /// Creates a payment.
    public init(amount: UInt, currency: String, description: String, merchantName: String?) {
        self.amount = amount
        self.currency = currency
        self.description = description
        self.merchantName = merchantName
    }
}

/// One charge report of the kit's.
public struct RevolutChargeReport: Hashable, Sendable {
    /// A page about the payment, for sharing alone.
    public var receipt: URL?
    /// The name of the kit's error case; nil for success.
    public var failure: String?

    /// Creates a report.
    public init(receipt: URL?, failure: String?) {
        self.receipt = receipt
        self.failure = failure
    }
}
