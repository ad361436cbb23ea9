import Simulation

/// A card or phone that a simulated customer holds near a reader; it has no full number.
public struct SimulatedCard: Hashable, Sendable {
    /// How it is held near.
    public enum Entry: String, Hashable, Sendable, CaseIterable {
        /// A plastic card.
        case card
        /// A phone or watch with its own verification.
        case phone
    }

    /// How its holder proves to be its holder.
    public enum Verification: String, Hashable, Sendable, CaseIterable {
        /// Not at all.
        case none
        /// By a PIN that the issuer checks, above the limit of the currency.
        case pinAboveLimit
        /// By a PIN that the issuer checks, always.
        case pinAlways
        /// By the phone or watch itself.
        case device
        /// By a PIN that the card checks, which takes another interface.
        case offlinePIN
    }

    /// What a reader makes of it.
    public enum Reading: Hashable, Sendable {
        /// It is read.
        case reads
        /// The read stops with an error, after the sheet asked to take the card away or before.
        case stops(ReaderError.Code, afterRemoval: Bool)
        /// The first tap of a read asks for another one, which is read.
        case retriesOnce(RetryReason)
        /// It takes so long from detection to the end.
        case takes(Duration)
        /// The card itself refuses, and there is a payload all the same.
        case refusesOffline
        /// The sheet closes by itself on the first read of the device.
        case sheetClosesOnce
    }

    /// Why a sheet asks for another tap; a live reader does not say so.
    public enum RetryReason: String, Hashable, Sendable, CaseIterable {
        /// The owner must unlock the phone first.
        case seePhone
        /// The card was too far away.
        case weakField
        /// The card was taken away too early.
        case removedEarly
        /// More than one card was there.
        case collision
    }

    /// What the issuer makes of it.
    public enum Outcome: Hashable, Sendable {
        /// Yes.
        case approves
        /// No, and why.
        case declines(IssuerRefusal)
        /// A PIN is asked for after the tap, then yes.
        case asksForPIN
        /// Yes, and a later refund is accepted and then fails.
        case approvesWithoutRefunds
        /// Yes, at merchants of the health trade alone.
        case approvesForHealthTrade
    }

    /// What the customer pays from.
    public enum Funding: String, Hashable, Sendable, CaseIterable {
        /// The bank lends.
        case credit
        /// From an account.
        case debit
        /// From what was paid in before.
        case prepaid
    }

    /// Its number in the table, such as 1 for C-01.
    public let number: Int
    /// Its name in the catalogue.
    public let id: String
    /// The brand, as a person would say it.
    public let brand: String
    /// The first digits of the published test number, six at most; empty for short numbers.
    public let prefix: String
    /// The last four digits of it.
    public let lastFour: String
    /// How many digits it has.
    public let length: Int
    /// How it is held near.
    public let entry: Entry
    /// How its holder is verified.
    public let verification: Verification
    /// What a reader makes of it.
    public let reading: Reading
    /// What the issuer makes of it.
    public let outcome: Outcome
    /// What the customer pays from.
    public let funding: Funding
    /// The country of the issuer, as ISO 3166 has it.
    public let country: String
    /// The payment applications on it; the first is taken without a preference.
    public let applications: [CardApplication]
    /// A second card that is held near together with it until one is taken out.
    public let companion: String?
    /// Whether it is held near again after a read has completed.
    public let tapsAgain: Bool

    /// The card of that name, if there is one.
    public static func named(_ id: String) -> SimulatedCard? { byName[id] }

    private static let byName = Dictionary(uniqueKeysWithValues: catalogue.map { ($0.id, $0) })

    /// Prefix, dots and last four; for test tools alone.
    public var masked: String {
        prefix + String(repeating: "•", count: length - prefix.count - 4) + lastFour
    }

    /// Whether the issuer or the card decides by itself, whatever the amount.
    var hasItsOwnOutcome: Bool { outcome != .approves || reading != .reads }
}

extension SimulatedCard: CustomStringConvertible {
    /// The name alone.
    public var description: String { id }
}
