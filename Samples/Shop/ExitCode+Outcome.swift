public import CommandLineSupport
public import PaymentCore

extension ExitCode {
    /// The code of a payment's end.
    public init(_ outcome: PaymentOutcome) {
        self =
            switch outcome {
            case .approved, .authorized: .success
            case .partlyApproved: .partlyApproved
            case .declined: .declined
            case .cancelled: .cancelled
            case .failed: .failed
            case .unresolved: .unresolved
            }
    }

    /// The code of a follow-up's end.
    public init(_ outcome: FollowUpOutcome) {
        self =
            switch outcome {
            case .done, .pending: .success
            case .declined: .declined
            case .failed: .failed
            case .unresolved: .unresolved
            }
    }

    /// The code of a refusal.
    public init(_ refusal: PaymentRefusal) {
        if case .cannotRecord = refusal { self = .cannotRecord } else { self = .refused }
    }
}
