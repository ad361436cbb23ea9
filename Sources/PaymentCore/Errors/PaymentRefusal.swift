/// Why a call did not start: no attempt, no event, nothing sent, nothing written.
public indirect enum PaymentRefusal: Error, Sendable {
    /// The order part is already paid; this is its receipt.
    case alreadyPaid(Receipt)
    /// Money is already held for the order part.
    case alreadyAuthorized(Authorization)
    /// An earlier attempt at the same thing is still open.
    case open(UnresolvedPayment)
    /// Another payment is running on this device.
    case busy(Order)
    /// The acquirer cannot do this; these configured ones can.
    case missingCapability(Capability, provider: String, available: [String])
    /// The request itself is wrong.
    case invalidRequest(InvalidRequest)
    /// The journal cannot be written, so nothing may be charged.
    case cannotRecord(String)
    /// The merchant's consent was lost; sign in first.
    case signedOut(provider: String)
    /// Another attempt has claimed the order at the app's back end.
    case claimed(OrderClaim)
    /// The app's back end could not be asked for the order, so nothing may be charged.
    case cannotClaim(PaymentError)
}

/// What is wrong with a request.
public struct InvalidRequest: Hashable, Sendable, CustomStringConvertible {
    /// Which part of the request.
    public let field: String
    /// What is wrong with it and what is accepted.
    public let problem: String

    /// Creates the description of a fault in a request.
    public init(field: String, problem: String) {
        self.field = field
        self.problem = problem
    }

    /// The field and the problem.
    public var description: String { "\(field): \(problem)" }
}

extension PaymentRefusal: CustomStringConvertible {
    /// A stable name, fit for a metrics label.
    public var code: String {
        switch self {
        case .alreadyPaid: "alreadyPaid"
        case .alreadyAuthorized: "alreadyAuthorized"
        case .open: "open"
        case .busy: "busy"
        case .missingCapability: "missingCapability"
        case .invalidRequest: "invalidRequest"
        case .cannotRecord: "cannotRecord"
        case .signedOut: "signedOut"
        case .claimed: "claimed"
        case .cannotClaim: "cannotClaim"
        }
    }

    /// Names the wording for a screen.
    public var messageKey: MessageKey { MessageKey("refusal.\(code)") }

    /// One sentence for whoever integrates or supports the app.
    public var description: String {
        switch self {
        case .alreadyPaid(let receipt):
            "order \(receipt.order) is already paid (\(receipt.asked.orNotKnown), attempt \(receipt.attempt))"
        case .alreadyAuthorized(let authorization):
            """
            order \(authorization.order) already holds \(authorization.amount) \
            (attempt \(authorization.receipt.attempt)); capture or void it
            """
        case .open(let payment):
            """
            order \(payment.order) has an open attempt \(payment.attempt) over \(payment.amount.orNotKnown); \
            resolve it first
            """
        case .busy(let order): "a payment for order \(order) is running on this device"
        case .missingCapability(let capability, let provider, let available):
            available.isEmpty
                ? "\(provider) cannot take \(capability), and no other configured acquirer can"
                : """
                \(provider) cannot take \(capability); configured acquirers that can: \
                \(available.joined(separator: ", "))
                """
        case .invalidRequest(let problem): "invalid request: \(problem)"
        case .cannotRecord(let detail):
            "nothing was charged, since it cannot be recorded: \(detail)"
        case .signedOut(let provider): "\(provider) is signed out; sign in again first"
        case .claimed(let claim):
            """
            order \(claim.order) is taken by attempt \(claim.attempt) of till \(claim.till) \
            (\(claim.amount.orNotKnown)); ask there how it ended
            """
        case .cannotClaim(let error):
            "nothing was charged, since the order cannot be claimed at the back end: "
                + (error.detail.map { "\($0) (\(error.code))" } ?? "\(error.code)")
        }
    }
}
