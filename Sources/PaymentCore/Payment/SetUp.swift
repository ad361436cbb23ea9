/// What setting a device up may do.
public struct SetUpOptions: Hashable, Sendable {
    /// Whether whoever stands at the device may accept the reader's terms for the merchant.
    public var mayAcceptTerms: Bool
    /// The payment to try, where the acquirer sets up with one; real money in a live environment.
    public var testPayment: PaymentRequest?

    /// Creates options.
    ///
    /// - Parameters:
    ///   - mayAcceptTerms: Whether the reader's terms may be accepted here.
    ///   - testPayment: The payment to try, where the acquirer sets up with one.
    public init(mayAcceptTerms: Bool = false, testPayment: PaymentRequest? = nil) {
        self.mayAcceptTerms = mayAcceptTerms
        self.testPayment = testPayment
    }
}

/// Whether a device is set up.
public enum SetUpState: Hashable, Sendable {
    /// It is.
    case done
    /// It is not, and why.
    case notDone(PaymentError)
    /// Nobody could find out.
    case unknown(PaymentError)
}

/// How setting up ended, and where the money of its test payment is.
public struct SetUpResult: Sendable {
    /// Whether the device is set up.
    public let state: SetUpState
    /// How the test payment ended; nil where none was made.
    public let testPayment: PaymentOutcome?
}

/// What an adapter says about setting up.
public struct SetUpAnswer: Sendable {
    /// Whether the device is set up.
    public var state: SetUpState
    /// How the test payment ended; nil where none was made.
    public var testPayment: ProviderAnswer?

    /// Creates an answer.
    ///
    /// - Parameters:
    ///   - state: Whether the device is set up.
    ///   - testPayment: How the test payment ended; nil where none was made.
    public init(_ state: SetUpState, testPayment: ProviderAnswer? = nil) {
        self.state = state
        self.testPayment = testPayment
    }
}
