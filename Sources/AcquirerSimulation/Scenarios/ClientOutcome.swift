public import ReaderSimulation

/// How a sale of a scenario ended, as the app tells it.
public enum ClientOutcome: Hashable, Sendable {
    /// Paid in full.
    case approved
    /// Paid in part, so many minor units.
    case partlyApproved(Int64)
    /// Not paid; the issuer said no.
    case declined(IssuerRefusal)
    /// Not paid; somebody cancelled.
    case cancelled
    /// Not paid, and provably so; why.
    case failed(ReaderError.Code)
    /// Not paid: the app ended before anything was sent.
    case notSent
    /// Not paid: nothing arrived at the acquirer, or nothing was done there.
    case notCharged
    /// Paid and taken back.
    case reversed
    /// Nobody knows yet.
    case unknown
}

extension ClientOutcome: CustomStringConvertible {
    /// How a scenario writes it.
    public var description: String {
        switch self {
        case .approved: "approved"
        case .partlyApproved(let minorUnits): "partlyApproved(\(minorUnits))"
        case .declined(let refusal): "declined(\(refusal.rawValue))"
        case .cancelled: "cancelled"
        case .failed(let code): "failed(\(code))"
        case .notSent: "notSent"
        case .notCharged: "notCharged"
        case .reversed: "reversed"
        case .unknown: "unknown"
        }
    }

    /// How many minor units it says have moved and stayed; nil when it says that nobody knows.
    func moved(of asked: Int64) -> Int64? {
        switch self {
        case .approved: asked
        case .partlyApproved(let minorUnits): minorUnits
        case .declined, .cancelled, .failed, .notSent, .notCharged, .reversed: 0
        case .unknown: nil
        }
    }
}
