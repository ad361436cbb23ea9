public import ReaderSimulation

/// What the answer to a payment tells about the card, for a receipt.
public struct CardData: Hashable, Sendable {
    /// How the customer was verified.
    public enum Verification: String, Hashable, Sendable, CaseIterable {
        /// Not at all.
        case none
        /// By a PIN.
        case onlinePIN
        /// By the phone or watch itself.
        case device
        /// Not at all, since the PIN was skipped.
        case skipped
        /// By a PIN that was wrong too often.
        case failed
    }

    /// The brand, by the card's application and never by its number.
    public let brand: String
    /// The last four digits; of a phone, those of its own number.
    public let lastFour: String
    /// How the card was read.
    public let entryMode = "contactless"
    /// How the customer was verified.
    public let verification: Verification
    /// The application's name, as a receipt must show it.
    public let applicationLabel: String
    /// The application's identifier, as a receipt must show it.
    public let applicationIdentifier: String
    /// What the customer pays from; a receipt must show it outside of the United States.
    public let accountType: SimulatedCard.Funding
    /// The issuer's code for a yes.
    public let approvalCode: String?
    /// The issuer's answer, tag 8A.
    public let responseCode: String
    /// The three forms in which EMV tells the verification.
    public let situation: VerificationSituation
    /// Whether no real card was read; always true here.
    public var isSimulated: Bool { true }

    init(_ content: SimulatedPayload, card: SimulatedCard, answer: SimulatedIssuer.Answer) {
        let application = card.applications.first { $0.identifier == content.application }
        brand = application?.brand ?? card.brand
        lastFour = card.lastFour
        applicationLabel = application?.label ?? ""
        applicationIdentifier = application?.identifier ?? ""
        accountType = card.funding
        let triesAreUsedUp = answer == .declined(.pinTriesExceeded)
        situation = VerificationSituation(
            content,
            card: card,
            kernel: application?.kernel,
            triesAreUsedUp: triesAreUsedUp
        )
        verification =
            switch (content.pin, content.cvm) {
            case _ where triesAreUsedUp: .failed
            case (.right, _), (.wrong, _): .onlinePIN
            case (.bypassed, _): .skipped
            case (.none, .device): .device
            case (.none, _): .none
            }
        switch answer {
        case .approved(_, let code): (approvalCode, responseCode) = (code, "00")
        case .declined(let refusal): (approvalCode, responseCode) = (nil, refusal.responseCode)
        case .asksForPIN: (approvalCode, responseCode) = (nil, "65")
        }
    }
}
