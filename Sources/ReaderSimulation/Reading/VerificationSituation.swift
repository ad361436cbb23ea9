/// How a customer was verified, in the three forms in which EMV says so.
///
/// The combinations are a choice of the simulation: plausible, stable, and no certification.
public struct VerificationSituation: Hashable, Sendable {
    /// The result of the verification, tag 9F34.
    public let cvmResult: String
    /// The terminal's verification results, tag 95.
    public let tvr: String
    /// What was done, tag 9B.
    public let tsi: String

    /// The situation of a payload.
    ///
    /// - Parameters:
    ///   - content: The payload.
    ///   - card: The card.
    ///   - kernel: The kernel that read it.
    ///   - triesAreUsedUp: Whether the issuer found the PIN wrong too often.
    public init(
        _ content: SimulatedPayload,
        card: SimulatedCard,
        kernel: Int?,
        triesAreUsedUp: Bool = false
    ) {
        let isVisa = kernel == 3
        let isExpired = card.outcome == .declines(.expiredCard)
        switch (content.pin, content.cvm) {
        case _ where triesAreUsedUp:
            (cvmResult, tvr, tsi) = ("020301", "0000A00000", "E800")
        case (.right, _), (.wrong, _):
            (cvmResult, tvr, tsi) = ("020300", "0000040000", isVisa ? "0000" : "E800")
        case (.bypassed, _):
            (cvmResult, tvr, tsi) = ("3F0001", "0000080000", isVisa ? "0000" : "A800")
        case (.none, .device):
            cvmResult = isVisa ? "1F0002" : "010002"
            (tvr, tsi) = ("0000000000", isVisa ? "0000" : "E800")
        case (.none, _):
            cvmResult = "1F0002"
            tvr = isExpired ? "0040000000" : "0000000000"
            tsi = isExpired || content.isRefusedByCard || !isVisa ? "A800" : "0000"
        }
    }
}
